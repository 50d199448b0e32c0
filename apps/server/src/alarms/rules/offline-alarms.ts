import { OFFLINE_ALARM } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import type { Events } from '../../ports/events.ts';
import { raiseAlarms } from '../episodes/episodes.store.ts';
import { endWait, lockLostDevices, queryOf } from './offline-alarms.store.ts';

/** The grace period is minutes long, so some seconds more do not matter. A query on an empty index is cheap. */
const SWEEP_MS = 5_000;
/** Devices processed in one transaction, so that the failure of a whole network does not cause long locks. */
const SWEEP_ROWS = 500;

/**
 * Raises the alarm of devices that stayed offline longer than the grace period, with the time of the lost connection.
 * Ingest clears it when they reconnect. Due alarms are in the database, so a restart loses nothing, and one
 * transaction processes a device.
 */
export function offlineAlarms(parts: { db: Kysely<Database>; events: Events; clock: Clock; log: Log }): ScheduledJob {
  const { db, events, clock, log } = parts;

  /** @returns the number of due devices */
  async function raiseDue(): Promise<number> {
    const lost = await db.transaction().execute(async (trx) => {
      const due = await lockLostDevices(trx, SWEEP_ROWS);
      if (due.length === 0) return due;
      const missed = due.filter(({ enabled }) => enabled);
      await raiseAlarms(
        queryOf(trx),
        missed.map(({ deviceId, since, detail, suppressed }) => ({
          deviceId,
          connector: 0,
          at: since,
          info: detail,
          ...OFFLINE_ALARM,
          suppressed,
          source: 'line' as const,
        })),
      );
      await endWait(
        trx,
        due.map(({ deviceId }) => deviceId),
      );
      return due;
    });
    for (const { deviceId } of lost) events.publish('device.alarms', { id: deviceId });
    return lost.length;
  }

  return clock.repeat(
    async (signal) => {
      while ((await raiseDue()) === SWEEP_ROWS && !signal.aborted);
    },
    {
      job: 'alarmsOffline',
      everyMs: SWEEP_MS,
      log,
      failed: 'alarms of lost connections could not be raised; trying again',
      again: 'alarms of lost connections are raised again',
    },
  );
}
