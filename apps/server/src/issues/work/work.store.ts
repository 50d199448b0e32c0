import { type Insertable, type Kysely, sql, type Updateable } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** Changes columns of an issue. */
export async function updateIssue(
  trx: Kysely<Database>,
  id: number,
  values: Updateable<Database['issues']>,
): Promise<void> {
  await trx.updateTable('issues').set(values).where('id', '=', id).execute();
}

/** Sets the time when issues were changed. */
export async function touchIssues(trx: Kysely<Database>, ids: readonly number[]): Promise<void> {
  const values = { updated_at: sql<Date>`clock_timestamp()` };
  await trx.updateTable('issues').set(values).where('id', 'in', ids).execute();
}

/** Adds a comment of somebody without an account to the timeline of an issue. Returns its ID. */
export async function insertForeignComment(
  trx: Kysely<Database>,
  comment: Pick<Insertable<Database['issue_entries']>, 'issue_id' | 'internal'> & { body: object; data: object },
): Promise<number> {
  const { body, data, ...place } = comment;
  const { id } = await trx
    .insertInto('issue_entries')
    .values({
      ...place,
      ...{ event: null, user_id: null, user_name: '', body: JSON.stringify(body), data: JSON.stringify(data) },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Closes an issue that becomes a part of another one. */
export async function storeMerge(
  trx: Kysely<Database>,
  issue: { id: number; status: string },
  into: number,
): Promise<void> {
  await trx
    .updateTable('issues')
    .set({
      ...{ merged_into: into, status_before: issue.status as never, status: 'closed', remind_at: null },
      closed_at: sql`coalesce(closed_at, clock_timestamp())`,
    })
    .where('id', '=', issue.id)
    .execute();
}

/** The users who watch an issue. */
export async function watchersOf(trx: Kysely<Database>, id: number): Promise<number[]> {
  const rows = await trx.selectFrom('issue_watchers').select('user_id as id').where('issue_id', '=', id).execute();
  return rows.map((row) => row.id);
}

/** Removes a user from those who watch an issue. */
export async function deleteWatcher(db: Kysely<Database>, id: number, userId: number): Promise<void> {
  await db.deleteFrom('issue_watchers').where('issue_id', '=', id).where('user_id', '=', userId).execute();
}

/** The customer of an issue, which never changes; empty when there is no such issue. */
export async function customerOf(trx: Kysely<Database>, id: number): Promise<number[]> {
  const rows = await trx.selectFrom('issues').select('customer_id').where('id', '=', id).execute();
  return rows.map(({ customer_id }) => customer_id);
}
