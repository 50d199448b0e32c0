import type { Locale } from '@chargehand/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** Whether the comment of a mail with this key is stored already. */
export async function isStored(db: Kysely<Database>, issueId: number, key: string): Promise<boolean> {
  const { rows } = await sql`
    select from issue_entries where issue_id = ${issueId} and data ->> 'requestKey' = ${key}`.execute(db);
  return rows.length > 0;
}

/** The issue that an issue was merged into, in the end. */
export async function rootOf(db: Kysely<Database>, id: number): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with recursive up as (
      select id, merged_into, 0 as depth from issues where id = ${id}
      union all
      select i.id, i.merged_into, up.depth + 1 from up join issues i on i.id = up.merged_into where up.depth < 50
    )
    select id from up order by depth desc limit 1`.execute(db);
  return rows[0]?.id ?? id;
}

/** The language and the address of a user. */
export async function userOf(db: Kysely<Database>, userId: number): Promise<{ locale: Locale; email: string | null }> {
  const user = await db.selectFrom('users').select(['locale', 'email']).where('id', '=', userId).executeTakeFirst();
  return user ?? { locale: 'en-US', email: null };
}
