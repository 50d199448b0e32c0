import { type ApplicationDetail, type ApplicationWebhook, messageOf, type WebhookDelivery } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { misses, sees } from '../../testing/on-screen.ts';
import { show } from '../../testing/show.tsx';
import { type Answers, HttpFailure, Refused } from '../../testing/stub-server.ts';
import ApplicationDetailPage from './application-detail-page.tsx';
import ApplicationFormPage from './application-form-page.tsx';
import ApplicationListPage from './application-list-page.tsx';

const LOCALES = ['en-US', 'zh-CN'] as const;

const billing: ApplicationDetail = {
  ...{ id: 3, name: 'Billing', description: 'Invoices', icon: null, appId: 'app_0123456789', state: 'enabled' },
  boundUser: { id: 6, userName: 'billing_user', nickName: 'Billing' },
  ...{ expiresAt: null, installedAt: '2026-11-01T00:00:00Z', lastUsedAt: null, callsToday: 12, errorsToday: 3 },
  ...{ allowedAddresses: [], allowedOperations: ['open.listSites', 'open.sendCommand'], rateLimit: 600 },
  secrets: [{ id: 8, ending: 'wxyz', createdAt: '2026-11-01T00:00:00Z', lastUsedAt: null, validUntil: null }],
  unreachable: ['open.sendCommand'],
  revision: 'r1',
};
const created = { id: 4, appId: 'app_new', appSecret: 'chs_only_once' };
const users = { items: [{ id: 6, userName: 'billing_user', nickName: 'Billing' }], total: 1 };
const answers = {
  readApplication: billing,
  readApplicationUsage: { days: [] },
  listApplicationWebhooks: { items: [] },
  listUsers: users,
} as unknown as Answers;

const detail = (more: Answers = {}, locale: (typeof LOCALES)[number] = 'en-US') =>
  show(<ApplicationDetailPage />, {
    path: '/manage/system/application/detail/3',
    route: '/manage/system/application/detail/:id',
    answers: { ...answers, ...more },
    locale,
  });

describe('the list of applications', () => {
  test.each(LOCALES)('shows the state, the user, and what failed today (%s)', async (locale) => {
    const path = '/manage/system/application/list';
    const rows = [billing, { ...billing, id: 5, name: 'Old', state: 'userMissing', boundUser: null, errorsToday: 0 }];
    const { t } = await show(<ApplicationListPage />, {
      ...{ path, route: path, locale },
      answers: { listApplications: { items: rows, total: 2 } } as Answers,
    });
    await sees(page.getByRole('link', { name: 'Billing' }));
    await sees(t('applications:callsAndErrors', { calls: 12, errors: 3 }));
    await sees(page.getByRole('cell', { name: t('applications:state.userMissing') }));
  });
});

describe('a new application', () => {
  const add = (more: Answers = {}) => {
    const path = '/manage/system/application/add';
    return show(<ApplicationFormPage />, {
      ...{ path, route: path },
      answers: { ...answers, createApplication: created, ...more } as Answers,
    });
  };

  test('needs a name, a user and an operation', async () => {
    const { button, text, server } = await add();
    await button('common:save').click();
    await expect.element(text('applications:need.name')).toBeVisible();
    await expect.element(text('applications:need.boundUser')).toBeVisible();
    await expect.element(text('applications:need.operations')).toBeVisible();
    expect(server.sent('createApplication')).toEqual([]);
  });

  test('shows its secret once, and leads to its page after it was stored', async () => {
    const { button, field, t, server, path } = await add();
    await field('applications:name').fill('Billing');
    await field('applications:boundUser').click();
    await page.getByText('billing_user').click();
    await page.getByRole('checkbox', { name: t('applications:operation.listSites') }).click();
    await button('common:save').click();
    await sees('chs_only_once');
    expect(server.sent('createApplication').map(({ body }) => body)).toMatchObject([
      { name: 'Billing', userId: 6, allowedOperations: ['open.listSites'], allowedAddresses: [], rateLimit: 600 },
    ]);
    await button('applications:secret.stored').click();
    await expect.poll(path).toBe('/manage/system/application/detail/4');
  });

  test('shows an error of the server at its field', async () => {
    const { button, field, t, text } = await add({
      createApplication: () => {
        throw new Refused('applicationNameTaken', {}, 'name');
      },
    });
    await field('applications:name').fill('Billing');
    await field('applications:boundUser').click();
    await page.getByText('billing_user').click();
    await page.getByRole('checkbox', { name: t('applications:allOperations') }).click();
    await button('common:save').click();
    await sees(messageOf('applicationNameTaken', 'en-US'));
    await misses(text('applications:secret.title'));
  });
});

describe('the page of an application', () => {
  test.each(LOCALES)('says which operations its user may not use (%s)', async (locale) => {
    const { t } = await detail({}, locale);
    const operations = t('applications:operation.sendCommand');
    await sees(t('applications:unreachable', { operations }));
    await sees(page.getByText(t('applications:operation.listSites'), { exact: true }));
  });

  test.each(LOCALES)('leads to what it did in the action log (%s)', async (locale) => {
    const { t } = await detail({ readApplication: { ...billing, name: 'A & B' } }, locale);
    const link = page.getByRole('link', { name: t('applications:usageLog') });
    await expect.element(link).toHaveAttribute('href', '/manage/logs/action?tab=actions&applicationName=A+%26+B');
  });

  test('says once that its user was deleted', async () => {
    const { text, t } = await detail({ readApplication: { ...billing, state: 'userMissing', boundUser: null } });
    await sees(text('applications:state.userMissingHint'));
    await misses(text('applications:unreachable', { operations: t('applications:operation.sendCommand') }));
  });

  test('creates a second secret, and removes the previous one', async () => {
    const previous = { ...billing.secrets[0], id: 7, ending: 'abcd', validUntil: '2099-01-01T00:00:00Z' };
    let secrets = billing.secrets;
    const { button, server, dialog } = await detail({
      readApplication: () => ({ ...billing, secrets }),
      rotateApplicationSecret: () => {
        secrets = [...billing.secrets, previous] as typeof secrets;
        return created;
      },
      removeApplicationSecret: null,
    } as Answers);
    await button('applications:rotate.ok').click();
    await dialog.getByRole('button', { name: 'New secret' }).click();
    await sees('chs_only_once');
    await button('applications:secret.stored').click();
    await expect.element(button('applications:rotate.ok')).toBeDisabled();
    await button('applications:remove.ok').click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await expect
      .poll(() => server.sent('removeApplicationSecret').map(({ params }) => params))
      .toEqual([{ id: '3', secretId: '7' }]);
  });

  test.each(LOCALES)('explains why an operation is refused, and what to change (%s)', async (locale) => {
    const step = { state: 'pass', names: [], menus: [], levels: [], fix: null };
    const steps = [
      { ...step, step: 'application', reason: 'applicationEnabled' },
      { ...step, step: 'address', state: 'fail', reason: 'addressRefused', names: ['203.0.113.7'] },
      { ...step, step: 'operation', state: 'fail', reason: 'operationMissing', fix: { place: 'application', id: 3 } },
    ];
    const refused = { result: 'refused', code: 11673, message: messageOf('applicationAddress', locale), steps };
    const more = { explainApplication: refused, listDevices: { items: [], total: 0 } } as unknown as Answers;
    const { t, server, field } = await detail(more, locale);
    await field('explain:why.operation').click();
    await page.getByTitle(t('applications:operation.readDevice')).click();
    await sees(t('explain:reason.addressRefused', { row: '203.0.113.7' }));
    await sees(page.getByRole('link', { name: t('explain:fix.application') }));
    await field('explain:why.address').fill('203.0.113.7');
    await userEvent.keyboard('{Enter}');
    await expect
      .poll(() => server.sent('explainApplication').map(({ query }) => query))
      .toEqual([{ operation: 'open.readDevice' }, { operation: 'open.readDevice', callerAddress: '203.0.113.7' }]);
  });

  test('shows its use per day', async () => {
    const days = [
      { day: '2026-11-23', calls: 1_100, errors: 0, refused: 0 },
      { day: '2026-11-26', calls: 20, errors: 5, refused: 2 },
    ];
    const { t } = await detail({ readApplicationUsage: { days } });
    await sees(t('applications:usageTotal', { calls: '1,120', errors: 5, days: 2 }));
    // Days without requests are in the chart, too.
    await sees(page.getByTitle(t('applications:usageDay', { day: '2026-11-24', calls: 0, errors: 0 })));
    await sees(t('applications:usageRefused', { count: 2 }));
  });

  test('says when its use and webhooks could not be read', async () => {
    const away = () => {
      throw new HttpFailure(500);
    };
    const { button, text } = await detail({ readApplicationUsage: away, listApplicationWebhooks: away });
    await expect.poll(() => button('common:error.retry').elements().length).toBe(2);
    await misses(text('applications:noUsage'));
    await misses(text('applications:webhook.empty'));
  });

  test('disables it after a confirmation', async () => {
    const { server, t, dialog, entry } = await detail({ disableApplication: null });
    await page.getByRole('button', { name: t('applications:actionsOf', { name: 'Billing' }) }).click();
    await entry('applications:change.disable.ok').click();
    await dialog.getByRole('button', { name: t('applications:change.disable.ok') }).click();
    await expect.poll(() => server.sent('disableApplication')).toHaveLength(1);
  });
});

describe('the webhooks of an application', () => {
  const webhook: ApplicationWebhook = {
    ...{ id: 9, webhookUrl: 'https://billing.example.com/hook', description: '', enabled: true, waiting: 4 },
    ...{ events: ['alarm.raised', 'issue.created'], unreachable: ['issue.created'], givenUpAt: null },
    ...{ createdAt: '2026-11-01T00:00:00Z', previousSecretUntil: null, failingSince: '2026-11-26T08:00:00Z' },
  };
  const delivery: WebhookDelivery = {
    ...{ id: 70, messageId: '0b7c', eventType: 'alarm.raised', createdAt: '2026-11-26T08:00:00Z', state: 'failed' },
    ...{ nextAttemptAt: null, attemptCount: 1, content: '{"type":"alarm.raised"}' },
    attempts: [{ at: '2026-11-26T08:00:01Z', status: 503, duration: 120, answer: 'busy' }],
  };
  const webhooks = { listApplicationWebhooks: { items: [webhook] } } as Answers;

  test.each(LOCALES)('are shown with what is not sent, and that they fail (%s)', async (locale) => {
    const { t } = await detail(webhooks, locale);
    await sees(webhook.webhookUrl);
    await sees(t('applications:webhook.unreachable', { events: t('applications:event.issueCreated') }));
    await sees(page.getByText(t('applications:webhook.failing', { count: 4 })));
  });

  test('are added with types of events; the signing secret is shown once', async () => {
    const { button, field, t, text, dialog, server } = await detail({
      createApplicationWebhook: { id: 9, secret: 'whsec_only_once' },
    } as Answers);
    await button('applications:webhook.add').click();
    await expect.element(dialog.getByRole('group')).not.toHaveAttribute('aria-required');
    await dialog.getByRole('button', { name: t('common:save') }).click();
    await expect.element(text('applications:webhook.need.url')).toBeVisible();
    await expect.element(text('applications:webhook.need.events')).toBeVisible();
    await field('applications:webhook.url').fill(webhook.webhookUrl);
    await page.getByRole('checkbox', { name: t('applications:event.alarmRaised') }).click();
    await dialog.getByRole('button', { name: t('common:save') }).click();
    await sees('whsec_only_once');
    expect(server.sent('createApplicationWebhook').map(({ body }) => body)).toEqual([
      { webhookUrl: webhook.webhookUrl, description: '', events: ['alarm.raised'], enabled: true },
    ]);
  });

  test('have a log with what the receiver answered, from which an event is sent again', async () => {
    const { button, t, dialog, server } = await detail({
      ...webhooks,
      listWebhookDeliveries: { items: [delivery], next: null },
      replayWebhookDeliveries: { count: 1 },
      testApplicationWebhook: { id: 71 },
    } as Answers);
    await button('applications:webhook.deliveries').click();
    await dialog.getByText(t('applications:event.alarmRaised')).click();
    await sees(dialog.getByText('busy'));
    await dialog.getByRole('button', { name: t('applications:webhook.replay'), exact: true }).click();
    await expect
      .poll(() => server.sent('replayWebhookDeliveries').map(({ body }) => body))
      .toEqual([{ deliveryId: 70 }]);
    await dialog.getByRole('button', { name: t('applications:webhook.test') }).click();
    await expect.poll(() => server.sent('testApplicationWebhook')).toHaveLength(1);
  });
});
