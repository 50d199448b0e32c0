import { DEFAULT_ZONE } from '../text/format.ts';
import { zoneOffset } from './statistics.ts';

/** The rollups of readings, by the length of their buckets in seconds (design §6). A finer one divides a coarser one. */
export const ROLLUPS = { fiveMinutes: 300, hour: 3_600, day: 86_400 } as const;
export type Rollup = keyof typeof ROLLUPS;

/** From the finest to the coarsest: single readings, then the rollups. */
export const RESOLUTIONS = ['raw', 'fiveMinutes', 'hour', 'day'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** Where the bucket begins in which a moment lies; epoch milliseconds. Days begin at midnight of the fleet's zone. */
export function bucketStart(rollup: Rollup, at: number): number {
  const length = ROLLUPS[rollup] * 1_000;
  const ahead = zoneOffset(at, DEFAULT_ZONE);
  return Math.floor((at + ahead) / length) * length - ahead;
}

/** A course drawn of fewer points than this shows its points, not its shape. */
const LEAST_POINTS = 500;

/** What a range is read from: the coarsest resolution that still gives it a shape. */
export function resolutionFor(seconds: number): Resolution {
  return RESOLUTIONS.findLast((one) => one !== 'raw' && seconds / ROLLUPS[one] >= LEAST_POINTS) ?? 'raw';
}

/** The earliest moment of a device, in epoch milliseconds, from which on a rollup is not complete; null when it is. */
export type Pending = Readonly<Record<Rollup, number | null>>;

/** A stretch of a range and what it is read from; epoch milliseconds, the end not included. */
export interface Piece {
  resolution: Resolution;
  from: number;
  to: number;
}

/**
 * What the stretches of a range are read from: the wanted resolution as far as it is complete, the next finer one from
 * there on, and so on down to single readings, so that what came a moment ago is always there. A rollup is taken from
 * the bucket in which the range begins.
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

/** What some readings of one quantity come to. Times in epoch milliseconds; `begin` and `end` are its values then. */
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

/** What one reading comes to. */
export function summaryOf(at: number, value: number): Summary {
  return { readings: 1, first: at, last: at, low: value, high: value, mean: value, begin: value, end: value };
}

/** What the readings of two summaries come to together, in whatever order they are given. */
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
 * By how much a counter went on from one value to the next. One that falls below half of what it showed began anew and
 * counted from zero (a meter was replaced or reset); a lesser fall is a correction and counts nothing.
 */
export function counterRise(before: number, after: number): number {
  if (after >= before) return after - before;
  return after < before / 2 ? Math.max(0, after) : 0;
}

/** What a counter counted within a bucket, one restart included. */
export function riseWithin({ begin, end, high }: Pick<Summary, 'begin' | 'end' | 'high'>): number {
  return end < high / 2 ? high - begin + Math.max(0, end) : Math.max(0, end - begin);
}

/** Lengths of bars over time, in seconds: those that people count in. */
const BAR_SECONDS = [60, 300, 900, 1_800, 3_600, 7_200, 21_600, 86_400, 604_800, 2_592_000] as const;
/** More bars than this are too thin to tell apart. */
const MOST_BARS = 200;

/** How long the bars of a range are, none shorter than what the range is read from. */
export function barSeconds(seconds: number, resolution: Resolution): number {
  const least = resolution === 'raw' ? 0 : ROLLUPS[resolution];
  return BAR_SECONDS.find((one) => one >= least && seconds / one <= MOST_BARS) ?? BAR_SECONDS.at(-1)!;
}
