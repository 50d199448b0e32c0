import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** A menu with its interfaces. */
export interface MenuRecord {
  key: string;
  parentKey: string | null;
  nameEn: string;
  nameZh: string;
  url: string;
  sort: number;
  common: boolean;
  builtIn: boolean;
  roles: number;
  interfaces: { id: string; nameEn: string; nameZh: string; method: string; url: string; common: boolean }[];
}

/** The fields of a menu that users can edit. */
export interface MenuValues {
  name_en: string;
  name_zh: string;
  url: string;
  common: boolean;
}

const COLUMNS = sql`
  m.key, m.parent_key as "parentKey", m.name_en as "nameEn", m.name_zh as "nameZh", m.url, m.sort, m.common,
  m.built_in as "builtIn", (select count(*) from role_menus rm where rm.menu_key = m.key) as roles,
  coalesce((select jsonb_agg(jsonb_build_object('id', i.id, 'nameEn', i.name_en, 'nameZh', i.name_zh,
                                                'method', i.method, 'url', i.url, 'common', i.common)
                             order by i.url, i.method)
              from menu_interfaces mi join interfaces i on i.id = mi.interface_id
             where mi.menu_key = m.key), '[]') as interfaces`;

/** Every menu, in display order. Menus belong to no customer. The caller has checked the permission to read them. */
export async function listMenus(db: Kysely<Database>): Promise<MenuRecord[]> {
  const { rows } = await sql<MenuRecord>`select ${COLUMNS} from menus m order by m.sort, m.key`.execute(db);
  return rows;
}

/** One menu, locked until the end of the transaction; null when there is none. */
export async function findMenu(trx: Kysely<Database>, key: string): Promise<MenuRecord | null> {
  const { rows } =
    await sql<MenuRecord>`select ${COLUMNS} from menus m where m.key = ${key} for no key update of m`.execute(trx);
  return rows[0] ?? null;
}

/** The parent of each menu. None of them can be removed until the end of the transaction. */
export async function menuParents(trx: Kysely<Database>): Promise<Map<string, string | null>> {
  const rows = await trx.selectFrom('menus').select(['key', 'parent_key']).forKeyShare().execute();
  return new Map(rows.map((row) => [row.key, row.parent_key]));
}

/**
 * The lock of the trigger that keeps menus a tree. It is taken before any row, so that moves run one after the other.
 */
const TREE_LOCK = 4_213_772_078;

/** Runs changes of the tree one after the other, until the end of the transaction. */
export async function lockMenuTree(trx: Kysely<Database>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${TREE_LOCK})`.execute(trx);
}

/** The keys directly below a menu, or on the top level, in order. */
export async function siblings(trx: Kysely<Database>, parentKey: string | null): Promise<string[]> {
  const rows = await trx
    .selectFrom('menus')
    .select('key')
    .where('parent_key', parentKey === null ? 'is' : '=', parentKey)
    .orderBy('sort')
    .orderBy('key')
    .execute();
  return rows.map(({ key }) => key);
}

/** @throws check violation `menus_own_ancestor`, foreign key violation `menus_parent_key_fkey` */
export async function insertMenu(
  trx: Kysely<Database>,
  menu: { key: string; parent_key: string | null; sort: number } & Omit<MenuValues, 'common'>,
): Promise<void> {
  await trx.insertInto('menus').values(menu).execute();
}

export async function updateMenu(trx: Kysely<Database>, key: string, values: Partial<MenuValues>): Promise<void> {
  await trx.updateTable('menus').set(values).where('key', '=', key).execute();
}

/** @throws check violation `menus_own_ancestor`, foreign key violation `menus_parent_key_fkey` */
export async function setMenuParent(trx: Kysely<Database>, key: string, parentKey: string | null): Promise<void> {
  await trx.updateTable('menus').set({ parent_key: parentKey }).where('key', '=', key).execute();
}

/** Orders menus of one level as their keys are listed, starting with `first`. */
export async function orderMenus(trx: Kysely<Database>, keys: readonly string[], first: number): Promise<void> {
  await sql`
    update menus m set sort = ${first} + ordered.position - 1
      from unnest(${[...keys]}::text[]) with ordinality as ordered (key, position)
     where m.key = ordered.key and m.sort <> ${first} + ordered.position - 1`.execute(trx);
}

/** @throws violations that name what refers to the menu */
export async function deleteMenu(trx: Kysely<Database>, key: string): Promise<void> {
  await trx.deleteFrom('menus').where('key', '=', key).execute();
}
