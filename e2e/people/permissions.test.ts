import { CODES, fleetEndpoints, menusEndpoints, messageOf } from '@chargehand/contract';
import { describe, expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
const { listMenus, updateMenu } = menusEndpoints;

const dialog = ({ page }: Visitor) => page.getByRole('dialog');
const node = ({ page }: Visitor, text: string) => page.locator('.ant-tree-treenode').filter({ hasText: text });

/** Selects an option of a searchable list. */
async function pick({ main, page }: Visitor, label: string, search: string, option: string | RegExp): Promise<void> {
  await main.getByRole('combobox', { name: label, exact: true }).fill(search);
  await page
    .locator('.ant-select-dropdown:visible .ant-select-item-option')
    .filter({ hasText: option })
    .first()
    .click();
}

describe('menus and interfaces', () => {
  journey(
    chargehand,
    'a menu is added, moved, renamed and deleted, and interfaces are attached to it',
    { as: 'vendorStaff' },
    async (visitor) => {
      const { page, t } = visitor;
      const nameEn = `Night round ${visitor.locale}`;
      const name = visitor.locale === 'zh-CN' ? '夜间巡检' : nameEn;
      await page.goto('/manage/system/menu');
      await visitor.button(t('menus:add')).click();
      await dialog(visitor).getByLabel(t('menus:nameEn'), { exact: true }).fill(nameEn);
      await dialog(visitor).getByLabel(t('menus:nameZh'), { exact: true }).fill('夜间巡检');
      await visitor.button(t('menus:addOk')).click();
      await visitor.sees(t('menus:added', { name }), visitor.heading(name), node(visitor, name));

      // With buttons only: moving a menu does not require a mouse.
      await visitor.button(t('menus:up')).press('Enter');
      await visitor.sees(t('menus:moved', { name }));
      await visitor.button(t('menus:moveTo')).press('Enter');
      const home = visitor.locale === 'zh-CN' ? '首页' : 'Home';
      await pick(visitor, t('menus:parent'), home, home);
      await visitor.button(t('menus:moveOk')).click();
      await dialog(visitor).waitFor({ state: 'hidden' });

      await visitor.button(t('menus:attach')).click();
      await pick(visitor, t('menus:tabInterfaces'), '/api/auth/sys/device-models', '/api/auth/sys/device-models');
      await page.keyboard.press('Escape');
      await visitor.button(t('menus:attachOk')).click();
      await visitor.sees(visitor.main.getByText('GET /api/auth/sys/device-models'));

      // Somebody else renames it in the meantime: only the fields changed here are saved.
      const other = await chargehand.server.as('vendorStaff');
      const named = async () => (await other.data(listMenus)).items.find((menu) => menu.nameEn.startsWith(nameEn));
      const meanwhile = visitor.locale === 'zh-CN' ? { nameEn: `${nameEn} II` } : { nameZh: '夜间巡检二' };
      const { key } = (await named())!;
      await other.data(updateMenu, { params: { key }, body: meanwhile });
      await visitor.main.getByLabel(t('menus:url'), { exact: true }).fill('/manage/device/list');
      await visitor.button(t('menus:save')).click();
      await visitor.sees(t('menus:saved', { name }));
      expect(await named()).toMatchObject({ ...meanwhile, url: '/manage/device/list' });

      await visitor.button(t('menus:delete')).click();
      const sure = dialog(visitor).getByRole('button', { name: t('menus:delete'), exact: true });
      await sure.click();
      await visitor.sees(messageOf('menuHasInterfaces', visitor.locale));
      await dialog(visitor)
        .getByRole('button', { name: t('common:cancel'), exact: true })
        .click();
      await page.locator('.menu-interfaces').getByRole('button').click();
      await visitor.sees(t('menus:carriesNone'));
      await visitor.button(t('menus:delete')).click();
      await sure.click();
      await visitor.sees(t('menus:deleted', { name }));
      await visitor.misses(node(visitor, name));
    },
  );

  journey(
    chargehand,
    'an interface without a menu is shown as such, rejected immediately, and restored',
    { as: 'root', full: true },
    async (visitor) => {
      const { page, t } = visitor;
      const admin = await chargehand.server.as('northAdmin');
      const codeNow = async () => (await admin.call(fleetEndpoints.listDevices)).code;
      await page.goto('/manage/system/menu?menu=auth_device_list');
      // Menus of the product have the path of their page.
      const url = visitor.main.getByLabel(t('menus:url'), { exact: true });
      await expect.poll(() => url.inputValue()).toBe('/manage/device/list');
      const carried = page
        .locator('.menu-interfaces li')
        .filter({ has: page.getByText('GET /api/auth/sys/devices', { exact: true }) });
      await carried.getByRole('button').click();
      await carried.waitFor({ state: 'hidden' });
      expect(await codeNow()).toBe(CODES.noPermission.code);

      await visitor.main.getByRole('tab', { name: t('menus:tabInterfaces') }).click();
      await visitor.button(t('menus:showLost')).click();
      const row = page.locator('tbody tr[data-row-key]').filter({ hasText: /GET \/api\/auth\/sys\/devices/ });
      await visitor.sees(row.getByText(t('menus:carried.none'), { exact: true }));
      await row.getByRole('button', { name: t('menus:restore'), exact: true }).click();
      await visitor.sees(t('menus:restored'));
      await row.waitFor({ state: 'hidden' });
      expect(await codeNow()).toBe(0);
    },
  );
});

journey(
  chargehand,
  'a denied access is explained step by step, with links to change it',
  { as: 'root', full: true },
  async (visitor) => {
    const { page, t } = visitor;
    const { users, devices } = chargehand.server.world;
    await page.goto(`/manage/user/detail/${users.northAssigned}`);
    await visitor.sees(visitor.heading(t('explain:can.title')), visitor.heading(t('explain:why.title')));
    await pick(visitor, t('explain:why.route'), 'GET /api/auth/sys/devices/:id', /GET \/api\/auth\/sys\/devices\/:id$/);
    await visitor.sees(t('explain:result.depends'));
    await pick(visitor, t('explain:objectType.device'), devices.northMill1.sn, devices.northMill1.sn);
    await visitor.sees(t('explain:result.refused'), visitor.link(t('explain:fix.assignment')));
    await visitor.sees(
      t('explain:reason.siteNotAssigned', { row: 'Pile northMill-1 / Site northMill / Customer north' }),
    );
    await visitor.follow(visitor.link(t('explain:fix.assignment')), {
      path: `/manage/user/auth/${users.northAssigned}`,
      heading: t('routes:userAuth'),
    });

    const quay = `route=devices.read&objectType=device&objectId=${devices.northQuay1.id}`;
    await page.goto(`/manage/user/detail/${users.northAssigned}?${quay}`);
    await visitor.sees(t('explain:result.allowed'));
  },
);

journey(
  chargehand,
  'root views the console as another user: marked on every page, read-only, and can be ended',
  { as: 'root', full: true },
  async (visitor) => {
    const { page, t, locale } = visitor;
    const { users, sites } = chargehand.server.world;
    const name = 'north_admin';
    await page.goto(`/manage/user/detail/${users.northAdmin}`);
    await visitor.main.getByRole('button', { name: t('people:actionsOf', { name }), exact: true }).click();
    await page.getByRole('menuitem', { name: t('people:user.viewAs'), exact: true }).click();
    await dialog(visitor)
      .getByRole('button', { name: t('people:user.view.ok'), exact: true })
      .click();
    const marked = page.getByText(t('access:impersonation.as', { name }), { exact: true });
    await visitor.sees(marked);
    await expect.poll(() => page.title(), { timeout: 30_000 }).toContain(t('access:impersonation.tab', { name }));

    await page.goto(`/manage/site/detail/${sites.southPark}`);
    await visitor.sees(marked, messageOf('notFound', locale, { object: locale === 'zh-CN' ? '站点' : 'site' }));

    await page.goto('/manage/user/add');
    await visitor.sees(marked);
    const field = (label: string) => visitor.main.getByLabel(label, { exact: true });
    await field(t('people:userName')).fill('not_to_be');
    await field(t('people:password')).fill('Night-watch.7');
    await field(t('people:repeated')).fill('Night-watch.7');
    await pick(visitor, t('people:customer'), 'north', 'Customer north');
    await pick(visitor, t('people:roleOf'), 'Reader', 'Reader');
    await visitor.button(t('common:save')).click();
    await visitor.sees(messageOf('impersonationReadOnly', locale, { name }));

    await visitor.follow(visitor.frameButton(t('access:impersonation.stop')), {
      path: `/manage/user/detail/${users.northAdmin}`,
      heading: name,
    });
    await visitor.misses(marked);
    await expect.poll(() => page.title()).not.toContain(t('access:impersonation.tab', { name }));
    await page.goto(`/manage/site/detail/${sites.southPark}`);
    await visitor.sees(visitor.heading('Site southPark'));
  },
);
