import { describe, expect, it } from 'vitest';
import { type DrawnSeries, panelsOf, valueAt } from './chart-panels.ts';

function series(key: string, unit: string, more: Partial<DrawnSeries>): DrawnSeries {
  const named = {
    id: key,
    label: key,
    place: 0,
    labels: new Map<number, string>(),
    deviceId: 1,
    connector: 1,
    counter: false,
  };
  return { ...named, key, unit, resolution: 'raw', step: 0, rise: false, at: [], value: [], ...more };
}

describe('the charts of some series', () => {
  const a = series('Voltage', 'V', { at: [10, 20, 30], value: [230, null, 231] });
  const b = series('Voltage.L2', 'V', { at: [15, 20], value: [229, 228] });
  const c = series('Power', 'W', { at: [10], value: [7], low: [5], high: [9] });
  const d = series('Energy', 'W', { at: [60, 120], value: [7, 8], rise: true, step: 60 });

  it('have one unit each, and a common time axis', () => {
    const [volts, watts] = panelsOf([a, b, c], false);
    expect(volts).toMatchObject({ units: ['V'], at: [10, 15, 20, 30], bars: null });
    expect(volts?.columns).toEqual([
      [230, undefined, null, 231],
      [undefined, 229, 228, undefined],
    ]);
    expect(volts?.bands).toEqual([null, null]);
    expect(watts?.bands).toEqual([{ low: [5], high: [9] }]);
  });

  it('share one chart with an axis per unit when requested, except counter increases', () => {
    const [lines, bars, ...none] = panelsOf([a, c, d], true);
    expect(lines).toMatchObject({ units: ['V', 'W'], bars: null });
    expect(bars).toMatchObject({ units: ['W'], bars: 60 });
    expect(none).toEqual([]);
  });

  it('are several when there are more units than axes', () => {
    const units = ['V', 'A', 'W', 'Hz', '%'].map((unit) => series(unit, unit, { at: [1], value: [1] }));
    expect(panelsOf(units, true).map((panel) => panel.units)).toEqual([['V', 'A', 'W', 'Hz'], ['%']]);
  });

  it('return the value under the pointer, and the latest without one', () => {
    const [volts] = panelsOf([a, b], false);
    expect(valueAt(volts!, 0, 2)).toBeNull();
    expect(valueAt(volts!, 0, 3)).toBe(231);
    expect(valueAt(volts!, 1, null)).toBe(228);
  });
});
