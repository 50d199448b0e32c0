import type { Locale, PasswordState, ThemeChoice } from '@chargehand/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** The account data for the console, beyond what the guard already reads. */
export interface ProfileRow {
  nick_name: string;
  avatar: string | null;
  customer_name: string;
  locale: Locale;
  locale_chosen: boolean;
  theme: ThemeChoice | null;
  password_state: PasswordState;
  second_factor_due: boolean;
  /** the newest privacy policy this user accepted, 0 for none */
  accepted_version: number;
}

export async function findProfile(db: Kysely<Database>, userId: number): Promise<ProfileRow> {
  const { rows } = await sql<ProfileRow>`
    select u.nick_name, u.avatar, c.name as customer_name, u.locale, u.locale_chosen, u.theme, u.password_state,
           exists (select from roles r where r.id = u.role_id and r.second_factor)
             and not exists (select from second_factors f where f.user_id = u.id and f.confirmed_at is not null)
             as second_factor_due,
           (select coalesce(max(version), 0) from privacy_acceptances where user_id = u.id) as accepted_version
      from users u join customers c on c.id = u.customer_id
     where u.id = ${userId}`.execute(db);
  const row = rows[0];
  if (!row) throw new Error(`User ${userId} has a session but no row.`);
  return row;
}

/** The form of address and the address for mails to a user. */
export async function findAddressee(
  db: Kysely<Database>,
  userId: number,
): Promise<{ userName: string; nickName: string; locale: Locale; email: string | null }> {
  return await db
    .selectFrom('users')
    .select(['user_name as userName', 'nick_name as nickName', 'locale', 'email'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** The menus with the given keys, in display order. */
export async function findMenus(
  db: Kysely<Database>,
  keys: ReadonlySet<string>,
): Promise<{ key: string; parentKey: string | null; sort: number }[]> {
  if (keys.size === 0) return [];
  return await db
    .selectFrom('menus')
    .select(['key', 'parent_key as parentKey', 'sort'])
    .where('key', 'in', [...keys])
    .orderBy('sort')
    .orderBy('key')
    .execute();
}
