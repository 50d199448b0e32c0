import { expect, it } from 'vitest';
import { agoOf } from './time-ago.ts';

it.each([
  [-60_000, 'now', 0],
  [4_999, 'now', 0],
  [5_000, 'second', 5],
  [59_999, 'second', 59],
  [60_000, 'minute', 1],
  [3_599_999, 'minute', 59],
  [3_600_000, 'hour', 1],
  [86_400_000, 'day', 1],
  [86_400_000 * 400, 'day', 400],
])('%d ms ago is shown as %s %d', (distance, unit, count) => {
  expect(agoOf(1_000_000_000_000 - distance, 1_000_000_000_000)).toEqual({ unit, count });
});
