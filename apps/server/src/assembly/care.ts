import { backupSchedule, embeddedSource, lastBackups, serviceSource } from '../backup/index.ts';
import type { Config } from '../platform/config/config.ts';
import type { DatabaseConnection } from '../platform/database/connect.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { supportRoom } from '../support/index.ts';

/** Support bundles. */
export const support = declareRoom({
  name: 'support',
  needs: ['pool', 'clock', 'log', 'version', 'config', 'registry', 'problems'],
  open: ({ config, registry, problems, ...parts }) =>
    supportRoom({
      ...{ ...parts, dataFolder: config.dataFolder, metrics: () => registry.metrics() },
      problems: async () => (await problems()).map((problem) => problem.envelope('en-US')),
    }),
});

/** The daily backup, if it is configured. */
export const backup = declareRoom({
  name: 'backup',
  needs: ['database', 'db', 'pool', 'store', 'clock', 'log', 'version', 'config'],
  async open({ database, db, pool, store, clock, log, version, config }) {
    const measures = [
      {
        name: 'chargehand_last_backup_timestamp_seconds',
        help: 'When the last successful backup was started; 0 without one.',
        read: async () => ((await lastBackup(database)).startedAt?.getTime() ?? 0) / 1_000,
      },
    ];
    const { backup: settings, objects, dataFolder } = config;
    const url = pool.directUrl;
    if (settings === undefined) return { measures };
    const { folder, time: at, keep } = settings;
    const source = objects.service === null ? embeddedSource(dataFolder, store.buckets) : serviceSource(store);
    const options = { url, folder, keep, version, objects: settings.objects ? source : null };
    const upload = settings.upload && (await uploadTarget(settings.upload));
    return { ...backupSchedule({ db, clock, log, at, backup: options, upload }), measures };
  },
});

/** The bucket for backups. The client of S3 services is loaded only for it. */
async function uploadTarget({ place, days }: NonNullable<NonNullable<Config['backup']>['upload']>) {
  const { endpoint, bucket, prefix, region, key } = place;
  const { s3Objects } = await import('../platform/objects/service/s3-objects.ts');
  const buckets = { main: bucket, firmware: bucket };
  return {
    store: s3Objects({ endpoint, stsEndpoint: endpoint, roleArn: '', region, key, buckets }),
    bucket,
    prefix,
    days,
  };
}

/** The start and the end of the last backup that succeeded, and why the last one failed; null: there is none. */
export async function lastBackup({ db }: DatabaseConnection) {
  const { last, succeeded } = await lastBackups(db);
  const { startedAt = null, endedAt: succeededAt = null } = succeeded ?? {};
  return { startedAt, succeededAt, error: last?.error ?? null };
}
