import { scopeCondition, scopeValues } from '../platform/database/scope.ts';
import type { RowFinders } from '../ports/policy-rows.ts';

/** Issues belong to the customer and site where they were reported; without a site, to the whole customer. */
export const issueRows: Pick<RowFinders, 'issue'> = {
  issue: async (pool, { scope }, ids) => {
    const { rows } = await pool.query<{ id: number; customerId: number }>({
      name: 'policy-issues',
      text: `
        select i.id, i.customer_id as "customerId" from issues i
         where i.id = any($1::int[]) and ${scopeCondition('i.customer_id', 'i.site_id')}`,
      values: [ids, ...scopeValues(scope)],
    });
    return rows.map((row) => ({ ...row, model: null, described: false }));
  },
};
