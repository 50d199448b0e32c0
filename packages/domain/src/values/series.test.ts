import { expect, test } from 'vitest';
import { type SeriesPoint, typicalInterval, withGaps } from './series.ts';

const point = (at: number): SeriesPoint => ({ at, first: at, last: at, readings: 1, value: at, low: at, high: at });
const span = (first: number, last: number, readings: number): SeriesPoint => ({
  ...point((first + last) / 2),
  first,
  last,
  readings,
});

test.each([
  ['nothing', [], null],
  ['one reading', [point(5)], null],
  ['every ten seconds', [point(0), point(10), point(20)], 10],
  ['one long silence', [point(0), point(10), point(20), point(30), point(9_000)], 10],
  ['buckets, by their readings', [span(0, 90, 10), span(5_000, 5_090, 10)], 10],
])('the usual interval of %s', (_, points, seconds) => {
  expect(typicalInterval(points)).toBe(seconds);
});

test.each([
  ['readings every ten seconds have no gap of a minute', [0, 10, 20, 80, 90], 0],
  ['five minutes are not a gap', [0, 10, 20, 320], 0],
  ['more than five minutes are a gap', [0, 10, 20, 321], 1],
  ['hourly readings have no gap of two hours', [0, 3_600, 7_200, 14_400], 0],
  ['but a gap of four', [0, 3_600, 7_200, 21_700], 1],
])('%s', (_, times, gaps) => {
  expect(withGaps(times.map(point)).filter(({ value }) => value === null)).toHaveLength(gaps);
});

test('a gap is in the middle of the silence', () => {
  expect(withGaps([point(0), point(10), point(1_010)]).map(({ at, value }) => [at, value])).toEqual([
    [0, 0],
    [10, 10],
    [510, null],
    [1_010, 1_010],
  ]);
});

test('a silence shorter than the step of a point is not a gap', () => {
  const days = [span(0, 86_000, 2_880), span(87_000, 172_000, 2_880), span(400_000, 430_000, 1_000)];
  expect(withGaps(days).filter(({ value }) => value === null)).toHaveLength(2);
  expect(withGaps(days, 86_400).map(({ value }) => value === null)).toEqual([false, false, true, false]);
});
