import { Writable } from 'node:stream';
import { CODES, ENDPOINTS } from '@chargehand/contract';
import { levelsAll } from '@chargehand/domain';
import { type Logger, pino } from 'pino';
import { expect, test } from 'vitest';
import { OPEN_ENFORCER } from '../../testing/contract/open-enforcer.ts';
import { serve } from './serve/serve.ts';
import { httpServer } from './server.ts';

/** The response to a request that fails. */
async function failing(error: Error, log: Logger): Promise<Response> {
  const app = await httpServer({
    ...{ log, version: '0', https: null, enforcer: OPEN_ENFORCER },
    guard: async () => ({
      ...{ userId: 1, userName: 'reader', customerId: 1, platformVendor: false, readOnly: false, root: false },
      ...{ viewer: null, sessionId: 'session', csrf: 'csrf', address: '127.0.0.1', locale: 'en-US' },
      ...{ keys: new Set<string>(), remoteAccess: 0, levels: levelsAll(0), scope: { customers: 'all', sites: 'all' } },
    }),
  });
  serve(app, ENDPOINTS.exportUsers, async () => {
    throw error;
  });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const response = await fetch(`${url}${ENDPOINTS.exportUsers.path}`);
  await app.close();
  return response;
}

test('a response with status 500 has a request id, and its line in the log the same with method, path and user', async () => {
  const lines: string[] = [];
  const log = pino(
    new Writable({
      write(line, _encoding, done) {
        lines.push(String(line));
        done();
      },
    }),
  );
  const response = await failing(new Error('a bug'), log);
  expect(response.status).toBe(500);
  const id = response.headers.get('x-request-id');
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  const line = lines.find((text) => text.includes('request failed')) ?? '{}';
  const { method, path } = ENDPOINTS.exportUsers;
  expect(JSON.parse(line)).toMatchObject({ reqId: id, method, path, user: 'reader', err: { message: 'a bug' } });
});

test.each([
  ['ERROR', CODES.internalError.code],
  ['FATAL', CODES.databaseAway.code],
])(
  'a violation of the database protocol (%s) is a lost connection only if it ends the connection',
  async (severity, code) => {
    const error = Object.assign(new Error('bind message supplies 2 parameters'), { code: '08P01', severity });
    const response = await failing(error, pino({ level: 'silent' }));
    expect(await response.json()).toMatchObject({ code });
  },
);
