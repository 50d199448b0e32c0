import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { applicationEndpoints, applicationWebhookEndpoints, CODES, OPEN_OPERATIONS } from '@chargehand/contract';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { outbound } from '../../platform/http/outbound/outbound.ts';
import type { Client } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { Person } from '../../testing/world.ts';
import { claimDeliveries } from './deliveries.store.ts';

const E = applicationWebhookEndpoints;
let server: TestServer;
let root: Client;
let names = 0;
beforeAll(async () => {
  server = await startTestServer({ captcha: false, webhookPrivate: true }, { sweeps: true });
  root = await server.as('root');
});
afterAll(() => server.stop());

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A receiver with real sockets. `answer` decides about each request. */
async function receiver(answer: (response: ServerResponse, count: number) => void = (response) => response.end()) {
  const received: Received[] = [];
  const receiving = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      answer(response, received.length);
    });
  });
  await new Promise<void>((ready) => receiving.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    receiving.closeAllConnections();
    receiving.close();
  });
  const url = `http://127.0.0.1:${(receiving.address() as AddressInfo).port}/hook`;
  const seen = (count: number) =>
    eventually(
      () => received,
      (all) => all.length >= count,
      { what: `${count} requests`, timeoutMs: 15_000 },
    );
  return { url, received, seen };
}

async function application(person: Person = 'northAdmin', allowedOperations = Object.keys(OPEN_OPERATIONS)) {
  names += 1;
  const fields = { description: '', allowedAddresses: [], rateLimit: 600, expiresAt: null, allowedOperations };
  const body = { ...fields, name: `Billing ${names}`, userId: server.world.users[person] };
  return (await root.data(applicationEndpoints.createApplication, { body })).id;
}

const FIELDS = { description: '', events: ['device.status' as const], enabled: true };
let id: number;
beforeEach(async () => {
  id = await application();
});

async function webhook(webhookUrl: string, applicationId = id) {
  const { id: webhookId, secret } = await root.data(E.createApplicationWebhook, {
    params: { id: applicationId },
    body: { ...FIELDS, webhookUrl },
  });
  return { params: { id: applicationId, webhookId }, secret };
}
type Params = { id: number; webhookId: number };

const setStatus = (deviceId: number, status: string) =>
  server.database.pool.query('update devices set status = $2, status_since = now() where id = $1', [deviceId, status]);
/** Changes the status of devices, and changes it back. */
async function change(...devices: ('northQuay1' | 'northQuay2' | 'southPark1')[]): Promise<void> {
  for (const device of devices) {
    await setStatus(server.world.devices[device].id, 'faulted');
    await setStatus(server.world.devices[device].id, 'idle');
  }
}
/** What waits is sent at once. */
async function hurry(): Promise<void> {
  const { pool } = server.database;
  await pool.query('update application_webhooks set resting_until = null');
  await pool.query(
    `update webhook_deliveries set next_attempt_at = now() - interval '1 ms' where next_attempt_at is not null and not leased`,
  );
  await pool.query(`select pg_notify('webhook_deliveries', '')`);
}

const deliveries = async (params: Params) =>
  (await root.data(E.listWebhookDeliveries, { params, query: { limit: 50 } })).items;
const settled = (params: Params, state: string, count = 1) =>
  eventually(
    () => deliveries(params),
    (items) => items.filter((one) => one.state === state).length >= count,
    { what: `${count} ${state} deliveries`, timeoutMs: 15_000 },
  );
const test1 = (params: Params) => root.data(E.testApplicationWebhook, { params, body: {} });

test('an event is signed and sent once, with its number, to those who may receive it', async () => {
  const hook = await receiver();
  const { params, secret } = await webhook(hook.url);
  await change('southPark1', 'northQuay1');
  await settled(params, 'sent', 2);
  expect(hook.received).toHaveLength(2);
  const events = hook.received.map(({ body, headers }) => {
    const payload = new Webhook(secret).verify(body, headers as Record<string, string>) as {
      type: string;
      data: { sequence: number; deviceId: number; data: { status: string } };
    };
    expect(payload.type).toBe('device.status');
    return payload.data;
  });
  expect(events).toMatchObject([{ data: { status: 'faulted' } }, { data: { status: 'idle' } }]);
  expect(events.map(({ deviceId }) => deviceId)).toEqual(Array(2).fill(server.world.devices.northQuay1.id));
  expect(events[1]?.sequence).toBe((events[0]?.sequence ?? 0) + 1);
  expect((await deliveries(params))[0]).toMatchObject({
    eventType: 'device.status',
    attemptCount: 1,
    attempts: [{ status: 200, duration: expect.any(Number), answer: '' }],
  });
});

test('after a change of the secret, both sign', async () => {
  const hook = await receiver();
  const { params, secret } = await webhook(hook.url);
  const next = await root.data(E.rotateApplicationWebhookSecret, { params, body: {} });
  await test1(params);
  const [{ body, headers }] = (await hook.seen(1)) as [Received];
  for (const one of [secret, next.secret]) {
    expect(new Webhook(one).verify(body, headers as Record<string, string>)).toMatchObject({ type: 'test' });
  }
  const { rows } = await server.database.pool.query('select secret, previous_secret from application_webhooks');
  expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 20));
});

test('a failed event is sent again with the same ID and body, and later events wait for it', async () => {
  const hook = await receiver((response, count) => {
    response.statusCode = count < 3 ? 503 : 204;
    response.end(count < 3 ? 'busy' : '');
  });
  const { params } = await webhook(hook.url);
  await change('northQuay1');
  await hook.seen(1);
  const waits = (items: Awaited<ReturnType<typeof deliveries>>) => items.every(({ nextAttemptAt }) => nextAttemptAt);
  await eventually(() => deliveries(params), waits, { what: 'all deliveries to wait' });
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  expect(metrics).toMatch(/^chargehand_waiting_message_sends [1-9]/m);
  await hurry();
  await hook.seen(2);
  await eventually(() => deliveries(params), waits, { what: 'all deliveries to wait' });
  await hurry();
  const items = await settled(params, 'sent', 2);
  const [first, second, third] = hook.received;
  expect([second, third].map((one) => one?.headers['webhook-id'])).toEqual(Array(2).fill(first?.headers['webhook-id']));
  expect(third?.body).toBe(first?.body);
  expect(items.at(-1)?.attempts).toMatchObject([{ status: 503, answer: 'busy' }, { status: 503 }, { status: 204 }]);
  expect((await root.data(E.listApplicationWebhooks, { params })).items).toMatchObject([{ failingSince: null }]);
});

test('a webhook that has failed for three days is disabled, and administrators get a message', async () => {
  const hook = await receiver((response) => {
    response.statusCode = 500;
    response.end();
  });
  const { params } = await webhook(hook.url);
  await server.database.pool.query(
    `update application_webhooks set failing_since = now() - interval '73 hours' where id = $1`,
    [params.webhookId],
  );
  await change('northQuay1');
  await settled(params, 'failed', 1);
  const [item] = (await root.data(E.listApplicationWebhooks, { params })).items;
  expect(item).toMatchObject({ enabled: false, givenUpAt: expect.any(String) });
  const { host } = new URL(hook.url);
  const message = () =>
    server.database.pool.query(`select data from incidents where type = 'system' and data ->> 'host' = $1`, [host]);
  const { rows } = await eventually(message, ({ rowCount }) => rowCount === 1, { what: 'the message' });
  expect(rows).toMatchObject([{ data: { event: 'webhookGivenUp' } }]);
  const refused = await root.call(E.testApplicationWebhook, { params, body: {} });
  expect(refused.code).toBe(CODES.applicationWebhookDisabled.code);
});

test('deliveries are sent again, one or those of a time, with the same ID', async () => {
  const hook = await receiver();
  const { params } = await webhook(hook.url);
  await change('northQuay1');
  const [last] = await settled(params, 'sent', 2);
  const replay = (body: { deliveryId?: number; from?: string; to?: string }) =>
    root.data(E.replayWebhookDeliveries, { params, body });
  expect(await replay({ deliveryId: last?.id ?? 0 })).toEqual({ count: 1 });
  await hook.seen(3);
  expect(hook.received[2]?.headers['webhook-id']).toBe(last?.messageId);
  await settled(params, 'sent', 2);
  const [from, to] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
  expect(await replay({ from: from ?? '', to: to ?? '' })).toEqual({ count: 2 });
  await hook.seen(5);
  await settled(params, 'sent', 2);
  expect(await replay({ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' })).toEqual({ count: 0 });
});

test('two processes never claim a delivery at the same time', async () => {
  const { params } = await webhook('http://127.0.0.1:1/');
  const other = await webhook('http://127.0.0.1:1/');
  const { pool, db } = server.database;
  await pool.query('update application_webhooks set enabled = id = any($1)', [
    [params.webhookId, other.params.webhookId],
  ]);
  // Due in a time that the workers of the server do not see yet.
  const later = new Date(Date.now() + 3_600_000);
  for (const { webhookId } of [params, other.params]) {
    await pool.query(
      `insert into webhook_deliveries (webhook_id, content, next_attempt_at)
       select $1, '{}', $2 from generate_series(1, 3)`,
      [webhookId, later],
    );
  }
  const claimed = (await Promise.all(Array.from({ length: 8 }, () => claimDeliveries(db, later, 10, 60)))).flat();
  expect(claimed.map(({ webhookId }) => webhookId).sort()).toEqual([params.webhookId, other.params.webhookId].sort());
});

describe('nothing is sent', () => {
  test('when the application is disabled, or its user may not see the event any more', async () => {
    const hook = await receiver();
    const applicationId = await application('northAssigned');
    const { params } = await webhook(hook.url, applicationId);
    const { pool } = server.database;
    const content = JSON.stringify({ type: 'device.status' });
    const { northMill1 } = server.world.devices;
    await pool.query(
      `insert into webhook_deliveries (webhook_id, type, customer_id, site_id, content, next_attempt_at)
       select $1, 'device.status', customer_id, site_id, $2, now() from devices where id = $3`,
      [params.webhookId, content, northMill1.id],
    );
    await pool.query(`select pg_notify('webhook_deliveries', '')`);
    await settled(params, 'dropped', 1);
    await test1(params);
    await settled(params, 'sent', 1);
    await root.data(applicationEndpoints.disableApplication, { params: { id: applicationId } });
    await test1(params);
    await settled(params, 'dropped', 2);
    expect(hook.received).toHaveLength(1);
  });

  test('of a type that the application may not receive', async () => {
    const hook = await receiver();
    const applicationId = await application('northAdmin', ['open.listSites']);
    const { params } = await webhook(hook.url, applicationId);
    expect((await root.data(E.listApplicationWebhooks, { params })).items).toMatchObject([
      { unreachable: ['device.status'] },
    ]);
    const allowed = await receiver();
    const { params: of } = await webhook(allowed.url);
    await change('northQuay2');
    await settled(of, 'sent', 2);
    expect(await deliveries(params)).toEqual([]);
  });
});

describe('a hostile receiver', () => {
  test.each<[string, (response: ServerResponse) => void, object]>([
    [
      'that redirects into a private network is not followed',
      (response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
      { status: 302 },
    ],
    [
      'that answers without end is read to a limit',
      (response) => {
        const write = () => {
          while (!response.destroyed && response.write('x'.repeat(10_000)));
          if (!response.destroyed) response.once('drain', write);
        };
        response.statusCode = 500;
        write();
      },
      { status: 500, answer: expect.stringMatching(/^x{2000}$/) },
    ],
    [
      'with huge headers is refused',
      (response) => response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`),
      { status: null, answer: expect.stringMatching(/header/i) },
    ],
    [
      'that answers no HTTP is refused',
      (response) => response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
      { status: null, answer: expect.stringMatching(/Parse Error/) },
    ],
    [
      'that sends zero bytes is shown without them',
      (response) => {
        response.statusCode = 400;
        response.end('a\0b');
      },
      { status: 400, answer: 'ab' },
    ],
  ])('%s', async (_title, answer, attempt) => {
    const hook = await receiver(answer);
    const { params } = await webhook(hook.url);
    await test1(params);
    const tried = await eventually(
      () => deliveries(params),
      ([one]) => (one?.attempts.length ?? 0) > 0,
      { what: 'an attempt', timeoutMs: 15_000 },
    );
    expect(tried[0]?.attempts[0]).toMatchObject(attempt);
    expect(tried[0]?.state).toBe('waiting');
    expect(hook.received).toHaveLength(1);
  });

  test('whose headers or body arrive byte by byte is given up in time', async () => {
    const begin = (response: ServerResponse, text: string) => {
      response.socket?.write(text);
      const timer = setInterval(() => response.socket?.write('a'), 20);
      response.on('close', () => clearInterval(timer));
    };
    for (const text of ['HTTP/1.1 200 OK\r\nx: ', 'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n']) {
      const hook = await receiver((response) => begin(response, text));
      const hurried = outbound({ allowsPrivate: true, timeoutMs: 400 });
      await expect(hurried.post(hook.url, { headers: {}, body: '{}' })).rejects.toThrow('No answer within 0.4 s.');
    }
  });
});

test('addresses in private networks are refused, unless the installation allows them', async () => {
  const strict = await startTestServer({ captcha: false });
  onTestFinished(() => strict.stop());
  const admin = await strict.as('root');
  const fields = { description: '', allowedAddresses: [], rateLimit: 60, expiresAt: null, allowedOperations: [] };
  const { id: applicationId } = await admin.data(applicationEndpoints.createApplication, {
    body: { ...fields, name: 'Strict', userId: strict.world.users.northAdmin },
  });
  const add = async (webhookUrl: string) => {
    const input = { params: { id: applicationId }, body: { ...FIELDS, webhookUrl } };
    return (await admin.call(E.createApplicationWebhook, input)).code;
  };
  expect(await add('http://example.org/hook')).toBe(CODES.applicationWebhookUrl.code);
  expect(await add('https://me:word@example.org/')).toBe(CODES.applicationWebhookUrl.code);
  for (const host of ['127.0.0.1', '[::1]', '10.1.2.3', 'localhost', '169.254.169.254', '2130706433']) {
    expect(await add(`https://${host}/hook`), host).toBe(CODES.applicationWebhookPrivate.code);
  }
  expect(await add('https://example.org/hook')).toBe(0);
});

test('the webhooks of another application are not found', async () => {
  const { params } = await webhook('https://example.org/hook');
  const other = { ...params, id: await application() };
  for (const endpoint of [E.deleteApplicationWebhook, E.listWebhookDeliveries]) {
    const inputs = { params: other, query: { limit: 20 as const } };
    expect((await root.call(endpoint as typeof E.listWebhookDeliveries, inputs)).code).toBe(CODES.notFound.code);
  }
});
