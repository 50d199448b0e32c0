import { scopeCondition, scopeValues } from '../platform/database/scope.ts';
import { namedPlace, type RowFinders, type RowPlaces } from '../ports/policy-rows.ts';

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

export const issuePlaces: Pick<RowPlaces, 'issue'> = {
  issue: async (pool, _caller, id) => {
    const { rows } = await pool.query<{
      name: string;
      customerId: number;
      customerName: string;
      siteId: number | null;
    }>(
      `select issue_key(customer_id, number) || ' ' || title as name, customer_id as "customerId", customer_name as "customerName",
              site_id as "siteId" from issues where id = $1`,
      [id],
    );
    return rows[0] ? namedPlace(rows[0]) : null;
  },
};
