import type { Series } from '@chargehand/contract';

/** The ranges at hand, in seconds. */
export const RANGES = { '1h': 3_600, '6h': 21_600, '24h': 86_400, '7d': 604_800, '30d': 2_592_000 } as const;
export type RangeName = keyof typeof RANGES;

/** What a chart shows: a stretch that ends now and moves on, or a fixed one. Times in epoch milliseconds. */
export type ChartWindow = { live: RangeName } | { from: number; to: number };

/** The window that an address names: `range=6h`, or `from` and `to` in ISO; the last hour when it names none. */
export function windowOf(search: URLSearchParams): ChartWindow {
  const from = Date.parse(search.get('from') ?? '');
  const to = Date.parse(search.get('to') ?? '');
  if (from < to) return { from, to };
  const range = search.get('range') ?? '';
  return { live: range in RANGES ? (range as RangeName) : '1h' };
}

/** Where a window begins and ends at a moment, in epoch milliseconds. */
export function edgesOf(window: ChartWindow, now: number): { from: number; to: number } {
  return 'live' in window ? { from: now - RANGES[window.live] * 1_000, to: now } : window;
}

/** Series of one unit, on one time axis, as uPlot wants them: the times, then one column for every series. */
export interface Panel {
  unit: string;
  series: readonly Series[];
  at: number[];
  columns: (number | null | undefined)[][];
  /** beside each column its lowest and highest values, where its points stand for spans */
  bands: ({ low: (number | null | undefined)[]; high: (number | null | undefined)[] } | null)[];
}

/** Groups series by unit (one chart each, since one axis carries one unit) and lays them on a common time axis. */
export function panelsOf(series: readonly Series[]): Panel[] {
  return [...Map.groupBy(series, ({ unit }) => unit)].map(([unit, members]) => {
    const at = [...new Set(members.flatMap((one) => one.at))].sort((a, b) => a - b);
    const place = new Map(at.map((time, index) => [time, index]));
    const column = (one: Series, values: readonly (number | null)[]) => {
      // undefined: this series says nothing about the moment, its line goes on; null: a gap, its line ends.
      const laid: (number | null | undefined)[] = Array.from({ length: at.length }, () => undefined);
      for (const [index, time] of one.at.entries()) laid[place.get(time)!] = values[index] ?? null;
      return laid;
    };
    return {
      unit,
      series: members,
      at,
      columns: members.map((one) => column(one, one.value)),
      bands: members.map((one) =>
        one.low && one.high ? { low: column(one, one.low), high: column(one, one.high) } : null,
      ),
    };
  });
}

/** The newest point at or before a moment that has a value; null when there is none. */
export function valueAt(panel: Panel, column: number, index: number | null | undefined): number | null {
  const values = panel.columns[column] ?? [];
  if (index !== null && index !== undefined) return values[index] ?? null;
  return values.findLast((value) => typeof value === 'number') ?? null;
}
