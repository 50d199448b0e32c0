import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();
const query = (text: string, values: unknown[] = []) => chargehand.server.database.pool.query(text, values);
/** The last of many sites by name; lists of choices hold the first fifty. */
const FAR = 'Zulu yard';

beforeAll(async () => {
  const { customers } = chargehand.server.world;
  await query(
    `insert into sites (customer_id, code, name) select $1::int, 'many-' || n, 'Many ' || lpad(n::text, 3, '0')
       from generate_series(1, 60) n union all select $1, 'zulu', $2::text`,
    [customers.south, FAR],
  );
  await query(
    `insert into action_logs (user_name, customer_id, operation, object_type, object_id, object_name, address)
     select case n % 2 when 0 then 'even' else 'odd' end, $1::int, 'edit', 'site', n::text, 'Logged ' || n, '203.0.113.' || n
       from generate_series(1, 40) n`,
    [customers.north],
  );
});

/** Keeps the answers to a call away until told. */
async function holdBack({ page }: Visitor, path: string): Promise<{ asked: Promise<void>; release(): void }> {
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  return { asked: asked.promise, release: released.resolve };
}

describe('what is on screen stays', () => {
  journey(chargehand, 'while a log is narrowed', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/logs/action');
    const rows = page.locator('tbody tr.ant-table-row');
    await visitor.sees(rows.filter({ hasText: 'Logged 39' }));
    const held = await holdBack(visitor, '**/logs/actions?*');
    await page.getByLabel(t('audit:log.user'), { exact: true }).fill('even');
    await held.asked;
    await visitor.sees(page.locator('.data-table[data-refreshing="true"]'));
    expect(await rows.filter({ hasText: 'Logged 39' }).count()).toBe(1);
    held.release();
    await visitor.misses(rows.filter({ hasText: 'Logged 39' }));
    await visitor.sees(rows.filter({ hasText: 'Logged 40' }));
  });

  journey(chargehand, 'after the menus of a role were saved', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    const { rows } = await query(
      `insert into roles (name, customer_access, site_access, levels)
       select 'Steady', customer_access, site_access, levels from roles order by id limit 1 returning id`,
    );
    await page.goto(`/manage/role/auth/menu/${rows[0].id}`);
    const tree = page.getByRole('tree');
    await tree.waitFor();
    const before = await tree.elementHandle();
    // A branch that somebody closed stays closed.
    await page.locator('.ant-tree-switcher_open').first().click();
    await page.locator('.ant-tree-treenode-motion').waitFor({ state: 'detached' });
    const open = await page.locator('.ant-tree-switcher_open').count();
    await page.locator('.ant-tree-treenode .ant-tree-checkbox').last().click();
    await visitor.button(t('people:save')).click();
    await visitor.sees(t('people:role.saved', { name: 'Steady' }));
    await expect.poll(() => visitor.button(t('people:save')).isDisabled(), { timeout: 30_000 }).toBe(true);
    expect(await before?.evaluate((element) => (element as { isConnected: boolean }).isConnected)).toBe(true);
    expect(await page.locator('.ant-tree-switcher_open').count()).toBe(open);
  });

  journey(chargehand, 'with the switch of a statistic whose line broke', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    visitor.expects(/ERR_FAILED/);
    const { northQuay } = chargehand.server.world.sites;
    await page.goto(`/manage/site/detail/${northQuay}?tab=statuses`);
    const days = page.getByText(t('statistics:statuses.lastMonth'), { exact: true });
    await days.waitFor();
    await page.route('**/status-statistics?step=day*', (route) => route.abort());
    await days.click();
    await visitor.sees(page.getByRole('main').getByRole('alert'));
    await page.getByText(t('statistics:statuses.lastDay'), { exact: true }).click();
    await visitor.misses(page.getByRole('main').getByRole('alert'));
  });

  journey(chargehand, 'as it looks, whatever was looked at before', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/home');
    await page.locator('.home-figures').waitFor();
    await visitor.follow(visitor.menuLink(t('routes:site')), {
      path: '/manage/site/list',
      heading: t('routes:siteList'),
    });
    // The first page of the list holds others.
    await page.getByLabel(t('places:search'), { exact: true }).fill('northQuay');
    await visitor.follow(visitor.link('Site northQuay'), {
      path: `/manage/site/detail/${chargehand.server.world.sites.northQuay}`,
      heading: 'Site northQuay',
    });
    await page.getByRole('tab', { name: t('places:siteTab.statuses'), exact: true }).click();
    const table = page.locator('details').filter({ hasText: t('statistics:table') });
    await table.waitFor();
    expect(await page.evaluate(`getComputedStyle(document.querySelector('main details')).display`)).toBe('block');
  });
});

describe('what is chosen has a name', () => {
  journey(chargehand, 'on whatever page of the choices it stands', { as: 'root' }, async (visitor) => {
    const { page } = visitor;
    const { rows } = await query('select id from sites where name = $1', [FAR]);
    await page.goto(`/manage/device/alarms?siteId=${rows[0].id}`);
    await visitor.sees(page.getByRole('search').getByText(FAR, { exact: true }));
  });
});

describe('the focus', () => {
  const hasFocus = (target: Locator) => target.evaluate((element) => element === element.ownerDocument.activeElement);
  const keepsFocus = (target: Locator) => expect.poll(() => hasFocus(target), { timeout: 30_000 }).toBe(true);

  journey(chargehand, 'stays in the row of an alarm that was taken', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    await query(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
       values ($1, 1, 'Steady', 'fault', 'CA', now(), now())`,
      [chargehand.server.world.devices.northQuay1.id],
    );
    await page.goto('/manage/device/alarms?code=Steady');
    const row = page.locator('tbody tr.ant-table-row').filter({ hasText: 'Steady' });
    await row.getByRole('button', { name: t('alarms:acknowledge.ok'), exact: true }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: t('alarms:acknowledge.ok'), exact: true }).click();
    await visitor.sees(row.getByText('root_user'));
    await keepsFocus(row);
  });
});

describe('on a phone', () => {
  const phone = { as: 'root', size: { width: 390, height: 844 } } as const;

  journey(chargehand, 'the logs need no scrolling sideways', phone, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/logs/action');
    const row = page.locator('tbody tr.ant-table-row').filter({ hasText: 'Logged 12' });
    await visitor.sees(row.getByText('even'), row.getByText(t('audit:operations.edit')));
    expect(await page.evaluate(TOO_WIDE)).toEqual([]);
    await row.click();
    await visitor.sees(page.getByRole('dialog').getByText('203.0.113.12'));
  });
});

/** In the browser: which parts of the page are scrolled sideways. */
const TOO_WIDE = `[...document.querySelectorAll('html, .data-table, .data-table *')]
  .filter((one) => one.scrollWidth > one.clientWidth && (one.tagName === 'HTML' || /auto|scroll/.test(getComputedStyle(one).overflowX)))
  .map((one) => one.className)`;
