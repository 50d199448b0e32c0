import type { Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { numberArray } from '../../platform/database/statement.ts';
import { deviceInScope, type Stay, staysInScope } from '../../ports/devices/device-scope.ts';
import { type ReadingColumns, unpackColumns } from '../../ports/readings/packed-readings.ts';
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

/** Packed readings of one quantity in one span of time, summarized. Times in epoch seconds. */
interface Summary {
  quantity: number;
  first: number;
  last: number;
  readings: number;
  sum: number;
  low: number;
  high: number;
  begin: number;
  end: number;
}

/**
 * The packed values of ranges as a query, with the columns of a chart: summarized in spans of `seconds` from `origin`
 * (epoch seconds), or each by itself. Null if there are none.
 */
export async function packedValues(
  scope: Scope,
  db: Kysely<Database>,
  request: PackedRequest & { counters: boolean },
  ranges: readonly Span[],
  spans: { seconds: number; origin: number } | null,
): Promise<RawBuilder<unknown> | null> {
  const stays = await staysInScope(scope, db, request.deviceId);
  const found: Summary[] = [];
  const known = new Map<string, Summary>();
  for (const range of ranges) {
    for await (const columns of batchesOf(scope, db, request.deviceId, range)) {
      eachValue(columns, request, range, stays, (quantity, at, value) => {
        const epoch = at / 1_000_000;
        const key = spans ? `${quantity} ${Math.floor((epoch - spans.origin) / spans.seconds)}` : '';
        const same = spans ? known.get(key) : undefined;
        if (same) {
          same.last = epoch;
          same.readings += 1;
          same.sum += value;
          same.low = Math.min(same.low, value);
          same.high = Math.max(same.high, value);
          same.end = value;
          return;
        }
        const fresh = { quantity, first: epoch, last: epoch, readings: 1, sum: value, low: value, high: value };
        const summary = { ...fresh, begin: value, end: value };
        found.push(summary);
        if (spans) known.set(key, summary);
      });
    }
  }
  if (found.length === 0) return null;
  const column = (of: (summary: Summary) => number) => sql`${numberArray(found.map(of))}`;
  return sql`
    select quantity, first as start, first, last, readings, value, low, high, begin, "end"
      from unnest(${column(({ quantity }) => quantity)}::int[], ${column(({ first }) => first)}::float8[],
        ${column(({ last }) => last)}::float8[], ${column(({ readings }) => readings)}::int[],
        ${column(({ sum, readings, end }) => (request.counters ? end : sum / readings))}::float8[],
        ${column(({ low }) => low)}::float8[], ${column(({ high }) => high)}::float8[],
        ${column(({ begin }) => begin)}::float8[], ${column(({ end }) => end)}::float8[])
        as packed (quantity, first, last, readings, value, low, high, begin, "end")`;
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
  const values: PackedValue[] = [];
  for (const { data } of rows) {
    if (data === null) continue;
    eachValue(await unpackColumns(data), request, part, stays, (quantity, at, value) => {
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
): AsyncGenerator<ReadingColumns> {
  for (let after: string | null = null; ; ) {
    const beyond: RawBuilder<unknown> = after === null ? sql`` : sql`and at > ${after}::timestamptz`;
    const { rows }: { rows: { at: string; data: Buffer }[] } = await sql<{ at: string; data: Buffer }>`
      select at::text as at, data from reading_batches
       where ${within(scope, deviceId, range)} ${beyond} order by at limit ${AT_ONCE}`.execute(db);
    for (const { data } of rows) yield await unpackColumns(data);
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
