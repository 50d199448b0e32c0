import { expect, test } from 'vitest';
import { newestEntries } from './newest-entries.ts';

const numbers = (count: number) => new Map(Array.from({ length: count }, (_, index) => [index, `${index}`]));

test('a cache keeps its newest entries, and is never emptied', () => {
  const full = numbers(100);
  expect(newestEntries(full, 100)).toBe(full);
  const kept = newestEntries(numbers(101), 100);
  expect([...kept.keys()]).toEqual(Array.from({ length: 75 }, (_, index) => 26 + index));
});
