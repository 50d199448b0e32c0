import type { Level } from '@chargehand/domain';
import { scopeValues, seenCustomerCondition } from '../platform/database/scope.ts';
import type { RowFinders } from '../ports/policy-rows.ts';

/**
 * The documents that the caller may read: of the platform, and of the customers that they see. Only those who may edit
 * one see it while it is disabled: users of the platform vendor, and of its customer.
 */
export const documentRows: Pick<RowFinders, 'document'> = {
  document: async (pool, { scope, customerId, levels }, ids) => {
    const { rows } = await pool.query<{ id: number; customerId: number | null; read: Level; write: Level }>({
      name: 'policy-documents',
      text: `
        select d.id, d.customer_id as "customerId", d.read_level as read, d.write_level as write from documents d
         where d.id = any($1::int[]) and d.read_level >= $5 and ${seenCustomerCondition('d.customer_id')}
           and (d.enabled or d.write_level >= $6 and (d.customer_id = $4::int
                or exists (select from customers c where c.id = $4::int and c.platform_vendor)))`,
      values: [ids, ...scopeValues(scope), customerId, levels.wiki.read, levels.wiki.write],
    });
    return rows.map(({ id, customerId, read, write }) => ({
      ...{ id, customerId, model: null, described: false },
      own: { area: 'wiki', read, write, download: read },
    }));
  },
};
