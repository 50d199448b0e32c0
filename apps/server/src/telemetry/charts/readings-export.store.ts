import type { Resolution, Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { deviceInScope, duringStayInScope } from '../../ports/devices/device-scope.ts';
import { layoutsOf, type NumberedPosition, places, tableOf } from './series.store.ts';

/** One value of an export: of a quantity, by its index among the requested ones. */
export interface ExportedValue {
  at: Date;
  quantity: number;
  value: number | null;
}

/**
 * The next values of a connector from a time on, in order of time, at least `limit` of them if there are as many:
 * values of one instant are never separated. From a rollup, the means of analog quantities and the last values of
 * counters.
 */
export async function listValues(
  scope: Scope,
  db: Kysely<Database>,
  request: { deviceId: number; connector: number; positions: readonly NumberedPosition[] },
  stretch: { resolution: Resolution; from: Date; to: Date },
  limit: number,
): Promise<ExportedValue[]> {
  const { resolution, from, to } = stretch;
  const [table, analog, counters] =
    resolution === 'raw' ? ['readings', 'analog', 'counters'] : [tableOf(resolution), 'mean', 'counter_last'];
  const { rows } = await sql<ExportedValue>`
    select r.at, place.quantity,
           case when place.counter then r.${sql.raw(counters)}[place.position]
                else r.${sql.raw(analog)}[place.position] end as value
      from ${sql.table(table)} r join ${places(request.positions)} on place.layout_id = r.layout_id
     where r.device_id = ${deviceInScope(scope, request.deviceId)} and r.connector = ${request.connector}
       and ${duringStayInScope(scope, request.deviceId, 'r.at')}
       and r.layout_id = any(${layoutsOf(request.positions)}::int[]) and r.at >= ${from} and r.at < ${to}
     order by r.at fetch first ${sql.lit(limit)} rows with ties`.execute(db);
  return rows;
}
