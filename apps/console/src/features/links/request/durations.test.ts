import { expect, it } from 'vitest';
import { durationsOf } from './durations.ts';

it.each([
  [480, [15, 30, 60, 120, 240, 480]],
  [90, [15, 30, 60, 90]],
  [7, [7]],
])('with at most %s minutes', (maxMinutes, expected) => {
  expect(durationsOf({ defaultMinutes: 15, maxMinutes })).toEqual(expected);
});
