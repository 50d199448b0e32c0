import type { Pending, Piece, Resolution, Scope, SeriesPoint } from '@chargehand/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import { deviceInScope } from '../platform/database/device-scope.ts';
import type { Database } from '../platform/database/schema.ts';
import type { ItemPosition } from './layouts.ts';
import { ROLLUP_TABLES } from './rollups.store.ts';

/** A place of a quantity, by the quantity's number among those asked for. */
export type NumberedPosition = ItemPosition & { quantity: number };

/** Which readings of a connector are asked for, and from where each stretch of the range is to be read. */
export interface SeriesRange {
  deviceId: number;
  connector: number;
  pieces: readonly Piece[];
  positions: readonly NumberedPosition[];
}

/** What the readings of one quantity in one span of time come to; of a counter also its first and last values by time. */
export interface QuantityPoint extends SeriesPoint {
  quantity: number;
  begin: number;
  end: number;
}

/** From when on the rollups of a device are not complete yet, in epoch milliseconds: where its earliest marks are. */
export async function readPending(scope: Scope, db: Kysely<Database>, deviceId: number): Promise<Pending> {
  const earliest = (marks: RawBuilder<unknown>) =>
    sql`(select extract(epoch from min(at))::float8 * 1000 from ${marks} where device_id = ${deviceInScope(scope, deviceId)})`;
  const level = (name: string) =>
    sql`(select extract(epoch from min(at))::float8 * 1000 from rollup_marks
          where device_id = ${deviceInScope(scope, deviceId)} and level = ${name})`;
  const { rows } = await sql<Pending>`
    select five as "fiveMinutes", least(five, hour) as hour, least(five, hour, day) as day
      from (select ${earliest(sql`reading_marks`)} as five, ${level('hour')} as hour, ${level('day')} as day) waiting`.execute(
    db,
  );
  return rows[0] ?? { fiveMinutes: null, hour: null, day: null };
}

/**
 * The readings of a range gathered into spans of `seconds`, the first of which begins `origin` seconds after some
 * multiple of that; a counter's value is its last one, another's its mean.
 */
export async function gatherReadings(
  scope: Scope,
  db: Kysely<Database>,
  range: SeriesRange,
  spans: { seconds: number; origin: number },
): Promise<QuantityPoint[]> {
  const { rows } = await sql<QuantityPoint>`
    select quantity, (min(first) + max(last)) / 2 as at, min(first) as first, max(last) as last,
           sum(readings)::int as readings,
           case when counter then (array_agg("end" order by last desc))[1]
                else sum(value * readings) filter (where not counter) / sum(readings) end as value,
           min(low) as low, max(high) as high,
           (array_agg(begin order by first))[1] as begin, (array_agg("end" order by last desc))[1] as "end"
      from (${sql.join(
        range.pieces.map((piece) => pieceOf(scope, range, piece)),
        sql` union all `,
      )}) reading
     group by quantity, counter, floor((start - ${spans.origin}::float8) / ${spans.seconds}::float8)
     order by quantity, first`.execute(db);
  return rows;
}

/** Every reading of a range by itself. */
export async function listReadings(scope: Scope, db: Kysely<Database>, range: SeriesRange): Promise<QuantityPoint[]> {
  const { rows } = await sql<QuantityPoint>`
    select quantity, first as at, first, last, readings, value, low, high, begin, "end"
      from (${sql.join(
        range.pieces.map((piece) => pieceOf(scope, range, { ...piece, resolution: 'raw' })),
        sql` union all `,
      )}) reading
     order by quantity, first`.execute(db);
  return rows;
}

/** One row for every quantity and reading, or bucket, of a stretch. Times in epoch seconds. */
function pieceOf(scope: Scope, range: SeriesRange, { resolution, from, to }: Piece): RawBuilder<unknown> {
  const { deviceId, connector } = range;
  const where = sql`
     where r.device_id = ${deviceInScope(scope, deviceId)} and r.connector = ${connector}
       and r.layout_id = any(${layoutsOf(range.positions)}::int[])
       and r.at >= ${new Date(from)} and r.at < ${new Date(to)}`;
  if (resolution === 'raw') {
    return sql`
      select quantity, counter, epoch as start, epoch as first, epoch as last, 1 as readings, value,
             value as low, value as high, value as begin, value as "end"
        from (select place.quantity, place.counter, extract(epoch from r.at)::float8 as epoch,
                     case when place.counter then r.counters[place.position]
                          else r.analog[place.position]::float8 end as value
                from readings r join ${places(range.positions)} on place.layout_id = r.layout_id ${where}) one`;
  }
  const either = (counter: string, analog: string) =>
    sql`case when place.counter then r.${sql.raw(counter)}[place.position] else r.${sql.raw(analog)}[place.position]::float8 end`;
  return sql`
      select place.quantity, place.counter, extract(epoch from r.at)::float8 as start,
             extract(epoch from r.first_at)::float8 as first, extract(epoch from r.last_at)::float8 as last, r.readings,
             ${either('counter_last', 'mean')} as value,
             ${either('counter_first', 'low')} as low, ${either('counter_high', 'high')} as high,
             ${either('counter_first', 'mean')} as begin, ${either('counter_last', 'mean')} as "end"
        from ${sql.table(tableOf(resolution))} r join ${places(range.positions)} on place.layout_id = r.layout_id ${where}`;
}

/** Where the values of each quantity stand, as rows to join. */
export function places(positions: readonly NumberedPosition[]): RawBuilder<unknown> {
  return sql`unnest(${positions.map(({ quantity }) => quantity)}::int[], ${positions.map(({ layoutId }) => layoutId)}::int[],
      ${positions.map(({ position }) => position)}::int[], ${positions.map(({ counter }) => counter)}::boolean[])
    as place (quantity, layout_id, position, counter)`;
}

export function layoutsOf(positions: readonly NumberedPosition[]): number[] {
  return [...new Set(positions.map(({ layoutId }) => layoutId))];
}

export function tableOf(resolution: Exclude<Resolution, 'raw'>): string {
  return ROLLUP_TABLES[resolution];
}
