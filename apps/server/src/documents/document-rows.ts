import type { Level, RequiredLevel } from '@chargehand/domain';
import type { RowFinders, RowPlaces } from '../ports/policy-rows.ts';

/** The documents that the caller may read. They belong to no customer; their own levels decide. */
export const documentRows: Pick<RowFinders, 'document'> = {
  document: async (pool, { levels }, ids) => {
    const { rows } = await pool.query<{ id: number; read: Level; write: Level; enabled: boolean }>({
      name: 'policy-documents',
      text: `
        select d.id, d.read_level as read, d.write_level as write, d.enabled from documents d
         where d.id = any($1::int[]) and d.read_level >= $2 and (d.enabled or d.write_level >= $3)`,
      values: [ids, levels.wiki.read, levels.wiki.write],
    });
    return rows.map(({ id, read, write, enabled }) => ({
      ...{ id, customerId: null, model: null, described: false },
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
    const { rows } = await pool.query<{ name: string }>('select name from documents where id = $1', [id]);
    return rows[0] ? { names: [rows[0].name], customerId: null } : null;
  },
};
