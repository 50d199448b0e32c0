import { DEFAULT_ZONE } from '../text/format.ts';
import { zoneOffset } from './statistics.ts';

/** The rollups of readings, by the length of their buckets in seconds (design §6). Each length divides the next one. */
export const ROLLUPS = { fiveMinutes: 300, hour: 3_600, day: 86_400 } as const;
export type Rollup = keyof typeof ROLLUPS;

/** From the finest to the coarsest: single readings, then the rollups. */
export const RESOLUTIONS = ['raw', 'fiveMinutes', 'hour', 'day'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/**
 * The start of the bucket that contains a time, in epoch milliseconds. Days start at midnight in the installation's
 * time zone.
 */
export function bucketStart(rollup: Rollup, at: number): number {
  const length = ROLLUPS[rollup] * 1_000;
  const ahead = zoneOffset(at, DEFAULT_ZONE);
  return Math.floor((at + ahead) / length) * length - ahead;
}

/** The minimum number of points for a range to show its shape. */
const LEAST_POINTS = 500;

/** The resolution to read a range from: the coarsest that gives enough points. */
export function resolutionFor(seconds: number): Resolution {
  return RESOLUTIONS.findLast((one) => one !== 'raw' && seconds / ROLLUPS[one] >= LEAST_POINTS) ?? 'raw';
}

/**
 * The earliest time of a device, in epoch milliseconds, from which a rollup is not complete; null when it is complete.
 */
export type Pending = Readonly<Record<Rollup, number | null>>;

/** A piece of a range and the resolution to read it from. Epoch milliseconds, end exclusive. */
export interface Piece {
  resolution: Resolution;
  from: number;
  to: number;
}

/**
 * Splits a range by the resolution to read from: the requested one as far as it is complete, then the next finer one,
 * down to single readings, so that the latest values are always included. A rollup starts with the bucket that contains
 * the start of the range.
 */
export function piecesOf(range: { from: number; to: number }, resolution: Resolution, pending: Pending): Piece[] {
  const pieces: Piece[] = [];
  let from = range.from;
  for (const one of RESOLUTIONS.slice(0, RESOLUTIONS.indexOf(resolution) + 1).toReversed()) {
    if (from >= range.to) break;
    if (one === 'raw') {
      pieces.push({ resolution: one, from, to: range.to });
      break;
    }
    const begin = from === range.from ? bucketStart(one, from) : from;
    const complete = pending[one] === null ? range.to : Math.min(range.to, bucketStart(one, pending[one]));
    if (complete <= begin) continue;
    pieces.push({ resolution: one, from: begin, to: complete });
    from = complete;
  }
  return pieces;
}

/**
 * A summary of readings of one quantity. Times in epoch milliseconds; `begin` and `end` are the values at these times.
 */
export interface Summary {
  readings: number;
  first: number;
  last: number;
  low: number;
  high: number;
  mean: number;
  begin: number;
  end: number;
}

/** The summary of a single reading. */
export function summaryOf(at: number, value: number): Summary {
  return { readings: 1, first: at, last: at, low: value, high: value, mean: value, begin: value, end: value };
}

/** Merges two summaries, in any order. */
export function merged(one: Summary, other: Summary): Summary {
  const readings = one.readings + other.readings;
  return {
    readings,
    first: Math.min(one.first, other.first),
    last: Math.max(one.last, other.last),
    low: Math.min(one.low, other.low),
    high: Math.max(one.high, other.high),
    mean: (one.mean * one.readings + other.mean * other.readings) / readings,
    begin: one.first <= other.first ? one.begin : other.begin,
    end: one.last >= other.last ? one.end : other.end,
  };
}

/**
 * The increase of a counter from one value to the next. A value below half of the previous one means that the counter
 * restarted at zero (a meter was replaced or reset). A smaller decrease is a correction and counts as zero.
 */
export function counterRise(before: number, after: number): number {
  if (after >= before) return after - before;
  return after < before / 2 ? Math.max(0, after) : 0;
}

/** The increase of a counter within a bucket, including at most one restart. */
export function riseWithin({ begin, end, high }: Pick<Summary, 'begin' | 'end' | 'high'>): number {
  return end < high / 2 ? high - begin + Math.max(0, end) : Math.max(0, end - begin);
}

/** Lengths of bars over time, in seconds: common time intervals. */
const BAR_SECONDS = [60, 300, 900, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800, 2_592_000] as const;
/** The maximum number of bars that are wide enough to distinguish. */
const MOST_BARS = 200;

/** The length of the bars of a range: at least the resolution that the range is read from. */
export function barSeconds(seconds: number, resolution: Resolution): number {
  const least = resolution === 'raw' ? 0 : ROLLUPS[resolution];
  return BAR_SECONDS.find((one) => one >= least && seconds / one <= MOST_BARS) ?? BAR_SECONDS.at(-1)!;
}
