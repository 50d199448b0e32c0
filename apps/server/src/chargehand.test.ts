import { ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('an unknown API answers 404 in the envelope, in the language of the caller', async () => {
  const english = await server.anonymous.fetch('/api/auth/sys/nothing');
  expect(english.status).toBe(404);
  expect(await english.json()).toEqual({ code: 10001, message: 'API not found.', data: null });
  const chinese = await server.anonymous.fetch('/api/auth/sys/nothing', {
    headers: { 'accept-language': 'zh-CN,zh;q=0.9' },
  });
  expect(await chinese.json()).toMatchObject({ message: '接口不存在。' });
});

test('the API serves its own description', async () => {
  const response = await server.anonymous.fetch('/api/openapi.json');
  const { updateDevice } = ENDPOINTS;
  expect(await response.json()).toMatchObject({
    openapi: expect.stringMatching(/^3\./),
    paths: { '/api/auth/sys/devices/{id}': { patch: { 'x-policy': updateDevice.policy } } },
  });
  expect(Object.keys(ENDPOINTS).length).toBeGreaterThan(20);
});
