import { csvOf } from '../../../shared/lib/files/csv.ts';
import type { Panel } from './chart-panels.ts';

/** The values of the displayed charts as a table (CSV, RFC 4180): a line per time, a column per series. */
export function chartTable(panels: readonly Panel[], hidden: ReadonlySet<string>): string {
  const columns = panels.flatMap((panel) =>
    panel.series.flatMap((series, index) =>
      hidden.has(series.id)
        ? []
        : [
            {
              name: series.unit === '' ? series.label : `${series.label} (${series.unit})`,
              values: new Map(panel.at.map((at, place) => [at, panel.columns[index]?.[place]])),
            },
          ],
    ),
  );
  const times = [...new Set(panels.flatMap(({ at }) => at))].sort((a, b) => a - b);
  const lines = [
    ['time', ...columns.map(({ name }) => name)],
    ...times.map((at) => [
      new Date(at * 1_000).toISOString(),
      ...columns.map(({ values }) => String(values.get(at) ?? '')),
    ]),
  ];
  return csvOf(lines);
}
