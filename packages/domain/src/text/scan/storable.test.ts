import { expect, test } from 'vitest';
import { storable, storableParts } from './storable.ts';

test.each([
  ['plain', 'plain'],
  ['电量 😀', '电量 😀'],
  ['a\0b', 'a\uFFFDb'],
  ['\uD83D', '\uFFFD'],
  ['x\uDE00y\0', 'x\uFFFDy\uFFFD'],
  // PostgreSQL stores all other control characters and noncharacters.
  ['\u0001\u001F\u007F\u2028\uFFFE\uFFFF\uFEFF', '\u0001\u001F\u007F\u2028\uFFFE\uFFFF\uFEFF'],
])('%j is stored as %j', (text, stored) => {
  expect(storable(text)).toBe(stored);
});

test('texts and names on all levels are made storable, and dates are unchanged', () => {
  const at = new Date(0);
  expect(storableParts({ at, list: [1, null, { 'k\0': ['\uD800', true] }], same: 's' })).toEqual({
    at,
    list: [1, null, { 'k\uFFFD': ['\uFFFD', true] }],
    same: 's',
  });
});

test('the same object is returned when nothing has to be changed', () => {
  const value = { a: ['b', { c: 'd' }], at: new Date(0) };
  expect(storableParts(value)).toBe(value);
});

test('a field named __proto__ stays a field', () => {
  const value = storableParts(JSON.parse('{"__proto__":"a\\u0000"}') as object);
  expect(Object.entries(value)).toEqual([['__proto__', 'a\uFFFD']]);
});
