import type { Scope } from '@chargehand/domain';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { withinScope } from '../../platform/database/scope.ts';

/** The ID of a device as a value in a query; null if the device is outside the scope, so that no row matches. */
export function deviceInScope(scope: Scope, id: number): RawBuilder<number> {
  return sql<number>`(
    select d.id from devices d where d.id = ${id} and ${withinScope(scope, 'd.customer_id', 'd.site_id')})`;
}

/**
 * True for rows of a device whose time `at` (a column or an expression) is within a stay at a site in scope. History
 * belongs to the customer and site where it happened: a previous owner and the current one each see their own part.
 */
export function duringStayInScope(scope: Scope, id: number, at: string | RawBuilder<unknown>): RawBuilder<SqlBool> {
  if (scope.customers === 'all' && scope.sites === 'all') return sql<SqlBool>`true`;
  return sql<SqlBool>`${typeof at === 'string' ? sql.ref(at) : at} <@ (
    select range_agg(tstzrange(stay.began_at, stay.ended_at)) from device_stays stay
     where stay.device_id = ${id} and ${withinScope(scope, 'stay.customer_id', 'stay.site_id')})`;
}
