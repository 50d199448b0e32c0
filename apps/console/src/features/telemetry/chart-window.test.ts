import { describe, expect, it } from 'vitest';
import { edgesOf, panelsOf, valueAt, windowOf } from './chart-window.ts';

const T0 = Date.parse('2026-01-01T00:00:00Z');

describe('the window of a chart', () => {
  it.each([
    ['', { live: '1h' }],
    ['range=7d', { live: '7d' }],
    ['range=nonsense', { live: '1h' }],
    ['from=2026-01-01T00:00:00Z&to=2026-01-01T06:00:00Z', { from: T0, to: T0 + 6 * 3_600_000 }],
    ['from=2026-01-01T06:00:00Z&to=2026-01-01T00:00:00Z', { live: '1h' }],
    ['from=x&to=y&range=6h', { live: '6h' }],
  ])('reads %j', (search, expected) => {
    expect(windowOf(new URLSearchParams(search))).toEqual(expected);
  });

  it('moves on with time when it is live, and stays when it is not', () => {
    expect(edgesOf({ live: '1h' }, T0)).toEqual({ from: T0 - 3_600_000, to: T0 });
    expect(edgesOf({ from: 1, to: 2 }, T0)).toEqual({ from: 1, to: 2 });
  });
});

describe('the panels of a chart', () => {
  const a = { key: 'Voltage', unit: 'V', connector: 1, at: [10, 20, 30], value: [230, null, 231] };
  const b = { key: 'Voltage.L2', unit: 'V', connector: 1, at: [15, 20], value: [229, 228] };
  const c = { key: 'Power', unit: 'W', connector: 1, at: [10], value: [7], low: [5], high: [9] };

  it('keep one unit each, on one time axis', () => {
    const [volts, watts] = panelsOf([a, b, c]);
    expect(volts).toMatchObject({ unit: 'V', at: [10, 15, 20, 30] });
    expect(volts?.columns).toEqual([
      [230, undefined, null, 231],
      [undefined, 229, 228, undefined],
    ]);
    expect(volts?.bands).toEqual([null, null]);
    expect(watts?.bands).toEqual([{ low: [5], high: [9] }]);
  });

  it('give the value under the pointer, and the newest without one', () => {
    const [volts] = panelsOf([a, b]);
    expect(valueAt(volts!, 0, 2)).toBeNull();
    expect(valueAt(volts!, 0, 3)).toBe(231);
    expect(valueAt(volts!, 1, null)).toBe(228);
  });
});
