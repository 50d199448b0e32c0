import type { Level } from '@chargehand/domain';
import type { RowFinders } from '../ports/policy-rows.ts';

/** The documents that the caller may read. They belong to no customer; their own levels decide. */
export const documentRows: Pick<RowFinders, 'document'> = {
  document: async (pool, { levels }, ids) => {
    const { rows } = await pool.query<{ id: number; read: Level; write: Level }>({
      name: 'policy-documents',
      text: `
        select d.id, d.read_level as read, d.write_level as write from documents d
         where d.id = any($1::int[]) and d.read_level >= $2 and (d.enabled or d.write_level >= $3)`,
      values: [ids, levels.wiki.read, levels.wiki.write],
    });
    return rows.map(({ id, read, write }) => ({
      ...{ id, customerId: null, model: null, described: false },
      own: { area: 'wiki', read, write, download: read },
    }));
  },
};
