import { expect, test } from 'vitest';
import { forbiddenCharacter, forbiddenInLine } from './text.ts';

test.each([
  ['Quay 1', null],
  ['充电桩🔌', null],
  ['👩‍🔧', null],
  ['שלום', null],
  ['مرحبا', null],
  ['a\tb\r\nc', null],
  ['', null],
  ['a\u0000b', 'U+0000'],
  ['bell\u0007', 'U+0007'],
  ['\u0085', 'U+0085'],
  ['invoice\u202Egnp.exe', 'U+202E'],
  ['\u200Fabc', 'U+200F'],
  ['a\u2066b', 'U+2066'],
  ['zero\u200Bwidth', 'U+200B'],
  ['\uFEFFmark', 'U+FEFF'],
  ['half \ud83d', 'U+D83D'],
])('%j: %s', (text, expected) => {
  expect(forbiddenCharacter(text)).toBe(expected);
});

test.each([
  ['Quay 1', null],
  ['充电桩🔌', null],
  ['two\nlines', 'U+000A'],
  ['two\r\nlines', 'U+000D'],
  ['a\ttab', 'U+0009'],
  ['a\u2028b', 'U+2028'],
  ['a\u2029b', 'U+2029'],
  ['a\u0000b', 'U+0000'],
  ['a\u202Eb', 'U+202E'],
  ['half \ud83d', 'U+D83D'],
])('as a single line, %j: %s', (text, expected) => {
  expect(forbiddenInLine(text)).toBe(expected);
});
