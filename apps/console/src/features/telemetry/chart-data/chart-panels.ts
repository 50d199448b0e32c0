import type { Series } from '@chargehand/contract';

/** A series as it is drawn: what tells it from the others, what it is called, and its place among all that are shown. */
export interface DrawnSeries extends Series {
  id: string;
  label: string;
  place: number;
}

type Column = (number | null | undefined)[];

/** Series on one time axis, as uPlot wants them: the times, then one column for every series. */
export interface Panel {
  key: string;
  /** each has an axis of its own */
  units: string[];
  series: readonly DrawnSeries[];
  at: number[];
  columns: Column[];
  /** beside each column its lowest and highest values, where its points stand for spans */
  bands: ({ low: Column; high: Column } | null)[];
  /** seconds that each bar stands for, where all of them are what counters counted in equal spans */
  bars: number | null;
}

/** More axes than this leave no room for the chart. */
const MOST_AXES = 4;

/**
 * Groups series into charts with a common time axis: those of one unit share one, or, `together`, those of the first
 * few units. What counters counted stands apart from what was measured: bars and lines have no scale in common.
 */
export function panelsOf(series: readonly DrawnSeries[], together: boolean): Panel[] {
  const units = [...new Set(series.filter(({ rise }) => !rise).map(({ unit }) => unit))];
  const chartOf = ({ rise, unit }: DrawnSeries) => {
    if (rise) return `bars ${unit}`;
    return together ? `lines ${Math.floor(units.indexOf(unit) / MOST_AXES)}` : `lines ${unit}`;
  };
  return [...Map.groupBy(series, chartOf)].map(([key, members]) => panelOf(key, members));
}

function panelOf(key: string, members: readonly DrawnSeries[]): Panel {
  const at = [...new Set(members.flatMap((one) => one.at))].sort((a, b) => a - b);
  const place = new Map(at.map((time, index) => [time, index]));
  const column = (one: Series, values: readonly (number | null)[]) => {
    // undefined: this series says nothing about the moment, its line goes on; null: a gap, its line ends.
    const laid: Column = Array.from({ length: at.length }, () => undefined);
    for (const [index, time] of one.at.entries()) laid[place.get(time)!] = values[index] ?? null;
    return laid;
  };
  const steps = new Set(members.map(({ rise, step }) => (rise ? step : 0)));
  return {
    key,
    units: [...new Set(members.map(({ unit }) => unit))],
    series: members,
    at,
    columns: members.map((one) => column(one, one.value)),
    bands: members.map((one) =>
      one.low && one.high ? { low: column(one, one.low), high: column(one, one.high) } : null,
    ),
    bars: steps.size === 1 ? [...steps][0] || null : null,
  };
}

/** The value at a point of the axis; without one, the newest there is; null when there is none. */
export function valueAt(panel: Panel, column: number, index: number | null | undefined): number | null {
  const values = panel.columns[column] ?? [];
  if (index !== null && index !== undefined) return values[index] ?? null;
  return values.findLast((value) => typeof value === 'number') ?? null;
}
