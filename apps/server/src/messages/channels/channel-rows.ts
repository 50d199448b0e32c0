import { scopeCondition, scopeValues } from '../../platform/database/scope.ts';
import type { FindRows, RowFinders } from '../../ports/policy-rows.ts';

/** The rows of a table, by their customer. Their policies ask for the whole customer. */
const ofCustomer =
  (table: 'webhooks' | 'message_sends'): FindRows =>
  async (pool, { scope }, ids) => {
    const { rows } = await pool.query<{ id: number; customerId: number }>({
      name: `policy-${table}`,
      text: `
        select r.id, r.customer_id as "customerId" from ${table} r
         where r.id = any($1::int[]) and ${scopeCondition('r.customer_id', null)}`,
      values: [ids, scopeValues(scope)[0]],
    });
    return rows.map((row) => ({ ...row, model: null, described: false }));
  };

/** Webhooks and entries of the send log. */
export const channelRows: Pick<RowFinders, 'webhook' | 'messageSend'> = {
  webhook: ofCustomer('webhooks'),
  messageSend: ofCustomer('message_sends'),
};
