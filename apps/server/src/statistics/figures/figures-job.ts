import type { Pool } from 'pg';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import { addChanges, forgetFigures } from './changes.store.ts';
import { stepOf } from './figures.service.ts';
import { addUpPower } from './power.store.ts';

/** Figures may be this much behind. Taking from an empty table is cheap. */
const EVERY_MS = 2_000;
/** How old a sum of power may be. */
const POWER_MS = 15_000;
/** Changes of one transaction. */
const CHANGES = 5_000;
const DAY_MS = 86_400_000;
/** Hours serve the last days, days a quarter like the statuses they come from. */
const STORED_DAYS = { hours: 8, days: 92 };

/** Adds what triggers noted to the key figures. */
export function figuresJob({ pool, clock, log }: { pool: Pool; clock: Clock; log: Log }): ScheduledJob {
  let poweredAt = 0;
  return clock.repeat(
    async (signal) => {
      while ((await addChanges(pool, stepOf, CHANGES)) === CHANGES && !signal.aborted);
      const now = clock.now().getTime();
      if (signal.aborted || Math.abs(now - poweredAt) < POWER_MS) return;
      await addUpPower(pool);
      poweredAt = now;
    },
    { job: 'keyFigures', everyMs: EVERY_MS, log, failed: 'key figures could not be updated; trying again' },
  );
}

/** Removes old hours and days. */
export function forgetOldFigures(pool: Pool, now: Date): Promise<number> {
  const before = (days: number) => new Date(now.getTime() - days * DAY_MS);
  return forgetFigures(pool, { hours: before(STORED_DAYS.hours), days: before(STORED_DAYS.days) });
}
