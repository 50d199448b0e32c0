import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import { deleteHistory, forgetRemovedDevice, HISTORIES, listRemovedDevices } from './removed-devices.store.ts';

/** Rows removed by one statement: few enough that nothing waits for it. */
const BATCH = 5_000;
/** A message of a removed device may still be in processing. After this time it cannot be. */
const GRACE_SECONDS = 300;
const INTERVAL_MS = 60_000;

/**
 * Removes the frames and readings of removed devices, in batches. The pending removals are stored in the database, so
 * that a stop in between only delays them.
 */
export function historySweeper(db: Kysely<Database>, clock: Clock, log: Log): ScheduledJob {
  const sweep = async (signal: AbortSignal) => {
    for (const { deviceId, settled } of await listRemovedDevices(db, GRACE_SECONDS)) {
      for (const table of HISTORIES) {
        let removed = BATCH;
        while (removed === BATCH && !signal.aborted) removed = await deleteHistory(db, table, deviceId, BATCH);
      }
      if (settled && !signal.aborted) await forgetRemovedDevice(db, deviceId);
    }
  };
  return clock.repeat(sweep, {
    job: 'deviceHistoryCleanup',
    everyMs: INTERVAL_MS,
    log,
    failed: 'the history of a removed device waits for the next try',
  });
}
