import { messageOf } from '@chargehand/contract';
import type { Locator } from 'playwright-core';
import { describe, expect } from 'vitest';
import { signIn } from '../../apps/server/src/testing/sign-in.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();

const rowOf = ({ page }: Visitor, text: string) => page.locator('tbody tr[data-row-key]').filter({ hasText: text });
const dialog = ({ page }: Visitor) => page.getByRole('dialog');

/** Opens the menu of a row and selects an entry. */
async function choose(visitor: Visitor, name: string, entry: string): Promise<void> {
  const { page, t } = visitor;
  await visitor.main.getByRole('button', { name: t('people:actionsOf', { name }), exact: true }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

/** Selects from a list that opens under its label. */
async function pick(visitor: Visitor, label: string, option: string): Promise<void> {
  const { page } = visitor;
  await visitor.main.getByRole('combobox', { name: label }).click();
  await page.locator('.ant-select-dropdown:visible').getByText(option, { exact: true }).click();
}

describe('a new engineer', () => {
  journey(chargehand, 'needs at most 12 steps, with the role from a preset', { as: 'vendorStaff' }, async (visitor) => {
    const { page, t } = visitor;
    let steps = 0;
    const click = (target: Locator) => {
      steps += 1;
      return target.click();
    };
    const enter = (label: string, text: string) => {
      steps += 1;
      return visitor.main.getByLabel(label, { exact: true }).fill(text);
    };
    const shown = (text: string) => page.locator('.ant-select-dropdown:visible').getByText(text, { exact: true });
    await page.goto('/manage/user/list');
    const add = visitor.main.getByText(t('people:user.add'), { exact: true });
    await visitor.follow(() => click(add), { path: '/manage/user/add', heading: t('routes:userAdd') });
    await enter(t('people:userName'), 'new_engineer');
    await enter(t('people:password'), 'Night-watch.7');
    await enter(t('people:repeated'), 'Night-watch.7');
    await click(visitor.main.getByRole('combobox', { name: t('people:customer') }));
    await click(shown('Customer vendor'));
    await click(visitor.button(t('people:preset.choose')));
    await click(page.getByRole('menuitem', { name: t('people:preset.engineer'), exact: true }));
    await visitor.sees(t('people:preset.added', { name: 'Platform engineer' }));
    steps += 1;
    await visitor.follow(visitor.button(t('common:save')), {
      path: /^\/manage\/user\/detail\/\d+$/,
      heading: 'new_engineer',
    });
    expect(steps).toBeLessThanOrEqual(12);

    const { pool } = chargehand.server.database;
    const { rows } = await pool.query(
      `select r.customer_access, r.site_access, r.levels->'device'->>'write' as level, count(m.*)::int > 20 as menus
         from users u join roles r on r.id = u.role_id left join role_menus m on m.role_id = r.id
        where u.user_name = 'new_engineer' group by r.id`,
    );
    expect(rows).toEqual([{ customer_access: 0, site_access: 0, level: '1', menus: true }]);
    expect((await signIn(chargehand.url, 'new_engineer', 'Night-watch.7')).envelope.code).toBe(0);
  });
});

describe('the site limit of a user', () => {
  journey(
    chargehand,
    'also applies to users who see all sites, and a new site is an event on Home',
    { as: 'southAdmin', full: true },
    async (visitor) => {
      const { page, t, locale } = visitor;
      const { database, world } = chargehand.server;
      const limit = (sites: number) =>
        database.pool.query('update users set max_sites = $1 where id = $2', [sites, world.users.southAdmin]);
      await limit(1);
      await page.goto('/manage/site/add');
      await visitor.main.getByLabel(t('places:name'), { exact: true }).fill('South pier');
      await visitor.main.getByLabel(t('places:code'), { exact: true }).fill('southPier');
      await pick(visitor, t('places:customer'), 'Customer south');
      const add = visitor.button(t('places:site.add'));
      await add.click();
      await visitor.sees(messageOf('siteLimitReached', locale));
      await limit(2);
      await visitor.follow(add, { path: /^\/manage\/site\/detail\/\d+$/, heading: 'South pier' });
      await page.goto('/manage/home');
      const events = page
        .locator('section.panel')
        .filter({ has: page.getByRole('heading', { name: t('home:siteEvents.title'), exact: true }) });
      const event = events.getByRole('listitem').filter({ hasText: t('home:siteEvents.new') });
      await visitor.sees(event.getByRole('link', { name: 'South pier', exact: true }));
    },
  );
});

describe('users', () => {
  journey(
    chargehand,
    'are added, assigned their sites, reset and disabled',
    { as: 'northAdmin', full: true },
    async (visitor) => {
      const { page, t, locale } = visitor;
      const name = `night_${locale.slice(0, 2)}_watch`;
      const field = (label: string) => visitor.main.getByLabel(label, { exact: true });
      await page.goto('/manage/user/add');
      await field(t('people:userName')).fill(name);
      await field(t('people:password')).fill('Night-watch.7');
      await field(t('people:repeated')).fill('Night-watch.7');
      await pick(visitor, t('people:customer'), 'Customer north');
      await pick(visitor, t('people:roleOf'), 'Assigned sites');
      await visitor.follow(visitor.button(t('common:save')), { path: /^\/manage\/user\/detail\/\d+$/, heading: name });
      expect((await signIn(chargehand.url, name, 'Night-watch.7')).envelope.code).toBe(0);

      await visitor.follow(visitor.link(t('people:user.assign')), {
        path: /^\/manage\/user\/auth\/\d+$/,
        heading: t('routes:userAuth'),
      });
      const quay = page.locator('.ant-tree-treenode').filter({ hasText: 'northQuay' });
      await quay.locator('.ant-tree-checkbox').click();
      await visitor.button(t('common:save')).click();
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
});
