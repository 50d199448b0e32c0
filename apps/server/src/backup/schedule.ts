import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import { type BackupResult, lastBackups, recordBackup } from './backups.store.ts';
import { type BackupOptions, createBackup } from './create.ts';
import { BackupRunning } from './dump.ts';
import type { Manifest } from './manifest.ts';
import { type UploadTarget, uploadBackup } from './uploads/upload.ts';

const MINUTE_MS = 60_000;
/** A failed backup is tried again after this time. */
const AGAIN_MS = 60 * MINUTE_MS;

export interface ScheduleOptions {
  db: Kysely<Database>;
  clock: Clock;
  log: Log;
  /** minutes after midnight, in the time zone of the server */
  at: number;
  backup: Omit<BackupOptions, 'now' | 'signal' | 'deleteOld'>;
  /** where each backup is uploaded, too */
  upload?: UploadTarget | undefined;
}

/** The daily backup, as a job. */
export function backupSchedule(options: ScheduleOptions): Room {
  const { db, clock, log, at, backup, upload } = options;
  const job = clock.repeat(
    async (signal) => {
      const { scheduled } = await lastBackups(db);
      if (!isDue(clock.now(), at, scheduled)) return;
      const { path, manifest } = await recordedBackup(
        db,
        { ...backup, upload, signal, now: clock.now, deleteOld: (what, work) => clock.deleteOld(what, work) },
        true,
      );
      log.info({ path, bytes: bytesOfBackup(manifest), uploaded: upload !== undefined }, 'backup completed');
    },
    { job: 'backup', everyMs: MINUTE_MS, log, failed: 'the backup failed' },
  );
  return { name: 'backup', role: 'jobs', start: job.startLater, stop: job.stop };
}

/**
 * True if no scheduled backup was started since the last time of the day `at`, and a failed one is an hour ago. Without
 * an earlier one, the first is due at once.
 */
export function isDue(
  now: Date,
  at: number,
  last: Pick<BackupResult, 'startedAt' | 'endedAt' | 'error'> | null,
): boolean {
  if (last === null) return true;
  if (last.error !== null) return now.getTime() - last.endedAt.getTime() >= AGAIN_MS;
  const due = new Date(now);
  due.setHours(0, at, 0, 0);
  if (due > now) due.setDate(due.getDate() - 1);
  return last.startedAt < due;
}

/**
 * Makes a backup, uploads it if there is a target, and records the result, unless it was interrupted or another backup is
 * running.
 */
export async function recordedBackup(
  db: Kysely<Database>,
  options: BackupOptions & { upload?: UploadTarget | undefined },
  scheduled: boolean,
): Promise<{ path: string; manifest: Manifest }> {
  const { now = () => new Date(), signal, upload, deleteOld } = options;
  const startedAt = now();
  try {
    const made = await createBackup(options);
    if (upload) {
      await uploadBackup(made.path, upload, { now: startedAt, signal, deleteOld }).catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
        throw new Error(`The backup ${made.path} is complete, but was not uploaded: ${reason}`, { cause });
      });
    }
    const result = { path: made.path, bytes: bytesOfBackup(made.manifest), error: null };
    await recordBackup(db, { startedAt, endedAt: now(), scheduled, ...result });
    return made;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (!signal?.aborted && !(error instanceof BackupRunning)) {
      // The error of the backup matters more than one of its record.
      await recordBackup(db, { startedAt, endedAt: now(), scheduled, path: null, bytes: null, error: message }).catch(
        () => undefined,
      );
    }
    throw error;
  }
}

/** The size of the files of a backup. */
export function bytesOfBackup({ tables, objects }: Manifest): number {
  return tables.reduce((sum, table) => sum + table.bytes, objects?.bytes ?? 0);
}
