import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** A menu with the interfaces it carries. */
export interface MenuRecord {
  key: string;
  parentKey: string | null;
  name: string;
  sort: number;
  common: boolean;
  interfaces: { id: string; name: string; method: string; url: string; common: boolean }[];
}

/** Every menu, in the order in which they are shown. */
export async function listMenus(db: Kysely<Database>): Promise<MenuRecord[]> {
  const { rows } = await sql<MenuRecord>`
    select m.key, m.parent_key as "parentKey", m.name, m.sort, m.common,
           coalesce((select jsonb_agg(jsonb_build_object('id', i.id, 'name', i.name, 'method', i.method, 'url', i.url,
                                                         'common', i.common) order by i.url, i.method)
                       from menu_interfaces mi join interfaces i on i.id = mi.interface_id
                      where mi.menu_key = m.key), '[]') as interfaces
      from menus m order by m.sort, m.key`.execute(db);
  return rows;
}

/** The menu above each menu. */
export async function menuParents(db: Kysely<Database>): Promise<Map<string, string | null>> {
  const rows = await db.selectFrom('menus').select(['key', 'parent_key']).execute();
  return new Map(rows.map((row) => [row.key, row.parent_key]));
}
