import { expect, test } from 'vitest';
import { isValidAt, linkTokens } from './link-tokens.ts';

const NOW = new Date('2026-03-01T12:00:00Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1_000);
const CLAIM = { fileId: 4_711, userId: 2_147_483_647, until: after(3_600) };
const tokens = linkTokens('a key');

test('a token says what it gives, only with the key it was made with', () => {
  const token = tokens.make(CLAIM);
  expect(tokens.read(token)).toEqual(CLAIM);
  expect(token).toMatch(/^[\w.-]+$/);
  expect(linkTokens('another key').read(token)).toBeNull();
});

test.each([
  ['the file', 0, (4_712).toString(36)],
  ['the user', 1, (2_147_483_646).toString(36)],
  ['the time', 2, Math.floor(after(7_200).getTime() / 1_000).toString(36)],
  ['the signature', 3, 'A'.repeat(43)],
  ['an empty signature', 3, ''],
])('a token with another value is no token: %s', (_, place, value) => {
  const parts = tokens.make(CLAIM).split('.');
  expect(parts[place]).not.toBe(value);
  parts[place] = value;
  expect(tokens.read(parts.join('.'))).toBeNull();
});

test.each(['', '.', '...', 'a.b.c.d', `1.1.1.${'é'.repeat(43)}`, '0'.repeat(200)])('%j is no token', (text) => {
  expect(tokens.read(text)).toBeNull();
});

test.each([
  [0, true],
  [3_599, true],
  [3_600, false],
  [7_200, false],
])('a link for an hour is valid %i seconds later: %s', (seconds, valid) => {
  expect(isValidAt(CLAIM, after(seconds))).toBe(valid);
});

test('a signed token for more than an hour gives nothing yet', () => {
  expect(isValidAt({ ...CLAIM, until: after(3_601) }, NOW)).toBe(false);
});
