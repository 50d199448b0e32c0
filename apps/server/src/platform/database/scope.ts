import type { Scope } from '@chargehand/domain';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * The scope of a caller as a condition on a query (design §5, step 2): `customer` and `site` name the columns, such as
 * `sites.customer_id` and `sites.id`. Every store method on scoped rows puts this into its `where`.
 */
export function withinScope(scope: Scope, customer: string, site: string | null): RawBuilder<SqlBool> {
  const byCustomer =
    scope.customers === 'all'
      ? sql<SqlBool>`true`
      : sql<SqlBool>`${sql.ref(customer)} = any(${idArray(scope.customers)})`;
  const bySite =
    scope.sites === 'all' || site === null
      ? sql<SqlBool>`true`
      : sql<SqlBool>`${sql.ref(site)} = any(${idArray(scope.sites)})`;
  return sql<SqlBool>`(${byCustomer} and ${bySite})`;
}

/**
 * Rows of the customers that a user sees, and those of the platform (no customer), which everyone sees: customers in the
 * scope, and for users with assigned sites their own customer and those of their sites.
 */
export function ofSeenCustomers(
  { scope, customerId }: { scope: Scope; customerId: number },
  customer: string,
): RawBuilder<SqlBool> {
  const column = sql.ref(customer);
  if (scope.customers === 'all' && scope.sites === 'all') return sql<SqlBool>`true`;
  const byCustomer = scope.customers === 'all' ? sql`true` : sql`${column} = any(${idArray(scope.customers)})`;
  const bySite =
    scope.sites === 'all'
      ? sql``
      : sql`and ${column} = any(array(select s.customer_id from sites s where s.id = any(${idArray(scope.sites)})))`;
  return sql<SqlBool>`(${column} is null or ${column} = ${customerId} or (${byCustomer} ${bySite}))`;
}

/** The users `u` of a scope: a caller with assigned sites only sees users who are assigned to one of them. */
export function visibleUsers(scope: Scope): RawBuilder<SqlBool> {
  const byCustomer = withinScope(scope, 'u.customer_id', null);
  if (scope.sites === 'all') return byCustomer;
  // As an array, the users of the sites are looked up once and not for each user. As rows, some hundred sites are
  // joined, and the planner does not consider each one.
  return sql<SqlBool>`(${byCustomer} and u.id = any(array(
    select us.user_id from unnest(${idArray(scope.sites)}) as site (id) join user_sites us on us.site_id = site.id)))`;
}

/**
 * Ids as one array for a query, in the notation of PostgreSQL. The driver would quote each of them, which costs more
 * than the query for some hundred sites. A scope is used several times in a request and written once.
 */
export function idArray(ids: readonly number[]): RawBuilder<number[]> {
  return sql<number[]>`${arrayText(ids)}::int[]`;
}

/** The ids of an array in PostgreSQL's notation, which the driver would split. In a query they are that text again. */
export function readIds(text: string): number[] {
  const ids = JSON.parse(`[${text.slice(1, -1)}]`) as number[];
  written.set(ids, text);
  return ids;
}

/**
 * A scope as two values of a prepared query, for `scopeCondition`: the customers and the sites as PostgreSQL arrays,
 * null for all.
 */
export function scopeValues(scope: Scope): [customers: string | null, sites: string | null] {
  return [arrayText(scope.customers), arrayText(scope.sites)];
}

/**
 * The condition of a prepared query whose values $2 and $3 are those of `scopeValues`. A null `site` means any site.
 */
export function scopeCondition(customer: string, site: string | null): string {
  const byCustomer = `($2::int[] is null or ${customer} = any($2::int[]))`;
  return site === null ? byCustomer : `${byCustomer} and ($3::int[] is null or ${site} = any($3::int[]))`;
}

/** Like `ofSeenCustomers`, for a prepared query whose values $2, $3 and $4 are those of `scopeValues` and the customer. */
export function seenCustomerCondition(customer: string): string {
  return `(${customer} is null or ${customer} = $4::int or (${scopeCondition(customer, null)}
    and ($3::int[] is null
         or exists (select from sites s where s.customer_id = ${customer} and s.id = any($3::int[])))))`;
}

function arrayText(ids: 'all' | readonly number[]): string | null {
  if (ids === 'all') return null;
  const text = written.get(ids) ?? `{${ids.join(',')}}`;
  written.set(ids, text);
  return text;
}

const written = new WeakMap<readonly number[], string>();
