import { expect, test } from 'vitest';
import { seeded } from '../../testing/faults/random.ts';
import { type PackableReading, packReadings, unpackReadings } from './packed-readings.ts';

/** 2026-03-01 12:00 UTC */
const NOON = 1_772_366_400_000_000;
const single = (values: number[]) => values.map(Math.fround);

/** An hour of a pile: a message every `seconds` with `analog` measured values and one counter. */
function hourOf(analog: number, seconds: number, value: (row: number, place: number) => number): PackableReading[] {
  const random = seeded(analog);
  return Array.from({ length: 3_600 / seconds }, (_, row) => ({
    ...{ connector: 1, layoutId: 7, transactionId: row < 30 ? null : 123_456 },
    at: NOON + row * seconds * 1_000_000 + random.below(40) * 1_000,
    receivedAt: NOON + row * seconds * 1_000_000 + (50 + random.below(100)) * 1_000,
    analog: single(Array.from({ length: analog }, (_, place) => value(row, place))),
    counters: [1_000_000 + row * 83.4],
  }));
}
const measured = (row: number, place: number) => Number((230 + 5 * Math.sin(row / 20 + place)).toFixed(1));

test.each<[string, PackableReading[]]>([
  ['nothing', []],
  ['measured values', hourOf(4, 60, measured)],
  ['values of full precision', hourOf(4, 60, (row, place) => Math.sin(row * 7.3 + place))],
  [
    'values that have no decimal form',
    [0, -0, Number.NaN, Number.POSITIVE_INFINITY, 3.4e38, 1.2e-38].map((value, row) => ({
      ...{ connector: row % 2, layoutId: row % 3, at: NOON + row, receivedAt: NOON - row * 1_000, transactionId: null },
      ...{ analog: [Math.fround(value)], counters: [value, 2 ** 53, 0.1 + 0.2].slice(row % 2) },
    })),
  ],
  [
    'several connectors and layouts, some without values',
    Array.from({ length: 50 }, (_, row) => ({
      ...{
        connector: row % 3,
        layoutId: 1 + (row % 2),
        at: NOON + row * 999,
        receivedAt: NOON + row,
        transactionId: 9 - (row % 4),
      },
      ...{ analog: row % 2 === 0 ? [] : single([row / 8]), counters: row % 3 === 0 ? [row] : [] },
    })),
  ],
])('%s come back exactly', async (_, readings) => {
  expect(await unpackReadings(await packReadings(readings))).toEqual(readings);
});

test.each([
  ['five values a minute', 4, 60, 3],
  ['forty values in half a minute', 39, 30, 2],
])('%s need few bytes', async (_, analog, seconds, most) => {
  const readings = hourOf(analog, seconds, measured);
  const { length } = await packReadings(readings);
  expect(length / (readings.length * (analog + 1))).toBeLessThan(most);
});

test('data of another format is refused, and cut data is not read as readings', async () => {
  await expect(unpackReadings(Buffer.of(2, 0))).rejects.toThrow('unknown format 2');
  const data = await packReadings(hourOf(1, 600, measured));
  await expect(unpackReadings(data.subarray(0, -3))).rejects.toThrow();
});
