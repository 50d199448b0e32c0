import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** An endpoint as the management of menus and interfaces shows it. */
export interface InterfaceFacts {
  id: string;
  nameEn: string;
  nameZh: string;
  method: string;
  url: string;
  /** `public`, `common`, or the keys of the contract joined by commas */
  declaredAccess: string;
}

export interface MenuFacts {
  key: string;
  parentKey: string | null;
  nameEn: string;
  nameZh: string;
  sort: number;
  /** the address of its page; empty if it has none */
  url: string;
}

/**
 * Adds missing built-in menus. Existing ones keep the names and places that users gave them. Menus that are no longer
 * built in become custom menus.
 */
export async function syncMenus(trx: Kysely<Database>, menus: readonly MenuFacts[]): Promise<void> {
  const keys = menus.map(({ key }) => key);
  const known = new Set((await trx.selectFrom('menus').select('key').execute()).map(({ key }) => key));
  const missing = menus.filter(({ key }) => !known.has(key));
  if (missing.length > 0) {
    // Only these, because the declared places may not form a tree with menus that users moved.
    await trx
      .insertInto('menus')
      .values(
        missing.map(({ key, parentKey, nameEn, nameZh, sort, url }) => ({
          ...{ key, parent_key: parentKey, name_en: nameEn, name_zh: nameZh, sort, url },
        })),
      )
      .execute();
  }
  await sql`
    update menus m set name_zh = named.zh
      from unnest(${keys}::text[], ${menus.map(({ nameZh }) => nameZh)}::text[]) as named (key, zh)
     where m.key = named.key and m.name_zh = ''`.execute(trx);
  await sql`
    update menus m set url = placed.url
      from unnest(${keys}::text[], ${menus.map(({ url }) => url)}::text[]) as placed (key, url)
     where m.key = placed.key and m.url = '' and placed.url <> ''`.execute(trx);
  await sql`
    update menus set built_in = (key = any(${keys}::text[]))
     where built_in <> (key = any(${keys}::text[]))`.execute(trx);
}

/** The access that the contract declared for each interface at the last synchronization. */
export async function declaredAccess(trx: Kysely<Database>): Promise<Map<string, string>> {
  const rows = await trx.selectFrom('interfaces').select(['id', 'declared_access']).execute();
  return new Map(rows.map((row) => [row.id, row.declared_access]));
}

/**
 * Writes the names and addresses of interfaces with one statement: every start does this for hundreds. Their common flag
 * is written only for new ones.
 */
export async function upsertInterfaces(
  trx: Kysely<Database>,
  interfaces: readonly (InterfaceFacts & { common: boolean })[],
): Promise<void> {
  const all = <K extends keyof InterfaceFacts>(field: K) => interfaces.map((one) => one[field]);
  await sql`
    insert into interfaces as i (id, name_en, name_zh, method, url, declared_access, common)
    select * from unnest(${all('id')}::text[], ${all('nameEn')}::text[], ${all('nameZh')}::text[], ${all('method')}::text[],
                         ${all('url')}::text[], ${all('declaredAccess')}::text[],
                         ${interfaces.map(({ common }) => common)}::boolean[])
        on conflict (id) do update
       set name_en = excluded.name_en, name_zh = excluded.name_zh, method = excluded.method, url = excluded.url,
           declared_access = excluded.declared_access
     where (i.name_en, i.name_zh, i.method, i.url, i.declared_access) is distinct from
           (excluded.name_en, excluded.name_zh, excluded.method, excluded.url, excluded.declared_access)`.execute(trx);
}

export async function setCommon(trx: Kysely<Database>, interfaceId: string, common: boolean): Promise<void> {
  await trx.updateTable('interfaces').set({ common }).where('id', '=', interfaceId).execute();
}

/** Removes interfaces that no longer exist in the contract, with their links. */
export async function deleteInterfaces(trx: Kysely<Database>, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await trx.deleteFrom('interfaces').where('id', 'in', ids).execute();
}

export async function linkMenus(trx: Kysely<Database>, interfaceId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await trx
    .insertInto('menu_interfaces')
    .values(keys.map((menu_key) => ({ menu_key, interface_id: interfaceId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function unlinkMenus(trx: Kysely<Database>, interfaceId: string, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await trx
    .deleteFrom('menu_interfaces')
    .where('interface_id', '=', interfaceId)
    .where('menu_key', 'in', keys)
    .execute();
}
