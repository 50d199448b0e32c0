import { expect, test } from 'vitest';
import { moved } from './moved.ts';

test.each<[number, number, number[]]>([
  [1, 2, [2, 3, 1]],
  [3, 0, [3, 1, 2]],
  [2, 1, [1, 2, 3]],
  [1, -1, [1, 2, 3]],
  [3, 3, [1, 2, 3]],
  [9, 0, [1, 2, 3]],
])('%i goes to place %i: %j', (member, to, list) => {
  expect(moved([1, 2, 3], member, to)).toEqual(list);
});
