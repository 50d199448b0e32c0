import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '../../../testing/show.tsx';
import type { Answers } from '../../../testing/stub-server.ts';
import ItemListPage from './item-list-page.tsx';

const answers: Answers = {
  listItemGroups: { items: [{ id: 1, name: { en: 'Settings', zh: '设置' }, items: 1 }] },
  listDataItems: {
    items: [
      {
        ...{ id: 5, key: 'HeartbeatInterval', name: { en: 'Heartbeat interval', zh: '心跳间隔' }, groupId: 1 },
        ...{ type: 1, range: '10~600', unit: 's', usedBy: [] },
      },
    ],
  },
};

test.each([
  ['the platform vendor', true],
  ['a customer', false],
] as const)('the data model can be changed by users of %s: %s', async (_, platformVendor) => {
  const { button } = await show(<ItemListPage />, {
    ...{ path: '/manage/config-model/list', answers },
    user: { root: false, platformVendor },
  });
  await expect.element(page.getByText('HeartbeatInterval', { exact: true })).toBeVisible();
  expect(button('models:item.add').query() !== null).toBe(platformVendor);
  expect(document.querySelectorAll('.sortable-handle button').length > 0).toBe(platformVendor);
});
