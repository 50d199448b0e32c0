import { messageOf } from '@chargehand/contract';
import { levelsAll } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Answer } from '../../shared/api/client.ts';
import { publicKeyAnswer } from '../../testing/inputs/public-key.ts';
import { misses, pick, rowWith, sees } from '../../testing/on-screen.ts';
import { listed, sample, sampleList, sampleRow } from '../../testing/sample.ts';
import { showConsole } from '../../testing/show-console.tsx';
import { Refused } from '../../testing/stub-server.ts';

const roleDetail = (values: Partial<Answer<'readRole'>> = {}): Answer<'readRole'> =>
  sample('readRole', {
    ...{ id: 7, name: 'Night watch', customerAccess: 1, siteAccess: 1, levels: levelsAll(3), grantable: true },
    ...{ keys: ['auth_home'], revision: 'r1', ...values },
  });
const menu = (key: string, nameEn: string, values: object = {}) =>
  sampleRow('listMenus', { key, parentKey: null, nameEn, nameZh: nameEn, changeable: true, ...values });
const menus = {
  items: [
    menu('auth_home', 'Home'),
    menu('auth_device', 'Devices'),
    menu('auth_device_list', 'Device list', { parentKey: 'auth_device' }),
  ],
};
const node = (text: string) =>
  page.elementLocator(
    [...document.querySelectorAll('.ant-tree-treenode')].find((one) => one.textContent?.includes(text))!,
  );

describe('a role', () => {
  test('names the level from which its users read documents, which have levels of their own', async () => {
    const levels = { ...levelsAll(5), wiki: { read: 3, write: 4, download: 5 } } as const;
    const { t } = await showConsole('/manage/role/auth/data/7', {
      answers: { readRole: roleDetail({ levels, keys: ['auth_docs_detail'] }) },
    });
    const line = (ability: string, level: number) =>
      page
        .getByRole('listitem')
        .filter({ hasText: t(`people:preview.${ability}`, { level: t(`common:level.${level}`) }) });
    await sees(line('readDocuments', 3).getByText(t('people:preview.can'), { exact: false }));
    await sees(line('editDocuments', 4).getByText(t('people:preview.cannot'), { exact: false }));
  });

  test('has its data access described as text and saved', async () => {
    let now = roleDetail();
    const { t, button, server, path } = await showConsole('/manage/role/auth/data/7', {
      answers: {
        readRole: () => now,
        setRoleData: ({ input }) => {
          now = roleDetail({ customerAccess: input.body.customerAccess, revision: 'r2' });
          return null;
        },
      },
    });
    await sees(page.getByText(t('people:preview.customers.1'), { exact: false }));
    await page.getByLabelText(t('people:customerAccess.0'), { exact: true }).click();
    await sees(page.getByText(t('people:preview.customers.0'), { exact: false }));
    await button('common:save').click();
    await sees(t('people:role.saved', { name: 'Night watch' }));
    expect(server.sent('setRoleData')[0]?.body).toMatchObject({ customerAccess: 0, revision: 'r1' });
    await page.getByRole('link', { name: t('people:role.toMenus') }).click();
    await expect.poll(path).toBe('/manage/role/auth/menu/7');
  });

  test.each([
    ['en-US', '3 (medium)', '5 (lowest)'],
    ['zh-CN', '3（中等）', '5（最低）'],
  ] as const)('has its levels shown and selected by name (%s)', async (locale, medium, lowest) => {
    const { t, button, server } = await showConsole('/manage/role/auth/data/7', {
      locale,
      answers: { readRole: () => roleDetail(), setRoleData: () => null },
    });
    const name = `${t('people:area.device')} ${t('people:verb.read')}`;
    await sees(medium);
    await pick(name, lowest);
    await button('common:save').click();
    await expect
      .poll(() => server.sent('setRoleData')[0]?.body)
      .toMatchObject({ levels: { device: { read: 5, write: 3 } } });
  });

  test('has its menus counted and saved, and the tree keeps its state', async () => {
    let now = roleDetail();
    const { t, button, server } = await showConsole('/manage/role/auth/menu/7', {
      answers: {
        readRole: () => now,
        listMenus: menus,
        setRoleMenus: ({ input }) => {
          now = roleDetail({ keys: input.body.keys, revision: 'r2' });
          return null;
        },
      },
    });
    const tree = page.getByRole('tree');
    await sees(tree);
    const before = document.querySelector('.ant-tree');
    await sees(t('people:menu.chosen', { count: 1, of: 3 }));
    await page.elementLocator(node('Device list').element().querySelector('.ant-tree-checkbox')!).click();
    await sees(t('people:menu.chosen', { count: 3, of: 3 }));
    await page.elementLocator(document.querySelector('.ant-tree-switcher_open')!).click();
    await expect.poll(() => document.querySelectorAll('.ant-tree-treenode-motion').length).toBe(0);
    await button('common:save').click();
    await sees(t('people:role.saved', { name: 'Night watch' }));
    await expect.element(button('common:save')).toBeDisabled();
    expect(server.sent('setRoleMenus')[0]?.body).toMatchObject({ revision: 'r1' });
    expect(document.querySelector('.ant-tree')).toBe(before);
    expect(document.querySelectorAll('.ant-tree-switcher_open')).toHaveLength(0);
  });

  test('is copied and deleted from the list', async () => {
    const rows = [{ id: 7, name: 'Night watch', grantable: true }];
    const { t, button, entry, dialog, server, go } = await showConsole('/manage/role/list', {
      answers: {
        listRoles: listed('listRoles', () => rows),
        createRole: ({ input }) => {
          rows.push({ id: 8, name: input.body.name, grantable: true });
          return { id: 8 };
        },
        deleteRole: () => {
          rows.pop();
          return null;
        },
      },
    });
    const choose = async (name: string, key: string) => {
      await button('people:actionsOf', { name }).click();
      await entry(key).click();
      await dialog.getByRole('button', { name: t(key), exact: true }).click();
    };
    await choose('Night watch', 'people:role.copy');
    const copy = t('people:role.copyName', { name: 'Night watch' });
    await sees(t('people:role.added', { name: copy }));
    await go('/manage/role/list');
    await sees(rowWith(copy));
    expect(server.sent('createRole')[0]?.body).toEqual({ name: copy, copyOf: 7 });
    await choose(copy, 'people:delete');
    await sees(t('people:role.deleted', { name: copy }));
    await misses(rowWith(copy));
  });
});

const userRow = { id: 6, userName: 'night_watch', customerName: 'Customer north', enabled: true };

describe('a user', () => {
  test('is edited with fresh data from the server', async () => {
    let nickName = 'Rita';
    const { field, go } = await showConsole('/manage/user/detail/6', {
      answers: {
        readUser: () =>
          sample('readUser', { ...userRow, nickName, locale: 'en-US', may: { edit: true, assign: true } }),
      },
    });
    await sees('Rita');
    nickName = 'Rita Wong';
    await go('/manage/user/update/6');
    await expect.element(field('people:nickName')).toHaveValue('Rita Wong');
  });

  test('is added with a customer and a role, and the password is sent encrypted', async () => {
    const { t, field, button, server, path } = await showConsole('/manage/user/add', {
      answers: {
        publicKey: await publicKeyAnswer(),
        listCustomers: listed('listCustomers', () => [{ id: 2, name: 'Customer north', code: 'north' }]),
        listRoleChoices: { items: [sampleRow('listRoleChoices', { id: 3, name: 'Assigned sites' })] },
        createUser: { id: 6 } as Answer<'createUser'>,
        readUser: sample('readUser', { ...userRow, locale: 'en-US' }),
      },
    });
    await field('people:userName').fill('night_watch');
    await page.getByText(t('people:first.byHand')).click();
    await field('people:password').fill('Night-watch.7');
    await field('people:repeated').fill('Night-watch.7');
    await pick(t('people:customer'), 'Customer north');
    await pick(t('people:roleOf'), 'Assigned sites');
    await button('common:save').click();
    await expect.poll(path).toBe('/manage/user/detail/6');
    const [sent] = server.sent('createUser');
    expect(sent?.body).toMatchObject({ userName: 'night_watch', customerId: 2, roleId: 3 });
    expect(JSON.stringify(sent?.body)).not.toContain('Night-watch.7');
  });

  test('is assigned the selected sites', async () => {
    const { t, button, server } = await showConsole('/manage/user/auth/6', {
      answers: {
        readUser: sample('readUser', {
          ...{ ...userRow, customerAccess: 1, siteAccess: 1, roleName: 'Assigned sites', locale: 'en-US' },
          may: { edit: true, assign: true },
        }),
        readAssignments: sample('readAssignments', { revision: 'a1' } as never),
        listAssignable: {
          ...sample('listAssignable'),
          customers: [{ id: 2, name: 'Customer north', sites: [{ id: 4, name: 'North quay' }] }],
        } as Answer<'listAssignable'>,
        setAssignments: null,
      },
    });
    await sees('North quay');
    await page.elementLocator(node('North quay').element().querySelector('.ant-tree-checkbox')!).click();
    await button('common:save').click();
    await sees(t('people:user.saved', { name: 'night_watch' }));
    expect(server.sent('setAssignments')[0]?.body).toMatchObject({ siteIds: [4], revision: 'a1' });
  });

  test('is invited again and disabled from the list', async () => {
    let rows = [{ ...userRow, passwordState: 'invited' as const }];
    const { t, button, entry, dialog, server } = await showConsole('/manage/user/list', {
      answers: {
        listUsers: () => sampleList('listUsers', rows),
        inviteUser: null,
        disableUser: () => {
          rows = [{ ...rows[0]!, enabled: false }];
          return null;
        },
      } as never,
    });
    const choose = async (key: string, ok: string) => {
      await button('people:actionsOf', { name: 'night_watch' }).click();
      await entry(key).click();
      await dialog.getByRole('button', { name: t(ok), exact: true }).click();
    };
    await choose('people:first.invite', 'people:user.change.invite.ok');
    await sees(t('people:user.change.invite.done', { name: 'night_watch' }));
    expect(server.calls.some(({ name, params }) => /invite/i.test(name) && params.id === '6')).toBe(true);
    await choose('people:disable', 'people:disable');
    await sees(t('people:user.change.disable.done', { name: 'night_watch' }));
    await sees(rowWith('night_watch').getByText(t('people:disabled'), { exact: true }));
  });
});

test('a menu keeps changes by others, and cannot be deleted while it has interfaces', async () => {
  let night = menu('m_1', 'Night round', {
    interfaces: [{ id: 'models.list', method: 'GET', url: '/api/x', nameEn: 'Models', nameZh: '型号', common: false }],
  });
  const { t, field, button, dialog, server, stream } = await showConsole('/manage/system/menu?menu=m_1', {
    answers: {
      listMenus: () => ({ items: [...menus.items, night] }),
      updateMenu: null,
      moveMenu: null,
      deleteMenu: () => {
        if (night.interfaces.length > 0) throw new Refused('menuHasInterfaces');
        return null;
      },
      setMenuInterfaces: () => {
        night = { ...night, interfaces: [] };
        return null;
      },
    },
  });
  await field('menus:url').fill('/manage/device/list');
  night = { ...night, nameZh: '夜间巡检二' };
  stream('resync');
  await expect.element(field('menus:nameZh')).toHaveValue('夜间巡检二');
  await button('menus:save').click();
  await sees(t('menus:saved', { name: 'Night round' }));
  expect(server.sent('updateMenu').map(({ body }) => body)).toEqual([{ url: '/manage/device/list' }]);

  (button('menus:up').element() as HTMLElement).click();
  await sees(t('menus:moved', { name: 'Night round' }));
  await button('menus:delete').click();
  const sure = dialog.getByRole('button', { name: t('menus:delete'), exact: true });
  await sure.click();
  await sees(messageOf('menuHasInterfaces', 'en-US'));
  await dialog.getByRole('button', { name: t('common:cancel'), exact: true }).click();
  await page.elementLocator(document.querySelector('.menu-interfaces button')!).click();
  await sees(t('menus:carriesNone'));
  expect(server.sent('setMenuInterfaces')[0]?.body).toEqual({ detach: ['models.list'] });
});
