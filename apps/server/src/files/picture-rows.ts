import { scopeCondition, scopeValues } from '../platform/database/scope.ts';
import type { RowFinders } from '../ports/policy-rows.ts';

/** The pictures of a customer: visible to users who see one of its sites, and to its own users. */
export const pictureRows: Pick<RowFinders, 'pictures'> = {
  pictures: async (pool, { scope, customerId }, ids) => {
    const { rows } = await pool.query<{ id: number }>({
      name: 'policy-pictures',
      text: `
        select c.id from customers c
         where c.id = any($1::int[])
           and (c.id = $4::int or (${scopeCondition('c.id', null)} and ($3::int[] is null
                or exists (select from sites s where s.customer_id = c.id and s.id = any($3::int[])))))`,
      values: [ids, ...scopeValues(scope), customerId],
    });
    return rows.map(({ id }) => ({ id, customerId: id, model: null, described: false }));
  },
};
