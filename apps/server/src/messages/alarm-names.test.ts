import { applicationEndpoints, dictionaryEndpoints, ENDPOINTS, type Locale } from '@chargehand/contract';
import { DEFAULT_ZONE } from '@chargehand/domain';
import { openApiClient } from '@chargehand/open-client';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { textsOfXlsx } from '../testing/files/xlsx.ts';
import { writePlannedMails } from '../testing/mails/planned-mails.ts';
import { sweepMessages } from '../testing/messages/sweep-messages.ts';
import { type HttpReceiver, startHttpReceiver, subscribeTo } from '../testing/messages/test-receivers.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const { listInbox, selectInbox, createWebhook, addPushBrowser, createDeviceIssue, closeIssue } = ENDPOINTS;
const { listAlarms, listIncidents, summarizeAlarms, exportAlarms, acknowledgeAlarms } = ENDPOINTS;
const { createBatch, readBatch, listBatches, listBatchExecutions, readDevice, listDevices, search } = ENDPOINTS;
const CODE = 'GroundFailure';
const NAMES = { nameEn: 'Earth leak {site}', nameZh: '漏电 <b>' };
const ADDRESS = 'duty@example.org';

let server: TestServer;
let root: Client;
let http: HttpReceiver;
beforeAll(async () => {
  http = await startHttpReceiver();
  server = await startTestServer({ captcha: false, webhookPrivate: true });
  root = await server.as('root');
});
afterAll(async () => {
  await server.stop();
  http.stop();
});
beforeEach(async () => {
  await sweepMessages(server);
  await rows(
    `truncate alarms, notices, incidents, messages, message_mails, message_sends, message_settings, webhooks,
       push_subscriptions, outgoing_mails, dictionary_changes, dictionary_entries cascade`,
  );
  http.requests.length = 0;
});

const rows = async (query: string, values: unknown[] = []) => (await server.database.pool.query(query, values)).rows;
const device = () => server.world.devices.northQuay1.id;
const raise = async (rule: object | null = null): Promise<number> => {
  const [{ id }] = await rows(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, rule)
     values ($1, 1, $2, 'fault', 'CA', now(), now(), $3) returning id`,
    [device(), CODE, rule && JSON.stringify(rule)],
  );
  return id;
};
const rename = (dictionary: string, code: string, names: { nameEn: string; nameZh: string }) =>
  root.data(dictionaryEndpoints.updateDictionaryEntry, {
    params: { dictionary },
    body: { code, ...names, change: 0 },
  });
/** Sends everything that waits. */
async function deliver(): Promise<void> {
  await writePlannedMails(server);
  await rows(`update message_sends set next_attempt_at = now() - interval '1 ms' where next_attempt_at is not null`);
  await sweepMessages(server);
}
/** Lets the administrator of the customer receive faults and recoveries by mail, in their language. */
async function receiveMails(locale: Locale): Promise<void> {
  const { northAdmin } = server.world.users;
  await rows('update users set email = $2, locale = $3 where id = $1', [northAdmin, ADDRESS, locale]);
  await rows(
    `insert into message_settings (user_id, type, in_app, email, push, delayed)
     select $1, type, true, true, true, false from unnest(array['fault', 'recovery']) as type`,
    [northAdmin],
  );
}
const addWebhook = async (locale: Locale) =>
  (await server.as('northAdmin')).data(createWebhook, {
    body: {
      ...{ customerId: server.world.customers.north, name: 'Duty', webhookUrl: `${http.url}/hook` },
      ...{ format: 'standard', types: [], siteIds: [], locale, enabled: true },
    },
  });
const mail = async () =>
  (
    await rows('select subject, body_text as text from outgoing_mails where receiver = $1 order by id desc', [ADDRESS])
  )[0];
const hook = () => JSON.parse(http.requests.findLast(({ path }) => path === '/hook')?.body ?? '{}').data;

test.each<[Locale, string]>([
  ['en-US', 'Fault: Earth leak {site} (GroundFailure)'],
  ['zh-CN', '故障 漏电 <b>（GroundFailure）'],
])('messages have the name of the installation in %s', async (locale, title) => {
  await rename('alarmNames', CODE, NAMES);
  await receiveMails(locale);
  await addWebhook(locale);
  const browser = subscribeTo(`${http.url}/push`);
  const north = await server.as('northAdmin', locale);
  await north.data(addPushBrowser, { body: browser.subscription });
  await raise();
  await deliver();
  const subject = locale === 'zh-CN' ? `CA · Site northQuay · ${title}` : `CA · ${title} · Site northQuay`;
  expect(await mail()).toEqual({ subject, text: expect.stringContaining(title) });
  expect(hook()).toMatchObject({
    code: CODE,
    ...NAMES,
    cause: null,
    remedy: null,
    title: expect.stringContaining(title),
  });
  const push = http.requests.find(({ path }) => path === '/push');
  expect(JSON.parse(browser.decrypt(push!.bytes)).title).toContain(title);
  expect((await north.data(listInbox, { query: {} })).items).toMatchObject([{ ...NAMES, cause: null, remedy: null }]);
  expect((await north.data(selectInbox, { query: {} })).items).toMatchObject([{ name: `${title} · Site northQuay` }]);
});

test('the name of the rule and of the device model come before that of the dictionary', async () => {
  await rename('alarmNames', CODE, NAMES);
  await addWebhook('en-US');
  const [{ id: code }] = await rows(
    `insert into alarm_codes (device_model_id, code, name_en, name_zh)
     select device_model_id, $2, 'Own name', '自有名称' from devices where id = $1 returning id`,
    [device(), CODE],
  );
  try {
    await raise();
    await deliver();
    expect(hook()).toMatchObject({ code: CODE, nameEn: 'Own name', nameZh: '自有名称' });
    await rows('truncate alarms, notices, incidents, message_sends cascade');
    await raise({ name: { en: 'Rule name', zh: '规则名称' } });
    await deliver();
    expect(hook()).toMatchObject({
      nameEn: 'Rule name',
      nameZh: '规则名称',
      title: expect.stringContaining('Rule name'),
    });
  } finally {
    await rows('delete from alarm_codes where id = $1', [code]);
  }
});

test('a recovery has the cause and the remedy of the closed issue about the alarm', async () => {
  await rename('causes', 'hardware', { nameEn: 'Broken part', nameZh: '部件损坏' });
  await receiveMails('zh-CN');
  await addWebhook('en-US');
  const alarm = await raise();
  await sweepMessages(server);
  const params = { id: device() };
  const { id } = await root.data(createDeviceIssue, { params, body: { title: 'Leak', type: 3 } });
  await rows('update issues set alarm_id = $2 where id = $1', [id, alarm]);
  const body = { cause: 'hardware', causeText: 'secret', remedy: 'replaced', remedyText: '' };
  await root.data(closeIssue, { params: { id }, body });
  await rows('update alarms set cleared_at = now() where id = $1', [alarm]);
  await sweepMessages(server);
  await rows(`update incidents set recovered_at = recovered_at - interval '1 hour'`);
  await deliver();
  expect(hook()).toMatchObject({
    event: 'incident.recovered',
    cause: { code: 'hardware', nameEn: 'Broken part', nameZh: '部件损坏' },
    remedy: { code: 'replaced', nameEn: 'Part replaced', nameZh: '更换部件' },
  });
  const { text } = await mail();
  expect(text).toContain('原因：部件损坏 · 处理措施：更换部件');
  expect(text).not.toContain('secret');
  const { items } = await (await server.as('northAdmin')).data(listInbox, { query: {} });
  expect(items.find(({ type }) => type === 'fault')).toMatchObject({
    cause: { nameEn: 'Broken part' },
    remedy: { nameZh: '更换部件' },
  });
});

describe('all places say the same', () => {
  const now = Math.floor(Date.now() / 1_000) * 1_000;
  const hoursAgo = (hours: number) => new Date(now - hours * 3_600_000);

  test('about the alarms of an incident whose first and worst one has cleared', async () => {
    const { sites, devices } = server.world;
    await rename('alarmNames', CODE, NAMES);
    await receiveMails('en-US');
    await addWebhook('en-US');
    const browser = subscribeTo(`${http.url}/push`);
    const north = await server.as('northAdmin');
    await north.data(addPushBrowser, { body: browser.subscription });
    const [first] = await rows(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
       select device_id, connector, $3, 'fault', level, at, at
         from unnest($1::int[], $2::timestamptz[], array['CA', 'MA', 'MA'], array[1, 2, 1]) as u (device_id, at, level, connector)
       returning id`,
      [
        [devices.northQuay1.id, devices.northQuay1.id, devices.northQuay2.id],
        [hoursAgo(6), hoursAgo(2), hoursAgo(1)],
        CODE,
      ],
    );
    await server.sweep('messages');
    await rows('update alarms set cleared_at = now() where id = $1', [first.id]);
    await deliver();

    const siteId = sites.northQuay;
    const query = { siteId, state: 'open', limit: 50 } as const;
    const { items: alarms } = await north.data(listAlarms, { query });
    const open = alarms.filter(({ code }) => code === CODE);
    const since = hoursAgo(2);
    const reported = { code: CODE, ...NAMES, level: 'MA', since: since.toISOString() };
    expect(open.map(({ code, nameEn, nameZh, level }) => ({ code, nameEn, nameZh, level }))).toEqual(
      Array.from({ length: 2 }, () => ({ code: CODE, ...NAMES, level: 'MA' })),
    );
    expect(open.map(({ raisedAt }) => raisedAt).sort()[0]).toBe(reported.since);

    const { items: home } = await north.data(listIncidents, { query: {} });
    const { items: site } = await north.data(listIncidents, { query: { siteId } });
    const { items: bell } = await north.data(listInbox, { query: {} });
    const application = await root.data(applicationEndpoints.createApplication, {
      body: {
        ...{ name: 'Display', description: '', allowedAddresses: [], rateLimit: 600, expiresAt: null },
        ...{ allowedOperations: ['listIncidents', 'listAlarms'], userId: server.world.users.northAdmin },
      },
    });
    const api = openApiClient({ url: server.url, ...application });
    const { items: others } = await api.call('listIncidents', {});
    expect((await api.call('listAlarms', { query: { siteId, active: true } })).items).toHaveLength(alarms.length);
    const incident = { ...reported, alarms: 2, deviceCount: 2, acknowledgedBy: null };
    const ofCode = <R extends { code: string }>(found: readonly R[]) => found.filter(({ code }) => code === CODE);
    for (const found of [ofCode(home), ofCode(site), ofCode(others)])
      expect(found).toEqual([expect.objectContaining(incident)]);
    expect(bell).toEqual([
      expect.objectContaining({
        ...{ ...NAMES, level: 'MA', since: reported.since, open: 2, deviceCount: 2, acknowledgedBy: null },
        data: expect.objectContaining({ code: CODE }),
      }),
    ]);
    expect(hook()).toMatchObject({ ...reported, open: 2, deviceCount: 2, acknowledgedBy: null });
    const title = `MA · Fault: ${NAMES.nameEn} (${CODE})`;
    const time = since.toLocaleString('sv-SE', { timeZone: DEFAULT_ZONE });
    expect(await mail()).toEqual({
      subject: expect.stringContaining(title),
      text: expect.stringContaining(`Since: ${time}`),
    });
    const push = JSON.parse(browser.decrypt(http.requests.find(({ path }) => path === '/push')!.bytes));
    expect([push.title, push.text ?? push.body]).toEqual([
      expect.stringContaining(title),
      expect.stringContaining(`Since: ${time}`),
    ]);
    const { byLevel } = await north.data(summarizeAlarms, { query: { siteId } });
    expect(byLevel).toMatchObject({ CA: 0, MA: 2 });
    const file = await north.fetch(`${exportAlarms.path}?siteId=${siteId}&state=open`);
    const texts = textsOfXlsx(Buffer.from(await file.arrayBuffer()));
    expect(texts.filter((text) => text === CODE)).toHaveLength(2);

    // The acknowledgement is shown everywhere.
    await north.data(acknowledgeAlarms, { body: { ids: open.map(({ id }) => id) } });
    const owner = { acknowledgedBy: 'north_admin' };
    expect((await north.data(listInbox, { query: {} })).items).toMatchObject([{ ...owner, alarmIds: [] }]);
    expect(ofCode((await north.data(listIncidents, { query: { siteId } })).items)).toMatchObject([owner]);
    expect(ofCode((await api.call('listIncidents', {})).items)).toMatchObject([owner]);
  });

  test('about a device and a batch', async () => {
    const { northQuay1: pile, northQuay2 } = server.world.devices;
    const north = await server.as('northAdmin');
    const body = { kind: 'hardReset' as const, deviceIds: [pile.id, northQuay2.id] };
    const { id } = await north.data(createBatch, { body });
    await server.sweep();
    const params = { id };
    const { counts, kind } = await north.data(readBatch, { params });
    const { items: batches } = await north.data(listBatches, { query: {} });
    expect(batches.find((one) => one.id === id)).toMatchObject({ kind, counts });
    const { items: executions, total } = await north.data(listBatchExecutions, { params, query: {} });
    expect(total).toBe(counts.total);
    expect(executions.filter(({ result }) => result === 5)).toHaveLength(counts.offline);

    const device = await north.data(readDevice, { params: { id: pile.id } });
    const { items: list } = await north.data(listDevices, { query: { search: pile.sn } });
    const { groups } = await north.data(search, { query: { search: pile.sn } });
    const found = groups.find(({ kind }) => kind === 'device')?.items[0];
    const [row] = list;
    expect([row?.name, found?.name, executions.find(({ sn }) => sn === pile.sn)?.deviceName]).toEqual(
      Array.from({ length: 3 }, () => device.name),
    );
    expect([row?.status, found?.status]).toEqual([device.status, device.status]);
  });
});
