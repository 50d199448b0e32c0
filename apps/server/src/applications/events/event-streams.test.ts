import { applicationEndpoints, CODES, ENDPOINTS, OPEN_OPERATIONS } from '@chargehand/contract';
import { openApiClient, type StreamMessage } from '@chargehand/open-client';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { openClient, signedHeaders } from '../../testing/applications/signing.ts';
import type { Client } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { Person } from '../../testing/world.ts';
import { MOST_STREAMS } from './event-streams.ts';

let server: TestServer;
let root: Client;
let names = 0;
beforeAll(async () => {
  server = await startTestServer({ captcha: false }, { sweeps: true });
  root = await server.as('root');
});
afterAll(() => server.stop());

type Application = { id: number; appId: string; appSecret: string };
async function create(person: Person, allowedOperations = Object.keys(OPEN_OPERATIONS)): Promise<Application> {
  names += 1;
  const fields = { description: '', allowedAddresses: [], rateLimit: 600, expiresAt: null, allowedOperations };
  const body = { ...fields, name: `Dispatch ${names}`, userId: server.world.users[person] };
  return await root.data(applicationEndpoints.createApplication, { body });
}

let application: Application;
beforeEach(async () => {
  application = await create('northAdmin');
});

/** Collects the messages of a stream; its errors, too. */
function listen(credentials: Application = application, options: { after?: string; types?: ['device.status'] } = {}) {
  const messages: StreamMessage[] = [];
  const ending = new AbortController();
  const failed = { error: null as unknown };
  const read = async () => {
    const { signal } = ending;
    const api = openApiClient({ url: server.url, ...credentials });
    for await (const message of api.events({ ...options, signal, pauseMs: 50 })) messages.push(message);
  };
  const done = read().catch((error: unknown) => {
    failed.error = error;
  });
  const stop = async () => {
    ending.abort();
    await done;
  };
  onTestFinished(stop);
  const seen = (count: number) =>
    eventually(
      () => messages,
      (all) => all.length >= count,
      { what: `${count} messages`, timeoutMs: 10_000 },
    );
  return { messages, seen, done, failed, stop };
}

/** The position after everything that has happened so far. */
async function now(): Promise<string> {
  const unnumbered = () => server.database.pool.query('select from open_events where position is null');
  await eventually(unnumbered, ({ rowCount }) => rowCount === 0, { what: 'all events to be numbered' });
  const { rows } = await server.database.pool.query('select numbered from open_event_positions');
  return String(rows[0].numbered);
}

const setStatus = (id: number, status: string) =>
  server.database.pool.query('update devices set status = $2, status_since = now() where id = $1', [id, status]);

test('a stream has the events that the user sees, in order, with a number for each device', async () => {
  const { northQuay1, southPark1 } = server.world.devices;
  const stream = listen(application, { after: await now() });
  await setStatus(southPark1.id, 'faulted');
  for (const status of ['faulted', 'idle', 'working']) await setStatus(northQuay1.id, status);
  const messages = await stream.seen(3);
  expect(messages.map(({ event }) => event?.data)).toMatchObject(
    ['faulted', 'idle', 'working'].map((status) => ({ sn: northQuay1.sn, status })),
  );
  const numbers = messages.map(({ event }) => event?.sequence ?? 0);
  expect(numbers).toEqual([numbers[0], (numbers[0] ?? 0) + 1, (numbers[0] ?? 0) + 2]);
  expect(messages[0]?.event).toMatchObject({ type: 'device.status', deviceId: northQuay1.id });
});

test('alarms, commands and issues have events', async () => {
  const { northQuay2 } = server.world.devices;
  const stream = listen(application, { after: await now() });
  const { rows } = await server.database.pool.query(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     values ($1, 1, 'GroundFailure', 'fault', 'CA', now(), now()) returning id`,
    [northQuay2.id],
  );
  await server.database.pool.query('update alarms set cleared_at = now() where id = $1', [rows[0].id]);
  const params = { id: northQuay2.id };
  const command = await root.data(ENDPOINTS.sendCommand, { params, body: { kind: 'softReset', whenOffline: 'queue' } });
  await server.database.pool.query(
    `update executions set state = 'ended', result = 3, ended_at = now() where id = $1`,
    [command.id],
  );
  const api = openApiClient({ url: server.url, ...application });
  const issue = await api.call('createIssue', { params, body: { title: 'Cable cut', type: 3 } });
  const names = { nameEn: 'Ground fault protection tripped', nameZh: '接地故障' };
  const alarm = { id: rows[0].id, code: 'GroundFailure', ...names, level: 'CA' };
  const { items } = await api.call('listAlarms', { query: { deviceId: northQuay2.id } });
  expect(items).toMatchObject([{ ...alarm, clearedAt: expect.any(String) }]);
  const messages = await stream.seen(4);
  expect(messages.map(({ event }) => [event?.type, event?.data])).toMatchObject([
    ['alarm.raised', { ...alarm, clearedAt: null }],
    ['alarm.cleared', { ...alarm, clearedAt: expect.stringMatching(/Z$/) }],
    ['command.finished', { id: command.id, kind: 'softReset', result: 'failure' }],
    ['issue.created', issue],
  ]);
});

test('a stream continues after the last event, also after a restart of the server', async () => {
  const { northQuay1 } = server.world.devices;
  const stream = listen(application, { types: ['device.status'], after: await now() });
  await setStatus(northQuay1.id, 'faulted');
  await stream.seen(1);
  await server.restart();
  await setStatus(northQuay1.id, 'idle');
  // A start may also find the device offline. No event of the device is missing or repeated.
  const statuses = () => stream.messages.map(({ event }) => (event?.data as { status?: string } | undefined)?.status);
  await eventually(statuses, (all) => all.at(-1) === 'idle', { what: 'the last status' });
  expect(statuses()[0]).toBe('faulted');
  const numbers = stream.messages
    .filter(({ event }) => event?.deviceId === northQuay1.id)
    .map(({ event }) => event?.sequence ?? 0);
  expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] ?? 0) + index));
});

test('a stream says when events before it are no longer stored', async () => {
  const { northQuay1 } = server.world.devices;
  const before = await now();
  for (const status of ['faulted', 'working', 'idle']) await setStatus(northQuay1.id, status);
  const last = Number(await now());
  await server.database.pool.query(`update open_events set at = now() - interval '4 days' where position < $1`, [last]);
  const { forgetEvents } = await import('./events.store.ts');
  await forgetEvents(server.database.db, new Date());
  const messages = await listen(application, { after: before }).seen(2);
  expect(messages).toMatchObject([{ gap: { after: before, next: String(last - 1) } }, { event: { id: String(last) } }]);
  const [ahead] = await listen(application, { after: String(last + 1_000) }).seen(1);
  expect(ahead).toMatchObject({ gap: { next: String(last) } });
});

test.each<[string, (id: number) => Promise<unknown>, number]>([
  [
    'the application is disabled',
    (id) => root.data(applicationEndpoints.disableApplication, { params: { id } }),
    CODES.applicationDisabled.code,
  ],
  [
    'its user is disabled',
    () =>
      server.database.pool.query('update users set enabled = false where id = $1', [server.world.users.northReader]),
    CODES.applicationUser.code,
  ],
])('a stream ends soon when %s', async (_title, change, code) => {
  const own = await create('northReader');
  const stream = listen(own);
  const { northQuay1 } = server.world.devices;
  // Connected: it receives an event.
  await eventually(
    async () => {
      await setStatus(northQuay1.id, 'faulted');
      await setStatus(northQuay1.id, 'idle');
      return stream.messages.length;
    },
    (count) => count > 0,
  );
  await change(own.id);
  const begun = performance.now();
  await stream.done;
  expect(performance.now() - begun).toBeLessThan(5_000);
  expect(stream.failed.error).toMatchObject({ code });
  await server.database.pool.query('update users set enabled = true where id = $1', [server.world.users.northReader]);
});

test('an application without an operation that has events is refused', async () => {
  const own = await create('northAdmin', ['open.streamEvents', 'open.listSites']);
  const stream = listen(own);
  await stream.done;
  expect(stream.failed.error).toMatchObject({ status: 403, code: CODES.applicationForbidden.code });
});

test('an application has a limited number of streams', async () => {
  const open = Array.from({ length: MOST_STREAMS }, () => listen());
  const refused = () =>
    openClient(server.url, application).send(
      'GET',
      '/api/open/v1/events',
      undefined,
      {},
      { accept: 'application/json' },
    );
  await eventually(
    async () => {
      await setStatus(server.world.devices.northQuay1.id, 'faulted');
      await setStatus(server.world.devices.northQuay1.id, 'idle');
      return open.every(({ messages }) => messages.length > 0);
    },
    (all) => all,
  );
  expect(await refused()).toMatchObject({ status: 429, body: { code: CODES.applicationStreams.code } });
});

test('streams that are opened at the same time are limited, too', async () => {
  const url = `${server.url}/api/open/v1/events`;
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const statuses = await Promise.all(
    Array.from({ length: MOST_STREAMS + 3 }, async () => {
      const headers = await signedHeaders(application, 'GET', url);
      return (await fetch(url, { headers, signal: ending.signal })).status;
    }),
  );
  expect(statuses.filter((status) => status === 200)).toHaveLength(MOST_STREAMS);
  expect(statuses.filter((status) => status === 429)).toHaveLength(3);
});

test('an unknown type of event is named', async () => {
  const path = '/api/open/v1/events?types=alarm.raised,alarm.gone';
  const answer = await openClient(server.url, application).send('GET', path, undefined, {}, {});
  expect(answer).toMatchObject({
    status: 400,
    body: { code: CODES.fieldChoice.code, field: 'types', message: expect.stringContaining('alarm.cleared') },
  });
});
