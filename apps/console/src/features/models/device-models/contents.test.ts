import type { DataItemRow, DescribedItem, ItemGroupRow, ModelControl, ModelItem } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { asInherited, controlLines, itemLines, withControl, withoutLines, withRules } from './contents.ts';

const group = (id: number): ItemGroupRow => ({ id, name: { en: `G${id}`, zh: `组${id}` }, items: 1 });
const GROUPS = [group(2), group(1)];
const item = (id: number, groupId: number): DataItemRow => ({
  ...{
    id,
    key: `K${id}`,
    name: { en: `I${id}`, zh: `项${id}` },
    groupId,
    type: 1,
    range: '0~9',
    unit: 'V',
    usedBy: [],
  },
});
const ITEMS = new Map([item(1, 1), item(2, 2), item(3, 2)].map((one) => [one.id, one]));
const ownItem = (dataItemId: number, more: Partial<ModelItem> = {}): ModelItem => ({
  ...{ dataItemId, removed: false, groupId: null, priority: 1, readLevel: 5, writeLevel: 3, batch: false },
  ...{ range: null, unit: null, ...more },
});
const given = (dataItemId: number, more: Partial<DescribedItem> = {}): DescribedItem => {
  const { key, name, type, groupId, range, unit } = ITEMS.get(dataItemId)!;
  return {
    ...{ dataItemId, key, name, type, groupId, groupName: name, range, unit, priority: 1, readLevel: 5, writeLevel: 3 },
    ...{ batch: false, origin: 9, ...more },
  };
};
const lines = (own: ModelItem[], inherited: DescribedItem[]) => itemLines(own, inherited, ITEMS, GROUPS);
const states = (own: ModelItem[], inherited: DescribedItem[]) =>
  lines(own, inherited).map(({ id, state }) => `${id} ${state}`);

test.each<[string, ModelItem[], DescribedItem[], string[]]>([
  [
    'items are sorted by group, priority and key',
    [ownItem(1), ownItem(3), ownItem(2)],
    [],
    ['2 own', '3 own', '1 own'],
  ],
  ['a lower priority number comes first', [ownItem(3), ownItem(2, { priority: 5 })], [], ['3 own', '2 own']],
  ['an own group moves an item', [ownItem(2, { groupId: 1, priority: 0 }), ownItem(1)], [], ['2 own', '1 own']],
  ['inherited items are included', [], [given(1)], ['1 inherited']],
  ['own items replace inherited ones', [ownItem(1)], [given(1)], ['1 overridden']],
  ['removed items are still shown', [ownItem(1, { removed: true })], [given(1)], ['1 removed']],
  ['removing an unknown item shows nothing', [ownItem(1, { removed: true })], [], []],
])('%s', (_, own, inherited, expected) => {
  expect(states(own, inherited)).toEqual(expected);
});

test('changing an inherited line stores only differences from the data item', () => {
  const inherited = [given(1, { unit: 'kV' })];
  expect(withRules([], lines([], inherited), { readLevel: 2 })).toEqual([ownItem(1, { unit: 'kV', readLevel: 2 })]);
});

test('keys with numbers are sorted by the numbers', () => {
  const items = new Map([item(10, 1), item(2, 1)].map((one) => [one.id, one]));
  expect(itemLines([ownItem(10), ownItem(2)], [], items, GROUPS).map(({ item: { key } }) => key)).toEqual([
    'K2',
    'K10',
  ]);
});

test('lines are removed and restored as inherited', () => {
  const inherited = [given(1)];
  const own = [ownItem(2)];
  const without = withoutLines(own, lines(own, inherited));
  expect(without).toEqual([ownItem(1, { removed: true })]);
  expect(asInherited(without, lines(without, inherited))).toEqual([]);
});

const control = (type: 1 | 2): ModelControl => ({
  ...{
    type,
    removed: false,
    name: { en: 'C', zh: '控' },
    level: 4,
    param1: null,
    param2: null,
    reading: null,
    precondition: null,
  },
});

test('all control types are listed, with the controls of the model', () => {
  const inherited = [{ ...control(1), origin: 9 }];
  const state = (own: ModelControl[]) =>
    controlLines(own, inherited)
      .slice(0, 2)
      .map((line) => line.state);
  expect(controlLines([], inherited)).toHaveLength(17);
  expect(state([])).toEqual(['inherited', 'absent']);
  const [first, second] = controlLines([], inherited);
  const taken = withControl([], first!, 'removed');
  expect(state(taken)).toEqual(['removed', 'absent']);
  expect(state(withControl(taken, first!, 'inherited'))).toEqual(['inherited', 'absent']);
  expect(state(withControl([control(1)], second!, control(2)))).toEqual(['overridden', 'own']);
  expect(withControl([control(2)], second!, 'removed')).toEqual([]);
});
