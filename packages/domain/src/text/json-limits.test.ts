import { expect, test } from 'vitest';
import { exceededJsonLimit, JSON_LIMITS, jsonLimitSentence } from './json-limits.ts';

const { depth, values, members } = JSON_LIMITS;
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const long = 'x'.repeat(200);
const brackets = '['.repeat(100);

test.each([
  ['', null],
  ['1', null],
  [nested(depth), null],
  [nested(depth + 1), 'depth'],
  ['{"a":'.repeat(depth + 1), 'depth'],
  [`${'[1],'.repeat(1_000)}1`, null],
  [`["${brackets}"]`, null],
  [`["\\"${brackets}"]`, null],
  [`["\\\\",${nested(depth)}]`, 'depth'],
  [`"${brackets}`, null],
  ['"\\', null],
  [`["${long}${brackets}"]`, null],
  [`["${long}\\"${brackets}"]`, null],
  [`["${long}\\\\",${nested(depth)}]`, 'depth'],
  [`["${long}`, null],
  [`["${'\\"'.repeat(200)}",${nested(depth)}]`, 'depth'],
  [`["${'\\\\'.repeat(200)}",${nested(depth)}]`, 'depth'],
  [`["${long}${'\\\\'.repeat(200)}\\"",${nested(depth)}]`, 'depth'],
  [`[${'1,'.repeat(values - 3)}1]`, null],
  [`[${'1,'.repeat(values)}1]`, 'values'],
  [`{${'"a":1,'.repeat(members - 1)}"a":1}`, null],
  [`{${'"a":1,'.repeat(members)}"a":1}`, 'members'],
  [`[${`{${'"a":1,'.repeat(members - 1)}"a":1},`.repeat(3)}1]`, null],
  [`{"a":{},${'"a":1,'.repeat(members - 1)}"a":1}`, 'members'],
  [']]]]'.repeat(100), null],
  [`"${':'.repeat(members + 1)}"`, null],
  [`[${'[],'.repeat(values / 2)}1]`, 'values'],
  [`"${','.repeat(values)}"`, null],
  // Exactly the allowed number of values: the document, the array and its entries.
  [`[${'1,'.repeat(values - 2)}1]`, null],
  [`[${'1,'.repeat(values - 1)}1]`, 'values'],
  // Quotes that end a string just before, at and after the length up to which it is scanned character by character.
  ...[61, 62, 63, 64, 65, 66].flatMap(
    (length) =>
      [
        [`["${'x'.repeat(length)}",${nested(depth)}]`, 'depth'],
        [`["${'x'.repeat(length)}\\"${brackets}"]`, null],
        [`["${'x'.repeat(length)}\\\\",${nested(depth)}]`, 'depth'],
      ] as const,
  ),
  // An escaped quote far into a long string, with brackets between it and the end.
  [`["${long}\\"${brackets}\\"${brackets}",${nested(depth - 1)}]`, null],
  [`["${long}\\"${long}",${nested(depth)}]`, 'depth'],
] as const)('%#: the exceeded limit', (json, expected) => {
  expect(exceededJsonLimit(json)).toBe(expected);
});

test('the limits can be chosen', () => {
  expect(exceededJsonLimit('[[]]', { depth: 1, values: 9, members: 9 })).toBe('depth');
  expect(exceededJsonLimit('[[]]', { depth: 2, values: 9, members: 9 })).toBeNull();
  expect(exceededJsonLimit('[1,2]', { depth: 2, values: 2, members: 9 })).toBe('values');
});

test.each([
  ['depth', 'nested deeper than 32 levels'],
  ['values', 'more than 60000 values'],
  ['members', 'an object with more than 1000 members'],
] as const)('the text for %s', (exceeded, sentence) => {
  expect(jsonLimitSentence(exceeded)).toBe(sentence);
});
