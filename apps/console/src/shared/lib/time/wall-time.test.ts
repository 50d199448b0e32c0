import { describe, expect, it } from 'vitest';
import { instantOf, wallTimeOf } from './wall-time.ts';

describe('wall time', () => {
  it.each([
    ['Asia/Hong_Kong', '2026-01-31T18:30', '2026-01-31T10:30:00Z'],
    ['UTC', '2026-01-31T18:30', '2026-01-31T18:30:00Z'],
    ['Europe/Berlin', '2026-07-01T12:00', '2026-07-01T10:00:00Z'],
    ['Europe/Berlin', '2026-03-29T04:00', '2026-03-29T02:00:00Z'],
    ['America/New_York', '2026-11-01T00:30', '2026-11-01T04:30:00Z'],
  ])('in %s %s is %s', (zone, wall, instant) => {
    expect(instantOf(wall, zone)).toBe(Date.parse(instant));
    expect(wallTimeOf(Date.parse(instant), zone)).toBe(wall);
  });

  it('is invalid when it is not a time', () => {
    expect(instantOf('')).toBeNaN();
  });
});
