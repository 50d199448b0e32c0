import { CUSTOMER, type ValuesOf } from '@chargehand/contract';
import type { AlarmLevel, DeviceStatus, RegionCodes, Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { beyond } from '../../platform/database/order/keyset.ts';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { idArray, withinScope } from '../../platform/database/scope.ts';
import type { ListOrder, ListPosition } from '../../platform/http/serve/list-queries.ts';
import { byColumn, selected } from '../../platform/resource/columns.ts';
import { containsWords, searchText } from '../../platform/search/search-text.ts';
import { searchWordsOf } from '../../platform/search/search-words.ts';
import { inRegion } from '../regions/region.store.ts';

/** A customer as lists and forms show it, with counts of its sites, devices and users in the scope. */
export interface CustomerRecord extends CustomerValues {
  id: number;
  platformVendor: boolean;
  enabled: boolean;
  createdAt: Date;
  siteCount: number;
  deviceCount: number;
  userCount: number | null;
}

export interface CustomerFilters {
  id?: number | undefined;
  search?: string | undefined;
  enabled?: boolean | undefined;
  region?: RegionCodes | undefined;
}

type CustomerSort = (typeof CUSTOMER.sorts)[number];
export type CustomerOrder = ListOrder<CustomerSort>;

const SORT_COLUMNS: Record<CustomerSort, string> = { name: 'name', code: 'code', createdAt: 'created_at' };
const SORT_TYPES: Record<CustomerSort, RawBuilder<unknown>> = {
  name: sql`text`,
  code: sql`text`,
  createdAt: sql`timestamptz`,
};

/** What searches compare. */
export const CUSTOMER_TEXT = searchText('customers.code', 'customers.name', 'customers.search_words');

/** One page of the matching customers in scope, and the total number of matches. */
export async function listCustomers(
  scope: Scope,
  db: Kysely<Database>,
  filters: CustomerFilters,
  order: CustomerOrder,
  page: { limit: number; offset: number },
): Promise<{ items: CustomerRecord[]; total: number }> {
  const which = matching(scope, filters);
  const [items, totals] = await Promise.all([
    sql<CustomerRecord>`
      ${listed(
        scope,
        sql`select * from customers where ${which} order by ${orderBy(order, 'customers')}
             limit ${page.limit} offset ${page.offset}`,
      )}
       order by ${orderBy(order, 'c')}`.execute(db),
    sql<{ total: number }>`select count(*) as total from customers where ${which}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** The next batch of matching customers in scope after a given one in the same order; from the start when null. */
export async function listCustomersAfter(
  scope: Scope,
  db: Kysely<Database>,
  filters: CustomerFilters,
  order: CustomerOrder,
  after: ListPosition | null,
  limit: number,
): Promise<(CustomerRecord & ListPosition)[]> {
  const keyset = {
    value: sortedBy(order, 'customers'),
    id: sql.ref('customers.id'),
    type: SORT_TYPES[order.by],
    descending: order.descending,
  };
  const { rows } = await sql<CustomerRecord & ListPosition>`
    ${listed(
      scope,
      sql`select * from customers where ${matching(scope, filters)} and ${beyond(keyset, after)}
           order by ${orderBy(order, 'customers')} limit ${limit}`,
      sql`, ${sortedBy(order, 'c')}::text as position`,
    )}
     order by ${orderBy(order, 'c')}`.execute(db);
  return rows;
}

/** One customer in scope; null when there is none. */
export async function findCustomer(scope: Scope, db: Kysely<Database>, id: number): Promise<CustomerRecord | null> {
  const { rows } = await sql<CustomerRecord>`
    ${listed(scope, sql`select * from customers where customers.id = ${id} and ${matching(scope, {})}`)}`.execute(db);
  return rows[0] ?? null;
}

/** The number of devices in scope of a customer for each status that occurs. */
export async function countCustomerDevices(
  scope: Scope,
  db: Kysely<Database>,
  customerId: number,
): Promise<{ status: DeviceStatus; total: number }[]> {
  const { rows } = await sql<{ status: DeviceStatus; total: number }>`
    select status, count(*) as total from device_status d
     where customer_id = ${customerId} and ${withinScope(scope, 'd.customer_id', 'd.site_id')}
     group by status`.execute(db);
  return rows;
}

/** The number of open alarms on devices in scope of a customer for each level that occurs. */
export async function countCustomerAlarms(
  scope: Scope,
  db: Kysely<Database>,
  customerId: number,
): Promise<{ level: AlarmLevel; total: number }[]> {
  const { rows } = await sql<{ level: AlarmLevel; total: number }>`
    select a.level, count(*) as total from alarms a join devices on devices.id = a.device_id
     where devices.customer_id = ${customerId} and a.cleared_at is null
       and ${withinScope(scope, 'devices.customer_id', 'devices.site_id')}
     group by a.level`.execute(db);
  return rows;
}

/** What users enter about a customer. */
export interface CustomerValues extends ValuesOf<typeof CUSTOMER.fields>, RegionCodes {}

/** The fields of a customer that decide whether and how it may be changed. */
export interface LockedCustomer extends CustomerValues {
  id: number;
  enabled: boolean;
}

/** A customer in scope, locked until the end of the transaction; null when there is none. */
export async function lockCustomer(scope: Scope, db: Kysely<Database>, id: number): Promise<LockedCustomer | null> {
  const { rows } = await sql<LockedCustomer>`
    select id, ${selected(CUSTOMER.fields, 'customers')}, country, province, city, enabled from customers
     where id = ${id} and ${matching(scope, {})} for update`.execute(db);
  return rows[0] ?? null;
}

/**
 * Adds a customer and returns its id. A name, code or issue prefix in use violates the index
 * `customers_name`, `customers_code` or `customers_issue_prefix`. Without a prefix, a trigger proposes one.
 */
export async function insertCustomer(
  db: Kysely<Database>,
  values: Omit<CustomerValues, 'issuePrefix'> & { issuePrefix?: string },
): Promise<number> {
  const { id } = await db
    .insertInto('customers')
    .values({ ...byColumn(values), ...searchWordsOf(values.name) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/**
 * Changes columns of a customer that the transaction has locked. The checks `customers_platform_vendor_…` protect the
 * vendor's columns.
 */
export async function updateCustomer(
  db: Kysely<Database>,
  id: number,
  values: Partial<CustomerValues & { enabled: boolean }>,
): Promise<void> {
  await db
    .updateTable('customers')
    .set({ ...byColumn(values), ...searchWordsOf(values.name) })
    .where('id', '=', id)
    .execute();
}

/** Removes a customer. Foreign keys prevent it while it has sites or users; a trigger protects the platform vendor. */
export async function deleteCustomer(db: Kysely<Database>, id: number): Promise<void> {
  await db.deleteFrom('customers').where('id', '=', id).execute();
}

/** The columns of a list, joined only to the few customers that it shows, so that nothing else is counted. */
function listed(
  scope: Scope,
  customers: RawBuilder<unknown>,
  more: RawBuilder<unknown> = sql``,
): RawBuilder<CustomerRecord> {
  const users =
    scope.sites === 'all' ? sql`(select count(*)::int from users where users.customer_id = c.id)` : sql`null::int`;
  return sql`
    select c.id, ${selected(CUSTOMER.fields, 'c')}, c.country, c.province, c.city,
           c.platform_vendor as "platformVendor", c.enabled, c.created_at as "createdAt",
           (select count(*)::int from sites
             where sites.customer_id = c.id and ${withinScope(scope, 'sites.customer_id', 'sites.id')}) as "siteCount",
           (select count(*)::int from devices
             where devices.customer_id = c.id and ${withinScope(scope, 'devices.customer_id', 'devices.site_id')})
             as "deviceCount",
           ${users} as "userCount" ${more}
      from (${customers}) c`;
}

function orderBy(order: CustomerOrder, table: string): RawBuilder<unknown> {
  const direction = order.descending ? sql`desc` : sql`asc`;
  return sql`${sortedBy(order, table)} ${direction}, ${sql.ref(`${table}.id`)} ${direction}`;
}

function sortedBy({ by }: CustomerOrder, table: string): RawBuilder<unknown> {
  const column = sql.ref(`${table}.${SORT_COLUMNS[by]}`);
  return by === 'name' || by === 'code' ? naturally(column) : column;
}

/** A user with assigned sites sees a customer only through its sites. */
export function visibleCustomers(scope: Scope): RawBuilder<SqlBool> {
  const byCustomer = withinScope(scope, 'customers.id', null);
  if (scope.sites === 'all') return byCustomer;
  return sql<SqlBool>`(${byCustomer} and customers.id in (
    select customer_id from sites where sites.id = any(${idArray(scope.sites)})))`;
}

function matching(scope: Scope, filters: CustomerFilters): RawBuilder<SqlBool> {
  const conditions = [visibleCustomers(scope)];
  if (filters.id !== undefined) conditions.push(sql`customers.id = ${filters.id}`);
  if (filters.enabled !== undefined) conditions.push(sql`customers.enabled = ${filters.enabled}`);
  if (filters.region) conditions.push(inRegion('customers', filters.region));
  if (filters.search !== undefined) {
    conditions.push(containsWords(CUSTOMER_TEXT, filters.search));
  }
  return sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}
