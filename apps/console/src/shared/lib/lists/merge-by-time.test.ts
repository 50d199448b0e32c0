import { expect, test } from 'vitest';
import { mergeByTime } from './merge-by-time.ts';

const DAY = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
const source = (days: number[], more = false) => ({ entries: days.map((day) => ({ at: DAY(day) })), more });

test.each([
  ['nothing', [source([]), source([])], [], null],
  ['several complete lists', [source([5, 1]), source([4, 2])], [5, 4, 2, 1], null],
  ['a list with older entries ends it', [source([5, 3], true), source([4, 2, 1])], [5, 4, 3], 3],
  ['the list that ends first', [source([5, 3], true), source([5, 4], true)], [5, 5, 4], 4],
  ['an empty list ends nothing', [source([], true), source([2])], [2], null],
] as const)('one list of: %s', (_, sources, days, until) => {
  const merged = mergeByTime([...sources]);
  expect(merged.entries.map(({ at }) => at)).toEqual(days.map(DAY));
  expect(merged.until).toBe(until === null ? null : DAY(until));
});
