import { messageOf, peopleEndpoints } from '@chargehand/contract';
import { describe, expect } from 'vitest';
import { signIn } from '../apps/server/src/testing/sign-in.ts';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();
const { readUser, updateUser } = peopleEndpoints;

const rowOf = ({ page }: Visitor, text: string) => page.locator('tbody tr.ant-table-row').filter({ hasText: text });
const dialog = ({ page }: Visitor) => page.getByRole('dialog');

/** Opens the menu of a row and takes one of its entries. */
async function choose(visitor: Visitor, name: string, entry: string): Promise<void> {
  const { page, t } = visitor;
  await page.getByRole('button', { name: t('people:actionsOf', { name }), exact: true }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

/** Chooses from a list that opens under its label. */
async function pick(visitor: Visitor, label: string, option: string): Promise<void> {
  const { page } = visitor;
  await page.getByRole('combobox', { name: label }).click();
  await page.locator('.ant-select-dropdown:visible').getByText(option, { exact: true }).click();
}

describe('roles', () => {
  journey(chargehand, 'are made, given data and menus, copied and deleted', { as: 'vendorStaff' }, async (visitor) => {
    const { page, t, locale } = visitor;
    const name = `Night watch ${locale}`;
    await page.goto('/manage/role/list');
    await visitor.button(t('people:role.add')).click();
    await dialog(visitor).getByLabel(t('people:name'), { exact: true }).fill(name);
    await visitor.follow(visitor.button(t('people:role.addOk')), {
      path: /^\/manage\/role\/auth\/data\/\d+$/,
      heading: t('routes:roleData'),
    });
    await visitor.sees(visitor.heading(t('people:preview.title')), page.getByText(t('people:preview.customers.1')));

    // What they hold not themselves is not offered, and what they choose is said in plain words.
    await page.getByLabel(t('people:customerAccess.0'), { exact: true }).check();
    await visitor.sees(page.getByText(t('people:preview.customers.0')));
    await visitor.button(t('people:save')).click();
    await visitor.sees(t('people:role.saved', { name }));

    await visitor.follow(visitor.link(t('people:role.toMenus')), {
      path: /^\/manage\/role\/auth\/menu\/\d+$/,
      heading: t('routes:roleMenus'),
    });
    const devices = locale === 'zh-CN' ? '设备列表' : 'Device list';
    const node = page.locator('.ant-tree-treenode').filter({ hasText: devices });
    await node.locator('.ant-tree-checkbox').click();
    await visitor.button(t('people:save')).click();
    await visitor.sees(page.getByRole('heading', { name: /^2 |已选 2 / }));
    // What is ticked is counted before it is saved; once it is, there is nothing left to save.
    await expect.poll(() => visitor.button(t('people:save')).isDisabled()).toBe(true);

    await page.goto(`/manage/role/list?search=${encodeURIComponent(name)}`);
    await choose(visitor, name, t('people:role.copy'));
    await dialog(visitor)
      .getByRole('button', { name: t('people:role.copy'), exact: true })
      .click();
    const copy = t('people:role.copyName', { name });
    await visitor.sees(t('people:role.added', { name: copy }));

    await page.goto(`/manage/role/list?search=${encodeURIComponent(copy)}`);
    await choose(visitor, copy, t('people:delete'));
    await dialog(visitor)
      .getByRole('button', { name: t('people:delete'), exact: true })
      .click();
    await visitor.sees(t('people:role.deleted', { name: copy }));
    await visitor.misses(rowOf(visitor, copy));
  });
});

describe('users', () => {
  journey(
    chargehand,
    'are added, assigned their sites, given a new password and disabled',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t, locale } = visitor;
      const name = `night_${locale.slice(0, 2)}_watch`;
      const field = (label: string) => page.getByLabel(label, { exact: true });
      await page.goto('/manage/user/add');
      await field(t('people:userName')).fill(name);
      await field(t('people:password')).fill('Night-watch.7');
      await field(t('people:repeated')).fill('Night-watch.7');
      await pick(visitor, t('people:customer'), 'Customer north');
      await pick(visitor, t('people:roleOf'), 'Assigned sites');
      await visitor.follow(visitor.button(t('people:save')), { path: /^\/manage\/user\/detail\/\d+$/, heading: name });
      expect((await signIn(chargehand.url, name, 'Night-watch.7')).envelope.code).toBe(0);

      await visitor.follow(visitor.link(t('people:user.assign')), {
        path: /^\/manage\/user\/auth\/\d+$/,
        heading: t('routes:userAuth'),
      });
      const quay = page.locator('.ant-tree-treenode').filter({ hasText: 'northQuay' });
      await quay.locator('.ant-tree-checkbox').click();
      await visitor.button(t('people:save')).click();
      await visitor.sees(t('people:user.saved', { name }));

      await page.goto(`/manage/user/list?search=${name}`);
      await choose(visitor, name, t('people:user.resetPassword'));
      await dialog(visitor)
        .getByRole('button', { name: t('people:user.resetPassword'), exact: true })
        .click();
      const password = await page.locator('.first-password .mono').innerText();
      await visitor.button(t('people:user.reset.noted')).click();
      expect((await signIn(chargehand.url, name, 'Night-watch.7')).envelope.message).toBe(
        messageOf('credentialsWrong', 'en-US', { left: 4 }),
      );
      expect((await signIn(chargehand.url, name, password)).envelope.code).toBe(0);

      await choose(visitor, name, t('people:disable'));
      await dialog(visitor)
        .getByRole('button', { name: t('people:disable'), exact: true })
        .click();
      await visitor.sees(t('people:user.change.disable.done', { name }));
      await visitor.sees(rowOf(visitor, name).getByText(t('people:disabled'), { exact: true }));
    },
  );

  journey(
    chargehand,
    'that somebody else changed meanwhile keep that change, and what was entered stays on screen',
    { as: 'root' },
    async (visitor) => {
      const { page, t, locale } = visitor;
      const contact = () => page.getByLabel(t('people:contact'), { exact: true });
      const params = { id: chargehand.server.world.users.northReader };
      const root = await chargehand.server.as('root');
      await root.data(updateUser, { params, body: { nickName: 'Rita', contact: '' } });
      // The page of the user was looked at before: what it remembers is not what the form begins with.
      await page.goto(`/manage/user/detail/${params.id}`);
      await visitor.sees('Rita');
      await root.data(updateUser, { params, body: { nickName: 'Rita Wong' } });
      await visitor.follow(visitor.link(t('people:edit')), {
        path: `/manage/user/update/${params.id}`,
        heading: t('routes:userEdit'),
      });
      await expect.poll(() => page.getByLabel(t('people:nickName'), { exact: true }).inputValue()).toBe('Rita Wong');

      await root.data(updateUser, { params, body: { nickName: 'Rita Chan' } });
      await contact().fill('+852 5555 0100');
      await visitor.button(t('people:save')).click();
      await visitor.sees(messageOf('changedMeanwhile', locale));
      expect(await contact().inputValue()).toBe('+852 5555 0100');
      expect(await root.data(readUser, { params })).toMatchObject({ nickName: 'Rita Chan', contact: '' });

      page.once('dialog', (question) => void question.accept());
      await page.reload();
      await expect.poll(() => page.getByLabel(t('people:nickName'), { exact: true }).inputValue()).toBe('Rita Chan');
      await contact().fill('+852 5555 0100');
      await visitor.follow(visitor.button(t('people:save')), {
        path: `/manage/user/detail/${params.id}`,
        heading: 'north_reader',
      });
      expect(await root.data(readUser, { params })).toMatchObject({
        nickName: 'Rita Chan',
        contact: '+852 5555 0100',
      });
    },
  );
});
