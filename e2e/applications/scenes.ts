import { ENDPOINTS } from '@chargehand/contract';
import { OPEN_OPERATION_GROUPS } from '@chargehand/domain';
import type { Page } from 'playwright-core';
import type { Client } from '../../apps/server/src/testing/client.ts';
import type { TestDatabase } from '../../apps/server/src/testing/database/database.ts';
import type { Words } from '../harness/words.ts';
import type { Scene } from '../scene.ts';

/** The IDs of the applications that the scenes show. */
export interface DemoApplications {
  billing: number;
  disabled: number;
  expired: number;
  withoutUser: number;
  unused: number;
}

const ALL = Object.values(OPEN_OPERATION_GROUPS)
  .flat()
  .map((name) => `open.${name}`);
const EVENTS = ['alarm.raised', 'alarm.cleared', 'issue.created'] as const;

/** Adds applications of a user in every state, with use, webhooks and deliveries. */
export async function addApplications(
  pool: TestDatabase['pool'],
  person: Client,
  userName: string,
): Promise<DemoApplications> {
  const { rows: users } = await pool.query<{ id: number }>('select id from users where user_name = $1', [userName]);
  const add = async (name: string, description: string, more: object = {}) => {
    const fields = { allowedAddresses: [], allowedOperations: ALL, rateLimit: 600, expiresAt: null };
    const body = { name, description, userId: users[0]!.id, ...fields, ...more };
    return (await person.data(ENDPOINTS.createApplication, { body })).id;
  };
  const webhook = async (id: number, webhookUrl: string, description: string) => {
    const body = { webhookUrl, description, events: [...EVENTS], enabled: true };
    return (await person.data(ENDPOINTS.createApplicationWebhook, { params: { id }, body })).id;
  };
  const billing = await add('Billing 计费系统', 'Monthly invoices.\nContact: billing@example.com', {
    allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'],
    expiresAt: new Date(Date.now() + 90 * 86_400_000).toISOString(),
  });
  await person.data(ENDPOINTS.rotateApplicationSecret, { params: { id: billing }, body: {} });
  await pool.query(
    `insert into application_days (application_id, day, calls, errors, refused)
     select $1, current_date - n, 400 + (n * 7919) % 300, case when n % 9 = 0 then 40 else n % 3 end, case n when 3 then 6 else 0 end
       from generate_series(0, 60) n`,
    [billing],
  );
  await pool.query(`update applications set last_used_at = now() - interval '4 min' where id = $1`, [billing]);
  const failing = await webhook(billing, 'https://billing.example.com/hooks/chargehand', 'Invoices and refunds');
  const ended = await webhook(billing, 'https://old.example.com/hook', '');
  await pool.query(
    `update application_webhooks set failing_since = now() - interval '2 h', resting_until = now() + interval '1 h'
      where id = $1`,
    [failing],
  );
  await pool.query(
    `update application_webhooks set enabled = false, given_up_at = now() - interval '5 d' where id = $1`,
    [ended],
  );
  const attempt = (status: number | null, answer: string) => ({
    ...{ at: new Date(Date.now() - 3_600_000).toISOString(), status, duration: 120, answer },
  });
  for (const [state, type, log] of [
    ['sent', 'alarm.raised', [attempt(200, '')]],
    ['sent', null, [attempt(204, '')]],
    ['failed', 'issue.created', [attempt(410, 'Gone')]],
    ['dropped', 'alarm.raised', []],
    ['waiting', 'alarm.cleared', [attempt(503, '{"error":"maintenance until 18:00"}'), attempt(null, 'timed out')]],
  ] as const) {
    await pool.query(
      `insert into webhook_deliveries (webhook_id, type, content, state, next_attempt_at, attempts, tries, log)
       values ($1, $2, $3, $4::text, case $4::text when 'waiting' then now() + interval '1 h' end, $5, $5, $6)`,
      [failing, type, CONTENT, state, log.length, JSON.stringify(log)],
    );
  }
  const disabled = await add('Energy report 能耗报表', 'Nightly export');
  await person.data(ENDPOINTS.disableApplication, { params: { id: disabled } });
  const expired = await add('Trial of a partner 合作方试用', '');
  await pool.query(`update applications set expires_at = now() - interval '3 d' where id = $1`, [expired]);
  const withoutUser = await add('Field service 现场运维', '');
  await pool.query('update applications set user_id = null where id = $1', [withoutUser]);
  const unused = await add('Map on the website 官网地图', '', { allowedOperations: ['open.listSites'] });
  return { billing, disabled, expired, withoutUser, unused };
}

const CONTENT = JSON.stringify({
  type: 'alarm.raised',
  timestamp: '2026-11-26T08:00:00.000Z',
  data: {
    id: '1042',
    sequence: 7,
    customerId: 2,
    siteId: 3,
    deviceId: 1,
    data: { code: 'GroundFailure', level: 'CA' },
  },
});

/** The pages and dialogs of applications. */
export function applicationScenes(ids: DemoApplications): Scene[] {
  const opened = (page: Page) => page.getByRole('dialog').last().waitFor();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();
  const scene = (name: string, path: string, act?: Scene['act']): Scene => ({
    ...{ name: `application-${name}`, path: `/manage/system/application/${path}`, signedIn: true },
    ...(act && { act }),
  });
  const press = (key: string) => async (page: Page, t: Words) => {
    await button(page, t(`applications:${key}`)).click();
    await opened(page);
  };
  const failing = (answer: object) => async (page: Page) => {
    await page.route('**/api/auth/sys/applications**', (route) => route.fulfill(answer));
    await page.reload();
    await page.getByRole('alert').first().waitFor();
  };
  const detail = (id: number) => `detail/${id}`;
  return [
    scene('list', 'list'),
    scene('list-nothing', 'list?search=nothing'),
    scene('list-failed', 'list', failing({ status: 500, json: { code: 500, message: '', data: null } })),
    scene('add', 'add'),
    scene('add-incomplete', 'add', async (page, t) => {
      await button(page, t('common:save')).click();
      await page.getByText(t('applications:need.operations')).waitFor();
    }),
    scene('edit', `update/${ids.billing}`),
    scene('detail', detail(ids.billing)),
    scene('detail-failed', detail(ids.billing), failing({ status: 500, json: { code: 500, message: '', data: null } })),
    scene('detail-unknown', detail(999_999)),
    scene('disabled', detail(ids.disabled)),
    scene('expired', detail(ids.expired)),
    scene('without-user', detail(ids.withoutUser)),
    scene('unused', detail(ids.unused)),
    scene('disable', detail(ids.billing), async (page, t) => {
      await button(page, t('applications:actionsOf', { name: 'Billing 计费系统' })).click();
      await page.getByRole('menuitem', { name: t('applications:change.disable.ok'), exact: true }).click();
      await opened(page);
    }),
    scene('secret', detail(ids.unused), async (page, t) => {
      const answer = {
        id: ids.unused,
        appId: `app_${'0123456789ab'.repeat(2)}`,
        appSecret: `chs_${'Qk7-'.repeat(10)}xyz`,
      };
      await page.route(`**/applications/${ids.unused}/secrets`, (route) =>
        route.fulfill({ json: { code: 0, message: '', data: answer } }),
      );
      await press('rotate.ok')(page, t);
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('applications:rotate.ok'), exact: true })
        .click();
      await page.getByRole('dialog', { name: t('applications:secret.title') }).waitFor();
    }),
    scene('webhook', detail(ids.billing), press('webhook.add')),
    scene('deliveries', detail(ids.billing), async (page, t) => {
      await press('webhook.deliveries')(page, t);
      await page.getByRole('dialog').locator('summary').first().click();
    }),
    scene(
      'explained',
      `${detail(ids.billing)}?operation=sendCommand&address=203.0.113.7&objectId=1`,
      async (page, t) => {
        await page.getByText(t('explain:reason.operationAllowed')).waitFor();
      },
    ),
    scene('explained-refused', `${detail(ids.disabled)}?operation=readIssue`, async (page, t) => {
      await page.getByText(t('explain:result.refused')).waitFor();
    }),
  ];
}
