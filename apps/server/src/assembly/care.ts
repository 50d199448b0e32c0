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
export function careRooms(config: Config, parts: CareParts): Room[] {
  const { database, clock, log, version, metrics } = parts;
  return [
    supportRoom({
      ...{ pool: database.pool, clock, log, version, dataFolder: config.dataFolder, metrics },
      problems: async () => (await parts.problems()).map((problem) => problem.envelope('en-US')),
    }),
    ...dailyBackup(config, parts),
  ];
}

function dailyBackup(config: Config, { database, store, clock, log, version }: CareParts): Room[] {
  const { backup, objects, dataFolder } = config;
  const url = database.pool.options.connectionString;
  if (backup === undefined || url === undefined) return [];
  const { folder, time: at, keep } = backup;
  const source = objects.service === null ? embeddedSource(dataFolder, store.buckets) : serviceSource(store);
  const options = { url, folder, keep, version, objects: backup.objects ? source : null };
  return [backupSchedule({ db: database.db, clock, log, at, backup: options })];
}

/** When the last successful backup was started; 0 without one. Seconds since the epoch. */
export async function lastBackupSeconds({ db }: DatabaseConnection): Promise<number> {
  return ((await lastBackups(db)).succeeded?.startedAt.getTime() ?? 0) / 1_000;
}
