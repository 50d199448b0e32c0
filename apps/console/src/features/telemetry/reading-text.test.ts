import { describe, expect, it } from 'vitest';
import { sessionEnergy } from './reading-text.ts';

describe('readings as text', () => {
  const session = { meterStart: 10_000, startedAt: '2026-01-01T10:00:00Z' };
  it.each([
    ['Wh', 14_500, '2026-01-01T10:30:00Z', 4_500],
    ['kWh', 14.5, '2026-01-01T10:30:00Z', 4_500],
    ['Wh', 14_500, '2026-01-01T09:59:00Z', null],
    ['Wh', 9_990, '2026-01-01T10:30:00Z', 0],
  ])('computes the energy of a session from its counter in %s at %d', (unit, value, at, energy) => {
    expect(sessionEnergy([{ key: 'Energy.Active.Import.Register', unit, value, at }], session)).toBe(energy);
  });

  it('has no energy without a counter', () => {
    expect(sessionEnergy([], session)).toBeNull();
  });
});
