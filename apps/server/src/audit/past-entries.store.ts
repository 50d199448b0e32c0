import { type Kysely, sql } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import { deletePastErrors } from './errors/errors.store.ts';

/** How long entries of logs are kept, in days. */
export interface LogDays {
  actions: number;
  signIns: number;
  errors: number;
}

const DAY_MS = 86_400_000;
/** Rows that are deleted at once. Short statements do not delay others. */
const BATCH = 5_000;

/** Deletes entries of logs that are older than their retention. Ends early when the signal is aborted. */
export async function deletePastEntries(
  db: Kysely<Database>,
  days: LogDays,
  clock: Pick<Clock, 'deleteOld'>,
  signal: AbortSignal,
): Promise<void> {
  const all = async (next: () => Promise<number>) => {
    let count = 0;
    for (let some = BATCH; some === BATCH && !signal.aborted; count += some) some = await next();
    return count;
  };
  const from = (table: 'action_logs' | 'login_logs', before: Date) => async () => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)}
       where id in (select id from ${sql.table(table)} where at < ${before} limit ${BATCH})`.execute(db);
    return Number(numAffectedRows ?? 0);
  };
  const before = (now: Date, kept: number) => new Date(now.getTime() - kept * DAY_MS);
  await clock.deleteOld('actionLog', (now) => all(from('action_logs', before(now, days.actions))));
  await clock.deleteOld('signInLog', (now) => all(from('login_logs', before(now, days.signIns))));
  await clock.deleteOld('errorLog', (now) => all(() => deletePastErrors(db, before(now, days.errors), BATCH)));
}
