import { expect, test } from 'vitest';
import { findLines, splitMatches } from './find-lines.ts';

const LOG = 'boot\nError: relay\nok\nerror again\n';

test.each([
  ['error', 10, [2, 4], 2],
  ['error', 1, [2], 2],
  ['relay', 10, [2], 1],
  ['nothing', 10, [], 0],
] as const)('searching %j for at most %i lines finds lines %j of %i', (search, limit, numbers, total) => {
  const found = findLines(LOG, search, limit);
  expect(found.lines.map(({ number }) => number)).toEqual(numbers);
  expect(found.total).toBe(total);
});

test.each([
  ['an Error here', 'error', ['an ', 'Error', ' here']],
  ['(1) and (1)', '(1)', ['', '(1)', ' and ', '(1)', '']],
  ['nothing', 'x', ['nothing']],
])('%j split at %j is %j', (text, search, pieces) => {
  expect(splitMatches(text, search)).toEqual(pieces);
});
