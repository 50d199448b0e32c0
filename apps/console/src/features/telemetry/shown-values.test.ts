import type { RuntimeItem } from '@chargehand/contract';
import { describe, expect, it } from 'vitest';
import { inGroups, shownValue } from './shown-values.ts';

const item = (more: Partial<RuntimeItem>): RuntimeItem => ({
  ...{ dataItemId: 1, key: 'Key', name: { en: 'Key', zh: '键' }, type: 2, range: '', unit: '', priority: 1 },
  ...{ groupId: 1, groupName: { en: 'One', zh: '一' }, readLevel: 5, writeLevel: 0, batch: false, origin: 1 },
  ...{ documentId: null, ...more },
});
const number = (value: number, unit = '') => ({ value, unit, text: null });

describe('a value with its item', () => {
  it.each<[string, ReturnType<typeof number>, RuntimeItem | null, string, string]>([
    ['without an item, in a readable unit', number(12_480, 'W'), null, '12.48', 'kW'],
    ['without a format in the model', number(12_480, 'W'), item({ unit: 'W' }), '12.48', 'kW'],
    ['in the unit of the item', number(12_480, 'W'), item({ unit: 'kW' }), '12.48', 'kW'],
    ['with the decimals of the range', number(231.40001, 'V'), item({ range: '0~2000|1', unit: 'V' }), '231.4', 'V'],
    ['in a unit that is not compatible with the item', number(5, 'A'), item({ unit: 'V' }), '5', 'A'],
    ['by its label', number(1), item({ type: 4, range: 'On|1|number\nOff|0|number' }), 'On', ''],
    ['of an integer', number(17), item({ type: 1, range: '0~20' }), '17', ''],
  ])('%s', (_, value, of, text, unit) => {
    expect(shownValue(value, of, 'en')).toMatchObject({ text, unit, problem: null });
  });

  it('shows texts unchanged, or with their label', () => {
    const shown = { value: null, unit: '', text: 'idle' };
    expect(shownValue(shown, null, 'en').text).toBe('idle');
    const waiting = item({ type: 4, range: 'Waiting / 等待中|idle' });
    expect(shownValue(shown, waiting, 'en').text).toBe('Waiting');
    expect(shownValue(shown, waiting, 'zh').text).toBe('等待中');
    expect(shownValue(shown, item({ type: 4, range: 'Waiting|other' }), 'en').problem?.fault).toBe('valueNotListed');
  });
});

it('groups are in the order of their first value, values that are not in the model last', () => {
  const two = { en: 'Two', zh: '二' };
  const items = [item({}), item({ groupId: 2, groupName: two }), null];
  const groups = inGroups([2, 1, 0, 1, 2], (index) => items[index] ?? null);
  expect(groups.map(({ id, values }) => [id, values])).toEqual([
    [2, [1, 1]],
    [1, [0]],
    [null, [2, 2]],
  ]);
});
