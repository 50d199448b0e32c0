import type { RuntimeItem } from '@chargehand/contract';
import { expect, it } from 'vitest';
import { inGroups } from './shown-values.ts';

const item = (more: Partial<RuntimeItem>): RuntimeItem => ({
  ...{ dataItemId: 1, key: 'Key', name: { en: 'Key', zh: '键' }, type: 2, range: '', unit: '', priority: 1 },
  ...{ groupId: 1, groupName: { en: 'One', zh: '一' }, readLevel: 5, writeLevel: 0, batch: false, origin: 1 },
  ...{ documentId: null, ...more },
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
