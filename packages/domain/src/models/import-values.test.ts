import { describe, expect, test } from 'vitest';
import { enteredDay, sheetTime } from './import-values.ts';

describe('the date of a spreadsheet', () => {
  test.each([
    [25_569, false, '1970/01/01 00:00:00'],
    [46_054, false, '2026/02/01 00:00:00'],
    [46_054.5, false, '2026/02/01 12:00:00'],
    [46_054.999_988_425_9, false, '2026/02/01 23:59:59'],
    [44_592, true, '2026/02/01 00:00:00'],
    [2_958_465, false, '9999/12/31 00:00:00'],
    [2_958_466, false, null],
    [0, false, null],
    [-1, false, null],
    [Number.NaN, false, null],
    [1e300, false, null],
  ])('%s (1904: %s) is %s', (serial, from1904, written) => {
    expect(sheetTime(serial, from1904)).toBe(written);
  });
});

describe('an entered day', () => {
  test.each([
    ['2026-02-01', '2026-02-01'],
    ['2026/2/1', '2026-02-01'],
    ['2026.02.01', '2026-02-01'],
    [' 2026/02/01 12:30:00 ', '2026-02-01'],
    ['2026-02-01T12:30:00.000Z', '2026-02-01'],
    ['2024-02-29', '2024-02-29'],
    ['2026-02-29', null],
    ['2026-13-01', null],
    ['0000-01-01', null],
    ['2026-00-10', null],
    ['2026-02/01', null],
    ['01/02/2026', null],
    ['46054', null],
    ['soon', null],
    ['', null],
  ])('%j is %j', (text, day) => {
    expect(enteredDay(text)).toBe(day);
  });
});
