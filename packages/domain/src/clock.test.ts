import { expect, test } from 'vitest';
import { trustedTime } from './clock.ts';

const RECEIVED = new Date('2026-01-10T12:00:00Z');

test.each([
  ['the same moment', '2026-01-10T12:00:00Z', true],
  ['five minutes ahead', '2026-01-10T12:05:00Z', true],
  ['more than five minutes ahead', '2026-01-10T12:05:01Z', false],
  ['a week late, from a queue', '2026-01-03T12:00:00Z', true],
  ['a year late', '2025-01-10T12:00:00Z', true],
  ['older than a year', '2024-12-31T12:00:00Z', false],
  ['the epoch of a clock never set', '1970-01-01T00:00:00Z', false],
  ['no time at all', 'never', false],
] as const)('%s: believed %s', (_, reported, trusted) => {
  const at = new Date(reported);
  expect(trustedTime(at, RECEIVED)).toEqual({ at: trusted ? at : RECEIVED, trusted });
});

test('without a reported time, that of receipt is the right one', () => {
  expect(trustedTime(null, RECEIVED)).toEqual({ at: RECEIVED, trusted: true });
});
