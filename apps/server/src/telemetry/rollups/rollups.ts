import { ROLLUPS, type Rollup } from '@chargehand/domain';
import type { Pool } from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import { rollUpFurther, rollUpReadings } from './rollups.store.ts';

/** Ten seconds do not matter for buckets of five minutes, and checking for finished marks is cheap. */
const ROLLUP_INTERVAL_MS = 10_000;
/**
 * The work of one transaction: five thousand messages, a thousand hours or days of a device. A second's work at most.
 */
const MARKS = 5_000;
const BUCKETS = 1_000;
/** How long after its end a bucket is computed, so that delayed readings are included. Milliseconds. */
const GRACE_MS: Record<Rollup, number> = { fiveMinutes: 60_000, hour: 180_000, day: 300_000 };

export interface Rollups extends Pick<ScheduledJob, 'start' | 'stop'> {
  /** Rolls up everything that is due now. */
  rollUp(): Promise<void>;
}

/**
 * Updates the rollups of readings. The pending work is stored in the database together with the readings: a stop or a
 * kill at any step only delays it.
 */
export function rollups(parts: { pool: Pool; clock: Clock; log: Log }): Rollups {
  const { pool, clock, log } = parts;

  const endedBefore = (rollup: Rollup) =>
    new Date(clock.now().getTime() - ROLLUPS[rollup] * 1_000 - GRACE_MS[rollup] + 1);

  async function rollUp(signal?: AbortSignal): Promise<void> {
    let after: Awaited<ReturnType<typeof rollUpReadings>> = null;
    do {
      after = await rollUpReadings(pool, after, endedBefore('fiveMinutes'), MARKS);
      if (after === 'busy') return;
    } while (after !== null && !signal?.aborted);
    for (const level of ['hour', 'day'] as const) {
      let more: boolean | 'busy' = true;
      while (more === true && !signal?.aborted) more = await rollUpFurther(pool, level, endedBefore(level), BUCKETS);
    }
  }

  const turns = clock.repeat(rollUp, {
    job: 'readingRollups',
    everyMs: ROLLUP_INTERVAL_MS,
    log,
    failed: 'readings could not be rolled up; trying again',
    again: 'readings are rolled up again',
  });
  return { ...turns, rollUp: () => rollUp() };
}
