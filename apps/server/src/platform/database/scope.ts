import type { Scope } from '@chargehand/domain';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * The scope of a caller as a condition on a query (design §5, step 2): `customer` and `site` name the columns, such as
 * `devices.customer_id` and `devices.site_id`. Every store method on scoped rows puts this into its `where`.
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
 * Ids as one array of a query, written as PostgreSQL reads it: the driver would quote each of them, which for some
 * hundred sites costs more than the query. A scope is asked several times in a request and written once.
 */
export function idArray(ids: readonly number[]): RawBuilder<number[]> {
  let text = written.get(ids);
  if (text === undefined) {
    text = `{${ids.join(',')}}`;
    written.set(ids, text);
  }
  return sql<number[]>`${text}::int[]`;
}

/** The ids of an array as PostgreSQL writes it: the driver would take each by itself. In a query they are that text again. */
export function readIds(text: string): number[] {
  const ids = JSON.parse(`[${text.slice(1, -1)}]`) as number[];
  written.set(ids, text);
  return ids;
}

const written = new WeakMap<readonly number[], string>();
