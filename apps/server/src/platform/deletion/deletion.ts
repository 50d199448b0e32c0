import { type DeletionDecision, type DeletionKind, decideDeletion, newestFactOf } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from '../database/schema.ts';
import type { Log } from '../log.ts';
import { addDeletion, readDatabaseTime } from './deletion.store.ts';

/** Decides for a process what is old enough to be deleted. */
export interface DeletionGuard {
  /** A clock whose deletions this guard decides and records. */
  watch(clock: Clock): Clock;
  /** The last decision; null: nothing was to be decided yet. */
  readonly last: DeletionDecision | null;
}

/** A decision is used for this long. A time of a moment ago only keeps more. */
const FRESH_MS = 10_000;

/**
 * The deletions of a process by age. Each is logged and counted in the table `deletions`, which the dashboard shows.
 * @param newestFact when the newest fact in the database was stored; null: there is none. Called before the process
 *   stores anything, and from the first day on before each decision
 */
export async function deletionGuard(parts: {
  db: Kysely<Database>;
  log: Log;
  newestFact(): Promise<Date | null>;
}): Promise<DeletionGuard> {
  const { db, log, newestFact } = parts;
  const atStart = await newestFact();
  // The monotonic clock does not follow a wrong clock.
  const startedAt = performance.now();
  let last: DeletionDecision | null = null;
  let decidedAt = Number.NEGATIVE_INFINITY;

  async function decide(clock: Clock): Promise<DeletionDecision> {
    const ms = performance.now() - startedAt;
    if (last !== null && last.at !== null && performance.now() - decidedAt < FRESH_MS) return last;
    const database = await readDatabaseTime(db);
    const fact = newestFactOf({ ms, atStart, now: await newestFact() });
    const decision = decideDeletion({ server: clock.now(), database, newestFact: fact });
    if (decision.at === null && (last === null || last.at !== null)) {
      log.warn(
        { seconds: decision.differSeconds },
        'nothing is deleted while the clocks of the server and the database differ by more than a minute',
      );
    }
    if (decision.at !== null && decision.behindDays > 0 && (last === null || last.at === null || last.behindDays === 0))
      log.warn(
        { days: decision.behindDays, from: decision.at },
        'the newest stored data is much older than the clock: for a day, ages are counted from that data',
      );
    if (decision.at !== null && last?.at === null) log.info('the clocks agree again, and old data is deleted again');
    last = decision;
    decidedAt = performance.now();
    return decision;
  }

  return {
    watch: (clock) => ({
      ...clock,
      async deleteOld(what: DeletionKind, work: (now: Date) => Promise<number>) {
        const { at } = await decide(clock);
        if (at === null) return;
        const count = await work(at);
        if (count === 0) return;
        log.info({ what, count, from: at }, 'old data was deleted');
        await addDeletion(db, { kind: what, at, count });
      },
    }),
    get last() {
      return last;
    },
  };
}
