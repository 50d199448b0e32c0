import type { Locale, MailState } from '@chargehand/contract';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { anywhere } from '../platform/database/patterns.ts';
import type { Database } from '../platform/database/schema.ts';

/** An outgoing mail as its readers see it. */
export interface MailRecord {
  id: number;
  receiver: string;
  locale: Locale;
  subject: string;
  state: MailState;
  text: string | null;
  createdAt: Date;
  sentAt: Date | null;
  secretUntil: Date | null;
  attempts: number;
  nextAttemptAt: Date | null;
  lastError: string | null;
}

const COLUMNS = sql`
  id, receiver, locale, subject, state, body_text as text, created_at as "createdAt", sent_at as "sentAt",
  secret_until as "secretUntil", attempts, next_attempt_at as "nextAttemptAt", last_error as "lastError"`;

/** One page of the matching mails, by creation time, and the total number. */
export async function listMails(
  db: Kysely<Database>,
  filters: { search: string | undefined; state: MailState | undefined },
  newestFirst: boolean,
  page: { limit: number; offset: number },
): Promise<{ items: MailRecord[]; total: number }> {
  const direction = newestFirst ? sql`desc` : sql`asc`;
  const conditions: RawBuilder<SqlBool>[] = [sql`true`];
  if (filters.state !== undefined) conditions.push(sql`state = ${filters.state}`);
  if (filters.search !== undefined) conditions.push(sql`receiver ilike ${anywhere(filters.search)}`);
  const matching = sql.join(conditions, sql` and `);
  const [items, totals] = await Promise.all([
    sql<MailRecord>`
      select ${COLUMNS} from outgoing_mails where ${matching}
       order by created_at ${direction}, id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from outgoing_mails where ${matching}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

export async function findMail(db: Kysely<Database>, id: number): Promise<MailRecord | null> {
  const { rows } = await sql<MailRecord>`select ${COLUMNS} from outgoing_mails where id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** The number of mails that have not been sent. */
export async function countWaitingMails(db: Kysely<Database>): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from outgoing_mails where state = 'waiting'`.execute(db);
  return rows[0]?.waiting ?? 0;
}
