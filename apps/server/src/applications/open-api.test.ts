import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { applicationEndpoints, CODES, ENDPOINTS, OPEN_OPERATIONS } from '@chargehand/contract';
import { OpenApiError, openApiClient } from '@chargehand/open-client';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Credentials,
  type OpenAnswer,
  openClient,
  type Signing,
  signedHeaders,
} from '../testing/applications/signing.ts';
import type { Client } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import type { Person } from '../testing/world.ts';
import { REFUSED_A_MINUTE } from './requests/refusals.ts';

const run = promisify(execFile);
const EXAMPLES = fileURLToPath(new URL('../../../../docs/open-api/', import.meta.url));
const ALL = Object.keys(OPEN_OPERATIONS);
const E = applicationEndpoints;

let server: TestServer;
let root: Client;
let application: Credentials & { id: number };
let names = 0;

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
});
afterAll(() => server.stop());
beforeEach(async () => {
  application = await create('northAdmin');
});

const FIELDS = { description: '', allowedAddresses: [], rateLimit: 600, expiresAt: null, allowedOperations: ALL };

async function create(person: Person, more: Partial<typeof FIELDS> = {}): Promise<Credentials & { id: number }> {
  names += 1;
  const body = { ...FIELDS, name: `Billing ${names}`, userId: server.world.users[person], ...more };
  return await root.data(E.createApplication, { body });
}

const listed = async <T>(rows: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
};
const client = (credentials: Credentials = application) => openClient(server.url, credentials);
const get = (path: string, credentials?: Credentials, signing?: Signing) =>
  client(credentials).send('GET', path, undefined, signing);
const codeOf = (answer: { status: number; body: OpenAnswer }) => [answer.status, answer.body.code];

describe('an application', () => {
  test('sees what its user sees', async () => {
    const { devices, sites, customers } = server.world;
    const devicesSeen = await get('/api/open/v1/devices?limit=200');
    expect(devicesSeen.status).toBe(200);
    const sns = devicesSeen.body.data.items.map(({ sn }: { sn: string }) => sn);
    expect(sns).toEqual(
      [devices.northQuay1, devices.northQuay2, devices.northMill1, devices.northMill2].map(({ sn }) => sn),
    );
    expect((await get('/api/open/v1/customers')).body.data.items).toEqual([
      { id: customers.north, code: 'north', name: 'Customer north', enabled: true },
    ]);
    const assigned = await create('northAssigned');
    const sitesSeen = await get('/api/open/v1/sites', assigned);
    expect(sitesSeen.body.data.items.map(({ id }: { id: number }) => id)).toEqual([sites.northQuay]);
    expect(codeOf(await get(`/api/open/v1/devices/${devices.southPark1.id}`))).toEqual([404, CODES.notFound.code]);
  });

  test('reads pages without a gap', async () => {
    const seen: number[] = [];
    let next: string | null = '';
    while (next !== null) {
      const page = await get(`/api/open/v1/devices?limit=1${next ? `&cursor=${next}` : ''}`);
      seen.push(...page.body.data.items.map(({ id }: { id: number }) => id));
      next = page.body.data.next;
    }
    expect(seen).toEqual(
      Object.entries(server.world.devices)
        .filter(([name]) => name.startsWith('north'))
        .map(([, { id }]) => id),
    );
    for (const cursor of ['-1', 'zzzzzzz', '1.5', 'A']) {
      const { status, body } = await get(`/api/open/v1/devices?cursor=${cursor}`);
      expect({ status, body }).toEqual({ status: 400, body: expect.objectContaining({ field: 'cursor' }) });
      expect(body.message).not.toMatch(/[{}]/);
    }
  });

  test('cannot do what its user cannot do', async () => {
    const { northQuay1 } = server.world.devices;
    const without = await create('northNoMenus');
    expect(codeOf(await get('/api/open/v1/devices', without))).toEqual([403, CODES.applicationForbidden.code]);
    const reader = await create('northReader');
    const answer = await client(reader).send('POST', `/api/open/v1/devices/${northQuay1.id}/commands`, {
      kind: 'softReset',
    });
    expect(codeOf(answer)).toEqual([403, CODES.noPermission.code]);
    const readOnly = await create('readOnlyAdmin');
    const yard = server.world.devices.readOnlyYard1.id;
    const issue = { title: 'Cable cut', type: 3 };
    expect(codeOf(await client(readOnly).send('POST', `/api/open/v1/devices/${yard}/issues`, issue))).toEqual([
      403,
      CODES.applicationForbidden.code,
    ]);
  });

  test('calls only the operations that were chosen', async () => {
    const one = await create('northAdmin', { allowedOperations: ['listSites', 'open.listSites'] });
    expect((await get('/api/open/v1/sites', one)).status).toBe(200);
    expect(codeOf(await get('/api/open/v1/devices', one))).toEqual([403, CODES.applicationForbidden.code]);
  });

  test('creates an issue once for one key, named in the action log', async () => {
    const { id } = server.world.devices.northQuay1;
    const key = { 'idempotency-key': randomUUID() };
    const send = () =>
      client().send('POST', `/api/open/v1/devices/${id}/issues`, { title: 'Cable cut', type: 3 }, {}, key);
    const [first, again] = [await send(), await send()];
    expect(first.body).toMatchObject({ data: { title: 'Cable cut', deviceId: id, status: 'open' } });
    expect(again.body).toEqual(first.body);
    const { rows } = await server.database.pool.query(
      `select application_name from action_logs where object_type = 'issue' and object_id = $1`,
      [String(first.body.data.id)],
    );
    expect(rows).toEqual([{ application_name: expect.stringMatching(/^Billing/) }]);
    const query = { objectType: 'issue', objectId: String(first.body.data.id), limit: 10 };
    const { items } = await root.data(ENDPOINTS.listActionLogs, { query });
    expect(items).toMatchObject([{ userName: 'north_admin', applicationName: expect.stringMatching(/^Billing/) }]);
    expect((await get(`/api/open/v1/issues/${first.body.data.id}`)).body).toEqual(first.body);
  });

  test('a key is for one issue: a different one is refused instead of getting the first', async () => {
    const { northQuay1, northQuay2 } = server.world.devices;
    const key = { 'idempotency-key': randomUUID() };
    const send = (device: number, body: object = {}) => {
      const issue = { title: 'Door open', type: 3, ...body };
      return client().send('POST', `/api/open/v1/devices/${device}/issues`, issue, {}, key);
    };
    const { data } = (await send(northQuay1.id)).body;
    expect((await send(northQuay1.id, { title: ' Door open ' })).body.data).toMatchObject({ id: data.id });
    for (const other of [send(northQuay2.id), send(northQuay1.id, { title: 'Fan' }), send(northQuay1.id, { type: 1 })])
      expect(codeOf(await other)).toEqual([409, CODES.idempotencyKeyUsed.code]);
    // A request that is repeated late gets its issue, although users have changed it.
    await root.data(ENDPOINTS.updateIssue, { params: { id: data.id }, body: { title: 'Door repaired' } });
    expect((await send(northQuay1.id)).body.data).toMatchObject({ id: data.id, title: 'Door repaired' });
  });

  test('sends a command and reads its result', async () => {
    const { id } = server.world.devices.northQuay1;
    const sent = await client().send('POST', `/api/open/v1/devices/${id}/commands`, {
      kind: 'softReset',
      whenOffline: 'queue',
    });
    expect(sent.body).toMatchObject({ data: { kind: 'softReset', result: 'waiting', endedAt: null } });
    const read = await get(`/api/open/v1/devices/${id}/commands/${sent.body.data.id}`);
    expect(read.body).toEqual(sent.body);
  });

  test('a key is for one command: a different one is refused instead of getting the result of the first', async () => {
    const path = `/api/open/v1/devices/${server.world.devices.northQuay1.id}/commands`;
    const key = { 'idempotency-key': randomUUID() };
    const send = (body: object) => client().send('POST', path, { whenOffline: 'queue', ...body }, {}, key);
    const first = await send({ kind: 'clearCache' });
    expect((await send({ kind: 'clearCache' })).body.data).toMatchObject({ id: first.body.data.id });
    const other = await send({ kind: 'hardReset' });
    expect([...codeOf(other), other.body]).toMatchObject([
      409,
      CODES.idempotencyKeyUsed.code,
      { field: 'Idempotency-Key' },
    ]);
  });

  test.each(['abc', '0_17_', '1_x_2'])('the cursor %s, which no answer has given, is refused', async (cursor) => {
    expect(codeOf(await get(`/api/open/v1/alarms?cursor=${cursor}`))).toEqual([400, CODES.fieldFormat.code]);
  });
});

test('files of all folders are listed by cursor, also when one is removed meanwhile', async () => {
  const { pool } = server.database;
  const levels = 'read_level, write_level, download_level';
  const { rows: folders } = await pool.query(
    `insert into folders (customer_id, name, name_key, ${levels}, created_by_name)
     values ($1, 'Plans', 'plans', 5, 5, 5, '') returning id`,
    [server.world.customers.north],
  );
  const { rows: files } = await pool.query(
    `insert into attachments (customer_id, folder_id, name, name_key, size, media_type, type, bucket, object_key, etag,
                              ${levels}, uploaded_by_name)
     select $1, case when n > 1 then $2::int end, 'f' || n, 'f' || n, 1, 'text/plain', 'normal', 'main', 'f' || n, '', 5, 5, 5, ''
       from generate_series(1, 5) n returning id`,
    [server.world.customers.north, folders[0].id],
  );
  const ids = files.map(({ id }) => id);
  const first = await get('/api/open/v1/files?limit=2');
  await pool.query('delete from attachments where id = $1', [ids[0]]);
  const second = await get(`/api/open/v1/files?limit=2&cursor=${first.body.data.next}`);
  const seen = [first, second].flatMap(({ body }) => body.data.items.map(({ id }: { id: number }) => id));
  expect(seen).toEqual(ids.slice(0, 4));
  await pool.query('delete from attachments where id = any($1)', [ids]);
});

describe('a signature', () => {
  const path = '/api/open/v1/sites?limit=5';

  test.each<[string, Signing, keyof typeof CODES]>([
    ['of an old time', { created: new Date(Date.now() - 3_600_000) }, 'signatureTime'],
    ['of a time to come', { created: new Date(Date.now() + 3_600_000) }, 'signatureTime'],
    ['without the query', { fields: ['@method', '@path'] }, 'signatureIncomplete'],
    ['of nothing', { fields: [] }, 'signatureIncomplete'],
    ['of another algorithm', { alg: 'hmac-sha512' }, 'signatureIncomplete'],
    ['with a short nonce', { nonce: 'short' }, 'signatureNonce'],
  ])('%s is refused', async (_title, signing, code) => {
    expect(codeOf(await get(path, undefined, signing))).toEqual([401, CODES[code].code]);
  });

  test('is refused for another method, path, query or header, or with another secret', async () => {
    const headers = await signedHeaders(application, 'GET', `${server.url}${path}`);
    const send = async (method: string, to: string, more: Record<string, string> = {}) => {
      const answer = await fetch(`${server.url}${to}`, { method, headers: { ...headers, ...more } });
      return codeOf({ status: answer.status, body: (await answer.json()) as OpenAnswer });
    };
    const wrong = [401, CODES.signatureWrong.code];
    expect(await send('GET', '/api/open/v1/sites?limit=6')).toEqual(wrong);
    expect(await send('GET', '/api/open/v1/sites')).toEqual(wrong);
    expect(await send('GET', '/api/open/v1/devices?limit=5')).toEqual(wrong);
    expect(await send('POST', '/api/open/v1/token?limit=5')).toEqual(wrong);
    const other = headers.signature?.replace(/:[^:]{4}/, ':AAAA');
    expect(await send('GET', path, { signature: String(other) })).toEqual(wrong);
    expect(codeOf(await get(path, { ...application, appSecret: 'chs_guess' }))).toEqual(wrong);
    expect(codeOf(await get(path, { ...application, appId: 'app_guess' }))).toEqual(wrong);
    const anonymous = await fetch(`${server.url}${path}`);
    expect([anonymous.status, ((await anonymous.json()) as OpenAnswer).code]).toEqual([
      401,
      CODES.signatureMissing.code,
    ]);
    // A session of the console is no way into the open API.
    expect((await root.fetch(path)).status).toBe(401);
  });

  test('is valid once', async () => {
    const headers = await signedHeaders(application, 'GET', `${server.url}${path}`);
    const answers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const answer = await fetch(`${server.url}${path}`, { headers });
        return codeOf({ status: answer.status, body: (await answer.json()) as OpenAnswer });
      }),
    );
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
    expect(answers.filter(([, code]) => code === CODES.signatureReplayed.code)).toHaveLength(7);
  });

  test('covers the body', async () => {
    const { id } = server.world.devices.northQuay1;
    const to = `/api/open/v1/devices/${id}/issues`;
    const body = JSON.stringify({ title: 'Cable cut', type: 3 });
    const changed = JSON.stringify({ title: 'Cable CUT', type: 3 });
    const before = await issues();
    expect(codeOf(await client().send('POST', to, changed, { signedBody: body }))).toEqual([
      401,
      CODES.signatureBody.code,
    ]);
    const unsigned = { fields: ['@method', '@path', '@query'] };
    expect(codeOf(await client().send('POST', to, body, unsigned))).toEqual([401, CODES.signatureIncomplete.code]);
    expect(await issues()).toBe(before);
  });

  const issues = async () => (await server.database.pool.query('select count(*)::int from issues')).rows[0].count;

  test('is exchanged for a token of 15 minutes, which ends with the application', async () => {
    const { status, body } = await client().send('POST', '/api/open/v1/token');
    expect(status).toBe(200);
    const authorization = `Bearer ${body.data.token}`;
    const use = async (to = path, method = 'GET') => {
      const answer = await fetch(`${server.url}${to}`, { method, headers: { authorization } });
      return codeOf({ status: answer.status, body: (await answer.json()) as OpenAnswer });
    };
    expect(Date.parse(body.data.expiresAt) - Date.now()).toBeGreaterThan(14.8 * 60_000);
    expect((await use())[0]).toBe(200);
    expect((await use('/api/open/v1/token', 'POST'))[0]).toBe(401);
    await root.data(E.disableApplication, { params: { id: application.id } });
    expect(await use()).toEqual([401, CODES.tokenInvalid.code]);
    await server.database.pool.query('update application_tokens set until = now()');
    expect(await use()).toEqual([401, CODES.tokenInvalid.code]);
  });

  test.each([
    ['request.sh', 'sh'],
    ['request.py', 'python3'],
    ['request.mjs', process.execPath],
  ])('of the example %s is accepted', async (file, program) => {
    const { id } = server.world.devices.northQuay1;
    const env = {
      ...process.env,
      CHARGEHAND_URL: server.url,
      APP_ID: application.appId,
      APP_SECRET: application.appSecret,
    };
    const call = async (...args: string[]) =>
      JSON.parse((await run(program, [`${EXAMPLES}${file}`, ...args], { env })).stdout);
    expect((await call('GET', '/api/open/v1/sites?limit=1')).data.items).toHaveLength(1);
    expect((await call('GET', '/api/open/v1/customers')).data.items).toHaveLength(1);
    const body = JSON.stringify({ title: '充电枪 "1" 损坏', type: 3 });
    expect((await call('POST', `/api/open/v1/devices/${id}/issues`, body)).data.title).toBe('充电枪 "1" 损坏');
  });
});

describe('an application is refused', () => {
  const path = '/api/open/v1/sites';

  test('when it is disabled, and works again when it is enabled', async () => {
    await root.data(E.disableApplication, { params: { id: application.id } });
    expect(codeOf(await get(path))).toEqual([403, CODES.applicationDisabled.code]);
    await root.data(E.enableApplication, { params: { id: application.id } });
    expect((await get(path)).status).toBe(200);
  });

  test('when it has expired', async () => {
    await server.database.pool.query(`update applications set expires_at = now() - interval '1 ms' where id = $1`, [
      application.id,
    ]);
    expect(codeOf(await get(path))).toEqual([403, CODES.applicationExpired.code]);
  });

  test('when its user is disabled or deleted', async () => {
    const { pool } = server.database;
    const disabled = await create('northReader');
    await pool.query('update users set enabled = false where id = $1', [server.world.users.northReader]);
    expect(codeOf(await get(path, disabled))).toEqual([403, CODES.applicationUser.code]);
    await pool.query('update users set enabled = true where id = $1', [server.world.users.northReader]);
    await pool.query('update applications set user_id = null where id = $1', [disabled.id]);
    expect(codeOf(await get(path, disabled))).toEqual([403, CODES.applicationUser.code]);
  });

  test('from another network', async () => {
    const near = await create('northAdmin', { allowedAddresses: ['127.0.0.0/8', '::1'] as never });
    expect((await get(path, near)).status).toBe(200);
    const far = await create('northAdmin', { allowedAddresses: ['203.0.113.0/24'] as never });
    expect(codeOf(await get(path, far))).toEqual([403, CODES.applicationAddress.code]);
  });

  test('above its rate, and says how long to wait', async () => {
    const slow = await create('northAdmin', { rateLimit: 2 });
    // One minute may end during the five requests, so that at most four are accepted.
    const answers = [];
    for (let sent = 0; sent < 5; sent += 1) answers.push(await get(path, slow));
    const refused = answers.find(({ status }) => status !== 200);
    if (!refused) throw new Error('no request was refused');
    expect(codeOf(refused)).toEqual([429, CODES.applicationRate.code]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

test('the client package calls every operation, and reads a list page by page', async () => {
  const api = openApiClient({ url: server.url, ...application, locale: 'zh-CN' });
  const { id, sn } = server.world.devices.northQuay2;
  const params = { id };
  const devices = await listed(api.all('listDevices', { query: { limit: 1 } }));
  expect(devices).toHaveLength(4);
  expect(await listed(api.all('listDevices', { query: { sn } }))).toMatchObject([{ id, sn }]);
  expect(await api.call('readDevice', { params })).toEqual(devices.find((one) => one.id === id));
  expect(await api.call('readReadings', { params })).toEqual({ items: [] });
  const range = { items: '1:Power.Active.Import', from: new Date(0).toISOString(), to: new Date(1e12).toISOString() };
  await expect(api.call('readChart', { params, query: range })).rejects.toThrow(OpenApiError);
  const issue = await api.call('createIssue', { params, body: { title: 'Screen dark', type: 3 } });
  expect(await api.call('readIssue', { params: { id: issue.id } })).toEqual(issue);
  expect(await listed(api.all('listIssues', { query: { deviceId: id } }))).toEqual([issue]);
  const command = await api.call('sendCommand', { params, body: { kind: 'hardReset', whenOffline: 'queue' } });
  expect(await api.call('readCommand', { params: { id, executionId: command.id } })).toEqual(command);
  expect((await api.call('listAlarms', {})).next).toBeNull();
  // The limits of all lists are the same.
  for (const limit of [1, 200]) expect((await api.call('listAlarms', { query: { limit } })).next).toBeNull();
  expect((await api.call('listCustomers', {})).items).toHaveLength(1);
  expect((await api.call('listSites', { query: { limit: 1 } })).items).toHaveLength(1);
  expect(await api.call('listFiles', {})).toEqual({ items: [], next: null });
  const missing = await api.call('readFileAddress', { params }).catch((error: OpenApiError) => error);
  expect(missing).toMatchObject({ status: 404, code: CODES.notFound.code, message: expect.stringMatching(/文件/) });
});

test('the OpenAPI document is public and valid', async () => {
  const answer = await fetch(`${server.url}/api/open/v1/openapi.json`);
  const document = (await answer.json()) as { paths: object };
  expect(await new Validator().validate({ ...document })).toMatchObject({ valid: true });
  expect(Object.keys(document.paths)).toContain('/api/open/v1/devices/{id}/commands');
});

test('two secrets are valid during a rotation, and one after it', async () => {
  const params = { id: application.id };
  const next = await root.data(E.rotateApplicationSecret, { params, body: {} });
  const path = '/api/open/v1/sites';
  expect((await get(path)).status).toBe(200);
  expect((await get(path, next)).status).toBe(200);
  expect((await root.call(E.rotateApplicationSecret, { params, body: {} })).code).toBe(CODES.applicationSecrets.code);
  const { secrets } = await root.data(E.readApplication, { params });
  expect(secrets.map(({ ending }) => ending)).toEqual([next, application].map(({ appSecret }) => appSecret.slice(-4)));
  const remove = (secretId: number) => root.call(E.removeApplicationSecret, { params: { ...params, secretId } });
  expect((await remove(secrets[0]?.id ?? 0)).code).toBe(CODES.applicationLastSecret.code);
  expect((await remove(secrets[1]?.id ?? 0)).code).toBe(0);
  expect(codeOf(await get(path))).toEqual([401, CODES.signatureWrong.code]);
  expect((await get(path, next)).status).toBe(200);
});

test('secrets are stored encrypted, and requests are counted', async () => {
  const { rows } = await server.database.pool.query('select secret from application_secrets');
  expect(JSON.stringify(rows)).not.toContain(application.appSecret.slice(4, 20));
  await get('/api/open/v1/sites');
  await get('/api/open/v1/devices/999999');
  await server.sweep();
  const { days } = await root.data(E.readApplicationUsage, { params: { id: application.id } });
  expect(days).toEqual([{ day: expect.any(String), calls: 2, errors: 1, refused: 0 }]);
});

test('refused signatures are counted for the application, and limited by address', async () => {
  const other = await startTestServer({ captcha: false });
  try {
    const admin = await other.as('root');
    const body = { ...FIELDS, name: 'Guessed', userId: other.world.users.northAdmin };
    const { id, ...credentials } = await admin.data(E.createApplication, { body });
    const send = (appSecret: string) =>
      openClient(other.url, { ...credentials, appSecret }).send('GET', '/api/open/v1/sites');
    for (let sent = 0; sent < 3; sent += 1) expect((await send('chs_guess')).status).toBe(401);
    expect((await send(credentials.appSecret)).status).toBe(200);
    await other.sweep();
    const { days } = await admin.data(E.readApplicationUsage, { params: { id } });
    expect(days).toMatchObject([{ calls: 1, errors: 0, refused: 3 }]);
    // One minute may end during the requests.
    const answers = [];
    for (let sent = 0; sent < 2 * REFUSED_A_MINUTE + 2; sent += 1) answers.push(await send('chs_guess'));
    const limited = answers.find(({ status }) => status === 429);
    expect(limited?.body.code).toBe(CODES.applicationGuesses.code);
    expect(Number(limited?.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await other.stop();
  }
});
