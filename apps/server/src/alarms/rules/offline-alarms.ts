import { OFFLINE_ALARM } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import type { Events } from '../../ports/events.ts';
import { raiseAlarms } from '../episodes/episodes.store.ts';
import { endWait, lockLostDevices, queryOf } from './offline-alarms.store.ts';

/** The grace is minutes long: some seconds more are not noticed, and the look at an empty index costs nothing. */
const SWEEP_MS = 5_000;
/** Devices taken in one transaction, so that a whole network going down holds no locks for long. */
const SWEEP_ROWS = 500;

/**
 * Raises the alarm of devices that stayed away longer than the grace, as of when their connection was lost; ingest
 * clears it when they are back. What is due stands in the database: a restart forgets nothing, and of many nodes one
 * takes a device.
 */
export function offlineAlarms(parts: { db: Kysely<Database>; events: Events; clock: Clock; log: Log }): ScheduledJob {
  const { db, events, clock, log } = parts;

  /** @returns how many were due */
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
      everyMs: SWEEP_MS,
      log,
      failed: 'alarms of lost connections could not be raised; it is tried again',
      again: 'alarms of lost connections are raised again',
    },
  );
}
