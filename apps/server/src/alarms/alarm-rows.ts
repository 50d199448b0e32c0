import { scopeCondition, scopeValues } from '../platform/database/scope.ts';
import type { RowFinders } from '../ports/policy-rows.ts';

/** Alarms belong to the customer and site where they were raised. */
export const alarmRows: Pick<RowFinders, 'alarm'> = {
  alarm: async (pool, { scope }, ids) => {
    const { rows } = await pool.query<{ id: number; customerId: number }>({
      name: 'policy-alarms',
      text: `
        select a.id, a.customer_id as "customerId" from alarms a
         where a.id = any($1::bigint[]) and ${scopeCondition('a.customer_id', 'a.site_id')}`,
      values: [ids, ...scopeValues(scope)],
    });
    return rows.map((row) => ({ ...row, model: null, described: false }));
  },
};
