import { ROLLUPS, type Rollup } from '@chargehand/domain';
import type { Pool } from 'pg';
import type { Log } from '../platform/log.ts';
import { rollUpFurther, rollUpReadings } from './rollups.store.ts';

/** Ten seconds are not noticed beside buckets of five minutes, and a look at marks that are not ripe costs little. */
const TURN_MS = 10_000;
/** What is gathered in one transaction: five thousand messages, a thousand hours or days of a device. A second's work at most. */
const MARKS = 5_000;
const BUCKETS = 1_000;
/** How long after its end a bucket is computed, so that readings on their way are in it. Milliseconds. */
const GRACE_MS: Record<Rollup, number> = { fiveMinutes: 60_000, hour: 180_000, day: 300_000 };

export interface Rollups {
  start(): void;
  /** Rolls up all that is ripe now. */
  rollUp(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Keeps the rollups of readings. What is to be done stands in the database, written with the readings themselves: a
 * stop or a kill at any step only delays it. Nodes take turns, a transaction at a time.
 */
export function rollups(parts: { pool: Pool; log: Log; now?: () => Date }): Rollups {
  const { pool, log, now = () => new Date() } = parts;
  let timer: NodeJS.Timeout | undefined;
  let working: Promise<void> = Promise.resolve();
  let stopped = false;
  let failing = false;

  const ripe = (rollup: Rollup) => new Date(now().getTime() - ROLLUPS[rollup] * 1_000 - GRACE_MS[rollup] + 1);

  async function rollUp(): Promise<void> {
    let after: Awaited<ReturnType<typeof rollUpReadings>> = null;
    do {
      after = await rollUpReadings(pool, after, ripe('fiveMinutes'), MARKS);
      if (after === 'busy') return;
    } while (after !== null && !stopped);
    for (const level of ['hour', 'day'] as const) {
      let more: boolean | 'busy' = true;
      while (more === true && !stopped) more = await rollUpFurther(pool, level, ripe(level), BUCKETS);
    }
  }

  async function turn(): Promise<void> {
    try {
      await rollUp();
      if (failing) log.info('readings are rolled up again');
      failing = false;
    } catch (error) {
      if (!failing) log.error({ err: error }, 'readings could not be rolled up; it is tried again');
      failing = true;
    }
    if (!stopped) timer = setTimeout(again, TURN_MS);
  }

  function again(): void {
    working = turn();
  }

  return {
    start: again,
    rollUp,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await working;
    },
  };
}
