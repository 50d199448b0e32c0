import { expect, test } from 'vitest';
import { columnLetters, kindOfFormat, numberText } from './workbook.ts';

test.each([
  [0, undefined, 'number'],
  [9, undefined, 'percent'],
  [14, undefined, 'date'],
  [22, undefined, 'date'],
  [31, undefined, 'date'],
  [44, undefined, 'number'],
  [164, 'yyyy\\-mm\\-dd\\ hh:mm:ss', 'date'],
  [164, '[$-804]yyyy"年"m"月"d"日"', 'date'],
  [164, '[h]:mm', 'date'],
  [164, '0.0%', 'percent'],
  [164, '[Red]#,##0.00', 'number'],
  [164, '0.0" days"', 'number'],
  [164, 'General', 'number'],
] as const)('the format %d %s is a %s', (id, code, kind) => expect(kindOfFormat(id, code)).toBe(kind));

test.each([
  [0.1 + 0.2, 'number', false, '0.3'],
  [-12.5, 'number', false, '-12.5'],
  [0.125, 'percent', false, '12.5%'],
  [46_000, 'date', false, '2025-12-09'],
  [46_000.5, 'date', false, '2025-12-09 12:00:00'],
  [0.75, 'date', false, '18:00:00'],
  [44_538, 'date', true, '2025-12-09'],
  [-3, 'date', false, '-3'],
  [9_999_999, 'date', false, '9999999'],
] as const)('%d as a %s (from 1904: %s) is shown as %s', (value, kind, from1904, text) =>
  expect(numberText(value, kind, from1904)).toBe(text),
);

test.each([
  [0, 'A'],
  [25, 'Z'],
  [26, 'AA'],
  [701, 'ZZ'],
  [702, 'AAA'],
])('column %d has the letters %s', (column, letters) => expect(columnLetters(column)).toBe(letters));
