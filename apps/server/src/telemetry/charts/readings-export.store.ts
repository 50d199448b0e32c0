import type { Resolution, Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { deviceInScope, duringStayInScope } from '../../ports/devices/device-scope.ts';
import { neverPackedSince } from '../packing/packing.store.ts';
import { inOneState, nextPackedValues } from '../packing/points.store.ts';
import { layoutsOf, type NumberedPosition, places, tableOf } from './series.store.ts';

/** One value of an export: of a quantity, by its index among the requested ones. */
export interface ExportedValue {
  at: Date;
  quantity: number;
  value: number | null;
}

interface ValueRequest {
  deviceId: number;
  connector: number;
  positions: readonly NumberedPosition[];
}

interface Stretch {
  resolution: Resolution;
  from: Date;
  to: Date;
}

/**
 * The next values of a connector from a time on, in order of time, at least `limit` of them if there are as many:
 * values of one instant are never separated. From a rollup, the means of analog quantities and the last values of
 * counters.
 */
export async function listValues(
  scope: Scope,
  db: Kysely<Database>,
  request: ValueRequest,
  stretch: Stretch,
  limit: number,
): Promise<ExportedValue[]> {
  if (stretch.resolution !== 'raw' || stretch.from >= neverPackedSince(new Date())) {
    return await listStored(scope, db, request, stretch, limit);
  }
  return await inOneState(db, async (trx) => {
    const values: ExportedValue[] = [];
    const to = stretch.to.getTime();
    for (let from = stretch.from.getTime(); from < to && values.length < limit; ) {
      const left = limit - values.length;
      const readings = Math.ceil(left / Math.max(1, request.positions.length));
      const packed = await nextPackedValues(scope, trx, request, { from, to }, readings);
      const part = { ...stretch, from: new Date(from), to: new Date(packed.until) };
      const stored = await listStored(scope, trx, request, part, left);
      // Beyond the last one, more may be stored.
      const last = stored.length < left ? packed.until : stored.at(-1)!.at.getTime() + 1;
      for (const value of firstOf(merged(packed.values, stored, last), left)) values.push(value);
      from = last;
    }
    return values;
  });
}

/** Values before a time in order of time. */
function merged(packed: readonly ExportedValue[], stored: readonly ExportedValue[], before: number): ExportedValue[] {
  const values = [...packed, ...stored].filter(({ at }) => at.getTime() < before);
  return values.sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** The first values, at least `limit` of them, and all of the last instant. */
function firstOf(values: readonly ExportedValue[], limit: number): readonly ExportedValue[] {
  const last = values[limit - 1]?.at.getTime();
  if (last === undefined) return values;
  const end = values.findIndex(({ at }) => at.getTime() > last);
  return end < 0 ? values : values.slice(0, end);
}

/** The same, without packed readings. */
async function listStored(
  scope: Scope,
  db: Kysely<Database>,
  request: ValueRequest,
  stretch: Stretch,
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
