import { ENDPOINTS, LOCALES, messageOf } from '@chargehand/contract';
import { linkEnds } from '@chargehand/contract/link-ends';
import type { Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { userNameOf } from '../../apps/server/src/testing/world.ts';
import { looker } from '../harness/axe.ts';
import { journey, visit } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';
import { connectLinkPile, type LinkPile } from './link-pile.ts';

const chargehand = product();
let pile: LinkPile;
let guarded: LinkPile;
let page: string;
let guardedPage: string;

beforeAll(async () => {
  const { database, world } = chargehand.server;
  const { northQuay1, northMill1 } = world.devices;
  await database.pool.query('update device_models set ssh_support = true');
  await database.pool.query('update roles set remote_access = 1');
  [pile, guarded] = await Promise.all([
    connectLinkPile(chargehand.server, northQuay1.sn),
    connectLinkPile(chargehand.server, northMill1.sn),
  ]);
  page = `/manage/device/detail/${northQuay1.id}`;
  guardedPage = `/manage/device/detail/${northMill1.id}`;
});
afterEach(async () => {
  await pile.disconnects();
  await guarded.disconnects();
});
afterAll(async () => {
  await pile.stop();
  await guarded.stop();
});

const language = ({ locale }: Visitor) => (locale === 'zh-CN' ? 'zh' : 'en');
/** What the open terminal shows. */
const output = (visitor: Visitor): Locator => visitor.page.locator('[role=tabpanel]:not([hidden]) .xterm-rows');
const shows = (visitor: Visitor, text: string | RegExp) =>
  expect.poll(() => output(visitor).textContent(), { timeout: 30_000 }).toMatch(text);

/** Requests a terminal on the page of a device. The reason and the port are filled in already; these tests have their own. */
async function request(visitor: Visitor, path: string, port: number): Promise<void> {
  const { t } = visitor;
  await visitor.page.goto(path);
  const before = visitor.steps;
  await visitor.press(visitor.button(t('fleet:remoteLink')));
  await expect
    .poll(() => visitor.page.getByLabel(t('links:request.reason'), { exact: true }).inputValue())
    .not.toBe('');
  await visitor.page.getByLabel(t('links:request.reason'), { exact: true }).fill('No meter values');
  await visitor.page.getByLabel(t('links:request.port'), { exact: true }).fill(String(port));
  await visitor.press(visitor.button(t('links:request.ok')));
  expect(visitor.steps - before).toBe(2);
}

/** Signs in to the shell of the device. */
async function signIn(visitor: Visitor): Promise<void> {
  const { t } = visitor;
  await visitor.isAt('/manage/device/terminal');
  await visitor.page.getByLabel(t('links:terminal.userName'), { exact: true }).fill('admin');
  await visitor.page.getByLabel(t('links:terminal.password'), { exact: true }).fill('充电');
  await visitor.page.keyboard.press('Enter');
  await shows(visitor, /\$ /);
}

const clickInDialog = async ({ page }: Visitor, name: string) =>
  await page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click();

describe('links', () => {
  journey(
    chargehand,
    'a terminal on a device behind NAT continues after a lost network, and ends with its link',
    { as: 'northAdmin', locales: LOCALES },
    async (visitor) => {
      const { t } = visitor;
      visitor.expects(/ERR_|WebSocket/);
      await request(visitor, page, pile.port);
      await pile.connects();
      await signIn(visitor);
      await visitor.page.keyboard.insertText('读取日志');
      await shows(visitor, '读取日志');

      chargehand.network.cut();
      await visitor.sees(t('links:terminal.lost'));
      chargehand.network.restore();
      await visitor.misses(t('links:terminal.lost'));
      await visitor.page.keyboard.insertText(' again');
      await shows(visitor, /读取日志.* again/);

      const link = new URL(visitor.page.url()).searchParams.get('link');
      const colleague = await visit(chargehand, visitor.locale, { as: 'root' });
      try {
        await colleague.page.goto(`/manage/device/links?link=${link}`);
        await colleague.sees(t('links:stateTexts.open'));
        await clickInDialog(colleague, t('links:end'));
        await clickInDialog(colleague, t('links:end'));
        await colleague.sees(t('links:endedBy', { name: userNameOf('root') }));
      } finally {
        await colleague.context.close();
      }
      await visitor.sees(t('links:terminal.ends.linkEnded'), t('links:terminal.notOpen'));
      await visitor.page.goto(`${page}?tab=links`);
      const past = visitor.page.getByRole('table', { name: t('links:past') });
      await visitor.sees(past.getByText(t('links:endedBy', { name: userNameOf('root') })).first());
    },
  );

  journey(
    chargehand,
    'a second person approves a link of a customer that requires it, and it ends when its time is over',
    { as: 'northAdmin', full: true },
    async (visitor) => {
      const { t } = visitor;
      const { database, world } = chargehand.server;
      await database.pool.query(
        `insert into link_policies (customer_id, second_person, web) values ($1, true, false)
         on conflict (customer_id) do update set second_person = true, web = false`,
        [world.customers.north],
      );
      await visitor.page.goto(guardedPage);
      await visitor.button(t('fleet:remoteLink')).click();
      await visitor.sees(t('links:request.secondPerson'));
      await request(visitor, guardedPage, guarded.port);
      await visitor.sees(t('links:ownApproval'));
      const address = await visitor.page
        .getByRole('dialog')
        .getByText(/\/links\?link=\d+$/)
        .textContent();
      const colleague = await visit(chargehand, visitor.locale, { as: 'root' });
      try {
        await colleague.page.goto(address!);
        await clickInDialog(colleague, t('links:approve'));
        await colleague.sees(t('links:approved'));
      } finally {
        await colleague.context.close();
      }
      await guarded.connects('dbclient');
      await signIn(visitor);
      await database.pool.query(`update links set until = now() where state = 'open'`);
      // Links are checked after a change. The statement in the database is none.
      const root = await chargehand.server.as('root');
      const body = { secondPerson: true, web: false, hours: null };
      await root.data(ENDPOINTS.setLinkPolicy, { params: { id: world.customers.north }, body });
      await visitor.sees(t('links:terminal.ends.linkEnded'));
      await visitor.page.goto(address!);
      await visitor.sees(linkEnds.expired.en, t('links:next.expired'));
      await database.pool.query('delete from link_policies');
    },
  );

  journey(
    chargehand,
    'a device that refuses is named with its answer, and kinds that are not possible with their reason',
    { as: 'northAdmin', locales: LOCALES, full: true },
    async (visitor) => {
      const { t, locale } = visitor;
      const { pool } = chargehand.server.database;
      await request(visitor, page, pile.port);
      await pile.refuses('E-42');
      const dialog = visitor.page.getByRole('dialog').last();
      await visitor.sees(
        dialog.getByText(linkEnds.vpnError[language(visitor)]),
        dialog.getByText(t('links:detail', { detail: 'E-42' })),
        dialog.getByText(t('links:next.vpnError')),
      );
      await pool.query('update device_models set ssh_support = false');
      await visitor.page.goto(page);
      await visitor.button(t('fleet:remoteLink')).click();
      await visitor.sees(t('links:request.none'));
      await visitor.sees(dialog.getByText(messageOf('linkNotSupported', locale, { model: 'World pile' })).first());
      expect(await visitor.button(t('links:request.ok')).isDisabled()).toBe(true);
      await pool.query('update device_models set ssh_support = true');
    },
  );

  journey(
    chargehand,
    'the recording of a past link is played and searched, and its pages have no accessibility errors',
    { as: 'northAdmin', full: true },
    async (visitor) => {
      const { t } = visitor;
      const { look, found, dialog } = looker(visitor);
      const screen = dialog.locator('.xterm-rows');
      const shown = () => expect.poll(() => screen.textContent());
      await request(visitor, page, pile.port);
      await pile.connects();
      await visitor.isAt('/manage/device/terminal');
      const link = new URL(visitor.page.url()).searchParams.get('link');
      const details = `/manage/device/links?link=${link}`;
      await look(`/manage/device/terminal?link=${link}`, async () => {
        await signIn(visitor);
        for (const text of ['first ', 'alarm 17 ', '完成']) {
          await visitor.page.keyboard.insertText(text);
          await shows(visitor, text.trim());
        }
      });
      await visitor.button(t('links:terminal.close')).click();
      await look(details, async () => {
        await visitor.sees(t('links:stateTexts.open'));
        await clickInDialog(visitor, t('links:end'));
        await clickInDialog(visitor, t('links:end'));
        await visitor.sees(t('links:endedBy', { name: userNameOf('northAdmin') }));
      });
      await look(details, async () => {
        await clickInDialog(visitor, t('links:recordings.watch'));
        await visitor.sees(t('links:recordings.sealTexts.unchanged'));
        await clickInDialog(visitor, t('links:recordings.play'));
        await shown().toContain('完成');
        const position = dialog.getByRole('slider', { name: t('links:recordings.position') });
        await position.press('Home');
        await shown().not.toContain('first');
        await position.press('End');
        await shown().toContain('完成');
        await position.press('Home');
        const search = dialog.getByRole('textbox', { name: t('links:terminal.searchField') });
        await search.fill('ALARM 17');
        await dialog.getByText(t('links:recordings.matches_one', { count: 1 })).waitFor();
        await search.press('Enter');
        await shown().toContain('alarm 17');
      });
      const { sites, customers } = chargehand.server.world;
      for (const path of [page, `/manage/site/detail/${sites.northQuay}`]) {
        await look(`${path}?tab=links`, () => visitor.page.locator('tbody tr').last().waitFor());
      }
      await look(`/manage/customer/detail/${customers.north}?tab=links`);
      expect(found).toEqual([]);
    },
  );
});
