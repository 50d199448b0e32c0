import type { ModelLevels, Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from './schema.ts';
import { withinScope } from './scope.ts';

/** The id of a device as a value of a query, null when the device lies outside the scope: its rows are then none. */
export function deviceInScope(scope: Scope, id: number): RawBuilder<number> {
  return sql<number>`(${scopedDevice(scope, id, sql`d.id`)})`;
}

/**
 * True for rows of a device whose time `at`, a column or an expression, falls into a stay at a place in scope: history belongs to the
 * customer and site where it happened. A former owner and the present one each see their own part.
 */
export function duringStayInScope(scope: Scope, id: number, at: string | RawBuilder<unknown>): RawBuilder<SqlBool> {
  if (scope.customers === 'all' && scope.sites === 'all') return sql<SqlBool>`true`;
  return sql<SqlBool>`${typeof at === 'string' ? sql.ref(at) : at} <@ (
    select range_agg(tstzrange(stay.began_at, stay.ended_at)) from device_stays stay
     where stay.device_id = ${id} and ${withinScope(scope, 'stay.customer_id', 'stay.site_id')})`;
}

/** A query for columns of the one device `d` with an id, when it lies in the scope. */
function scopedDevice(scope: Scope, id: number, columns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${columns} from devices d where d.id = ${id} and ${withinScope(scope, 'd.customer_id', 'd.site_id')}`;
}

/** A device with what its model asks of roles. */
export interface ScopedDevice extends ModelLevels {
  id: number;
  sn: string;
  deviceModelId: number;
}

/** A device in scope with what its model asks of roles, null when there is none. */
export async function findScopedDevice(scope: Scope, db: Kysely<Database>, id: number): Promise<ScopedDevice | null> {
  const { rows } = await sql<ScopedDevice>`
    select device.id, device.sn, device.device_model_id as "deviceModelId", model.parameter_read_level as "parameterRead",
           model.parameter_write_level as "parameterWrite", model.control_level as control
      from (${scopedDevice(scope, id, sql`d.*`)}) device
      join device_models model on model.id = device.device_model_id`.execute(db);
  return rows[0] ?? null;
}
