import { describe, expect, test } from 'vitest';
import { axisTop, bytesTop, stepLabel, stepTitle } from './steps.ts';

test.each([
  [0, 1, 1],
  [0.4, 1, 1],
  [1.2, 1, 2],
  [3, 1, 5],
  [7, 1, 10],
  [10, 1, 10],
  [48, 1, 50],
  [120, 1, 200],
])('an axis for %d (at least %d) ends at %d', (value, least, top) => expect(axisTop(value, least)).toBe(top));

test.each([
  [0, 1],
  [700, 1_000],
  [1_500, 2_048],
  [3_000_000, 5 * 1024 ** 2],
])('an axis for %d bytes ends at %d', (bytes, top) => expect(bytesTop(bytes)).toBe(top));

describe('a step', () => {
  test("is an hour of the day, or a day of the month, in the installation's time zone", () => {
    expect(stepLabel('2026-03-01T16:00:00.000Z', 'hour')).toBe('00:00');
    expect(stepLabel('2026-03-01T16:00:00.000Z', 'day')).toBe('03-02');
    expect(stepTitle('2026-03-01T16:00:00.000Z', 'hour')).toBe('2026-03-02 00:00');
    expect(stepTitle('2026-03-01T16:00:00.000Z', 'day')).toBe('2026-03-02');
  });
});
