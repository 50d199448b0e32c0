import { expect, test } from 'vitest';
import { shownNumber } from './shown-number.ts';

test.each<[number, number, string | undefined, string | null]>([
  [42, 164, '0000', '0042'],
  [42, 0, undefined, '42'],
  [42, 1, undefined, '42'],
  [4_200_000_001, 0, undefined, '4200000001'],
  [123_456_789_012_345, 0, undefined, '123456789012345'],
  [1_234_567_890_123_456, 0, undefined, null],
  [12_345_678, 164, '000-0000-000', '001-2345-678'],
  [12_345_678_901, 164, '000-0000-000', '1234-5678-901'],
  [7, 164, '"CP-"000', 'CP-007'],
  [7, 164, '\\C\\P000;[Red]-000', 'CP007'],
  [-7, 164, '000;"minus "000', 'minus 007'],
  [-7, 164, '000', '-007'],
  [1_234_567, 3, undefined, '1,234,567'],
  [12.345, 2, undefined, '12.35'],
  [12.5, 164, '0.0##', '12.5'],
  [0, 164, '#', ''],
  [5, 164, '[$-804]0"号桩"', '5号桩'],
  [5, 164, '0号', '5号'],
  [5, 49, undefined, '5'],
  [0.1 + 0.2, 0, undefined, '0.3'],
  // What shows something else than these digits.
  [45_000, 14, undefined, null],
  [123_456, 11, undefined, null],
  [123_456, 164, '0.00E+00', null],
  [0.5, 164, '0%', null],
  [0.5, 164, '# ?/?', null],
  [5_000, 164, '0,', null],
  [5, 164, '[>3]0', null],
  [5, 164, '"open', null],
  [5, 164, '0'.repeat(300), null],
  [Number.NaN, 0, undefined, null],
])('%d in the format %s %s is shown as %s', (value, id, code, expected) => {
  expect(shownNumber(value, id, code)).toBe(expected);
});
