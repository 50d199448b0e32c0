import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Log } from '../../platform/log.ts';
import type { ScheduledJob } from '../../platform/work/scheduled-job.ts';
import type { Events } from '../../ports/events.ts';
import { queryOf } from './offline-alarms.store.ts';
import { followRules, sweepRules } from './sweep-rules.ts';

/** Durations are seconds and more, so one more second does not matter. A query on an empty index is cheap. */
const SWEEP_MS = 1_000;
/** Devices processed in one transaction. */
const SWEEP_ROWS = 500;
/**
 * After a change of rules this many sweeps check them: a batch that used the previous rules may be stored a moment
 * later, and devices locked by others are left for the next time.
 */
const ROUNDS_AFTER_CHANGE = 5;
/** The number of sweeps without a change after which the rules are checked anyway. */
const ROUNDS_BETWEEN = 300;

export interface RuleAlarms extends Pick<ScheduledJob, 'start' | 'stop'> {
  /** The contents of models, or the models of devices, have changed. */
  modelsChanged(): void;
}

/**
 * Raises and clears alarms of rules by time, without a new value, and clears alarms of rules that are no longer in
 * force. Due work is in the database, so a restart loses nothing, and one transaction processes a device.
 */
export function ruleAlarms(parts: { db: Kysely<Database>; events: Events; clock: Clock; log: Log }): RuleAlarms {
  const { db, events, clock, log } = parts;
  let follow = 1;
  let roundsWithoutFollow = 0;

  const publish = (devices: ReadonlySet<number>) => {
    for (const deviceId of devices) events.publish(['device.alarms', 'device.events'], { id: deviceId });
  };

  async function sweep(): Promise<number> {
    const swept = await db.transaction().execute((trx) => sweepRules(queryOf(trx), clock.now(), SWEEP_ROWS));
    publish(swept.changed);
    return swept.count;
  }

  const job = clock.repeat(
    async (signal) => {
      while ((await sweep()) >= SWEEP_ROWS && !signal.aborted);
      roundsWithoutFollow += 1;
      if (follow > 0 || roundsWithoutFollow >= ROUNDS_BETWEEN) {
        follow = Math.max(0, follow - 1);
        roundsWithoutFollow = 0;
        publish(await db.transaction().execute((trx) => followRules(queryOf(trx), clock.now(), SWEEP_ROWS)));
      }
    },
    {
      job: 'alarmRules',
      everyMs: SWEEP_MS,
      log,
      failed: 'alarm rules could not be evaluated; trying again',
      again: 'alarm rules are evaluated again',
    },
  );
  return {
    ...job,
    modelsChanged() {
      follow = ROUNDS_AFTER_CHANGE;
    },
  };
}
