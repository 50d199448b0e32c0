import type { AnswerOf, BodyOf, issueViewEndpoints } from '@chargehand/contract';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';

type Endpoints = typeof issueViewEndpoints;
export type ViewsService = ReturnType<typeof viewsService>;

/** Maximum number of saved views of a user. */
const MOST = 30;

/** Filters of issues that users have saved. Each user has their own. */
export function viewsService(db: Kysely<Database>) {
  return {
    async list({ userId }: Caller): Promise<AnswerOf<Endpoints['listIssueViews']>> {
      const views = db.selectFrom('issue_views').select(['id', 'name', 'filters']).where('user_id', '=', userId);
      return { items: await views.orderBy(naturally(sql`name`)).execute() };
    },

    /** Saves filters; those of the same name are replaced. @throws {Problem} issueViewsFull */
    async create({ userId }: Caller, entered: BodyOf<Endpoints['createIssueView']>): Promise<{ id: number }> {
      const name = entered.name.trim();
      if (name === '') throw new Problem('fieldRequired', { field: 'name' });
      return await db.transaction().execute(async (trx) => {
        await trx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
        const { rows } = await sql<{ id: number }>`
          insert into issue_views (user_id, name, filters)
          values (${userId}, ${name}, ${JSON.stringify(entered.filters)})
          on conflict (user_id, lower(name)) do update set name = excluded.name, filters = excluded.filters
          returning id`.execute(trx);
        const { count } = await trx
          .selectFrom('issue_views')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow();
        if (count > MOST) throw new Problem('issueViewsFull', { values: { most: MOST } });
        return { id: rows[0]!.id };
      });
    },

    async remove({ userId }: Caller, id: number): Promise<void> {
      const views = db.deleteFrom('issue_views').where('id', '=', id).where('user_id', '=', userId);
      if ((await views.executeTakeFirst()).numDeletedRows === 0n) throw notFound('issueView');
    },
  };
}
