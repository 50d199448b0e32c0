import type { Scope, SeriesPoint } from '@chargehand/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { deviceInScope } from '../platform/database/device-scope.ts';
import type { Database } from '../platform/database/schema.ts';
import type { ItemPosition } from './layouts.ts';

/** Which readings of a device are asked for. `positions` say where each wanted quantity stands; `quantity` is its number. */
export interface SeriesRange {
  deviceId: number;
  connector: number;
  from: Date;
  to: Date;
  positions: readonly (ItemPosition & { quantity: number })[];
}

export interface QuantityPoint extends SeriesPoint {
  quantity: number;
}

/** The readings of a range gathered into `buckets` equal spans of time; a counter's value is its highest, another's its mean. */
export async function bucketReadings(
  scope: Scope,
  db: Kysely<Database>,
  range: SeriesRange,
  buckets: number,
): Promise<QuantityPoint[]> {
  const seconds = (range.to.getTime() - range.from.getTime()) / 1000 / buckets;
  const { rows } = await sql<QuantityPoint>`
    select quantity, avg(seconds) as at, min(seconds) as first, max(seconds) as last, count(*) as readings,
           case when bool_or(counter) then max(value) else avg(value) end as value, min(value) as low, max(value) as high
      from (${valuesOf(scope, range)}) reading
     group by quantity, floor((seconds - ${range.from.getTime() / 1000}::float8) / ${seconds}::float8)
     order by quantity, first`.execute(db);
  return rows;
}

/** Every reading of a range by itself. */
export async function listReadings(scope: Scope, db: Kysely<Database>, range: SeriesRange): Promise<QuantityPoint[]> {
  const { rows } = await sql<QuantityPoint>`
    select quantity, seconds as at, seconds as first, seconds as last, 1 as readings, value, value as low, value as high
      from (${valuesOf(scope, range)}) reading
     order by quantity, seconds`.execute(db);
  return rows;
}

function valuesOf(scope: Scope, range: SeriesRange): RawBuilder<unknown> {
  const { deviceId, connector, from, to, positions } = range;
  return sql`
    select place.quantity, place.counter, extract(epoch from readings.at)::float8 as seconds,
           case when place.counter then readings.counters[place.position]
                else readings.analog[place.position]::float8 end as value
      from readings
      join unnest(${positions.map(({ quantity }) => quantity)}::int[], ${positions.map(({ layoutId }) => layoutId)}::int[],
                  ${positions.map(({ position }) => position)}::int[], ${positions.map(({ counter }) => counter)}::boolean[])
           as place (quantity, layout_id, position, counter) on place.layout_id = readings.layout_id
     where readings.device_id = ${deviceInScope(scope, deviceId)} and readings.connector = ${connector}
       and readings.at >= ${from} and readings.at < ${to}`;
}
