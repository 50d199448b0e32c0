import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** An endpoint as menu and interface management shows it. */
export interface InterfaceFacts {
  id: string;
  name: string;
  method: string;
  url: string;
  /** `public`, `common`, or the keys of the contract joined by commas */
  declaredAccess: string;
}

export interface MenuFacts {
  key: string;
  parentKey: string | null;
  name: string;
  sort: number;
}

/** Adds the menus that are missing; those that are there keep the name and place that people gave them. */
export async function insertMissingMenus(trx: Kysely<Database>, menus: readonly MenuFacts[]): Promise<void> {
  await trx
    .insertInto('menus')
    .values(menus.map(({ key, parentKey, name, sort }) => ({ key, parent_key: parentKey, name, sort })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The access that the contract declared for each interface when it was last synced. */
export async function declaredAccess(trx: Kysely<Database>): Promise<Map<string, string>> {
  const rows = await trx.selectFrom('interfaces').select(['id', 'declared_access']).execute();
  return new Map(rows.map((row) => [row.id, row.declared_access]));
}

/** Writes what an interface is called and where it is; whether it is common only for a new one. */
export async function upsertInterface(trx: Kysely<Database>, facts: InterfaceFacts, common: boolean): Promise<void> {
  const { id, name, method, url, declaredAccess: declared_access } = facts;
  await trx
    .insertInto('interfaces')
    .values({ id, name, method, url, common, declared_access })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ name, method, url, declared_access }))
    .execute();
}

export async function setCommon(trx: Kysely<Database>, interfaceId: string, common: boolean): Promise<void> {
  await trx.updateTable('interfaces').set({ common }).where('id', '=', interfaceId).execute();
}

/** Removes interfaces that the product no longer serves, with their links. */
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
