import { randomUUID } from 'node:crypto';
import { applicationEndpoints, CODES, OPEN_ENDPOINTS, type OpenEndpoint } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Credentials, signedHeaders } from '../testing/applications/signing.ts';
import { newFile } from '../testing/cases/attachments.ts';
import { newIssue } from '../testing/cases/issues/issues.ts';
import type { Client } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import type { Person } from '../testing/world.ts';

const E = applicationEndpoints;
const OPERATIONS: OpenEndpoint[] = Object.values(OPEN_ENDPOINTS);
const ALL = OPERATIONS.map(({ id }) => id);
/** Where the requests of the tests come from. */
const HERE = '127.0.0.1';

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
});
afterAll(() => server.stop());

type Application = Credentials & { id: number };

const FIELDS = { description: '', rateLimit: 6_000, expiresAt: null };
let names = 0;

async function create(person: Person, allowedOperations = ALL, allowedAddresses: string[] = []): Promise<Application> {
  names += 1;
  const userId = server.world.users[person];
  const body = { ...FIELDS, name: `Billing ${names}`, userId, allowedOperations, allowedAddresses };
  return await root.data(E.createApplication, { body });
}

const change = (set: string, { id }: Application) =>
  server.database.pool.query(`update applications set ${set} where id = $1`, [id]);

const APPLICATIONS: Record<string, () => Promise<Application>> = {
  usable: () => create('northAdmin'),
  disabled: async () => {
    const application = await create('northAdmin');
    await root.data(E.disableApplication, { params: { id: application.id } });
    return application;
  },
  expired: async () => {
    const application = await create('northAdmin');
    await change('expires_at = now()', application);
    return application;
  },
  'without a user': async () => {
    const application = await create('northAdmin');
    await change('user_id = null', application);
    return application;
  },
  'of a disabled user': async () => {
    const application = await create('northAdmin');
    await change(`user_id = ${server.world.users.northDisabled}`, application);
    return application;
  },
  'of a disabled customer': () => create('closedAdmin'),
  'of a user without menus': () => create('northNoMenus'),
  'of a user without the level': () => create('northReader'),
  'of a user of one site': () => create('northAssigned'),
  'of another customer': () => create('southAdmin'),
  'of a read-only customer': () => create('readOnlyAdmin'),
  'allowed to list sites': () => create('northAdmin', ['open.listSites']),
  'allowed to stream, but no events': () => create('northAdmin', ['open.streamEvents']),
  'allowed from here': () => create('northAdmin', ALL, ['127.0.0.0/8', '::1']),
  'allowed from elsewhere': () => create('northAdmin', ALL, ['203.0.113.0/24']),
};

test.each(Object.entries(APPLICATIONS))(
  'the explanation of each operation matches the real call: %s',
  async (_, add) => {
    const application = await add();
    const explained: string[] = [];
    const happened: string[] = [];
    const ground = { world: server.world, db: server.database.db };
    for (const site of ['northQuay', 'northMill'] as const) {
      const device = server.world.devices[`${site}1`].id;
      const objects = { device, issue: await newIssue(ground, site), file: await newFile(ground, site) };
      for (const operation of OPERATIONS) {
        const { objectId, path, body } = callOf(operation, objects);
        const { result, code } = await root.data(E.explainApplication, {
          params: { id: application.id },
          query: { operation: operation.id, callerAddress: HERE, ...(objectId === undefined ? {} : { objectId }) },
        });
        explained.push(`${operation.id} ${site}: ${result === 'allowed' ? 0 : code}`);
        const real = await send(application, operation.method, path, body);
        const admitted = result === 'allowed' && real === PAST_THE_CHECK[operation.id]?.code;
        happened.push(`${operation.id} ${site}: ${admitted ? 0 : real}`);
      }
    }
    expect(explained).toEqual(happened);
  },
);

/** Errors after the access check has passed: there is no such command, or the one of the test before still waits. */
const PAST_THE_CHECK: Record<string, { code: number }> = {
  'open.readCommand': CODES.notFound,
  'open.sendCommand': CODES.deviceBusy,
};

/** A request of an operation, and the object that it names. */
function callOf({ id, path }: OpenEndpoint, objects: { device: number; issue: number; file: number }) {
  const named = { readIssue: objects.issue, readFileAddress: objects.file }[id.replace('open.', '')] ?? objects.device;
  const bodies: Record<string, object> = {
    'open.sendCommand': { kind: 'softReset', whenOffline: 'queue' },
    'open.createIssue': { title: 'Cable cut', type: 3 },
  };
  const query = id === 'open.readChart' ? `?items=1%3APower&from=${time(-60)}&to=${time(0)}` : '';
  return {
    objectId: path.includes(':id') ? named : undefined,
    path: path.replace(':id', String(named)).replace(':executionId', randomUUID()) + query,
    body: bodies[id],
  };
}

const time = (minutes: number) => encodeURIComponent(new Date(Date.now() + minutes * 60_000).toISOString());

/** The code of a real request; 0 when it was accepted. A stream is ended at once. */
async function send(credentials: Credentials, method: string, path: string, body?: object): Promise<number> {
  const url = server.url + path;
  const text = body && JSON.stringify(body);
  const ended = new AbortController();
  const answer = await fetch(url, {
    method,
    headers: await signedHeaders(credentials, method, url, text),
    signal: ended.signal,
    ...(text === undefined ? {} : { body: text }),
  });
  if (answer.ok) {
    ended.abort();
    return 0;
  }
  return ((await answer.json()) as { code: number }).code;
}

test('the limit of requests in a minute is explained', async () => {
  const application = await create('northAdmin');
  await change('rate_limit = 1', application);
  const explain = () =>
    root.data(E.explainApplication, { params: { id: application.id }, query: { operation: 'open.listSites' } });
  expect((await explain()).result).toBe('allowed');
  const minute = () => Math.floor(Date.now() / 60_000);
  let begun: number;
  let answer: Awaited<ReturnType<typeof explain>>;
  do {
    begun = minute();
    await send(application, 'GET', '/api/open/v1/sites');
    answer = await explain();
    // A new minute begins a new count.
  } while (minute() !== begun);
  expect(answer).toMatchObject({ result: 'refused', code: CODES.applicationRate.code });
  expect(answer.steps.find(({ step }) => step === 'rate')).toMatchObject({
    ...{ state: 'fail', reason: 'rateReached', fix: { place: 'application', id: application.id } },
  });
});

test('without an address, a limited application depends on it; what cannot be explained is refused', async () => {
  const { id } = await create('northAdmin', ALL, ['203.0.113.0/24']);
  const ask = (query: object) => root.call(E.explainApplication, { params: { id }, query: query as never });
  const operation = 'open.listDevices';
  const answer = await root.data(E.explainApplication, { params: { id }, query: { operation } });
  expect(answer.result).toBe('depends');
  expect(answer.steps.find(({ step }) => step === 'address')).toMatchObject({
    ...{ state: 'open', reason: 'addressNeeded', names: ['203.0.113.0/24'] },
  });
  expect(await ask({ operation, callerAddress: 'here' })).toMatchObject({
    ...{ field: 'callerAddress', message: expect.stringContaining('203.0.113.7') },
  });
  expect(await ask({ operation: 'open.flyToMoon' })).toMatchObject({
    ...{ code: CODES.applicationOperation.code, field: 'operation' },
  });
});
