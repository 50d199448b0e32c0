import { describe, expect, it } from 'vitest';
import { formatSize, formatTime, splitDuration } from './format.ts';

describe('sizes (spec §9)', () => {
  it.each([
    [0, '0 Bytes'],
    [1, '1 Bytes'],
    [1_023, '1,023 Bytes'],
    [1_024, '1 KB'],
    [1_536, '1.5 KB'],
    [1_048_575, '1 MB'],
    [5 * 1_048_576, '5 MB'],
    [20 * 1_073_741_824, '20 GB'],
    [1_536.5 * 1_073_741_824, '1,536.5 GB'],
    [5_000 * 1_073_741_824, '5,000 GB'],
    [2 ** 50, '1,048,576 GB'],
  ])('%d bytes are %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));
});

describe('durations (spec §9)', () => {
  it.each([
    [0, [0, 0, 0, 0]],
    [59.9, [0, 0, 0, 59]],
    [3_661, [0, 1, 1, 1]],
    [90_061, [1, 1, 1, 1]],
    [-5, [0, 0, 0, 0]],
  ])('%d s', (seconds, [days, hours, minutes, rest]) =>
    expect(splitDuration(seconds)).toEqual({ days, hours, minutes, seconds: rest }),
  );
});

describe('times (spec §9)', () => {
  it.each([
    ['2026-01-02T03:04:05Z', undefined, '2026-01-02 11:04:05'],
    ['2026-12-31T23:30:00Z', 'Asia/Hong_Kong', '2027-01-01 07:30:00'],
    ['2026-07-01T00:00:00Z', 'Europe/Berlin', '2026-07-01 02:00:00'],
    ['2026-01-01T16:00:00Z', 'Asia/Hong_Kong', '2026-01-02 00:00:00'],
  ])('%s in %s is %s', (at, zone, text) => expect(formatTime(at, zone)).toBe(text));
});
