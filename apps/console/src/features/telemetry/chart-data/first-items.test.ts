import type { ReadingItem } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { firstItems } from './first-items.ts';

const item = (key: string, unit: string, connector = 0) =>
  ({ key, unit, connector, name: null, group: null, part: '', entries: '', counter: false }) as unknown as ReadingItem;

test.each<[string, ReadingItem[], string[]]>([
  [
    'for a pile: power and state of charge of the first connector',
    [item('Voltage', 'V', 1), item('SoC', '%', 1), item('Power.Active.Import', 'W', 1), item('SoC', '%', 2)],
    ['Power.Active.Import', 'SoC', 'Voltage'],
  ],
  [
    'for a storage unit: battery and grid, without rated values',
    [item('Unit/Rated Power', 'kW'), item('Grid/Power', 'kW'), item('Battery/Power', 'kW'), item('Battery/SoC', '%')],
    ['Battery/SoC', 'Battery/Power', 'Grid/Power'],
  ],
  [
    'for other keys: quantities that change',
    [item('rated power', 'kW'), item('serial', ''), item('humidity', '%'), item('output', 'W')],
    ['output', 'humidity'],
  ],
  ['otherwise the first', [item('a', ''), item('b', '')], ['a', 'b']],
  ['of nothing, nothing', [], []],
])('%s', (_, items, expected) => {
  expect(firstItems(items).map((one) => one.slice(one.indexOf(':') + 1))).toEqual(expected);
});
