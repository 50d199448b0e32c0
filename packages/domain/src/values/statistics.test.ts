import { describe, expect, test } from 'vitest';
import { addedSeconds, availability, noSeconds, statisticWindow } from './statistics.ts';

const iso = (at: number) => new Date(at).toISOString();

describe('a window', () => {
  test('of hours starts on the hour and ends now', () => {
    const window = statisticWindow(Date.parse('2026-03-01T10:20:30.400Z'), 'hour', 3);
    expect(window.starts.map(iso)).toEqual([
      '2026-03-01T08:00:00.000Z',
      '2026-03-01T09:00:00.000Z',
      '2026-03-01T10:00:00.000Z',
    ]);
    expect(iso(window.to)).toBe('2026-03-01T10:20:30.400Z');
  });

  test.each([
    ['2026-03-01T15:59:59.999Z', '2026-02-28T16:00:00.000Z'],
    ['2026-03-01T16:00:00.000Z', '2026-03-01T16:00:00.000Z'],
  ])('of days starts at midnight in Hong Kong: %s', (now, today) => {
    const window = statisticWindow(Date.parse(now), 'day', 2);
    expect(iso(window.starts[1]!)).toBe(today);
    expect(window.starts[1]! - window.starts[0]!).toBe(86_400_000);
  });

  test('uses the clock of another time zone', () => {
    const window = statisticWindow(Date.parse('2026-03-01T10:00:00Z'), 'day', 1, 'Asia/Kathmandu');
    expect(iso(window.from)).toBe('2026-02-28T18:15:00.000Z');
  });
});

describe('availability', () => {
  test.each([
    [{}, null],
    [{ idle: 50, working: 25, offline: 25 }, 0.75],
    [{ faulted: 10, offline: 30 }, 0],
    [{ idle: 10, maintain: 90, disabled: 1_000, firmwareUpdate: 5 }, 1],
    [{ disabled: 100 }, null],
  ])('%j: %d', (seconds, share) => expect(availability({ ...noSeconds(), ...seconds })).toBe(share));
});

test('seconds are added by status', () => {
  const sum = addedSeconds([
    { ...noSeconds(), idle: 1, faulted: 2 },
    { ...noSeconds(), idle: 3 },
  ]);
  expect(sum).toEqual({ ...noSeconds(), idle: 4, faulted: 2 });
});
