import { beforeAll, describe, expect } from 'vitest';
import { looker } from '../harness/axe.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();

beforeAll(async () => {
  const mail = {
    receiver: 'ada@example.org',
    locale: 'en-US' as const,
    subject: 'Harbour',
    body_text: 'https://example.org',
  };
  const { database } = chargehand.server;
  await database.db.insertInto('outgoing_mails').values(mail).execute();
  await database.pool.query(
    `insert into login_logs (type, reason, succeeded, user_id, user_name, address, user_agent)
     select 0, null, true, id, user_name, '203.0.113.17', 'Mozilla/5.0' from users where user_name = 'north_admin'`,
  );
  await database.pool.query(
    `insert into error_groups (fingerprint, source, anonymous, name, message, stack, first_at, last_at, first_version,
                               last_version, count)
     values ('x', 'server', false, 'Error', 'Harbour is closed', 'at x', now(), now(), '1.0.0', '1.0.0', 3)`,
  );
});

describe('in light and dark mode', () => {
  journey(chargehand, 'sites, customers and models have no accessibility errors', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    const { look, found, shows } = looker(visitor);
    const { north } = chargehand.server.world.customers;
    const { northQuay } = chargehand.server.world.sites;
    await look('/manage/customer/list', shows('Customer north'));
    await look('/manage/token/list');
    for (const tab of ['overview', 'sites', 'users']) await look(`/manage/customer/detail/${north}?tab=${tab}`);
    await look('/manage/site/list', shows('Site northQuay'));
    await look('/manage/site/add');
    await look(`/manage/site/update/${northQuay}`, async () => {
      await visitor.button(t('places:map.pick')).click();
      await visitor.main.getByRole('application').waitFor();
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
    await look('/manage/config-model/list', shows('HeartbeatInterval'));
    await look('/manage/config-model/group', () => page.locator('.group-row').first().waitFor());
    const { rows } = await chargehand.server.database.pool.query(
      `select id from device_models where name = 'V2G pile'`,
    );
    for (const part of ['base', 'configs', 'parameters', 'controls', 'rules', 'codes', 'versions']) {
      await look(`/manage/device-model/${rows[0].id}?part=${part}`, () => page.locator('.ant-tabs').waitFor());
    }
    await look('/manage/device-model-alias', () => page.getByRole('table').waitFor());
    await look('/manage/device-model-firmware', () => page.getByRole('table').waitFor());
    for (const tab of ['files', 'trash']) {
      await look(`/manage/attach/list?tab=${tab}`, () => page.getByRole('table').waitFor());
    }
    await look('/manage/attach/shares');
    expect(found).toEqual([]);
  });

  journey(chargehand, 'users and system pages have no accessibility errors', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    const { look, found, shows, press, dialog } = looker(visitor);
    await look('/manage/user/add', () => visitor.main.getByText(t('people:first.byMail'), { exact: true }).click());
    await visitor.main.getByText(t('people:first.notSent')).waitFor();
    const { northAssigned } = chargehand.server.world.users;
    await look(`/manage/user/update/${northAssigned}`);
    await look(`/manage/user/auth/${northAssigned}`, shows('Site northQuay'));
    const role = await chargehand.server.database.pool.query(`select id from roles where name = 'Assigned sites'`);
    await look(`/manage/role/auth/menu/${role.rows[0].id}`, () => page.getByRole('tree').first().waitFor());
    await look(`/manage/role/auth/data/${role.rows[0].id}`);
    await look(`/manage/system/role/auth/menu/${role.rows[0].id}`, () => page.getByRole('tree').first().waitFor());
    await look(`/manage/system/role/auth/data/${role.rows[0].id}`);
    await look('/manage/system/welcome');
    await look('/manage/system/mails', shows('ada@example.org'));
    await look('/manage/my', shows(t('account:sessions.current')));
    const application = await chargehand.server.database.pool.query(
      `with added as (
         insert into applications (name, name_key, app_id, user_id, rate_limit)
         values ('Billing', 'billing', 'app_1', $1, 60) returning id
       ), hook as (
         insert into application_webhooks (application_id, url, events, enabled, given_up_at, secret)
         select id, 'https://example.org/hook', '{alarm.raised}', false, now(), '' from added returning id
       ), sent as (
         insert into webhook_deliveries (webhook_id, type, content, state, attempts, log)
         select id, 'alarm.raised', '{}', 'failed', 1, $2 from hook
       ) select id from added`,
      [northAssigned, JSON.stringify([{ at: new Date(0).toISOString(), status: 410, duration: 20, answer: 'Gone' }])],
    );
    const ofApplication = `/manage/system/application/detail/${application.rows[0].id}`;
    await look('/manage/system/application/list', shows('Billing'));
    await look('/manage/system/application/add', shows(t('applications:allOperations')));
    await look(`/manage/system/application/update/${application.rows[0].id}`, shows(t('applications:allOperations')));
    await look(ofApplication, shows(t('applications:noUsage')));
    await look(`${ofApplication}?operation=readDevice`, shows(t('explain:result.refused')));
    for (const key of ['rotate.ok', 'webhook.add']) await look(ofApplication, press(`applications:${key}`));
    await look(ofApplication, async () => {
      await visitor.button(t('applications:webhook.deliveries')).click();
      await dialog.locator('summary').click();
    });
    await look('/manage/system/dashboard', shows(t('system:statements.title')));
    await look('/manage/system/dashboard?tab=jobs', shows(t('system:jobNames.partitions')));
    await look('/manage/system/parameter', shows(t('system-parameters:groups.retention.title')));
    await look('/manage/system/parameter?tab=history', shows(t('system-parameters:history.none')));
    await look('/manage/system/parameter?tab=environment', shows('CHARGEHAND_SESSION_MINUTES'));
    await look('/manage/system/dictionary', shows('OverVoltage'));
    await look('/manage/system/dictionary?tab=causes', shows(t('issues:cause.wear')));
    await look('/manage/system/online', shows('root_user'));
    await look('/manage/system/privacy', shows(t('privacy:inForce')));
    await look('/manage/system/privacy?tab=next', shows(t('privacy:draft.title')));
    await look('/manage/system/privacy?tab=acceptances', shows('root_user'));
    await look('/manage/system/menu?menu=auth_device_list', shows('auth_device_list'));
    await look('/manage/system/menu?tab=interfaces&search=customers', shows('/api/auth/sys/customers'));
    const { northReader } = chargehand.server.world.users;
    await look(`/manage/user/detail/${northReader}?route=devices.list`, shows(t('explain:result.allowed')));
    await look('/manage/logs/action');
    await look('/manage/logs/action?tab=logins');
    await look('/manage/logs/action?tab=logins', async () => {
      await page.locator('tbody tr[data-row-key]').first().click();
      await page.getByRole('dialog').locator('.log-user-agent').waitFor();
    });
    await look('/manage/logs/error', shows('Error: Harbour is closed'));
    await look('/manage/logs/protocol', shows(t('audit:frame.none')));
    await look('/manage/logs/error', async () => {
      await page.locator('tbody tr[data-row-key]').first().click();
      await page.getByRole('dialog').locator('figure').waitFor();
    });
    await look('/manage/role/list', shows('Assigned sites'));
    await look('/manage/user/list', shows('north_admin'));
    expect(found).toEqual([]);
  });
});
