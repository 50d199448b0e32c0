import { describe, expect, it } from 'vitest';
import { edgesOf, marked, moved, stretched, windowOf } from './chart-window.ts';

const T0 = Date.parse('2026-01-01T00:00:00Z');
const HOUR = 3_600_000;

describe('the window of a chart', () => {
  it.each([
    ['', { live: '1h' }],
    ['range=7d', { live: '7d' }],
    ['range=2y', { live: '2y' }],
    ['range=nonsense', { live: '1h' }],
    ['from=2026-01-01T00:00:00Z&to=2026-01-01T06:00:00Z', { from: T0, to: T0 + 6 * HOUR }],
    ['from=2026-01-01T06:00:00Z&to=2026-01-01T00:00:00Z', { live: '1h' }],
    ['from=x&to=y&range=6h', { live: '6h' }],
  ])('reads %j', (search, expected) => {
    expect(windowOf(new URLSearchParams(search))).toEqual(expected);
  });

  it('moves with time when it is live, and stays otherwise', () => {
    expect(edgesOf({ live: '1h' }, T0)).toEqual({ from: T0 - HOUR, to: T0 });
    expect(edgesOf({ from: 1, to: 2 }, T0)).toEqual({ from: 1, to: 2 });
  });

  const window = { from: T0 - 4 * HOUR, to: T0 - 2 * HOUR };
  it.each([
    ['back', moved(window, -0.5, T0), -5, -3],
    ['on', moved(window, 0.5, T0), -3, -1],
    ['forward, but not past the present', moved(window, 2, T0), -2, 0],
    ['out', stretched(window, 2, T0), -5, -1],
    ['out, but not past the present', stretched(window, 4, T0), -8, 0],
    ['in', stretched(window, 0.5, T0), -3.5, -2.5],
  ])('goes %s', (_, next, from, to) => {
    expect(next).toEqual({ from: T0 + from * HOUR, to: T0 + to * HOUR });
  });

  it('is between a minute and two years long', () => {
    const length = ({ from, to }: { from: number; to: number }) => to - from;
    expect(length(stretched(window, 1e-9, T0))).toBe(60_000);
    expect(length(stretched(window, 1e9, T0))).toBe(732 * 24 * HOUR);
    expect(marked({ from: T0, to: T0 + 20_000 })).toEqual({ from: T0 - 20_000, to: T0 + 40_000 });
    expect(marked(window)).toEqual(window);
  });
});
