import { createECDH, randomBytes } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CODES, ENDPOINTS } from '@chargehand/contract';
import type { MessageType } from '@chargehand/domain';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { type MailServer, startMailServer } from '../../testing/mails/mail-server.ts';
import { sweepMessages } from '../../testing/messages/sweep-messages.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { claimSends, nextSendAt } from './sends.store.ts';
import { unsubscribing } from './unsubscribe.ts';

const {
  createWebhook,
  listWebhooks,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
  listSends,
  sendAgain,
  addPushBrowser,
  listPushBrowsers,
} = ENDPOINTS;

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

let server: TestServer;
let post: MailServer;
let receiver: Server;
let url: string;
let received: Received[] = [];
let answer: { status: number; text: string } = { status: 200, text: '{"errcode":0}' };

beforeAll(async () => {
  receiver = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ path: request.url ?? '', headers: request.headers, body });
      response.writeHead(answer.status).end(answer.text);
    });
  });
  await new Promise<void>((ready) => receiver.listen(0, '127.0.0.1', ready));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  post = await startMailServer();
  const smtp = { url: post.url, from: { name: 'Chargehand', address: 'no-reply@example.org' } };
  server = await startTestServer({ captcha: false, webhookPrivate: true, smtp });
});
afterAll(async () => {
  await server.stop();
  await post.stop();
  receiver.close();
});
beforeEach(async () => {
  answer = { status: 200, text: '{"errcode":0}' };
  await sweepMessages(server);
  await sent();
  await rows(
    `truncate alarms, notices, incidents, message_sends, message_settings, message_templates, webhooks,
       push_subscriptions cascade`,
  );
  received = [];
});

const rows = async (query: string, values: unknown[] = []) =>
  (await server.database.pool.query(query, values)).rows as Record<string, unknown>[];
const raise = (code: string) =>
  rows(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     values ($1, 1, $2, 'fault', 'CA', now(), now())`,
    [server.world.devices.northQuay1.id, code],
  );
/** Three devices of a site go offline, so that each later fault of the site joins their incident. */
const raiseOffline = async () => {
  await rows(
    `with made as (
       insert into devices (name, sn, site_id, customer_id, device_model_id)
       select gen_random_uuid(), gen_random_uuid(), site_id, customer_id, device_model_id
         from devices, generate_series(1, 3) where id = $1 returning id)
     insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     select id, 1, 'Offline', 'offline', 'CA', now(), now() from made`,
    [server.world.devices.northQuay1.id],
  );
  await sweepMessages(server);
};
/** Ends all alarms, long enough ago to announce it. */
const recover = async () => {
  await rows('update alarms set cleared_at = now()');
  await sweepMessages(server);
  await rows(`update incidents set recovered_at = recovered_at - interval '1 hour'`);
};
/** Waits until nothing is being sent. A notification of the database also starts attempts, at any time. */
const sent = () => expect.poll(() => rows('select id from message_sends where leased')).toEqual([]);
/** Moves everything that waits to now, and sends it. A message that is being sent is not sent a second time. */
const deliver = async () => {
  await sweepMessages(server);
  await sent();
  await rows(
    `update message_sends set next_attempt_at = now() - interval '1 ms' where next_attempt_at is not null and not leased`,
  );
  await sweepMessages(server);
  await sent();
};
const add = async (format: 'standard' | 'dingtalk', more = {}) =>
  (await server.as('northAdmin')).data(createWebhook, {
    body: {
      ...{ customerId: server.world.customers.north, name: 'Duty', webhookUrl: `${url}/hook`, format },
      ...{ types: [], siteIds: [], locale: 'en-US' as const, enabled: true, ...more },
    },
  });
const log = async () => (await (await server.as('northAdmin')).data(listSends, { query: {} })).items;

describe('a webhook', () => {
  test('gets a signed message about its customer, and both signatures while its secret changes', async () => {
    const { id, secret } = await add('standard');
    await raise('Fan <b>');
    await deliver();
    const [first] = received;
    const verified = new Webhook(secret!).verify(first!.body, first!.headers as Record<string, string>);
    expect(verified).toMatchObject({ type: 'incident.started', data: { code: 'Fan <b>', deviceCount: 1 } });
    const { secret: next } = await (await server.as('northAdmin')).data(rotateWebhookSecret, { params: { id } });
    await (await server.as('northAdmin')).data(testWebhook, { params: { id } });
    await deliver();
    const last = received.at(-1)!;
    for (const one of [secret!, next!]) {
      expect(() => new Webhook(one).verify(last.body, last.headers as Record<string, string>)).not.toThrow();
    }
    expect((await log()).map(({ state, type, attempts }) => [state, type, attempts[0]?.status])).toEqual([
      ['sent', null, 200],
      ['sent', 'fault', 200],
    ]);
  });

  test('that refuses is asked again with the same ID and text, and by hand after it was given up', async () => {
    await add('standard');
    answer = { status: 500, text: 'down' };
    await raise('Fan');
    await deliver();
    expect(await log()).toMatchObject([{ state: 'waiting', attempts: [{ status: 500, answer: 'down' }] }]);
    await rows(`update message_sends set tries = 8`);
    await deliver();
    const [failed] = await log();
    expect(failed).toMatchObject({ state: 'failed', nextAttemptAt: null, attemptCount: 2 });
    answer = { status: 204, text: '' };
    await (await server.as('northAdmin')).data(sendAgain, { params: { id: failed!.id } });
    await deliver();
    expect(await log()).toMatchObject([{ state: 'sent', attemptCount: 3 }]);
    expect(new Set(received.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
  });

  test('is not for sites of other customers, also when it is changed', async () => {
    const { sites } = server.world;
    const north = await server.as('northAdmin');
    const { id } = await add('standard', { siteIds: [sites.northQuay] });
    const body = {
      ...{ name: 'Foreign', webhookUrl: `${url}/hook`, format: 'standard' as const, types: [] },
      ...{ siteIds: [sites.northQuay, sites.southPark], locale: 'en-US' as const, enabled: true },
    };
    const made = await north.call(createWebhook, { body: { customerId: server.world.customers.north, ...body } });
    expect(made).toMatchObject({ code: CODES.webhookSites.code });
    expect(await north.call(updateWebhook, { params: { id }, body })).toMatchObject({ code: CODES.webhookSites.code });
    // A row that was stored before names no site of another customer either.
    await rows('update webhooks set site_ids = $2 where id = $1', [id, [sites.northQuay, sites.southPark]]);
    const { items } = await north.data(listWebhooks, { query: {} });
    const stored = items.find((one) => one.id === id);
    expect([stored?.siteIds, stored?.sites.map((site) => site.id)]).toEqual([[sites.northQuay], [sites.northQuay]]);
  });

  test('whose message cannot be built is an attempt of the send log, and is tried again later', async () => {
    const { id } = await add('standard');
    await rows(`update webhooks set secret = 'broken' where id = $1`, [id]);
    await raise('Fan');
    await deliver();
    expect(received).toEqual([]);
    const [entry] = await log();
    expect(entry).toMatchObject({ state: 'waiting', attempts: [{ status: null }] });
    expect(new Date(entry!.nextAttemptAt!).getTime()).toBeGreaterThan(Date.now());
  });

  test('to which a node is sending gets its next message after that', async () => {
    const { id } = await add('standard');
    answer = { status: 500, text: 'down' };
    for (const _ of [1, 2]) await (await server.as('northAdmin')).data(testWebhook, { params: { id } });
    await sweepMessages(server);
    const [{ lease }] = (await rows(
      `update message_sends set leased = true, next_attempt_at = now() + interval '1 minute'
        where id = (select min(id) from message_sends) returning next_attempt_at as lease`,
    )) as [{ lease: Date }];
    await rows(`update message_sends set next_attempt_at = now() - interval '1 ms' where not leased`);
    expect(await nextSendAt(server.database.db, 'webhook', new Date())).toEqual(lease);
    await rows('update message_sends set leased = false');
  });

  test('that a node is sending to is left to it by the others', async () => {
    const { id } = await add('standard');
    answer = { status: 500, text: 'down' };
    for (const _ of [1, 2]) await (await server.as('northAdmin')).data(testWebhook, { params: { id } });
    await deliver();
    // Due, and no receiver has to wait: the next claims are those of this test.
    const { db } = server.database;
    const later = new Date(Date.now() + 3_600_000);
    const claim = async () => (await claimSends(db, 'webhook', later, 10, 60)).map(({ webhookId }) => webhookId);
    expect(await claim()).toEqual([id]);
    expect(await claim()).toEqual([]);
    await rows('update message_sends set leased = false');
  });

  test('of DingTalk is signed in its way, and an error with status 200 is no success', async () => {
    await add('dingtalk', { secret: 'SEC1' });
    answer = { status: 200, text: '{"errcode":310000,"errmsg":"sign not match"}' };
    await raise('Fan');
    await deliver();
    expect(received[0]!.path).toMatch(/^\/hook\?timestamp=\d+&sign=\S+$/);
    expect(JSON.parse(received[0]!.body)).toMatchObject({ msgtype: 'text' });
    expect(await log()).toMatchObject([{ state: 'waiting' }]);
  });

  test('of another customer, or for other types, gets nothing', async () => {
    await add('standard', { types: ['alarmOA'] });
    await (await server.as('southAdmin')).data(createWebhook, {
      body: {
        ...{ customerId: server.world.customers.south, name: 'South', webhookUrl: url, format: 'standard' },
        ...{ types: [], siteIds: [], locale: 'en-US', enabled: true },
      },
    });
    await raise('Fan');
    await deliver();
    expect(received).toEqual([]);
  });

  test('gets the types that it subscribes to, also if they join an incident, and reads of no others', async () => {
    await add('standard', { name: 'Faults', types: ['fault', 'recovery'] });
    await add('standard', { name: 'Offline', types: ['deviceOffline', 'recovery'] });
    await add('standard', { name: 'Recoveries', types: ['recovery'] });
    await add('standard', { name: 'Alarms', types: ['alarmOA', 'recovery'] });
    await raiseOffline();
    await deliver();
    for (const code of ['PowerLoss', 'Contactor']) {
      await raise(code);
      await deliver();
    }
    await recover();
    await deliver();
    const sent = await rows(
      `select receiver, type, content::json ->> 'title' as title, content::json -> 'data' ->> 'type' as about,
              content::json -> 'data' ->> 'code' as code
         from message_sends where channel = 'webhook' order by id`,
    );
    const at = ' · Site northQuay';
    const [offline, fault] = [
      { about: 'deviceOffline', code: 'Offline' },
      { about: 'fault', code: 'PowerLoss' },
    ];
    expect(sent.slice(0, 2)).toEqual([
      { receiver: 'Offline', type: 'deviceOffline', title: `CA · Device offline${at}`, ...offline },
      { receiver: 'Faults', type: 'fault', title: `CA · Fault: PowerLoss${at}`, ...fault },
    ]);
    const contactor = { about: 'fault', code: 'Contactor' };
    expect(sent[2]).toEqual({ receiver: 'Faults', type: 'fault', title: `CA · Fault: Contactor${at}`, ...contactor });
    expect(sent.slice(3).sort((a, b) => String(a.receiver).localeCompare(String(b.receiver)))).toEqual([
      { receiver: 'Faults', type: 'recovery', title: `Over: Fault: Contactor${at}`, ...contactor },
      { receiver: 'Offline', type: 'recovery', title: `Over: Device offline${at}`, ...offline },
      { receiver: 'Recoveries', type: 'recovery', title: `Over: Fault: Contactor${at}`, ...contactor },
    ]);
    expect(received).toHaveLength(6);
  });

  test('for all types is called about each critical cause of an incident, and says what a reader needs', async () => {
    await add('standard', { name: 'Everything' });
    await raiseOffline();
    await raise('PowerLoss');
    await deliver();
    expect((await log()).map(({ type }) => type)).toEqual(['fault', 'deviceOffline']);
    expect(received).toHaveLength(2);
    const { data } = JSON.parse(received[1]!.body);
    expect(data).toMatchObject({
      ...{ level: 'CA', connector: 1, customer: { name: 'Customer north' }, site: { name: 'Site northQuay' } },
      causes: [
        { code: 'PowerLoss', level: 'CA', open: 1, devices: [{ id: server.world.devices.northQuay1.id }] },
        { code: 'Offline', open: 3 },
      ],
    });
  });

  test('is listed by name with numbers by value and Chinese by pinyin', async () => {
    const inOrder = ['北站 2', '北站 10', '中站', 'Pile 2', 'Pile 10'];
    for (const name of ['Pile 10', '中站', '北站 10', 'Pile 2', '北站 2']) await add('standard', { name });
    const names = async (sort: 'name' | '-name') =>
      (await (await server.as('northAdmin')).data(listWebhooks, { query: { sort } })).items.map(({ name }) => name);
    expect(await names('name')).toEqual(inOrder);
    expect(await names('-name')).toEqual(inOrder.toReversed());
  });

  test('keeps its message when the process ends before it is sent', async () => {
    await add('standard');
    await raise('Fan');
    await sweepMessages(server);
    await server.restart();
    await deliver();
    await server.restart();
    await deliver();
    expect(received).toHaveLength(1);
  });
});

describe('a browser', () => {
  const newKey = () => {
    const keys = createECDH('prime256v1');
    return keys.generateKeys();
  };
  const subscribe = async (key = newKey()) => {
    const body = {
      ...{ pushUrl: `${url}/push`, p256dh: key.toString('base64url') },
      auth: randomBytes(16).toString('base64url'),
    };
    return await (await server.as('northAdmin')).data(addPushBrowser, { body });
  };

  test('is refused with a key that no browser has', async () => {
    const body = { pushUrl: `${url}/push`, p256dh: Buffer.alloc(65).toString('base64url'), auth: 'A'.repeat(22) };
    const refused = await (await server.as('northAdmin')).call(addPushBrowser, { body });
    expect(refused).toMatchObject({ code: CODES.fieldFormat.code, data: null });
  });

  test('gets an encrypted push, signed with the key of the installation', async () => {
    await subscribe();
    await raise('Fan');
    await deliver();
    expect(received).toHaveLength(1);
    expect(received[0]!.headers).toMatchObject({
      ...{ 'content-encoding': 'aes128gcm', urgency: 'high', ttl: '86400' },
      authorization: expect.stringMatching(/^vapid t=/),
    });
    expect(received[0]!.body).not.toContain('Fan');
    expect(await log()).toMatchObject([{ channel: 'push', state: 'sent', receiver: 'north_admin' }]);
  });

  test('reads the title of the type that its user gets, also in the recovery', async () => {
    await subscribe();
    await rows(
      `insert into message_settings (user_id, type, in_app, email, push, delayed)
       values ($1, 'deviceOffline', false, false, false, false)`,
      [server.world.users.northAdmin],
    );
    await raiseOffline();
    await deliver();
    expect(received).toEqual([]);
    await raise('PowerLoss');
    await deliver();
    await recover();
    await deliver();
    const titles = await rows(
      `select content::json ->> 'title' as title from message_sends where channel = 'push' order by id`,
    );
    expect(titles.map(({ title }) => title)).toEqual([
      'CA · Fault: PowerLoss · Site northQuay',
      'Over: Fault: PowerLoss · Site northQuay',
    ]);
    expect(received).toHaveLength(2);
  });

  test('gets nothing after its session was ended, but after the session expired', async () => {
    const north = await server.as('northAdmin');
    await subscribe();
    const [{ session } = { session: null }] = await rows('select session_id as session from push_subscriptions');
    const end = (reason: string) =>
      rows(`update sessions set ended_at = now(), end_reason = $1 where id = $2`, [reason, session]);
    await end('networkTimeout');
    await raise('Fan');
    await deliver();
    expect(received).toHaveLength(1);
    // Planned before the sign-out, due after it.
    await raise('Meter');
    await sweepMessages(server);
    await end('loggedOut');
    await deliver();
    await raise('Contactor');
    await deliver();
    expect(received).toHaveLength(1);
    expect(await rows('select id from push_subscriptions')).toEqual([]);
    expect(await north.data(listPushBrowsers)).toEqual({ items: [] });
  });

  test('whose keys are broken is an attempt of the send log, with the reason, and is tried again later', async () => {
    // A point that is not on the curve.
    await subscribe(Buffer.concat([Buffer.of(4), Buffer.alloc(64, 1)]));
    await raise('Fan');
    await deliver();
    expect(received).toEqual([]);
    const [entry] = await log();
    expect(entry).toMatchObject({
      state: 'waiting',
      attempts: [{ status: null, answer: expect.stringMatching(/key/i) }],
    });
    expect(new Date(entry!.nextAttemptAt!).getTime()).toBeGreaterThan(Date.now());
  });

  test('that unsubscribed is forgotten', async () => {
    await subscribe();
    answer = { status: 410, text: 'gone' };
    await raise('Fan');
    await deliver();
    expect(await (await server.as('northAdmin')).data(listPushBrowsers)).toEqual({ items: [] });
    expect(await log()).toMatchObject([{ state: 'failed' }]);
  });
});

test('one click in a mail ends the mails of its type, without sign-in', async () => {
  const { northAdmin } = server.world.users;
  await rows(`update users set email = 'duty@example.org' where id = $1`, [northAdmin]);
  await rows(`update roles set email_alarm = true where id = (select role_id from users where id = $1)`, [northAdmin]);
  await rows(`insert into message_templates values ('fault', 'email', 'en-US', 'Look: {title}', '{devices}')`);
  await raise('Fan');
  await sweepMessages(server);
  await rows(`update message_mails set due_at = now() - interval '1 ms' where written_at is null`);
  await sweepMessages(server);
  const { email } = await post.newest('duty@example.org');
  expect(email.subject).toBe('Look: Fault: Fan');
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value ?? '';
  expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
  const link = new URL(header('list-unsubscribe').slice(1, -1));
  const address = `${server.url}${link.pathname}${link.search}`;
  const forged = await fetch(`${address}x`, { method: 'POST' });
  expect(forged.status).toBe(404);
  const page = await (await fetch(address)).text();
  expect(page).toContain('<form method="post">');
  // Mails because of a duty go on.
  expect(page).toContain('While you are on call');
  const chinese = await fetch(address, { headers: { 'accept-language': 'zh-CN' } });
  expect(await chinese.text()).toContain('值班期间');
  const done = await fetch(address, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
  expect(done.status).toBe(200);
  expect(await done.text()).toContain('While you are on call');
  const saved = await rows(`select type, in_app, email from message_settings where user_id = $1`, [northAdmin]);
  expect(saved).toEqual([{ type: 'fault', in_app: true, email: false }]);
  expect(await log()).toMatchObject([{ channel: 'email', receiver: 'duty@example.org', type: 'fault' }]);
});

test('only the page about mails that a duty sends again says so', () => {
  const links = unsubscribing({
    ...{ db: server.database.db, key: 'key', clock: systemClock, urlOf: (path) => `http://x${path}` },
    productName: () => 'North',
  });
  const paragraphs = (type: MessageType) => {
    const { searchParams } = new URL(links.urlFor(1, [type]) ?? '');
    return links.page(searchParams.get('token') ?? '', 'en-US').paragraphs.length;
  };
  expect((['fault', 'recovery', 'issueAnswered', 'shareLocked'] as const).map(paragraphs)).toEqual([2, 2, 1, 1]);
});
