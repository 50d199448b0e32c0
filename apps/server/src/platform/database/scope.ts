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

function arrayText(ids: 'all' | readonly number[]): string | null {
  if (ids === 'all') return null;
  const text = written.get(ids) ?? `{${ids.join(',')}}`;
  written.set(ids, text);
  return text;
}

const written = new WeakMap<readonly number[], string>();
