import type { DescribedItem } from '@chargehand/contract';
import { type Level, type Levels, levelsAll } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import type { PresentDescription } from '../../models/index.ts';
import { type Descriptions, describeValues, type ReportedValue } from './described-values.ts';

const item = (key: string, more: Partial<DescribedItem> = {}): DescribedItem => ({
  ...{ dataItemId: 1, key, name: { en: key, zh: key }, type: 2, range: '', unit: '', priority: 10 },
  ...{ groupId: 1, groupName: { en: 'One', zh: '一' }, readLevel: 5, writeLevel: 0, batch: false, origin: 1, ...more },
});
const description = (
  version: number,
  configs: DescribedItem[],
  parameters: DescribedItem[] = [],
): PresentDescription => ({
  ...{ version, configs, parameters, controls: [], rules: [] },
});
const always = (present: PresentDescription): Descriptions => ({ present, at: () => present });
const NOW = new Date(1_000_000);
const value = (key: string, more: Partial<ReportedValue> = {}): ReportedValue => ({
  ...{ connector: 1, key, unit: 'V', value: 1, text: null, at: NOW, ...more },
});
const reader = (level: Level, undescribed = true): { levels: Levels; undescribed: boolean } => ({
  levels: levelsAll(level),
  undescribed,
});

describe('reported values with their model', () => {
  const model = description(3, [item('SoC'), item('Voltage'), item('Secret', { readLevel: 2 })], [item('Limit')]);

  test('are in the order of the model, variants side by side, with unknown items at the end', () => {
    const reported = ['Zeta', 'Voltage.L2', 'Limit', 'Alpha', 'Voltage.L1', 'SoC@EV'].map((key) => value(key));
    const { values, items } = describeValues(reported, always(model), reader(5), new Set());
    expect(
      values.map(({ key, item: index, variant }) => [key, index === null ? null : items[index]!.key, variant]),
    ).toEqual([
      ['SoC@EV', 'SoC', 'EV'],
      ['Voltage.L1', 'Voltage', 'L1'],
      ['Voltage.L2', 'Voltage', 'L2'],
      ['Limit', 'Limit', ''],
      ['Alpha', null, ''],
      ['Zeta', null, ''],
    ]);
  });

  test.each<[Level, boolean, string[], string[]]>([
    [5, true, ['SoC', 'Other'], ['Voltage']],
    [5, false, ['SoC'], ['Voltage']],
    [2, true, ['SoC', 'Secret', 'Other'], ['Voltage']],
  ])('level %d, undescribed %j: %j, never told %j', (level, undescribed, shown, missing) => {
    const reported = [value('SoC'), value('Secret'), value('Other')];
    const { values, items, never } = describeValues(reported, always(model), reader(level, undescribed), new Set());
    expect(values.map(({ key }) => key)).toEqual(shown);
    expect(never.map((index) => items[index]!.key)).toEqual(missing);
  });

  test('an item that was reported as a parameter counts as reported', () => {
    const { never } = describeValues([], always(model), reader(2), new Set(['soc', 'secret', 'voltage']));
    expect(never).toEqual([]);
  });

  test('an old value is read by the model of its time, at the place of its current item', () => {
    const before = description(1, [
      item('Voltage', { range: '0~300', groupId: 9, readLevel: 0 }),
      item('Gone', { groupId: 9 }),
      item('Hidden', { readLevel: 1 }),
    ]);
    const present = description(2, [item('SoC'), item('Voltage', { range: '0~500', groupId: 2 })]);
    const old = new Date(500);
    const descriptions: Descriptions = { present, at: (time) => (time === old ? before : present) };
    const reported = [
      value('Gone', { at: old }),
      value('Hidden', { at: old }),
      value('Voltage', { at: old }),
      value('SoC'),
    ];
    const { values, items } = describeValues(reported, descriptions, reader(5), new Set());
    expect(values.map(({ key, item: index }) => [key, items[index!]!.range, items[index!]!.groupId])).toEqual([
      ['SoC', '', 1],
      ['Voltage', '0~300', 2],
      ['Gone', '', 9],
    ]);
  });

  test('while the model is not described, no value is', () => {
    const { values, never } = describeValues([value('SoC')], always(description(0, [])), reader(5), new Set());
    expect(values).toMatchObject([{ key: 'SoC', item: null }]);
    expect(never).toEqual([]);
  });
});
