import { describe, expect, it } from 'vitest';
import { inReadableUnit, sessionEnergy, tickText, valueText } from './reading-text.ts';

describe('readings as text', () => {
  it.each([
    [3984.25, 0.05, '3984.25'],
    [3984.2, 0.1, '3984.2'],
    [3984, 1, '3984'],
    [128.75, 0.25, '128.75'],
    [12_000, 500, '12\u202f000'],
  ])('%d on an axis with steps of %d is %s', (value, step, text) => {
    expect(tickText(value, step)).toBe(text);
  });

  it.each([
    [0, '0'],
    [0.05234, '0.052'],
    [12.3456, '12.35'],
    [231.449, '231.4'],
    [1480.44, '1480.4'],
    [1234567.8, '1\u202f234\u202f568'],
    [-7.5, '-7.5'],
  ])('%d is shown as %s', (value, text) => {
    expect(valueText(value)).toBe(text);
  });

  it('shows watts from 1000 on in kilowatts, and volts unchanged', () => {
    expect(inReadableUnit(11_040, 'W')).toEqual({ value: 11.04, unit: 'kW' });
    expect(inReadableUnit(940, 'W')).toEqual({ value: 940, unit: 'W' });
    expect(inReadableUnit(2_000, 'V')).toEqual({ value: 2_000, unit: 'V' });
  });

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
