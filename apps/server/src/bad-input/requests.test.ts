import { CODES, fleetEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { ENDPOINT_CASES } from '../testing/contract/endpoint-cases.ts';
import { invoke } from '../testing/invoke.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
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
