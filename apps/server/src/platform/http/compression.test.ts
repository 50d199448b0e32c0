import { gzipSync } from 'node:zlib';
import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer();
  root = await server.as('root');
});
afterAll(() => server.stop());

const encodingOf = async (path: string, accepted: string) => {
  const response = await root.fetch(path, { headers: { 'accept-encoding': accepted } });
  await response.arrayBuffer();
  return [response.status, response.headers.get('content-encoding')];
};

test.each([
  ['br, gzip', 'br'],
  ['gzip', 'gzip'],
  ['identity', null],
])('a JSON answer to a client that accepts %s is sent as %s', async (accepted, encoding) => {
  expect(await encodingOf(ENDPOINTS.listInterfaces.path, accepted)).toEqual([200, encoding]);
});

test('short answers and files are not compressed', async () => {
  expect(await encodingOf('/healthz', 'br')).toEqual([200, null]);
  expect(await encodingOf(ENDPOINTS.exportDevices.path, 'br')).toEqual([200, null]);
});

test('the body of a request is never decompressed', async () => {
  const response = await server.anonymous.fetch(ENDPOINTS.login.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    body: gzipSync('{}'),
  });
  expect(await response.json()).toMatchObject({ code: CODES.badBody.code });
});
