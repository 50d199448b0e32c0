import { type AnswerOf, MAX_POINTS, type QueryOf, type Series, type telemetryEndpoints } from '@chargehand/contract';
import { withGaps } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import { requireDevice } from '../platform/http/visible-device.ts';
import type { Caller } from '../ports/caller.ts';
import { type ItemPosition, positionsOf } from './layouts.ts';
import { listLatestReadings } from './runtime.store.ts';
import { bucketReadings, listReadings, type QuantityPoint } from './series.store.ts';

type Read = typeof telemetryEndpoints.readSeries;

/** Half of what may be drawn: between any two points there may be a gap. */
const BUCKETS = MAX_POINTS / 2;
/** The longest range of one request, and the most quantities. */
const RANGE_LIMIT_DAYS = 400;
const KEYS_LIMIT = 20;
const DAY_MS = 86_400_000;

/**
 * The course of some quantities of a connector: every reading while they are few, else the mean, lowest and highest of
 * equal spans. A key reported in two units is two series. Keys that were never reported are left out.
 */
export async function readSeries(
  db: Kysely<Database>,
  caller: Caller,
  deviceId: number,
  query: QueryOf<Read>,
): Promise<AnswerOf<Read>> {
  const { id } = await requireDevice(db, caller, deviceId);
  const { from, to } = rangeOf(query);
  const quantities = quantitiesOf(
    keysOf(query.keys),
    (await listLatestReadings(caller.scope, db, id, query.connector)).flatMap(({ layoutId, items }) =>
      positionsOf(layoutId, items),
    ),
  );
  if (quantities.length === 0) return { series: [] };
  const positions = quantities.flatMap(({ places }, quantity) => places.map((place) => ({ ...place, quantity })));
  const range = { deviceId: id, connector: query.connector, from, to, positions };
  const buckets = byQuantity(await bucketReadings(caller.scope, db, range, BUCKETS), quantities.length);
  const few = buckets.map((points) => points.reduce((sum, { readings }) => sum + readings, 0) <= BUCKETS);
  const single = few.some(Boolean)
    ? byQuantity(
        await listReadings(caller.scope, db, {
          ...range,
          positions: positions.filter(({ quantity }) => few[quantity]),
        }),
        quantities.length,
      )
    : [];
  return {
    series: quantities.map(({ key, unit }, quantity) =>
      few[quantity]
        ? seriesOf({ key, unit, connector: query.connector }, single[quantity] ?? [], false)
        : seriesOf({ key, unit, connector: query.connector }, buckets[quantity] ?? [], true),
    ),
  };
}

/** A range of the wire. @throws Problem when it is turned round or longer than may be asked for. */
function rangeOf(query: { from: string; to: string }): { from: Date; to: Date } {
  const from = new Date(query.from);
  const to = new Date(query.to);
  if (!(from < to)) throw new Problem('rangeTurned', { field: 'to' });
  if (to.getTime() - from.getTime() > RANGE_LIMIT_DAYS * DAY_MS) {
    throw new Problem('rangeTooLong', { field: 'from', values: { days: RANGE_LIMIT_DAYS } });
  }
  return { from, to };
}

function keysOf(text: string): string[] {
  const keys = [...new Set(text.split(',').filter((key) => key !== ''))];
  if (keys.length === 0) throw new Problem('fieldRequired', { field: 'keys' });
  if (keys.length > KEYS_LIMIT) throw new Problem('fieldItems', { field: 'keys', values: { min: 1, max: KEYS_LIMIT } });
  return keys;
}

interface Quantity {
  key: string;
  unit: string;
  places: ItemPosition[];
}

function quantitiesOf(keys: readonly string[], known: readonly ItemPosition[]): Quantity[] {
  return keys.flatMap((key) => {
    const places = known.filter((place) => place.key === key);
    return [...Map.groupBy(places, ({ unit }) => unit)].map(([unit, sameUnit]) => ({ key, unit, places: sameUnit }));
  });
}

function byQuantity(points: readonly QuantityPoint[], count: number): QuantityPoint[][] {
  const lists: QuantityPoint[][] = Array.from({ length: count }, () => []);
  for (const point of points) lists[point.quantity]?.push(point);
  return lists;
}

function seriesOf(name: Pick<Series, 'key' | 'unit' | 'connector'>, points: QuantityPoint[], spans: boolean): Series {
  const drawn = withGaps(points);
  return {
    ...name,
    at: drawn.map(({ at }) => at),
    value: drawn.map(({ value }) => value),
    ...(spans
      ? {
          low: drawn.map((point) => ('low' in point ? point.low : null)),
          high: drawn.map((point) => ('high' in point ? point.high : null)),
        }
      : {}),
  };
}
