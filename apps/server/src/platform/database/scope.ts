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
      : sql<SqlBool>`${sql.ref(customer)} = any(${[...scope.customers]}::int[])`;
  const bySite =
    scope.sites === 'all' || site === null
      ? sql<SqlBool>`true`
      : sql<SqlBool>`${sql.ref(site)} = any(${[...scope.sites]}::int[])`;
  return sql<SqlBool>`(${byCustomer} and ${bySite})`;
}
