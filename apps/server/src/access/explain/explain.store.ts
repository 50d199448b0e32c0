import type { Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';

/** The number of customers, sites and devices in both of two scopes. */
export async function countShared(
  one: Scope,
  other: Scope,
  db: Kysely<Database>,
): Promise<{ customers: number; sites: number; devices: number }> {
  const both = (customer: string, site: string | null) =>
    sql`${withinScope(one, customer, site)} and ${withinScope(other, customer, site)}`;
  const { rows } = await sql<{ customers: number; sites: number; devices: number }>`
    select (select count(*) from customers c where ${both('c.id', null)}) as customers,
           (select count(*) from sites s where ${both('s.customer_id', 's.id')}) as sites,
           (select count(*) from devices d where ${both('d.customer_id', 'd.site_id')}) as devices`.execute(db);
  return rows[0] ?? { customers: 0, sites: 0, devices: 0 };
}

/** The names of a menu, and whether it is common. */
export interface NamedMenu {
  key: string;
  parentKey: string | null;
  nameEn: string;
  nameZh: string;
  common: boolean;
}

/** The menus of some keys, in display order. */
export async function menusOf(db: Kysely<Database>, keys: readonly string[]): Promise<NamedMenu[]> {
  const { rows } = await sql<NamedMenu>`
    select key, parent_key as "parentKey", name_en as "nameEn", name_zh as "nameZh", common
      from menus where key = any(${[...keys]}::text[]) order by sort, key`.execute(db);
  return rows;
}
