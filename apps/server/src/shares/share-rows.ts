import { mayOverseeShares } from '@chargehand/domain';
import { scopeCondition, scopeValues } from '../platform/database/scope.ts';
import type { RowFinders } from '../ports/policy-rows.ts';

/** The shares of the caller, and those of others in their customers if they oversee them. */
export const shareRows: Pick<RowFinders, 'share'> = {
  share: async (pool, { userId, levels, scope }, ids) => {
    const { rows } = await pool.query<{ id: number; customerId: number | null }>({
      name: 'policy-shares',
      text: `
        select s.id, s.customer_id as "customerId" from shares s
         where s.id = any($1::int[]) and (s.created_by = $3 or ($4 and ${scopeCondition('s.customer_id', null)}))`,
      values: [ids, scopeValues(scope)[0], userId, mayOverseeShares({ levels, scope })],
    });
    return rows.map((row) => ({ ...row, model: null, described: false }));
  },
};
