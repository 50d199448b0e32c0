import type { Level, RequiredLevel } from '@chargehand/domain';
import { scopeValues, seenCustomerCondition } from '../platform/database/scope.ts';
import { namedPlace, type RowFinders, type RowPlaces } from '../ports/policy-rows.ts';

interface DocumentLevelRow {
  id: number;
  customerId: number | null;
  read: Level;
  write: Level;
  enabled: boolean;
}

/**
 * The documents that the caller may read: of the platform, and of the customers that they see. Only those who may edit
 * one see it while it is disabled: users of the platform vendor, and of its customer.
 */
export const documentRows: Pick<RowFinders, 'document'> = {
  document: async (pool, { scope, customerId, levels }, ids) => {
    const { rows } = await pool.query<DocumentLevelRow>({
      name: 'policy-documents',
      text: `
        select d.id, d.customer_id as "customerId", d.read_level as read, d.write_level as write, d.enabled
          from documents d
         where d.id = any($1::int[]) and d.read_level >= $5 and ${seenCustomerCondition('d.customer_id')}
           and (d.enabled or d.write_level >= $6 and (d.customer_id = $4::int
                or exists (select from customers c where c.id = $4::int and c.platform_vendor)))`,
      values: [ids, ...scopeValues(scope), customerId, levels.wiki.read, levels.wiki.write],
    });
    return rows.map(({ id, customerId, read, write, enabled }) => ({
      ...{ id, customerId, model: null, described: false },
      own: { area: 'wiki', read, write, download: read },
      toSee: levelsToSee(read, enabled ? null : write),
    }));
  },
};

/** Who does not reach these levels does not see the document. Only its authors see one that is disabled. */
function levelsToSee(read: Level, write: Level | null): RequiredLevel[] {
  const reads: RequiredLevel = { area: 'wiki', verb: 'read', level: read };
  return write === null ? [reads] : [reads, { area: 'wiki', verb: 'write', level: write }];
}

export const documentPlaces: Pick<RowPlaces, 'document'> = {
  document: async (pool, _caller, id) => {
    const { rows } = await pool.query<{ name: string; customerId: number | null; customerName: string | null }>(
      `select d.name, d.customer_id as "customerId", c.name as "customerName"
         from documents d left join customers c on c.id = d.customer_id where d.id = $1`,
      [id],
    );
    return rows[0] ? namedPlace(rows[0]) : null;
  },
};
