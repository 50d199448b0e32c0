import type { BodyOf, issueViewEndpoints, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { deleteView, listViews, saveView } from './views.store.ts';

type Endpoints = typeof issueViewEndpoints;
export type ViewsService = ReturnType<typeof viewsService>;

/** Maximum number of saved views of a user. */
const MOST = 30;

/** Filters of issues that users have saved. Each user has their own. */
export function viewsService(db: Kysely<Database>) {
  return {
    async list({ userId }: Caller): Promise<ResultOf<Endpoints['listIssueViews']>> {
      return { items: await listViews(db, userId) };
    },

    /** Saves filters; those of the same name are replaced. @throws {Problem} issueViewsFull */
    async create({ userId }: Caller, entered: BodyOf<Endpoints['createIssueView']>): Promise<{ id: number }> {
      const name = entered.name.trim();
      if (name === '') throw new Problem('fieldRequired', { field: 'name' });
      return await db.transaction().execute(async (trx) => {
        const { id, count } = await saveView(trx, userId, { name, filters: entered.filters });
        if (count > MOST) throw new Problem('issueViewsFull', { values: { most: MOST } });
        return { id };
      });
    },

    async remove({ userId }: Caller, id: number): Promise<void> {
      if (!(await deleteView(db, userId, id))) throw notFound('issueView');
    },
  };
}
