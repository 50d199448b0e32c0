import { expect, test } from 'vitest';
import type { DrawnSeries, Panel } from './chart-panels.ts';
import { chartTable } from './chart-table.ts';

const series = (id: string, label: string, unit: string) => ({ id, label, unit }) as DrawnSeries;
const panel = (members: DrawnSeries[], at: number[], columns: Panel['columns']): Panel => ({
  ...{ key: members[0]!.unit, units: [], series: members, at, columns, bands: [], bars: null },
});

test('the displayed values are a table with the times of all charts', () => {
  const power = panel(
    [series('p', 'Power, total', 'kW'), series('h', 'Hidden', 'kW')],
    [0, 60],
    [
      [7.5, null],
      [1, 2],
    ],
  );
  const state = panel([series('s', '=SUM(A1)', '')], [60, 120], [[1, -2]]);
  expect(chartTable([power, state], new Set(['h']))).toBe(
    [
      '\uFEFFtime,"Power, total (kW)",\'=SUM(A1)',
      '1970-01-01T00:00:00.000Z,7.5,',
      '1970-01-01T00:01:00.000Z,,1',
      '1970-01-01T00:02:00.000Z,,-2',
      '',
    ].join('\r\n'),
  );
});
