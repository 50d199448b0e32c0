import type { Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
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

/** Times between which a device was at a place, in milliseconds since the epoch; the end is not part of it. */
export interface Stay {
  from: number;
  to: number;
}

/** The stays of a device at sites in scope, for rows that are checked outside the database; null for a full scope. */
export async function staysInScope(scope: Scope, db: Kysely<Database>, id: number): Promise<Stay[] | null> {
  if (scope.customers === 'all' && scope.sites === 'all') return null;
  // Rounded up, because the times of these rows are whole milliseconds.
  const { rows } = await sql<Stay>`
    select ceil(extract(epoch from began_at) * 1000)::float8 as "from",
           coalesce(ceil(extract(epoch from ended_at) * 1000), 'infinity')::float8 as "to"
      from device_stays stay
     where stay.device_id = ${id} and ${withinScope(scope, 'stay.customer_id', 'stay.site_id')}`.execute(db);
  return rows;
}
