// The steps of the jobs that docs/console.md counts and that no other journey has: a step is a click or an entered text.
import { ENDPOINTS } from '@chargehand/contract';
import { afterAll, expect } from 'vitest';
import { startMailServer } from '../../apps/server/src/testing/mails/mail-server.ts';
import { connectPiles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const post = await startMailServer();
const chargehand = product({ smtp: { url: post.url, from: { name: 'Chargehand', address: 'no-reply@example.org' } } });
afterAll(() => post.stop());

const CODE = 'GroundFailure';

journey(
  chargehand,
  'an alarm becomes an issue, which is shared and closed, in 8 steps if its code is known',
  { as: 'northAdmin' },
  async (visitor) => {
    const { page, t } = visitor;
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const { devices } = await connectPiles(chargehand, { prefix: 'STEPS-', devices: 2 });
    const [before, now] = devices;
    const staff = await chargehand.server.as('northAdmin');
    const alarmOf = async (deviceId: number) =>
      (await staff.data(ENDPOINTS.listAlarms, { query: { deviceId, state: 'open', limit: 10 } })).items[0]?.id;
    before!.pile.fault(1, CODE);
    await expect.poll(() => alarmOf(before!.id)).toBeDefined();
    const known = { params: { id: (await alarmOf(before!.id))! } };
    const { id } = await staff.data(ENDPOINTS.createAlarmIssue, { ...known, body: { title: 'Earth leak', type: 3 } });
    const end = { cause: 'hardware', causeText: '', remedy: 'replaced', remedyText: '' } as const;
    await staff.data(ENDPOINTS.closeIssue, { params: { id }, body: end });
    now!.pile.fault(1, CODE);
    await expect.poll(() => alarmOf(now!.id)).toBeDefined();

    await page.goto('/manage/device/alarms');
    await visitor.press(visitor.link(t('common:issue.reportOf', { name: `${CODE} · ${now!.name}` })));
    await visitor.isAt(/^\/manage\/issue\/add/);
    await visitor.press(visitor.button(t('issue:form.report')));
    await visitor.isAt(/^\/manage\/issue\/detail\/\d+$/);
    await visitor.press(visitor.button(t('issue:share.do')));
    await visitor.press(visitor.button(t('shares:dialog.create')));
    await visitor.press(visitor.button(t('shares:copyBoth')));
    await visitor.press(page.getByRole('dialog').locator('.ant-modal-close'));
    await visitor.misses(page.getByRole('dialog'));
    await visitor.press(visitor.button(t('issue:action.close')));
    await visitor.press(page.getByRole('dialog').getByRole('button', { name: t('issues:board.closeOk'), exact: true }));
    await visitor.sees(t('issues:status.closed'));
    expect(visitor.steps).toBeLessThanOrEqual(8);
  },
);

journey(chargehand, 'what an alarm code means is one step away', { as: 'root' }, async (visitor) => {
  const { page, t } = visitor;
  const { devices } = await connectPiles(chargehand, { prefix: 'CODE-', devices: 1 });
  devices[0]!.pile.fault(1, CODE);
  await page.goto('/manage/device/alarms');
  const row = visitor.main.getByRole('row').filter({ hasText: devices[0]!.name });
  await visitor.press(row.getByText(CODE, { exact: true }));
  // Or what it means: the documents of this product are not those of an installation.
  await visitor.sees(page.getByRole('dialog').getByText(t('explanations:missing', { code: CODE })));
  expect(visitor.steps).toBe(1);
});

journey(chargehand, 'an engineer for three sites is added in 10 steps', { as: 'vendorStaff' }, async (visitor) => {
  const { page, t } = visitor;
  const root = await chargehand.server.as('root');
  const { customers } = chargehand.server.world;
  await root.data(ENDPOINTS.createSite, { body: { name: 'Site pier', code: 'pier', customerId: customers.north } });
  await page.goto('/manage/user/list');
  await visitor.press(visitor.main.getByText(t('people:user.add'), { exact: true }));
  await visitor.enter(visitor.main.getByLabel(t('people:userName'), { exact: true }), 'three_sites');
  await visitor.enter(visitor.main.getByLabel(t('people:email'), { exact: true }), 'three@example.org');
  await visitor.press(visitor.button(t('people:preset.choose')));
  await visitor.press(page.getByRole('menuitem', { name: t('people:preset.maintainer'), exact: true }));
  await visitor.press(visitor.main.getByRole('combobox', { name: t('people:sites') }));
  for (const site of ['Site northQuay', 'Site northMill', 'Site pier'])
    await visitor.press(page.locator('.ant-select-dropdown:visible').getByText(site, { exact: true }));
  await visitor.press(visitor.button(t('common:save')));
  await visitor.arrivesAt({ path: /^\/manage\/user\/detail\/\d+$/, heading: 'three_sites' });
  expect(visitor.steps).toBeLessThanOrEqual(10);
  const { rows } = await chargehand.server.database.pool.query(
    `select customer_id as customer, (select count(*)::int from user_sites s where s.user_id = u.id) as sites
       from users u where user_name = 'three_sites'`,
  );
  expect(rows).toEqual([{ customer: customers.north, sites: 3 }]);
});

journey(
  chargehand,
  'a waiting device like others behind its address is registered in 3 steps',
  { as: 'root' },
  async (visitor) => {
    const { t } = visitor;
    await connectPiles(chargehand, { prefix: 'NEIGHBOR-', devices: 2 });
    const { devices } = await chargehand.connect({ prefix: 'NEWCOMER-', devices: 1 });
    const { sn } = devices[0]!;
    const { pool } = chargehand.server.database;
    const known = async () => (await pool.query('select from blacklist_entries where sn = $1', [sn])).rowCount;
    await expect.poll(known).toBe(1);
    await visitor.page.goto('/manage/system/list');
    const row = visitor.main.getByRole('row').filter({ hasText: sn });
    await visitor.press(row.getByRole('button', { name: t('fleet:waiting.register'), exact: true }));
    await visitor.arrivesAt({ path: `/manage/device/add/${sn}`, heading: t('routes:deviceAdd') });
    await visitor.sees(visitor.main.getByTitle('Site northQuay'), visitor.main.getByTitle('Generic OCPP 1.6 pile'));
    await visitor.enter(visitor.main.getByRole('textbox', { name: t('fleet:name'), exact: true }), 'Newcomer');
    await visitor.press(visitor.button(t('fleet:register')));
    await visitor.arrivesAt({ path: /^\/manage\/device\/detail\/\d+$/, heading: 'Newcomer' });
    expect(visitor.steps).toBe(3);
  },
);

journey(chargehand, 'a problem of the platform is on Home, without a step', { as: 'root' }, async (visitor) => {
  const { page } = visitor;
  await chargehand.server.database.pool.query(
    `insert into outgoing_mails (receiver, locale, subject, body_text, body_html, next_attempt_at)
     values ('ada@example.org', 'en-US', 'Harbour', 'Harbour', '<p>Harbour</p>', null)`,
  );
  await page.goto('/manage/home');
  await visitor.sees(visitor.main.getByRole('link', { name: /\d+ problem/ }));
  expect(visitor.steps).toBe(0);
});
