import { SEES_USER } from '../access/index.ts';
import { scopeValues } from '../platform/database/scope.ts';
import type { RowFinders } from '../ports/policy-rows.ts';

/** Applications belong to their user: who does not see the user does not see the application. */
export const applicationRows: Pick<RowFinders, 'application'> = {
  application: async (pool, { scope, root }, ids) => {
    const { rows } = await pool.query<{ id: number; userId: number | null; customerId: number | null }>({
      name: 'policy-applications',
      text: `
        select a.id, u.id as "userId", u.customer_id as "customerId"
          from applications a left join users u on u.id = a.user_id
         where a.id = any($1::int[]) and (u.id is null and $4::boolean or u.id is not null and ${SEES_USER})`,
      values: [ids, ...scopeValues(scope), root],
    });
    return rows.map(({ id, userId, customerId }) => ({
      ...{ id, customerId, model: null, described: false },
      ...(userId === null ? {} : { userId }),
    }));
  },
};
