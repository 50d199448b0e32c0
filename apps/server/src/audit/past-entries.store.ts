import { type Kysely, sql } from 'kysely';
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
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const before = (kept: number) => new Date(now.getTime() - kept * DAY_MS);
  const works = [
    async () => {
      const { numAffectedRows } = await sql`
        delete from action_logs
         where id in (select id from action_logs where at < ${before(days.actions)} limit ${BATCH})`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
    async () => {
      const { numAffectedRows } = await sql`
        delete from login_logs
         where id in (select id from login_logs where at < ${before(days.signIns)} limit ${BATCH})`.execute(db);
      return Number(numAffectedRows ?? 0);
    },
    () => deletePastErrors(db, before(days.errors), BATCH),
  ];
  for (const work of works) while (!signal.aborted && (await work()) === BATCH);
}
