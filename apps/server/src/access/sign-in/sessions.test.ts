import { accessEndpoints, auditEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { loginBody, postLogin, signIn } from '../../testing/sign-in.ts';
import { WORLD_PASSWORD } from '../../testing/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false, sessionsPerUser: 1 });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.database.pool.query('delete from sessions; delete from login_logs');
});

const enter = async (userName = 'north_admin') => {
  const { session } = await signIn(server.url, userName, WORLD_PASSWORD);
  if (!session) throw new Error(`${userName} could not sign in`);
  return { ...session, client: client(server.url, session) };
};
const infoCode = async (person: Awaited<ReturnType<typeof enter>>) =>
  (await person.client.call(accessEndpoints.info)).code;
const logged = async () =>
  (await server.database.pool.query('select type, reason, succeeded, user_name from login_logs order by id')).rows;

test('a session continues after a restart of the server', async () => {
  const person = await enter();
  await server.restart();
  expect(await infoCode(person)).toBe(0);
});

test('signing in ends the older session, whose next call returns the reason', async () => {
  const older = await enter();
  const newer = await enter();
  expect(await infoCode(older)).toBe(20003);
  expect((await older.client.call(auditEndpoints.listLoginLogs)).code).toBe(20003);
  expect(await infoCode(newer)).toBe(0);
  expect(newer.csrf).not.toBe(older.csrf);
  expect(newer.token).not.toBe(older.token);
  expect(await logged()).toEqual([
    { type: 0, reason: null, succeeded: true, user_name: 'north_admin' },
    { type: 0, reason: null, succeeded: true, user_name: 'north_admin' },
    { type: 1, reason: 'replaced', succeeded: true, user_name: 'north_admin' },
  ]);
});

test('two concurrent sign-ins leave one session', async () => {
  const bodies = await Promise.all([1, 2, 3].map(() => loginBody(server.url, 'north_admin', WORLD_PASSWORD)));
  const opened = await Promise.all(bodies.map((body) => postLogin(server.url, body)));
  const codes = await Promise.all(
    opened.map(async ({ session }) => (await client(server.url, session).call(accessEndpoints.info)).code),
  );
  expect(codes.sort()).toEqual([0, 20003, 20003]);
});

test('a new sign-in in a browser ends the session it had', async () => {
  const north = await enter();
  const body = await loginBody(server.url, 'south_admin', WORLD_PASSWORD);
  await postLogin(server.url, body, { cookie: `x-auth-token=${north.token}` });
  expect(await infoCode(north)).toBe(20001);
});

test('signing out ends the session and clears both cookies; repeating it does nothing', async () => {
  const person = await enter();
  const response = await person.client.fetch('/api/unauth/logout', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(await response.json()).toEqual({ code: 0, message: '', data: null });
  const cookies = response.headers.getSetCookie();
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) expect(cookie).toMatch(/^(x-auth-token|x-csrf)=; .*Expires=Thu, 01 Jan 1970/);
  expect(await infoCode(person)).toBe(20001);
  expect((await person.client.call(accessEndpoints.logout, { body: {} })).code).toBe(0);
  expect(await logged()).toEqual([
    { type: 0, reason: null, succeeded: true, user_name: 'north_admin' },
    { type: 1, reason: 'loggedOut', succeeded: true, user_name: 'north_admin' },
  ]);
});

test('an expired session gets 20002, before and after it was cleaned up, and its end is logged', async () => {
  const person = await enter();
  await server.database.pool.query(`update sessions set expires_at = now() - interval '1 s'`);
  expect(await infoCode(person)).toBe(20002);
  await server.sweep();
  expect(await logged()).toEqual([
    { type: 0, reason: null, succeeded: true, user_name: 'north_admin' },
    { type: 1, reason: 'networkTimeout', succeeded: true, user_name: 'north_admin' },
  ]);
  expect(await infoCode(person)).toBe(20002);
});

test('using a session extends it, at most once a minute', async () => {
  const person = await enter();
  const ends = async () => (await server.database.pool.query('select expires_at from sessions')).rows[0].expires_at;
  const first = await ends();
  await infoCode(person);
  expect(await ends()).toEqual(first);
  await server.database.pool.query(
    `update sessions set last_seen_at = now() - interval '61 s', expires_at = now() + interval '5 s'`,
  );
  expect(await infoCode(person)).toBe(0);
  expect((await ends()).getTime()).toBeGreaterThan(Date.now() + 29 * 60_000);
});

test('a session ends twelve hours after its sign-in, even when it is in use', async () => {
  const person = await enter();
  const age = (hours: string) =>
    server.database.pool.query(
      `update sessions set created_at = now() - $1::interval, last_seen_at = now() - interval '2 minutes'`,
      [hours],
    );
  const left = async () =>
    (
      await server.database.pool.query(
        `select round(extract(epoch from expires_at - now()) / 60) as minutes from sessions`,
      )
    ).rows[0].minutes;
  await age('6 hours');
  expect(await infoCode(person)).toBe(0);
  expect(Number(await left())).toBe(30);
  await age('11 hours 50 minutes');
  expect(await infoCode(person)).toBe(0);
  expect(Number(await left())).toBe(10);
  await age('12 hours 1 second');
  expect(await infoCode(person)).toBe(0);
  expect(await infoCode(person)).toBe(20002);
});

test('disabling the account or its customer ends access immediately', async () => {
  const { pool } = server.database;
  const person = await enter();
  await pool.query(`update users set enabled = false where user_name = 'north_admin'`);
  expect(await infoCode(person)).toBe(20004);
  await pool.query(`update users set enabled = true where user_name = 'north_admin'`);
  const again = await enter();
  await pool.query(`update customers set enabled = false where code = 'north'`);
  expect(await infoCode(again)).toBe(20004);
  await server.sweep();
  expect((await pool.query('select 1 from sessions where ended_at is null')).rowCount).toBe(0);
  expect(await infoCode(again)).toBe(20004);
  await pool.query(`update customers set enabled = true where code = 'north'`);
  expect(await infoCode(again)).toBe(20001);
});

test('an invented token is refused, and so is the stored form of a valid one', async () => {
  const person = await enter();
  const { rows } = await server.database.pool.query('select token_hash from sessions');
  const stored = (rows[0].token_hash as Buffer).toString('base64url');
  for (const token of ['nonsense', stored, `${person.token}x`]) {
    expect((await client(server.url, { token, csrf: person.csrf }).call(accessEndpoints.info)).code).toBe(20001);
  }
});

test.each([
  [{}, [0, 0, 0]],
  [{ sessionsPerUser: 2 }, [20003, 0, 0]],
])('an account has as many sessions as configured, several by default: %j', async (options, expected) => {
  const more = await startTestServer({ captcha: false, ...options });
  try {
    const sessions = [];
    for (let count = 0; count < 3; count += 1) {
      sessions.push((await signIn(more.url, 'north_admin', WORLD_PASSWORD)).session);
    }
    const codes = await Promise.all(
      sessions.map(async (session) => (await client(more.url, session).call(accessEndpoints.info)).code),
    );
    expect(codes).toEqual(expected);
  } finally {
    await more.stop();
  }
});

test('public endpoints are limited per address', async () => {
  const limited = await startTestServer({ captcha: false, trustedProxies: ['127.0.0.1'] });
  try {
    const ask = (from: string) =>
      limited.anonymous.fetch('/api/unauth/public-key', { headers: { 'x-forwarded-for': from } });
    for (let count = 0; count < 300; count += 1) expect((await ask('192.0.2.1')).status).toBe(200);
    const refused = await ask('192.0.2.1');
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: 10004, message: expect.stringMatching(/Wait \d+ s/) });
    expect((await ask('192.0.2.2')).status).toBe(200);
  } finally {
    await limited.stop();
  }
});
