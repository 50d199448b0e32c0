import { describe, expect, test } from 'vitest';
import {
  barSeconds,
  bucketStart,
  counterRise,
  merged,
  type Pending,
  piecesOf,
  resolutionFor,
  riseWithin,
  type Summary,
  summaryOf,
} from './rollups.ts';

const at = (text: string) => Date.parse(text);
const HOUR = 3_600;
const DAY = 86_400;

test.each([
  ['fiveMinutes', '2026-03-01T12:04:59.999Z', '2026-03-01T12:00:00Z'],
  ['fiveMinutes', '2026-03-01T12:05:00Z', '2026-03-01T12:05:00Z'],
  ['hour', '2026-03-01T12:59:59Z', '2026-03-01T12:00:00Z'],
  // midnight in Hong Kong is 16:00 UTC
  ['day', '2026-03-01T15:59:59Z', '2026-02-28T16:00:00Z'],
  ['day', '2026-03-01T16:00:00Z', '2026-03-01T16:00:00Z'],
] as const)('the bucket (%s) of %s starts at %s', (rollup, moment, start) => {
  expect(bucketStart(rollup, at(moment))).toBe(at(start));
});

test.each([
  ['an hour', HOUR, 'raw'],
  ['a day', DAY, 'raw'],
  ['a week', 7 * DAY, 'fiveMinutes'],
  ['thirty days', 30 * DAY, 'hour'],
  ['a quarter', 90 * DAY, 'hour'],
  ['two years', 730 * DAY, 'day'],
  ['500 buckets of five minutes', 500 * 300, 'fiveMinutes'],
  ['a second less', 500 * 300 - 1, 'raw'],
] as const)('%s is read from the coarsest resolution with enough points', (_, seconds, resolution) => {
  expect(resolutionFor(seconds)).toBe(resolution);
});

describe('the resolutions of the pieces of a range', () => {
  const range = { from: at('2026-03-01T00:10:00Z'), to: at('2026-03-03T00:00:00Z') };
  const none: Pending = { fiveMinutes: null, hour: null, day: null };
  const shown = (pending: Partial<Pending>, resolution: Parameters<typeof piecesOf>[1]) =>
    piecesOf(range, resolution, { ...none, ...pending }).map(({ resolution, from, to }) => [
      resolution,
      new Date(from).toISOString().slice(8, 16),
      new Date(to).toISOString().slice(8, 16),
    ]);

  test('all from the rollup when it is complete, starting with the bucket that contains the start of the range', () => {
    expect(shown({}, 'hour')).toEqual([['hour', '01T00:00', '03T00:00']]);
  });
  test('single readings need no rollup', () => {
    expect(shown({ fiveMinutes: range.from }, 'raw')).toEqual([['raw', '01T00:10', '03T00:00']]);
  });
  test('from finer rollups where it is not complete yet', () => {
    const pending = { fiveMinutes: at('2026-03-02T23:56:00Z'), hour: at('2026-03-02T23:00:00Z'), day: null };
    expect(shown(pending, 'hour')).toEqual([
      ['hour', '01T00:00', '02T23:00'],
      ['fiveMinutes', '02T23:00', '02T23:55'],
      ['raw', '02T23:55', '03T00:00'],
    ]);
  });
  test('a coarse rollup that is not complete anywhere is skipped', () => {
    const pending = { fiveMinutes: null, hour: at('2026-03-01T12:00:00Z'), day: at('2026-02-01T00:00:00Z') };
    expect(shown(pending, 'day')).toEqual([
      ['hour', '01T00:00', '01T12:00'],
      ['fiveMinutes', '01T12:00', '03T00:00'],
    ]);
  });
  test('without any rollup, all pieces come from single readings', () => {
    const pending = { fiveMinutes: 0, hour: 0, day: 0 };
    expect(shown(pending, 'day')).toEqual([['raw', '01T00:10', '03T00:00']]);
  });
  test('the pieces of any range are adjacent from start to end', () => {
    const random = numbers(5);
    for (let round = 0; round < 300; round += 1) {
      const from = at('2026-01-01T00:00:00Z') + Math.floor(random() * 30 * DAY) * 1_000;
      const to = from + Math.ceil(random() * 60 * DAY) * 1_000;
      const maybe = () => (random() < 0.3 ? null : from + Math.floor((random() * 1.4 - 0.2) * (to - from)));
      const fiveMinutes = maybe();
      const pieces = piecesOf({ from, to }, 'day', { fiveMinutes, hour: maybe() ?? fiveMinutes, day: maybe() });
      expect(pieces[0]?.from).toBeLessThanOrEqual(from);
      expect(pieces.at(-1)?.to).toBe(to);
      for (const [index, piece] of pieces.entries()) {
        expect(piece.from).toBeLessThan(piece.to);
        if (index > 0) expect(piece.from).toBe(pieces[index - 1]?.to);
      }
    }
  });
});

test('merging summaries gives the same result in any order and grouping', () => {
  const random = numbers(7);
  for (let round = 0; round < 100; round += 1) {
    const readings = Array.from({ length: 1 + Math.floor(random() * 30) }, (_, n) =>
      summaryOf(n * 10 + Math.floor(random() * 10), Math.round(random() * 2_000 - 1_000)),
    );
    const all = readings.reduce(merged);
    const shuffled = readings.toSorted(() => random() - 0.5);
    const cut = 1 + Math.floor(random() * shuffled.length);
    const groups = [shuffled.slice(0, cut), shuffled.slice(cut)].filter((group) => group.length > 0);
    const { mean, ...rest } = groups.map((group) => group.reduce(merged)).reduce(merged);
    expect({ ...rest, mean: 0 }).toEqual({ ...all, mean: 0 } satisfies Summary);
    expect(mean).toBeCloseTo(all.mean, 9);
  }
});

test('two merged summaries have the minimum and maximum of both, and for equal times the values of the first', () => {
  const one = { readings: 2, first: 10, last: 20, low: 3, high: 5, mean: 4, begin: 3, end: 5 };
  const other = { readings: 1, first: 10, last: 20, low: 1, high: 9, mean: 1, begin: 1, end: 9 };
  const both = { readings: 3, first: 10, last: 20, low: 1, high: 9, mean: 3 };
  expect(merged(one, other)).toEqual({ ...both, begin: 3, end: 5 });
  expect(merged(other, one)).toEqual({ ...both, begin: 1, end: 9 });
});

test.each([
  ['goes on', 100, 112, 12],
  ['stands still', 100, 100, 0],
  ['is corrected slightly', 100, 99, 0],
  ['restarted', 100, 3, 3],
  ['restarted at zero', 100, 0, 0],
  ['of nothing', 0, 5, 5],
  ['falls to half', 100, 50, 0],
  ['falls below half', 100, 49, 49],
  ['restarts below zero', 100, -5, 0],
])('a counter that %s', (_, before, after, rise) => {
  expect(counterRise(before, after)).toBe(rise);
});

test.each([
  ['goes on', { begin: 100, end: 130, high: 130 }, 30],
  ['is corrected', { begin: 100, end: 99, high: 101 }, 0],
  ['restarts within the bucket', { begin: 100, end: 5, high: 110 }, 15],
  ['ends at half of its maximum', { begin: 100, end: 60, high: 120 }, 0],
  ['ends below half of its maximum', { begin: 100, end: 59, high: 120 }, 79],
  ['restarts below zero', { begin: 100, end: -5, high: 110 }, 10],
])('a bucket with a counter that %s', (_, bucket, rise) => {
  expect(riseWithin(bucket)).toBe(rise);
});

test.each([
  [HOUR, 'raw', 60],
  [DAY, 'raw', 900],
  [7 * DAY, 'fiveMinutes', HOUR],
  [30 * DAY, 'hour', 6 * HOUR],
  [730 * DAY, 'day', 7 * DAY],
  // 200 bars are allowed, 201 are not.
  [200 * 60, 'raw', 60],
  [200 * 60 + 1, 'raw', 300],
  [HOUR, 'fiveMinutes', 300],
  [HOUR, 'hour', HOUR],
  [HOUR, 'day', DAY],
  [40_000 * DAY, 'day', 30 * DAY],
] as const)('%d seconds read from %s have bars of %d', (seconds, resolution, bar) => {
  expect(barSeconds(seconds, resolution)).toBe(bar);
});

/** Pseudo-random numbers from 0 to 1, the same in every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
