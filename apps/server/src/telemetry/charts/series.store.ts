import type { Pending, Piece, Resolution, Scope, SeriesPoint } from '@chargehand/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { deviceInScope, duringStayInScope } from '../../ports/devices/device-scope.ts';
import type { ItemPosition } from '../layouts.ts';
import { neverPackedSince } from '../packing/packing.store.ts';
import { inOneState, type PackedReadings, packedReadings, placesOf, type Summary } from '../packing/points.store.ts';
import { ROLLUP_TABLES } from '../rollups/rollups.store.ts';

/** A place of a quantity, by the quantity's index among the requested ones. */
export type NumberedPosition = ItemPosition & { quantity: number };

/** The requested readings of a connector, and the source of each part of the range. */
export interface SeriesRange {
  deviceId: number;
  connector: number;
  pieces: readonly Piece[];
  positions: readonly NumberedPosition[];
  /** whether the quantities are counters: all of them, or none */
  counters: boolean;
}

/** The values of one quantity in one span of time, summarized. */
export interface QuantityPoint extends SeriesPoint {
  quantity: number;
}

/** The same for a counter, with its first and its last value by time. */
export interface CounterPoint extends QuantityPoint {
  begin: number;
  end: number;
}

/** The time from which the rollups of a device are incomplete, in epoch milliseconds: that of its earliest marks. */
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
 * The readings of a range are grouped into spans of `seconds`. The first one starts `origin` seconds after some
 * multiple of that.
 */
interface Spans {
  seconds: number;
  origin: number;
}

/** Where the readings of a device are read. */
export interface SeriesSource {
  db: Kysely<Database>;
  /** null if none of the range can be packed */
  packed: PackedReadings | null;
}

/**
 * Reads series of one device with the source of its readings: if some may be packed, in one state of the database, so
 * that a reading that is packed meanwhile is found exactly once. `wanted` are all that will be requested.
 */
export async function withSource<T>(
  scope: Scope,
  db: Kysely<Database>,
  { deviceId, pieces, wanted }: { deviceId: number; pieces: readonly Piece[]; wanted: readonly Wanted[] },
  read: (source: SeriesSource) => Promise<T>,
): Promise<T> {
  const since = neverPackedSince(new Date()).getTime();
  const raw = pieces.filter(({ resolution, from }) => resolution === 'raw' && from < since);
  if (raw.length === 0) return await read({ db, packed: null });
  return await inOneState(db, async (trx) =>
    read({ db: trx, packed: await packedReadings(scope, trx, deviceId, raw, placesOf(wanted)) }),
  );
}

interface Wanted {
  connector: number;
  positions: readonly ItemPosition[];
}

/** The spans of analog quantities. The value of a span is its mean. */
export async function readMeans(
  scope: Scope,
  { db, packed }: SeriesSource,
  range: SeriesRange,
  spans: Spans,
): Promise<QuantityPoint[]> {
  const { rows } = await sql<Summary>`
    select quantity, ${spanOf(spans)} as span, min(first) as first, max(last) as last, sum(readings)::int as readings,
           sum(value * readings) / sum(readings) as value, min(low) as low, max(high) as high, 0 as begin, 0 as "end"
      from (${stretches(scope, range)}) reading group by quantity, span order by quantity, first`.execute(db);
  const points = joined(rows, (await packed?.summarize(range, spans)) ?? [], (one, other) => {
    const readings = one.readings + other.readings;
    return (one.value * one.readings + other.value * other.readings) / readings;
  });
  return points.map(({ quantity, first, last, readings, value, low, high }) => ({
    ...{ quantity, at: (first + last) / 2, first, last, readings, value, low, high },
  }));
}

/** The spans of counters. The value of a span is its last value. */
export async function readCounts(
  scope: Scope,
  { db, packed }: SeriesSource,
  range: SeriesRange,
  spans: Spans,
): Promise<CounterPoint[]> {
  const { rows } = await sql<Summary>`
    select *, "end" as value
      from (select quantity, ${spanOf(spans)} as span, min(first) as first, max(last) as last,
                   sum(readings)::int as readings, min(low) as low, max(high) as high,
                   (array_agg(begin order by first))[1] as begin, (array_agg("end" order by last desc))[1] as "end"
              from (${stretches(scope, range)}) reading group by quantity, span) spans
     order by quantity, first`.execute(db);
  const points = joined(rows, (await packed?.summarize(range, spans)) ?? [], (_, { end }) => end);
  return points.map(({ span: _, ...point }) => ({ ...point, at: (point.first + point.last) / 2, value: point.end }));
}

/** Every reading of a range by itself. */
export async function listReadings(
  scope: Scope,
  { db, packed }: SeriesSource,
  range: SeriesRange,
): Promise<QuantityPoint[]> {
  const pieces = range.pieces.map((piece): Piece => ({ ...piece, resolution: 'raw' }));
  const { rows } = await sql<QuantityPoint>`
    select quantity, first as at, first, last, readings, value, low, high
      from (${stretches(scope, { ...range, pieces })}) reading order by quantity, first`.execute(db);
  const some = (await packed?.summarize(range, null)) ?? [];
  if (some.length === 0) return rows;
  const points = some.map(({ quantity, first, last, readings, value, low, high }) => ({
    ...{ quantity, at: first, first, last, readings, value, low, high },
  }));
  return [...rows, ...points].sort(inOrder);
}

function inOrder(one: QuantityPoint | Summary, other: QuantityPoint | Summary): number {
  return one.quantity - other.quantity || one.first - other.first;
}

/** The spans of two sources, each once, by quantity and time. `value` is that of two parts of a span, in order of time. */
function joined(
  stored: readonly Summary[],
  packed: readonly Summary[],
  value: (one: Summary, other: Summary) => number,
): readonly Summary[] {
  if (packed.length === 0) return stored;
  const points: Summary[] = [];
  for (const part of [...stored, ...packed].sort(inOrder)) {
    const same = points.at(-1);
    if (same?.quantity !== part.quantity || same.span !== part.span) {
      points.push({ ...part });
      continue;
    }
    const [one, other] = same.last <= part.last ? [same, part] : [part, same];
    same.value = value(one, other);
    same.end = other.end;
    same.last = other.last;
    same.readings += part.readings;
    same.low = Math.min(same.low, part.low);
    same.high = Math.max(same.high, part.high);
  }
  return points;
}

function spanOf({ seconds, origin }: Spans): RawBuilder<unknown> {
  return sql`floor((start - ${origin}::float8) / ${seconds}::float8)`;
}

/** All parts of a range that are not packed. */
function stretches(scope: Scope, range: SeriesRange): RawBuilder<unknown> {
  return sql.join(
    range.pieces.map((piece) => stretch(scope, range, piece)),
    sql` union all `,
  );
}

/** One row for every quantity and reading, or bucket, of a part. Times in epoch seconds. */
function stretch(scope: Scope, range: SeriesRange, { resolution, from, to }: Piece): RawBuilder<unknown> {
  const { deviceId, connector, counters } = range;
  const where = sql`
     where r.device_id = ${deviceInScope(scope, deviceId)} and r.connector = ${connector}
       and ${duringStayInScope(scope, deviceId, 'r.at')}
       and r.layout_id = any(${layoutsOf(range.positions)}::int[])
       and r.at >= ${new Date(from)} and r.at < ${new Date(to)}`;
  const value = (column: string) => sql`r.${sql.raw(column)}[place.position]::float8`;
  if (resolution === 'raw') {
    return sql`
      select quantity, epoch as start, epoch as first, epoch as last, 1 as readings, value,
             value as low, value as high, value as begin, value as "end"
        from (select place.quantity, date_part('epoch', r.at) as epoch,
                     ${value(counters ? 'counters' : 'analog')} as value
                from readings r join ${places(range.positions)} on place.layout_id = r.layout_id ${where}) one`;
  }
  const [last, low, high, first] = counters
    ? ['counter_last', 'counter_first', 'counter_high', 'counter_first']
    : ['mean', 'low', 'high', 'mean'];
  return sql`
      select place.quantity, date_part('epoch', r.at) as start, date_part('epoch', r.first_at) as first,
             date_part('epoch', r.last_at) as last, r.readings, ${value(last!)} as value, ${value(low!)} as low,
             ${value(high!)} as high, ${value(first!)} as begin, ${value(last!)} as "end"
        from ${sql.table(tableOf(resolution))} r join ${places(range.positions)} on place.layout_id = r.layout_id ${where}`;
}

/** Where the values of each quantity are stored, as rows to join. */
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
