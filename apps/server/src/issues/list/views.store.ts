import type { AnswerOf, issueViewEndpoints } from '@chargehand/contract';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';

type IssueView = AnswerOf<(typeof issueViewEndpoints)['listIssueViews']>['items'][number];

/** The saved views of a user, by name. */
export async function listViews(db: Kysely<Database>, userId: number): Promise<IssueView[]> {
  const views = db.selectFrom('issue_views').select(['id', 'name', 'filters']).where('user_id', '=', userId);
  return await views.orderBy(naturally(sql`name`)).execute();
}

/** Saves a view; one of the same name is replaced. Returns its ID and how many the user has now. */
export async function saveView(
  trx: Kysely<Database>,
  userId: number,
  { name, filters }: Pick<IssueView, 'name' | 'filters'>,
): Promise<{ id: number; count: number }> {
  await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  const { rows } = await sql<{ id: number }>`
    insert into issue_views (user_id, name, filters)
    values (${userId}, ${name}, ${JSON.stringify(filters)})
    on conflict (user_id, lower(name)) do update set name = excluded.name, filters = excluded.filters
    returning id`.execute(trx);
  const { count } = await trx
    .selectFrom('issue_views')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return { id: rows[0]!.id, count };
}

/** Removes a view of a user. Returns false when there is none. */
export async function deleteView(db: Kysely<Database>, userId: number, id: number): Promise<boolean> {
  const views = db.deleteFrom('issue_views').where('id', '=', id).where('user_id', '=', userId);
  return (await views.executeTakeFirst()).numDeletedRows > 0n;
}
