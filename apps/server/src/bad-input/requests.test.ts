import { CODES, ENDPOINTS, type Endpoint, fleetEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { ENDPOINT_CASES } from '../testing/contract/endpoint-cases.ts';
import { LIMITED_BY_SERVICE, textFields } from '../testing/contract/input-fields.ts';
import { invoke } from '../testing/invoke.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false, trustedProxies: ['127.0.0.1'] });
  root = await server.as('root');
});
afterAll(() => server.stop());

test.each([
  ['/api/unauth/login', 'en-US', 'The request is too large: at most 1 MB.'],
  [fleetEndpoints.createDevice.path, 'zh-CN', '请求内容过大，最大 1 MB。'],
])('ten megabytes to %s get 413 in the envelope', async (path, locale, message) => {
  const response = await root.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': locale },
    body: JSON.stringify({ name: 'x'.repeat(10 * 1024 * 1024) }),
  });
  expect(response.status).toBe(413);
  expect(await response.json()).toEqual({ code: 10003, message, data: null });
});

test.each([`/api/auth/sys/menus/${'x'.repeat(300)}`, '/api/auth/sys/devices/%zz'])(
  'an address that the router refuses gets an answer in the envelope: %s',
  async (path) => {
    const response = await root.fetch(path, { headers: { 'accept-language': 'zh-CN' } });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ code: 10001, message: '接口不存在。', data: null });
  },
);

test('a name with script and SQL is stored and returned as it was entered', async () => {
  const name = `<script>alert('1')</script>"; drop table devices; --`;
  const ground = { world: server.world, db: server.database.db };
  const inputs = (await ENDPOINT_CASES[fleetEndpoints.createDevice.id]?.call?.(ground, 'northQuay', 'root')) ?? {};
  const made = await invoke(root, fleetEndpoints.createDevice, { body: { ...(inputs.body as object), name } });
  expect(made.code).toBe(0);
  const { data } = await invoke(root, fleetEndpoints.readDevice, { params: { id: (made.data as { id: number }).id } });
  expect(data).toMatchObject({ name });
});

test('a name is stored in the normal form NFC, so that names that look the same are equal', async () => {
  const ground = { world: server.world, db: server.database.db };
  const inputs = (await ENDPOINT_CASES[fleetEndpoints.createDevice.id]?.call?.(ground, 'northQuay', 'root')) ?? {};
  const name = 'Cafe\u0301 \uac00\u11a8';
  const made = await invoke(root, fleetEndpoints.createDevice, { body: { ...(inputs.body as object), name } });
  expect(made.code).toBe(0);
  const { data } = await invoke(root, fleetEndpoints.readDevice, { params: { id: (made.data as { id: number }).id } });
  expect(data).toMatchObject({ name: 'Caf\u00e9 \uac01' });
});

test.each(['['.repeat(1_000_000), '{"a":'.repeat(200_000), `[${'[],'.repeat(300_000)}1]`])(
  'input that is nested too deeply or too long is refused with a message, signed in or not: %#',
  async (body) => {
    for (const [by, path] of [
      [server.anonymous, '/api/unauth/login'],
      [root, fleetEndpoints.createDevice.path],
    ] as const) {
      const headers = { 'content-type': 'application/json' };
      const response = await by.fetch(path, { method: 'POST', headers, body });
      expect(response.status).toBe(200);
      expect([CODES.jsonTooDeep.code, CODES.jsonTooMany.code]).toContain(
        ((await response.json()) as { code: number }).code,
      );
    }
  },
);

test('no response of the API may be cached, for any user', async () => {
  for (const by of [root, server.anonymous]) {
    const { headers } = await by.fetch(fleetEndpoints.listDevices.path);
    expect(headers.get('cache-control')).toBe('no-store');
  }
});

test('browsers treat no answer as anything but JSON', async () => {
  const response = await root.fetch(fleetEndpoints.listDevices.path);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  // A page policy would only add bytes to an answer that no browser shows as a page.
  expect(response.headers.get('content-security-policy')).toBeNull();
  const page = await server.anonymous.fetch('/api/docs/');
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
});

const ALL = Object.values<Endpoint>(ENDPOINTS);
const named = (endpoint: Endpoint) => [endpoint.id, endpoint] as const;

/** Public endpoints are called from an address of their own each time, because they limit the calls of one address. */
let calls = 0;
async function callWith(endpoint: Endpoint, part: 'query' | 'body', name: string, value: unknown) {
  const ground = { world: server.world, db: server.database.db };
  const inputs = (await ENDPOINT_CASES[endpoint.id]?.call?.(ground, 'northQuay', 'root')) ?? {};
  calls += 1;
  const from = endpoint.policy.route === 'public' ? { 'x-forwarded-for': `10.0.${calls >> 8}.${calls & 255}` } : {};
  const answer = await invoke(
    root,
    endpoint,
    { ...inputs, [part]: { ...(inputs[part] as object), [name]: value } },
    from as Record<string, string>,
  );
  if (answer.code === 0) await ENDPOINT_CASES[endpoint.id]?.undo?.(ground);
  return answer;
}

/** SQL, script, a pattern, a placeholder and letters of several bytes. */
const HOSTILE = `'"<b>%_\\{{1}}充🔌`;

test.each(ALL.filter((endpoint) => textFields(endpoint).length > 0).map(named))(
  'malicious text in the fields of %s is stored as text or gives a clear error',
  async (_, endpoint) => {
    for (const { part, name } of textFields(endpoint)) {
      const { status, code, message } = await callWith(endpoint, part, name, HOSTILE);
      // Otherwise a browser would store the answer as the file.
      expect({ name, status }).toEqual({
        name,
        status: expect.toBeOneOf(endpoint.answer === null ? [200, 404] : [200]),
      });
      expect(code).not.toBe(CODES.internalError.code);
      // Only the message about the placeholders of a template names some.
      if (code !== CODES.templatePlaceholder.code) expect(message).not.toMatch(/\{[a-z]+\}/i);
    }
  },
);

test.each(LIMITED_BY_SERVICE)('a very long text of %s names the field %s', async (id, name) => {
  const endpoint = ALL.find((one) => one.id === id)!;
  const [field] = textFields(endpoint).filter((one) => one.name === name);
  const answer = await callWith(endpoint, field!.part, name, 'x'.repeat(10_000));
  expect(answer.code).toBeGreaterThanOrEqual(10_000);
  expect(answer).toMatchObject({ status: 200, field: name });
});

test.each(ALL.filter(({ query }) => 'page' in (query?.properties ?? {})).map(named))(
  'a page of %s beyond the end is empty and still contains the total',
  async (_, endpoint) => {
    const ground = { world: server.world, db: server.database.db };
    const inputs = (await ENDPOINT_CASES[endpoint.id]?.call?.(ground, 'northQuay', 'root')) ?? {};
    const first = await invoke(root, endpoint, inputs);
    const beyond = await invoke(root, endpoint, { ...inputs, query: { ...inputs.query, page: 1_000_000 } });
    expect(beyond).toMatchObject({ code: 0, data: { items: [] } });
    expect((beyond.data as { total: number }).total).toBe((first.data as { total: number }).total);
  },
);

test.each([Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), '{"a":', '[]', '"text"', '{"__proto__":{"a":1}}'])(
  'a body that is not UTF-8, not JSON or not an object is refused: %#',
  async (body) => {
    const headers = { 'content-type': 'application/json' };
    for (const [by, path] of [
      [server.anonymous, '/api/unauth/login'],
      [root, fleetEndpoints.createDevice.path],
    ] as const) {
      const response = await by.fetch(path, { method: 'POST', headers, body });
      expect(response.status).toBe(200);
      expect(((await response.json()) as { code: number }).code).toBe(CODES.badBody.code);
    }
  },
);
