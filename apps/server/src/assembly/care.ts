import { backupSchedule, embeddedSource, lastBackups, serviceSource } from '../backup/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { DatabaseConnection } from '../platform/database/connect.ts';
import type { Problem } from '../platform/http/problem.ts';
import type { Log } from '../platform/log.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import type { Room } from '../platform/room.ts';
import { supportRoom } from '../support/index.ts';

export interface CareParts {
  database: DatabaseConnection;
  store: ObjectStore;
  clock: Clock;
  log: Log;
  /** of the product */
  version: string;
  metrics(): Promise<string>;
  problems(): Promise<readonly Problem[]>;
}

/** Support bundles, and the daily backup if it is configured. */
export async function careRooms(config: Config, parts: CareParts): Promise<Room[]> {
  const { database, clock, log, version, metrics } = parts;
  return [
    supportRoom({
      ...{ pool: database.pool, clock, log, version, dataFolder: config.dataFolder, metrics },
      problems: async () => (await parts.problems()).map((problem) => problem.envelope('en-US')),
    }),
    ...(await dailyBackup(config, parts)),
  ];
}

async function dailyBackup(config: Config, parts: CareParts): Promise<Room[]> {
  const { database, store, clock, log, version } = parts;
  const { backup, objects, dataFolder } = config;
  const url = database.pool.options.connectionString;
  if (backup === undefined || url === undefined) return [];
  const { folder, time: at, keep } = backup;
  const source = objects.service === null ? embeddedSource(dataFolder, store.buckets) : serviceSource(store);
  const options = { url, folder, keep, version, objects: backup.objects ? source : null };
  const upload = backup.upload && (await uploadTarget(backup.upload));
  return [backupSchedule({ db: database.db, clock, log, at, backup: options, upload })];
}

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
