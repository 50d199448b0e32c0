import type { Assignments } from '@chargehand/contract';
import type { Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import { anywhere } from '../../platform/database/patterns.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';

export type Assigned = Omit<Assignments, 'revision'>;

/** The assignments of a user within the scope. Those outside it are not revealed. */
export async function findAssignments(scope: Scope, db: Kysely<Database>, userId: number): Promise<Assigned> {
  const [customers, sites] = await Promise.all([
    sql<Assignments['customers'][number]>`
      select c.id, c.name from user_customers uc join customers c on c.id = uc.customer_id
       where uc.user_id = ${userId} and ${withinScope(scope, 'uc.customer_id', null)}
       order by ${naturally(sql`c.name`)}, c.id`.execute(db),
    sql<Assignments['sites'][number]>`
      select s.id, s.name, s.customer_id as "customerId", c.name as "customerName"
        from user_sites us join sites s on s.id = us.site_id join customers c on c.id = s.customer_id
       where us.user_id = ${userId} and ${withinScope(scope, 's.customer_id', 's.id')}
       order by ${naturally(sql`c.name`)}, ${naturally(sql`s.name`)}, s.id`.execute(db),
  ]);
  return { customers: customers.rows, sites: sites.rows };
}

/** True when a user is assigned a customer or a site outside the scope. */
export async function isAssignedOutside(scope: Scope, db: Kysely<Database>, userId: number): Promise<boolean> {
  const { rows } = await sql<{ outside: boolean }>`
    select exists (select from user_customers uc
                    where uc.user_id = ${userId} and not ${withinScope(scope, 'uc.customer_id', null)})
        or exists (select from user_sites us join sites s on s.id = us.site_id
                    where us.user_id = ${userId} and not ${withinScope(scope, 's.customer_id', 's.id')})
        as outside`.execute(db);
  return rows[0]?.outside ?? false;
}

/** Which of these customers and sites exist, in scope or not. The domain compares them with the scope. */
export async function findKnownPlaces(
  db: Kysely<Database>,
  customerIds: readonly number[],
  siteIds: readonly number[],
): Promise<{
  customerIds: Set<number>;
  /** those of them that are the platform vendor */
  vendorIds: Set<number>;
  sites: Map<number, { name: string; customerId: number }>;
}> {
  const customers = await sql<{ id: number; vendor: boolean }>`
    select id, platform_vendor as vendor from customers where id = any(${[...customerIds]}::int[])`.execute(db);
  const sites = await sql<{ id: number; name: string; customerId: number }>`
    select id, name, customer_id as "customerId" from sites where id = any(${[...siteIds]}::int[])`.execute(db);
  return {
    customerIds: new Set(customers.rows.map(({ id }) => id)),
    vendorIds: new Set(customers.rows.filter(({ vendor }) => vendor).map(({ id }) => id)),
    sites: new Map(sites.rows.map(({ id, ...site }) => [id, site])),
  };
}

/** Sets the user's sites within the scope to exactly these. Those outside it are kept. */
export async function replaceSites(
  scope: Scope,
  trx: Kysely<Database>,
  userId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    delete from user_sites us using sites s
     where us.user_id = ${userId} and s.id = us.site_id and us.site_id <> all(${[...ids]}::int[])
       and ${withinScope(scope, 's.customer_id', 's.id')}`.execute(trx);
  await sql`
    insert into user_sites (user_id, site_id) select ${userId}, unnest(${[...ids]}::int[])
        on conflict do nothing`.execute(trx);
}

/** Sets the user's customers within the scope to exactly these. Those outside it are kept. */
export async function replaceCustomers(
  scope: Scope,
  trx: Kysely<Database>,
  userId: number,
  ids: readonly number[],
): Promise<void> {
  await sql`
    delete from user_customers uc
     where uc.user_id = ${userId} and uc.customer_id <> all(${[...ids]}::int[])
       and ${withinScope(scope, 'uc.customer_id', null)}`.execute(trx);
  await sql`
    insert into user_customers (user_id, customer_id) select ${userId}, unnest(${[...ids]}::int[])
        on conflict do nothing`.execute(trx);
}

export interface Assignable {
  customers: { id: number; name: string }[];
  sites: { id: number; name: string; customerId: number }[];
  /** there are more than these, so the search must be refined */
  more: boolean;
}

/**
 * Customers and sites in scope by name, at most `limit` sites and customers each.
 * @param customerIds only these customers, or all in scope
 */
export async function listAssignable(
  scope: Scope,
  db: Kysely<Database>,
  customerIds: readonly number[] | 'all',
  search: string | undefined,
  limit: number,
): Promise<Assignable> {
  const own = (column: string): RawBuilder<SqlBool> =>
    customerIds === 'all' ? sql`true` : sql`${sql.ref(column)} = any(${[...customerIds]}::int[])`;
  const named = (column: string): RawBuilder<SqlBool> =>
    search === undefined ? sql`true` : sql`${sql.ref(column)} ilike ${anywhere(search)}`;
  const found = await sql<{ id: number; name: string; customerId: number }>`
    select s.id, s.name, s.customer_id as "customerId" from sites s join customers c on c.id = s.customer_id
     where ${withinScope(scope, 's.customer_id', 's.id')} and ${own('s.customer_id')}
       and (${named('s.name')} or ${named('c.name')})
     order by ${naturally(sql`c.name`)}, s.customer_id, ${naturally(sql`s.name`)}, s.id limit ${limit + 1}`.execute(db);
  const sites = found.rows.slice(0, limit);
  const parents = [...new Set(sites.map((site) => site.customerId))];
  const customers = await sql<{ id: number; name: string }>`
    select c.id, c.name from customers c
     where ${withinScope(scope, 'c.id', null)} and ${own('c.id')}
       and (c.id = any(${parents}::int[]) or (${named('c.name')} and ${mayStandAlone(scope)}))
     order by ${naturally(sql`c.name`)}, c.id limit ${limit + parents.length + 1}`.execute(db);
  return {
    customers: customers.rows,
    sites,
    more: found.rows.length > limit || customers.rows.length > limit + parents.length,
  };
}

/** A user with assigned sites sees a customer only through its sites. */
function mayStandAlone(scope: Scope): RawBuilder<SqlBool> {
  return scope.sites === 'all' ? sql`true` : sql`false`;
}
