import { randomUUID } from 'node:crypto';
import { accessEndpoints, CODES, errorEndpoints, type QueryOf } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { clockAt } from '../../platform/clock.ts';
import { createLog, type Log } from '../../platform/log.ts';
import type { Client } from '../../testing/client.ts';
import { manualClock } from '../../testing/clock.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { errorLog } from '../index.ts';
import { deletePastEntries } from '../past-entries.store.ts';

const { reportErrors, listErrors, readError, setErrorState, exportErrors } = errorEndpoints;

let server: TestServer;
let staff: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  staff = await server.as('vendorStaff');
});
beforeEach(() => server.database.pool.query('delete from error_groups'));
afterAll(() => server.stop());

/** A second process that records errors in the same database. */
async function processWith(version = '1.2.0') {
  const log = createLog('silent');
  const published: string[] = [];
  const publish = (topics: unknown) => published.push(String(topics));
  const { db } = server.database;
  const clock = manualClock();
  const room = await errorLog.open({ db, clock, log, version, events: { publish } as never });
  return { log, published, clock, store: room.errorRecorder.store, stop: () => room.stop?.() };
}

class BrokenThing extends Error {
  override name = 'BrokenThing';
}
const throws = (message: string) => new BrokenThing(message);
const listed = async (query: Partial<QueryOf<typeof listErrors>> = {}) =>
  (await staff.data(listErrors, { query: { pageSize: 100, ...query } })).items;
const report = (more: object = {}) => ({
  ...{ id: randomUUID(), kind: 'error' as const, name: 'TypeError', message: 'x is undefined', stack: null },
  ...{ path: '/manage/home', count: 1, ...more },
});
const send = (client: Client, reports: ReturnType<typeof report>[], version = '1.2.0') =>
  client.call(reportErrors, { body: { version, reports } });
const stored = async () => {
  await server.sweep();
  return await listed();
};

test('errors of one cause are one row, with its occurrences; secrets are masked', async () => {
  const one = await processWith();
  const two = await processWith('1.3.0');
  const { id, sn } = server.world.devices.northQuay1;
  const line = { err: throws('no row 7, password=Secret.1'), deviceId: id, reqId: randomUUID(), key: 'token=abc' };
  const write = (log: Log, change: object = {}) => log.error({ ...line, ...change }, 'a frame could not be processed');
  write(one.log);
  await one.store();
  write(two.log, { err: throws('no row 8, password=Secret.2') });
  write(two.log, { user: 'ada', topic: 'a\u0000b\ud800' });
  two.log.info('not an error');
  two.log.warn({ port: 21 }, 'a port is in use');
  await Promise.all([one.store(), two.store()]);
  const items = await listed();
  expect(items).toMatchObject([
    {
      ...{ source: 'device', name: 'BrokenThing', state: 'new', count: 3, firstVersion: '1.2.0', lastVersion: '1.3.0' },
      message: 'a frame could not be processed: no row 7, password=***',
    },
  ]);
  expect([one.published, two.published]).toEqual([['errors.changed'], ['errors.changed']]);
  const detail = await staff.data(readError, { params: { id: items[0]!.id } });
  expect(detail.stack).toContain('errors.test.ts');
  expect(detail.stack).not.toContain('Secret');
  expect(detail.hours.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  expect(detail.occurrences).toMatchObject([
    { deviceSn: sn, userName: 'ada', version: '1.3.0', details: { key: 'token=***' } },
    { message: 'a frame could not be processed: no row 8, password=***' },
    { requestId: line.reqId },
  ]);
  await Promise.all([one.stop(), two.stop()]);
});

test.each([
  [{ source: 'job', err: throws('x') }, 'job'],
  [{ source: 'mail', mail: 7, reason: 'no such user' }, 'mail'],
  [{ source: 'webhook', channel: 'webhook', reason: 'refused' }, 'webhook'],
  [{ source: 'webhook', delivery: 7, answer: 'busy' }, 'webhook'],
  [{ sn: 'PILE-1', err: throws('x') }, 'device'],
  [{ err: throws('x') }, 'server'],
] as const)('a warning with %j is of the source %s', async (values, source) => {
  const one = await processWith();
  one.log.warn(values, 'it failed');
  await one.store();
  expect(await listed()).toMatchObject([{ source }]);
  await one.stop();
});

test('a failed request is found by the id in its answer, also by the part that a toast shows', async () => {
  const root = await server.as('root');
  await server.database.pool.query('alter table roles rename to roles_elsewhere');
  const response = await root.fetch('/api/auth/sys/roles').finally(async () => {
    await server.database.pool.query('alter table roles_elsewhere rename to roles');
  });
  expect(response.status).toBe(500);
  const id = response.headers.get('x-request-id')!;
  await server.sweep();
  const found = await listed({ search: id.slice(0, 8) });
  expect(found).toMatchObject([{ source: 'server', name: expect.stringContaining('42P01') }]);
  const { occurrences } = await staff.data(readError, { params: { id: found[0]!.id } });
  expect(occurrences).toMatchObject([{ requestId: id, path: 'GET /api/auth/sys/roles' }]);
  expect(await listed({ search: id })).toHaveLength(1);
  expect(await listed({ search: '00000000' })).toEqual([]);
});

test('an error that the browser kept is assigned to no user but the one of its session', async () => {
  const staffSession = (await staff.data(accessEndpoints.info, { body: {} })).tokenId;
  const userOf = async (client: Client, session: string | null | undefined) => {
    const reported = report({ message: `kept ${randomUUID()}`, session });
    expect(await send(client, [reported])).toMatchObject({ code: 0 });
    await server.sweep();
    const [error] = await listed({ search: reported.id });
    return (await staff.data(readError, { params: { id: error!.id } })).occurrences[0]!.userName;
  };
  const north = await server.as('northAdmin');
  expect([await userOf(staff, staffSession), await userOf(staff, undefined)]).toEqual(['vendor_staff', 'vendor_staff']);
  expect([await userOf(north, staffSession), await userOf(north, null)]).toEqual([null, null]);
  expect(await userOf(server.anonymous, staffSession)).toBeNull();
});

test('browsers report errors with their user; pages without a session have stricter limits', async () => {
  const stack = 'at x (https://pile.example/assets/home-Ab3_kQ1z.js:1:2)';
  const reported = report({ count: 40, stack, path: '/manage/home?f=secret-of-a-link' });
  expect(await send(await server.as('northAdmin'), [reported])).toMatchObject({ code: 0 });
  const [error] = await stored();
  expect(error).toMatchObject({ source: 'browser', count: 40, lastVersion: '1.2.0' });
  const detail = await staff.data(readError, { params: { id: error!.id } });
  expect(detail.occurrences).toMatchObject([{ requestId: reported.id, userName: 'north_admin', path: '/manage/home' }]);
  // Kept by the browser while it could not reach the server.
  const before = Date.now();
  const late = report({ message: 'y is undefined', ago: 7_200 });
  expect(await send(await server.as('northAdmin'), [late])).toMatchObject({ code: 0 });
  const [, lateError] = await stored();
  expect(Math.abs(Date.parse(lateError!.lastAt) - before + 7_200_000)).toBeLessThan(60_000);
  const flood = () => Array.from({ length: 10 }, () => report({ message: `flood of ${randomUUID()}` }));
  const answers = [await send(server.anonymous, flood()), await send(server.anonymous, flood())];
  expect(answers.map(({ code }) => code)).toEqual([0, CODES.tooManyRequests.code]);
  expect(await send(await server.as('northAdmin'), flood())).toMatchObject({ code: 0 });
});

test('a solved error becomes new when it returns, at once or in the next version', async () => {
  const old = await processWith('1.2.0');
  const fail = async (process: Awaited<ReturnType<typeof processWith>>) => {
    process.log.error({ err: throws('back') }, 'it failed');
    await process.store();
    return (await listed())[0]!;
  };
  const { id } = await fail(old);
  const set = (body: object) => staff.call(setErrorState, { params: { id }, body: body as { state: 'new' } });
  expect(await set({ state: 'known' })).toMatchObject({ code: 0 });
  expect(await set({ state: 'known' })).toMatchObject({ code: CODES.errorStateUnchanged.code });
  expect(await fail(old)).toMatchObject({ state: 'known', stateBy: 'vendor_staff', returnedAt: null });
  await set({ state: 'solved' });
  await server.database.pool.query(`update error_groups set solved_version = '1.2.0'`);
  expect(await fail(old)).toMatchObject({ state: 'new', stateBy: null, returnedAt: expect.any(String), count: 3 });
  await set({ state: 'solved', solvedIn: 'nextVersion' });
  await server.database.pool.query(`update error_groups set solved_version = '1.2.0'`);
  expect(await fail(old)).toMatchObject({ state: 'solved', solvedIn: 'nextVersion' });
  const next = await processWith('1.3.0');
  expect(await fail(next)).toMatchObject({ state: 'new', solvedIn: null });
  await Promise.all([old.stop(), next.stop()]);
});

test('a storm of errors is counted exactly, with few rows and little time, while the database is away', async () => {
  const one = await processWith();
  const { pool } = server.database;
  await pool.query('alter table error_hours rename to hours_elsewhere');
  const began = performance.now();
  const error = throws('storm');
  for (let n = 0; n < 20_000; n += 1) one.log.error({ err: error, reqId: String(n) }, `storm ${n}`);
  for (let n = 0; n < 3_000; n += 1) one.log.error(`ever new ${n.toString(36)}x${(n * 7919).toString(36)}`);
  expect(performance.now() - began).toBeLessThan(3_000);
  await one.store();
  expect(await listed()).toEqual([]);
  await pool.query('alter table hours_elsewhere rename to error_hours');
  one.log.error({ err: error }, 'storm 1');
  await one.store();
  const items = await listed({ sort: '-count' });
  expect(items[0]).toMatchObject({ count: 20_001 });
  const { rows } = await pool.query(`
    select sum(count)::int as counted, count(*)::int as causes,
           (select count(*)::int from error_occurrences) as occurrences from error_groups`);
  expect(rows[0].counted).toBe(23_001);
  expect(rows[0].causes).toBeLessThan(2_000);
  expect(rows[0].occurrences).toBeLessThanOrEqual(501);
  await one.stop();
});

test('an error of the error log does not cause itself', async () => {
  const log = createLog('silent');
  const publish = vi.fn(() => log.error('a listener of events failed'));
  const room = await errorLog.open({
    db: server.database.db,
    clock: manualClock(),
    log,
    version: '1',
    events: { publish } as never,
  });
  log.error('the first');
  for (let n = 0; n < 3; n += 1) await room.errorRecorder.store();
  expect(publish).toHaveBeenCalledTimes(1);
  expect(await listed()).toMatchObject([{ message: 'the first', count: 1 }]);
  await room.stop?.();
});

test('a crashed run is stored once, also when the start that stored it ends before it forgets it', async () => {
  const at = (second: number) => new Date(Date.UTC(2026, 10, 28, 12, 0, second));
  const crash = (start: number) => ({
    ...{ version: '1.2.0', startedAt: at(start), lastSeenAt: at(start + 5), memoryMb: 190, error: null },
  });
  await server.storeCrashes([crash(0)]);
  await server.storeCrashes([crash(0), crash(10)]);
  expect(await listed({ source: 'server' })).toMatchObject([{ name: 'ServerKilled', count: 2 }]);
});

test('errors are exported as CSV and as JSON lines, with the filters of the list', async () => {
  const one = await processWith();
  one.log.error('=cmd(), and "more"');
  one.log.error({ mail: 1, source: 'mail' }, 'not sent');
  await one.store();
  const file = async (query: string) => (await (await staff.fetch(`${exportErrors.path}?${query}`)).text()).trim();
  expect((await file('format=csv&source=server')).split('\r\n')).toEqual([
    expect.stringMatching(/^\ufeff?id,source,name,message,state/),
    expect.stringContaining(`,server,Error,"'=cmd(), and ""more""",new,`),
  ]);
  expect(JSON.parse(await file('format=jsonl&source=mail'))).toMatchObject({ message: 'not sent', stack: null });
  expect(await (await (await server.as('northAdmin')).fetch(`${exportErrors.path}?format=csv`)).json()).toMatchObject({
    code: CODES.noPermission.code,
  });
  await one.stop();
});

test('entries of logs are removed after their retention', async () => {
  const { db, pool } = server.database;
  const now = new Date('2030-01-01T00:00:00Z');
  for (const at of ['2029-12-30', '2029-12-01']) {
    await pool.query(
      `insert into action_logs (at, user_name, operation, object_type, object_id, object_name, address)
                      values ($1, 'past', 'edit', 'site', '1', 'x', '')`,
      [at],
    );
    await pool.query(
      `insert into login_logs (at, type, succeeded, user_name, address, user_agent)
                      values ($1, 0, true, 'past', '', '')`,
      [at],
    );
    await pool.query(
      `insert into error_groups (fingerprint, source, anonymous, name, message, first_at, last_at, first_version,
                                 last_version, count) values ($1::text, 'server', false, '', '', $1::timestamptz, $1::timestamptz, '', '', 1)`,
      [at],
    );
  }
  await deletePastEntries(
    db,
    { actions: 20, signIns: 10, errors: 1 },
    clockAt(() => now),
    new AbortController().signal,
  );
  const left = async (table: string, where: string) =>
    (await pool.query(`select from ${table} where ${where}`)).rowCount;
  expect([
    await left('action_logs', `user_name = 'past'`),
    await left('login_logs', `user_name = 'past'`),
    await left('error_groups', `last_at > '2029-01-01'`),
  ]).toEqual([1, 1, 0]);
});
