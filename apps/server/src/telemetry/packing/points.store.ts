import type { Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { deviceInScope, type Stay, staysInScope } from '../../ports/devices/device-scope.ts';
import {
  placesKey,
  type ReadingColumns,
  type RequestedPlaces,
  unpackValues,
} from '../../ports/readings/packed-readings.ts';
import type { ItemPosition } from '../layouts.ts';
import { HOUR_MS } from './packing.store.ts';

/** The requested values of a connector; each position has the index of its quantity among the requested ones. */
interface PackedRequest {
  deviceId: number;
  connector: number;
  positions: readonly (ItemPosition & { quantity: number })[];
}

/** A range in epoch milliseconds, the end not included. */
interface Span {
  from: number;
  to: number;
}

/** Batches that one query reads. */
const AT_ONCE = 100;

/**
 * Runs queries that see the same state of the database, so that they find a reading that is packed meanwhile exactly
 * once.
 */
export function inOneState<T>(db: Kysely<Database>, read: (trx: Kysely<Database>) => Promise<T>): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').execute(read);
}

/** Values of one quantity in one span of time, summarized. Times in epoch seconds. */
export interface Summary {
  quantity: number;
  /** the number of the span from the origin; 0 if each value is by itself */
  span: number;
  first: number;
  last: number;
  readings: number;
  /** of counters the last value, else the mean */
  value: number;
  low: number;
  high: number;
  begin: number;
  end: number;
}

/** The packed readings of a device in some ranges. */
export interface PackedReadings {
  /**
   * The values of some of its quantities, each quantity in the order of batches: summarized in spans of `seconds` from
   * `origin` (epoch seconds), or each by itself. Values of one span may be in several summaries.
   */
  summarize(
    request: Omit<PackedRequest, 'deviceId'> & { counters: boolean },
    spans: { seconds: number; origin: number } | null,
  ): Promise<Summary[]>;
}

/** The places of quantities of some connectors. */
export function placesOf(
  wanted: readonly { connector: number; positions: readonly ItemPosition[] }[],
): RequestedPlaces {
  const places = new Map<string, { analog: Set<number>; counters: Set<number> }>();
  for (const { connector, positions } of wanted) {
    for (const { layoutId, counter, position } of positions) {
      const key = placesKey(connector, layoutId);
      const some = places.get(key) ?? { analog: new Set(), counters: new Set() };
      places.set(key, some);
      (counter ? some.counters : some.analog).add(position - 1);
    }
  }
  return places;
}

/** The packed readings of ranges. Its batches are read once, also for several summaries, unless there are many of them. */
export async function packedReadings(
  scope: Scope,
  trx: Kysely<Database>,
  deviceId: number,
  ranges: readonly Span[],
  wanted: RequestedPlaces,
): Promise<PackedReadings> {
  const stays = await staysInScope(scope, trx, deviceId);
  const known: ReadingColumns[][] = [];
  const columnsOf = async function* (range: Span, index: number): AsyncGenerator<ReadingColumns> {
    const before = known[index];
    if (before) return yield* before;
    const read: ReadingColumns[] = [];
    let count = 0;
    for await (const columns of batchesOf(scope, trx, deviceId, range, wanted)) {
      count += 1;
      if (count < AT_ONCE) read.push(columns);
      yield columns;
    }
    if (count < AT_ONCE) known[index] = read;
  };
  return {
    async summarize(request, spans) {
      const found: Summary[] = [];
      const latest: Summary[] = [];
      for (const [index, range] of ranges.entries()) {
        for await (const columns of columnsOf(range, index)) {
          eachValue(columns, { ...request, deviceId }, range, stays, (quantity, at, value) => {
            const epoch = at / 1_000_000;
            const span = spans ? Math.floor((epoch - spans.origin) / spans.seconds) : 0;
            const same = latest[quantity];
            if (spans && same?.span === span) {
              same.last = epoch;
              same.readings += 1;
              same.value += value;
              same.low = Math.min(same.low, value);
              same.high = Math.max(same.high, value);
              same.end = value;
              return;
            }
            const summary = {
              ...{ quantity, span, first: epoch, last: epoch, readings: 1 },
              ...{ value, low: value, high: value, begin: value, end: value },
            };
            found.push(summary);
            latest[quantity] = summary;
          });
        }
      }
      for (const one of found) one.value = request.counters ? one.end : one.value / one.readings;
      return found;
    },
  };
}

/** A packed value: of a quantity, by its index among the requested ones. */
interface PackedValue {
  at: Date;
  quantity: number;
  value: number;
}

/**
 * The packed values of a connector from a time on, of about `readings` readings, and the time until which they are
 * complete.
 */
export async function nextPackedValues(
  scope: Scope,
  db: Kysely<Database>,
  request: PackedRequest,
  range: Span,
  readings: number,
): Promise<{ values: PackedValue[]; until: number }> {
  const { deviceId } = request;
  const { rows } = await sql<{ at: Date; data: Buffer | null }>`
    select at, case when before < ${readings}::int or at < ${new Date(range.from + 1)} then data end as data
      from (select at, data, sum(readings) over (order by at) - readings as before
              from (select at, readings, data from reading_batches
                     where ${within(scope, deviceId, range)} order by at limit ${AT_ONCE}) batch) counted
     order by at`.execute(db);
  const rest = rows.find(({ data }) => data === null) ?? (rows.length === AT_ONCE ? rows.pop() : undefined);
  const part = { from: range.from, to: rest ? rest.at.getTime() : range.to };
  const stays = await staysInScope(scope, db, deviceId);
  const places = placesOf([request]);
  const values: PackedValue[] = [];
  for (const { data } of rows) {
    if (data === null) continue;
    eachValue(await unpackValues(data, places), request, part, stays, (quantity, at, value) => {
      values.push({ at: new Date(Math.floor(at / 1_000)), quantity, value });
    });
  }
  return { values: values.sort((one, other) => one.at.getTime() - other.at.getTime()), until: part.to };
}

async function* batchesOf(
  scope: Scope,
  db: Kysely<Database>,
  deviceId: number,
  range: Span,
  wanted: RequestedPlaces,
): AsyncGenerator<ReadingColumns> {
  for (let after: string | null = null; ; ) {
    const beyond: RawBuilder<unknown> = after === null ? sql`` : sql`and at > ${after}::timestamptz`;
    const { rows }: { rows: { at: string; data: Buffer }[] } = await sql<{ at: string; data: Buffer }>`
      select at::text as at, data from reading_batches
       where ${within(scope, deviceId, range)} ${beyond} order by at limit ${AT_ONCE}`.execute(db);
    for (const { data } of rows) yield await unpackValues(data, wanted);
    if (rows.length < AT_ONCE) return;
    after = rows.at(-1)!.at;
  }
}

/** A batch begins in the hour of its last reading: this selects partitions. */
function within(scope: Scope, deviceId: number, { from, to }: Span): RawBuilder<unknown> {
  return sql`device_id = ${deviceInScope(scope, deviceId)} and last_at >= ${new Date(from)}
    and at >= ${new Date(Math.floor(from / HOUR_MS) * HOUR_MS)} and at < ${new Date(to)}`;
}

/** Visits the requested values of a batch, each quantity in the order of time (microseconds). */
function eachValue(
  { at, groups }: ReadingColumns,
  { connector, positions }: PackedRequest,
  { from, to }: Span,
  stays: readonly Stay[] | null,
  visit: (quantity: number, at: number, value: number) => void,
): void {
  for (const group of groups) {
    if (group.connector !== connector) continue;
    for (const { layoutId, quantity, counter, position } of positions) {
      const values = layoutId === group.layoutId ? (counter ? group.counters : group.analog)[position - 1] : undefined;
      if (!values) continue;
      for (const [index, row] of group.rows.entries()) {
        const time = at[row]! / 1_000;
        const isWanted = time >= from && time < to;
        if (isWanted && (stays === null || stays.some((stay) => stay.from <= time && time < stay.to))) {
          visit(quantity, at[row]!, values[index]!);
        }
      }
    }
  }
}
