import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** An interface with its menus. */
export interface InterfaceRecord {
  id: string;
  nameEn: string;
  nameZh: string;
  method: string;
  url: string;
  common: boolean;
  declaredAccess: string;
  menus: string[];
}

const COLUMNS = sql`
  i.id, i.name_en as "nameEn", i.name_zh as "nameZh", i.method, i.url, i.common, i.declared_access as "declaredAccess",
  array(select menu_key from menu_interfaces where interface_id = i.id order by menu_key) as menus`;

/** Every interface, by path. */
export async function listInterfaces(db: Kysely<Database>): Promise<InterfaceRecord[]> {
  const { rows } = await sql<InterfaceRecord>`select ${COLUMNS} from interfaces i order by i.url, i.method`.execute(db);
  return rows;
}

/** One interface; null if there is none. */
export async function findInterface(db: Kysely<Database>, id: string): Promise<InterfaceRecord | null> {
  const { rows } = await sql<InterfaceRecord>`select ${COLUMNS} from interfaces i where i.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Locks the interfaces with these IDs until the end of the transaction. Unknown IDs are left out. */
export async function lockInterfaces(trx: Kysely<Database>, ids: readonly string[]): Promise<InterfaceRecord[]> {
  const { rows } = await sql<InterfaceRecord>`
    select ${COLUMNS} from interfaces i where i.id = any(${[...ids]}::text[])
     order by i.id for update of i`.execute(trx);
  return rows;
}

/** The interfaces of a user with these menus: those of the menus, of common menus, and common interfaces. */
export async function reachedInterfaces(db: Kysely<Database>, keys: ReadonlySet<string>): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select i.id from interfaces i
     where i.common
        or exists (select from menu_interfaces mi join menus m on m.key = mi.menu_key
                    where mi.interface_id = i.id and (m.common or m.key = any(${[...keys]}::text[])))`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Adds interfaces to a menu and keeps its others. @throws foreign key violations */
export async function attachInterfaces(trx: Kysely<Database>, key: string, ids: readonly string[]): Promise<void> {
  await sql`
    insert into menu_interfaces (menu_key, interface_id) select ${key}, unnest(${[...ids]}::text[])
        on conflict do nothing`.execute(trx);
}

export async function detachInterfaces(trx: Kysely<Database>, key: string, ids: readonly string[]): Promise<void> {
  await sql`delete from menu_interfaces where menu_key = ${key} and interface_id = any(${[...ids]}::text[])`.execute(
    trx,
  );
}
