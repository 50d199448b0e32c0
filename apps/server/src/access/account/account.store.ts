import type { Locale, ThemeChoice } from '@chargehand/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { searchWordsOf } from '../../platform/search/search-words.ts';

/** The account of a user. */
export interface AccountRecord {
  nick_name: string;
  contact: string;
  email: string | null;
  password_hash: string;
  customer_name: string;
  role_name: string | null;
  customer_access: number | null;
  site_access: number | null;
  locale: Locale;
  locale_chosen: boolean;
  theme: ThemeChoice | null;
  created_at: Date;
}

/** The account with an ID; null if it was deleted. */
export async function findOwnAccount(db: Kysely<Database>, userId: number): Promise<AccountRecord | null> {
  const { rows } = await sql<AccountRecord>`
    select u.nick_name, u.contact, u.email, u.password_hash, c.name as customer_name, r.name as role_name,
           r.customer_access, r.site_access, u.locale, u.locale_chosen, u.theme, u.created_at
      from users u join customers c on c.id = u.customer_id left join roles r on r.id = u.role_id
     where u.id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** Stores what a user changed in their own account. */
export async function updateOwnAccount(
  trx: Kysely<Database>,
  userId: number,
  values: Partial<Pick<AccountRecord, 'nick_name' | 'contact' | 'locale' | 'locale_chosen' | 'theme'>>,
): Promise<void> {
  await trx
    .updateTable('users')
    .set({ ...values, ...searchWordsOf(values.nick_name) })
    .where('id', '=', userId)
    .execute();
}

interface OwnSessionRow {
  id: string;
  number: number;
  address: string;
  user_agent: string;
  created_at: Date;
  last_seen_at: Date;
}

/** The open sessions of an account, the most recently used first. */
export async function findOwnSessions(db: Kysely<Database>, userId: number): Promise<OwnSessionRow[]> {
  const { rows } = await sql<OwnSessionRow>`
    select id, number, address, user_agent, created_at, last_seen_at
      from sessions
     where user_id = ${userId} and ended_at is null and expires_at > now()
     order by last_seen_at desc, number desc`.execute(db);
  return rows;
}
