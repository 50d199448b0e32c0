import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localBus } from '../platform/bus/local-bus.ts';
import type { Caller } from '../platform/http/caller.ts';
import { Problem } from '../platform/http/problem.ts';
import { createLog } from '../platform/log.ts';
import { steppedClock } from '../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { eventConnection } from './event-connection.ts';
import { eventHub } from './event-hub.ts';
import { RECHECK_MS, streamSessions } from './stream-sessions.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const fail = (error: unknown) => {
  throw error;
};
const caller = {
  userId: 7,
  sessionId: 'mine',
  scope: { customers: 'all', sites: 'all' },
  keys: new Set(),
} as unknown as Caller;

/** Everything that a stream sends until it ends. Its session is checked once by `recheck`. */
async function streamWith(recheck: () => Promise<Caller>): Promise<string> {
  const clock = steppedClock();
  const bus = localBus(fail);
  const log = createLog('silent');
  const sessions = streamSessions({ bus, hub: eventHub({ bus, db: database.db, clock, log }), clock, log });
  const joined = Promise.withResolvers<void>();
  const http = createServer((_request, response) => {
    const connection = eventConnection(response, {}, clock);
    connection.send('ready', {});
    sessions.join({ caller, devices: new Set(), locale: 'en-US', connection, since: undefined, recheck });
    joined.resolve();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  await joined.promise;
  await clock.advance(RECHECK_MS);
  const sent = await answer.text();
  http.close();
  return sent;
}

test('a stream ends when its session cannot be read, so that its reader does not take old data for live', async () => {
  const sent = await streamWith(() => Promise.reject(new Error('connection terminated')));
  expect(sent).not.toContain('event: session');
});

test('a stream ends with the reason when its session has ended', async () => {
  const sent = await streamWith(() => Promise.reject(new Problem('sessionExpired')));
  expect(sent).toContain('event: session');
});

test('a session with a stream at one process is present at the others, until the stream ends or its process is silent', async () => {
  const clock = steppedClock();
  const bus = localBus(fail);
  const log = createLog('silent');
  const hub = eventHub({ bus, db: database.db, clock, log });
  const [one, other] = [streamSessions({ bus, hub, clock, log }), streamSessions({ bus, hub, clock, log })];
  const connection = { send: () => undefined, end: () => undefined, events: () => undefined, resync: () => undefined };
  const leave = one.join({
    ...{ caller, devices: new Set<number>(), locale: 'en-US' as const, since: undefined, recheck: async () => caller },
    connection: connection as unknown as ReturnType<typeof eventConnection>,
  });
  await clock.advance(3 * RECHECK_MS);
  expect([one.has('mine'), other.has('mine'), other.has('other')]).toEqual([true, true, false]);
  leave();
  await clock.advance(0);
  expect([one.has('mine'), other.has('mine')]).toEqual([false, false]);
  // As of a process that was killed.
  bus.publish('live.presence', { sessionId: 'killed', present: true });
  await clock.advance(0);
  await clock.advance(RECHECK_MS);
  expect(other.has('killed')).toBe(true);
  await clock.advance(RECHECK_MS);
  expect(other.has('killed')).toBe(false);
});
