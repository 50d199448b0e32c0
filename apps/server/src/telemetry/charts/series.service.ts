import { MAX_POINTS, type QueryOf, type ResultOf, type Series, type telemetryEndpoints } from '@chargehand/contract';
import {
  barSeconds,
  bucketStart,
  counterRise,
  type Pending,
  type Piece,
  piecesOf,
  type Resolution,
  resolutionFor,
  riseWithin,
  withGaps,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { ReadingDays } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { VisibleDevice } from '../../ports/devices/visible-device.ts';
import { availableResolution, devicesOf, type Range, type RequestedDevice, rangeOf, stepOf } from './chart-query.ts';
import type { ReadableItem } from './reading-items.service.ts';
import {
  listReadings,
  type QuantityPoint,
  readCounts,
  readMeans,
  readPending,
  type SeriesRange,
  type SeriesSource,
  withSource,
} from './series.store.ts';

type Read = typeof telemetryEndpoints.readSeries;

/**
 * Half of what may be drawn, because there may be a gap between any two points, and a bucket may start before the
 * range.
 */
const BUCKETS = MAX_POINTS / 2 - 2;

/**
 * The values of some quantities of some devices over time: every reading while there are few, else mean, minimum and
 * maximum of equal spans, read from the rollup that suits the range. A key reported in two units gives two series.
 * Quantities that were never reported, or that the caller may not read, are left out.
 */
export async function readSeries(
  db: Kysely<Database>,
  days: ReadingDays,
  caller: Caller,
  visible: readonly VisibleDevice[],
  query: QueryOf<Read>,
): Promise<ResultOf<Read>> {
  const range = rangeOf(query);
  const [devices, pending] = await Promise.all([
    devicesOf(db, caller, visible, query),
    Promise.all(visible.map(({ id }) => readPending(caller.scope, db, id))),
  ]);
  const wanted = resolutionFor((range.to - range.from) / 1_000);
  const resolution = availableResolution(wanted, range, days, Date.now());
  const series: Series[] = [];
  for (const [index, device] of devices.entries()) {
    series.push(
      ...(await seriesOfDevice(db, caller, device, pending[index]!, range, resolution, query.counters === 'rise')),
    );
  }
  return { series };
}

async function seriesOfDevice(
  db: Kysely<Database>,
  caller: Caller,
  device: RequestedDevice,
  pending: Pending,
  range: Range,
  resolution: Resolution,
  rise: boolean,
): Promise<Series[]> {
  if (device.items.length === 0) return [];
  const pieces = piecesOf(range, resolution, pending);
  const wanted = device.items.map(({ connector, places }) => ({ connector, positions: places }));
  return await withSource(caller.scope, db, { deviceId: device.id, pieces, wanted }, (source) =>
    seriesFrom(source, caller, device, pieces, range, resolution, rise),
  );
}

async function seriesFrom(
  source: SeriesSource,
  caller: Caller,
  device: RequestedDevice,
  pieces: readonly Piece[],
  range: Range,
  resolution: Resolution,
  rise: boolean,
): Promise<Series[]> {
  const series = new Map<ReadableItem, Series>();
  for (const ofConnector of Map.groupBy(device.items, ({ connector, counter }) => `${connector} ${counter}`).values()) {
    const [{ connector, counter }] = ofConnector as [ReadableItem];
    const positions = ofConnector.flatMap(({ places }, quantity) => places.map((place) => ({ ...place, quantity })));
    const request = { deviceId: device.id, connector, pieces, positions, counters: counter };
    const course = counter && rise ? rises : levels;
    const courses = await course(source, caller, request, range, resolution, ofConnector.length);
    for (const [quantity, item] of ofConnector.entries()) {
      const { key, unit } = item;
      const named = { deviceId: device.id, connector, key, unit, counter, resolution };
      series.set(item, { ...named, ...courses[quantity]! });
    }
  }
  return device.items.map((item) => series.get(item)!);
}

type Course = Pick<Series, 'step' | 'rise' | 'at' | 'value' | 'low' | 'high'>;

/** The values of quantities: single readings while there are few, else spans. */
async function levels(
  source: SeriesSource,
  caller: Caller,
  request: SeriesRange,
  range: Range,
  resolution: Resolution,
  count: number,
): Promise<Course[]> {
  const step = stepOf(resolution);
  const seconds = (range.to - range.from) / 1_000;
  const span = step === 0 ? seconds / BUCKETS : step * Math.ceil(seconds / BUCKETS / step);
  const origin = (resolution === 'raw' ? range.from : bucketStart(resolution, range.from)) / 1_000;
  const read = request.counters ? readCounts : readMeans;
  const points = byQuantity<QuantityPoint>(await read(caller.scope, source, request, { seconds: span, origin }), count);
  const few = points.map(
    (course) => resolution === 'raw' && course.reduce((sum, { readings }) => sum + readings, 0) <= BUCKETS,
  );
  const positions = request.positions.filter(({ quantity }) => few[quantity]);
  const single =
    positions.length > 0 ? byQuantity(await listReadings(caller.scope, source, { ...request, positions }), count) : [];
  return points.map((course, quantity) =>
    few[quantity] ? drawn(single[quantity] ?? [], 0) : drawn(course, span, !request.counters),
  );
}

function drawn(points: readonly QuantityPoint[], step: number, band = false): Course {
  const course = withGaps(points, step);
  return {
    step,
    rise: false,
    at: course.map(({ at }) => at),
    value: course.map(({ value }) => value),
    ...(band
      ? {
          low: course.map((point) => ('low' in point ? point.low : null)),
          high: course.map((point) => ('high' in point ? point.high : null)),
        }
      : {}),
  };
}

/** The increases of counters in equal spans. An increase during a silence is assigned to the first value after it. */
async function rises(
  source: SeriesSource,
  caller: Caller,
  request: SeriesRange,
  range: Range,
  resolution: Resolution,
  count: number,
): Promise<Course[]> {
  const seconds = barSeconds((range.to - range.from) / 1_000, resolution);
  const origin = bucketStart('day', range.from) / 1_000;
  const points = byQuantity(await readCounts(caller.scope, source, request, { seconds, origin }), count);
  return points.map((course) => ({
    step: seconds,
    rise: true,
    at: course.map(({ first }) => origin + (Math.floor((first - origin) / seconds) + 0.5) * seconds),
    value: course.map((point, index) => {
      const before = course[index - 1];
      return riseWithin(point) + (before ? counterRise(before.end, point.begin) : 0);
    }),
  }));
}

function byQuantity<P extends QuantityPoint>(points: readonly P[], count: number): P[][] {
  const lists: P[][] = Array.from({ length: count }, () => []);
  for (const point of points) lists[point.quantity]?.push(point);
  return lists;
}
