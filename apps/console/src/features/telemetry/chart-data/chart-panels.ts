import type { Series } from '@chargehand/contract';

/** A displayed series: its id, its name, and its index among all series. */
export interface DrawnSeries extends Series {
  id: string;
  label: string;
  place: number;
  /** the labels of its values when it is an enumeration */
  labels: ReadonlyMap<number, string>;
}

type Column = (number | null | undefined)[];

/** Series with a common time axis in the format of uPlot: the times, then one column per series. */
export interface Panel {
  key: string;
  /** each unit has its own axis */
  units: string[];
  series: readonly DrawnSeries[];
  at: number[];
  columns: Column[];
  /** the minimum and maximum for each column whose points are intervals */
  bands: ({ low: Column; high: Column } | null)[];
  /** seconds per bar, when all series are counter increases in equal intervals */
  bars: number | null;
}

/** Maximum number of axes of a chart. */
const MOST_AXES = 4;

/**
 * Groups series into charts with a common time axis: series with the same unit share a chart, or, with `together`,
 * those with the first few units. Counter increases have separate charts, because bars and lines have no common scale.
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
    // undefined: this series has no point at this time and its line continues; null: a gap, its line is interrupted.
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

/** The value at a position of the axis, otherwise the latest; null when there is none. */
export function valueAt(panel: Panel, column: number, index: number | null | undefined): number | null {
  const values = panel.columns[column] ?? [];
  if (index !== null && index !== undefined) return values[index] ?? null;
  return values.findLast((value) => typeof value === 'number') ?? null;
}
