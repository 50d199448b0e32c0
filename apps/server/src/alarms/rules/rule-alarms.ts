import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import type { Events } from '../../ports/events.ts';
import { queryOf } from './offline-alarms.store.ts';
import { followRules, sweepRules } from './sweep-rules.ts';

/** Durations are seconds and more: a second more is not noticed, and the look at an empty index costs nothing. */
const SWEEP_MS = 1_000;
/** Devices taken in one transaction. */
const SWEEP_ROWS = 500;
/**
 * After a change of rules they are followed so many turns: a batch that was judged by the former ones may be stored a
 * moment later, and devices that others held are left for the next time.
 */
const TURNS_AFTER_CHANGE = 5;
/** And every so many turns whatever happened. */
const TURNS_BETWEEN = 300;

export interface RuleAlarms extends Pick<ScheduledJob, 'start' | 'stop'> {
  /** What models say, or which devices are of them, has changed. */
  modelsChanged(): void;
}

/**
 * Raises and ends what alarm rules say by the clock, not by a value, and ends what rules raised that are no longer in
 * force. What is due stands in the database: a restart forgets nothing, and of many nodes one takes a device.
 */
export function ruleAlarms(parts: { db: Kysely<Database>; events: Events; clock: Clock; log: Log }): RuleAlarms {
  const { db, events, clock, log } = parts;
  let follow = 1;
  let quietTurns = 0;

  const tell = (devices: ReadonlySet<number>) => {
    for (const deviceId of devices) events.publish(['device.alarms', 'device.events'], { id: deviceId });
  };

  async function sweep(): Promise<number> {
    const swept = await db.transaction().execute((trx) => sweepRules(queryOf(trx), clock.now(), SWEEP_ROWS));
    tell(swept.changed);
    return swept.count;
  }

  const turns = clock.repeat(
    async (signal) => {
      while ((await sweep()) >= SWEEP_ROWS && !signal.aborted);
      quietTurns += 1;
      if (follow > 0 || quietTurns >= TURNS_BETWEEN) {
        follow = Math.max(0, follow - 1);
        quietTurns = 0;
        tell(await db.transaction().execute((trx) => followRules(queryOf(trx), clock.now(), SWEEP_ROWS)));
      }
    },
    {
      everyMs: SWEEP_MS,
      log,
      failed: 'alarm rules could not be followed; it is tried again',
      again: 'alarm rules are followed again',
    },
  );
  return {
    ...turns,
    modelsChanged() {
      follow = TURNS_AFTER_CHANGE;
    },
  };
}
