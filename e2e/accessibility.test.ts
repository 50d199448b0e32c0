import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect } from 'vitest';
import { connectPiles, type Piles } from './harness/devices.ts';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
let piles: Piles;

beforeAll(async () => {
  piles = await connectPiles(chargehand, { prefix: 'AXE', devices: 4, connectors: 2, meterInterval: 1 });
  const [charging, faulted] = piles.devices;
  charging!.pile.plugIn(1, 'CARD-1');
  faulted!.pile.fault(1, 'GroundFailure');
  await chargehand.connect({ prefix: 'STRANGER', devices: 1 });
  const mail = {
    receiver: 'ada@example.org',
    locale: 'en-US' as const,
    subject: 'Harbour',
    body_text: 'https://example.org',
  };
  await chargehand.server.database.db.insertInto('outgoing_mails').values(mail).execute();
});

interface Finding {
  impact: string;
  id: string;
  help: string;
  nodes: { html: string; target: string[] }[];
}

/** What axe finds on the page as it stands that keeps somebody from using it: serious and critical findings. */
async function findings({ page }: Visitor, screen: string, theme: string): Promise<string[]> {
  await page.evaluate(AXE);
  // All that a theme changes is colour.
  const rules = theme === 'dark' ? `, runOnly: ['color-contrast']` : '';
  const { violations } = (await page.evaluate(`axe.run(document, { resultTypes: ['violations']${rules} })`)) as {
    violations: Finding[];
  };
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${screen}: ${id} (${help}): ${html.slice(0, 160)}`));
}

describe.each(['light', 'dark'] as const)('in the %s theme', (theme) => {
  journey(chargehand, `pages before the sign-in can be used by all (${theme})`, { theme }, async (visitor) => {
    const found: string[] = [];
    for (const path of [
      '/login',
      '/find-password',
      '/find-password/reset#x',
      '/find-password/email#x',
      '/error?type=404',
      '/error?type=network',
      '/nowhere',
    ]) {
      await visitor.page.goto(path);
      await visitor.page.locator('h1').first().waitFor();
      found.push(...(await findings(visitor, path, theme)));
    }
    expect(found).toEqual([]);
  });

  journey(
    chargehand,
    `every screen can be used by all (${theme})`,
    { theme, as: 'root', locales: ['en-US'] },
    async (visitor) => {
      const { page, t } = visitor;
      const id = piles.devices[0]!.id;
      const away = chargehand.server.world.devices.northQuay1.id;
      const detail = `/manage/device/detail/${id}`;
      const found: string[] = [];
      const look = async (path: string, act?: () => Promise<unknown>) => {
        await page.goto(path);
        await page.locator('h1').first().waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'hidden' });
        await act?.();
        found.push(...(await findings(visitor, path, theme)));
      };
      const shows = (text: string) => () => page.getByText(text).first().waitFor();
      await look('/manage/home');
      await look('/manage/welcome');
      await look('/manage/noauth');
      await look('/manage/nowhere');
      await look('/manage/device/list', () => page.locator('tbody tr.ant-table-row').first().waitFor());
      await look('/manage/device/list?search=nothing', shows(t('common:table.noMatch')));
      await look('/manage/device/add');
      await look(`/manage/device/update/${id}`);
      await look('/manage/system/list', shows('STRANGER00001'));
      const { north } = chargehand.server.world.customers;
      const { northQuay } = chargehand.server.world.sites;
      await look('/manage/customer/list', shows('Customer north'));
      await look('/manage/customer/list', async () => {
        await visitor.button(t('places:customerAdd')).click();
        await page.getByRole('dialog').getByText(t('places:form.readOnlyHint')).waitFor();
      });
      for (const tab of ['overview', 'sites', 'users']) await look(`/manage/customer/detail/${north}?tab=${tab}`);
      await look('/manage/site/list', shows('Site northQuay'));
      await look('/manage/site/add');
      await look(`/manage/site/update/${northQuay}`, async () => {
        await visitor.button(t('places:map.pick')).click();
        await page.getByRole('application').waitFor();
      });
      for (const tab of [
        'overview',
        'devices',
        'faults',
        'events',
        'statuses',
        'traffic',
        'administrators',
        'receivers',
      ]) {
        await look(`/manage/site/detail/${northQuay}?tab=${tab}`);
      }
      await look('/manage/system/mails', async () => {
        await page.locator('tbody tr.ant-table-row').first().click();
        await page.getByRole('dialog').locator('.mail-text').waitFor();
      });
      await look('/manage/config-model/list', shows('HeartbeatInterval'));
      await look('/manage/config-model/list?search=Settings%2FMode', async () => {
        await page.locator('.item-open').first().click();
        await page.getByRole('dialog').locator('.range-preview').waitFor();
      });
      await look('/manage/config-model/group', () => page.locator('.group-row').first().waitFor());
      const { rows } = await chargehand.server.database.pool.query(
        `select id from device_models where name = 'V2G pile'`,
      );
      for (const part of ['base', 'configs', 'parameters', 'controls', 'versions']) {
        await look(`/manage/device-model/${rows[0].id}?part=${part}`, () => page.locator('.ant-tabs').waitFor());
      }
      await look('/manage/device-model-alias', () => page.locator('.ant-table').waitFor());
      await look('/manage/user/add', () => page.getByText(t('people:first.byMail'), { exact: true }).click());
      await look('/manage/my', shows(t('account:sessions.current')));
      await look('/manage/system/online', shows('root_user'));
      await look('/manage/system/privacy', shows(t('privacy:inForce')));
      await look('/manage/system/privacy?tab=next', shows(t('privacy:draft.title')));
      await look('/manage/system/privacy?tab=acceptances', shows('root_user'));
      await look('/manage/system/menu?menu=auth_device_list', shows('auth_device_list'));
      await look('/manage/system/menu?tab=interfaces', shows('/api/auth/sys/customers'));
      const { northReader } = chargehand.server.world.users;
      await look(`/manage/user/detail/${northReader}?route=devices.list`, shows(t('explain:verdict.allowed')));
      await look('/manage/logs/action');
      await look('/manage/logs/action?tab=logins');
      for (const section of ['runtime', 'config', 'alarms', 'charts', 'events', 'traffic', 'sessions', 'protocol']) {
        await look(`${detail}?tab=details&section=${section}`);
      }
      await look(`/manage/device/detail/${piles.devices[1]!.id}`);
      await look(`/manage/device/detail/${away}?tab=operations`);
      await look(`${detail}?tab=operations`, async () => {
        await page
          .getByRole('tabpanel')
          .getByRole('button', { name: t('operations:kinds.softReset.do'), exact: true })
          .click();
        await page.getByRole('dialog').getByText(t('operations:kinds.softReset.do')).first().waitFor();
      });
      await look(`${detail}?tab=operations`);
      await look(`${detail}?tab=issues`);
      await look('/manage/welcome', async () => {
        await visitor.button(t('common:shell.more')).click();
        await page.getByRole('menuitem').first().waitFor();
      });
      expect(found).toEqual([]);
    },
  );
});
