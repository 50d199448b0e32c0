import { CODES } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { holdVerification } from '../../testing/faults/held-verification.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { loginBody, postLogin, signIn } from '../../testing/sign-in.ts';
import { WORLD_PASSWORD } from '../../testing/world.ts';
import { networkOf } from './sign-in-limits.ts';

const WRONG = 'Wrong-pass.1';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false, trustedProxies: ['127.0.0.1'] });
});
afterAll(() => server.stop());
beforeEach(() => server.database.pool.query('delete from sign_in_failures').then(() => undefined));
afterEach(() => vi.useRealTimers());

const attempt = async (userName: string, password: string, from = '192.0.2.1') => {
  const headers = { 'x-forwarded-for': from };
  const body = await loginBody(server.url, userName, password, headers);
  return (await postLogin(server.url, body, headers)).envelope;
};

test('the fifth wrong password locks the account, and each one reports the remaining attempts', async () => {
  const messages: string[] = [];
  for (let count = 0; count < 5; count += 1) messages.push((await attempt('north_admin', WRONG)).message);
  expect(messages).toEqual([
    'User name or password is wrong. Attempts left before the account is locked: 4.',
    'User name or password is wrong. Attempts left before the account is locked: 3.',
    'User name or password is wrong. Attempts left before the account is locked: 2.',
    'User name or password is wrong. Attempts left before the account is locked: 1.',
    'Too many failed sign-ins for this account. Try again in 15 min.',
  ]);
});

test('the metrics count failed and successful sign-ins', async () => {
  const counts = async () => {
    const text = await (await server.anonymous.fetch('/metrics')).text();
    return ['failed', 'succeeded'].map((result) =>
      Number(new RegExp(`^chargehand_sign_ins_total\\{result="${result}"\\} (\\d+)$`, 'm').exec(text)?.[1]),
    );
  };
  const [failed = Number.NaN, succeeded = Number.NaN] = await counts();
  await attempt('north_admin', WRONG);
  expect((await attempt('north_admin', WORLD_PASSWORD)).code).toBe(0);
  expect(await counts()).toEqual([failed + 1, succeeded + 1]);
});

test('while it is locked the correct password is refused too, from every address and after a restart', async () => {
  for (let count = 0; count < 5; count += 1) await attempt('north_admin', WRONG);
  expect((await attempt('north_admin', WORLD_PASSWORD)).code).toBe(10103);
  expect((await attempt('North_ADMIN', WORLD_PASSWORD, '198.51.100.9')).code).toBe(10103);
  await server.restart();
  expect(await attempt('north_admin', WORLD_PASSWORD)).toMatchObject({
    code: 10103,
    message: 'Too many failed sign-ins for this account. Try again in 15 min.',
  });
  expect((await attempt('south_admin', WORLD_PASSWORD)).code).toBe(0);
});

test('the lock ends after fifteen minutes, and attempts meanwhile do not extend it', async () => {
  for (let count = 0; count < 5; count += 1) await attempt('north_admin', WRONG);
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 10 * 60_000);
  expect((await attempt('north_admin', WRONG)).message).toBe(
    'Too many failed sign-ins for this account. Try again in 5 min.',
  );
  vi.setSystemTime(Date.now() + 5 * 60_000 + 1_000);
  expect((await attempt('north_admin', WORLD_PASSWORD)).code).toBe(0);
});

test('a success in between resets the count', async () => {
  for (let count = 0; count < 4; count += 1) await attempt('north_admin', WRONG);
  expect((await attempt('north_admin', WORLD_PASSWORD)).code).toBe(0);
  expect((await attempt('north_admin', WRONG)).message).toContain('locked: 4.');
});

test('no other spelling of a name is looked up or counted', async () => {
  for (const spelling of ['north_adm\u0130n', 'north_adm\u0131n', 'north_admin\u00AD', 'NORTH_ADMiN ']) {
    expect(await attempt(spelling, WORLD_PASSWORD), spelling).toMatchObject({ code: 10132, field: 'userName' });
  }
  const { rows } = await server.database.pool.query('select from sign_in_failures');
  expect(rows).toHaveLength(0);
});

test('an unknown account is locked like an existing one', async () => {
  for (let count = 0; count < 5; count += 1) await attempt('nobody_here', WRONG);
  expect((await attempt('nobody_here', WRONG)).code).toBe(10103);
});

test('however many wrong passwords arrive at once, five are checked', async () => {
  const bodies = await Promise.all(Array.from({ length: 20 }, () => loginBody(server.url, 'north_admin', WRONG)));
  const answers = await Promise.all(bodies.map((body) => postLogin(server.url, body)));
  const codes = answers.map(({ envelope }) => envelope.code);
  expect(codes.filter((code) => code === 10102).length).toBeLessThanOrEqual(4);
  expect(codes.filter((code) => code === 10103).length).toBeGreaterThanOrEqual(16);
  expect((await attempt('north_admin', WORLD_PASSWORD)).code).toBe(10103);
});

test('of eight wrong passwords and then the correct one, all concurrent, five are verified and the correct one is refused', async () => {
  const wrong = await Promise.all(Array.from({ length: 8 }, () => loginBody(server.url, 'north_admin', WRONG)));
  const right = await loginBody(server.url, 'north_admin', WORLD_PASSWORD);
  const counted = async () => {
    const { rows } = await server.database.pool.query<{ points: number }>(
      `select points from sign_in_failures where key like 'account:%'`,
    );
    return rows[0]?.points ?? 0;
  };
  const release = holdVerification();
  try {
    const answers = wrong.map((body) => postLogin(server.url, body));
    // Each is counted before its password is verified; otherwise this condition never becomes true.
    await expect.poll(counted).toBeGreaterThanOrEqual(5);
    expect((await postLogin(server.url, right)).envelope.code).toBe(CODES.accountLocked.code);
    release();
    const codes = (await Promise.all(answers)).map(({ envelope }) => envelope.code);
    expect(codes.sort()).toEqual([
      ...Array(4).fill(CODES.credentialsWrong.code),
      ...Array(4).fill(CODES.accountLocked.code),
    ]);
  } finally {
    release();
  }
});

test('an address that tries many accounts is locked, others are not', async () => {
  for (let count = 0; count < 30; count += 1) await attempt(`somebody_${count}`, WRONG, '203.0.113.5');
  expect(await attempt('north_admin', WORLD_PASSWORD, '203.0.113.5')).toMatchObject({
    code: 10104,
    message: 'Too many failed sign-ins from your network address. Try again in 15 min.',
  });
  expect((await attempt('north_admin', WORLD_PASSWORD, '203.0.113.6')).code).toBe(0);
});

test('the address is the one that the proxy reports, not one that the client sent', async () => {
  for (let count = 0; count < 30; count += 1) {
    await attempt(`somebody_${count}`, WRONG, `10.0.0.${count}, 203.0.113.8`);
  }
  expect((await attempt('north_admin', WORLD_PASSWORD, '10.9.9.9, 203.0.113.8')).code).toBe(10104);
});

test('all addresses of an IPv6 /64 count as one', async () => {
  for (let count = 0; count < 30; count += 1) await attempt(`somebody_${count}`, WRONG, `2001:db8:1:2::${count + 1}`);
  expect((await attempt('north_admin', WORLD_PASSWORD, '2001:db8:1:2:ffff::1')).code).toBe(10104);
  expect((await attempt('north_admin', WORLD_PASSWORD, '2001:db8:1:3::1')).code).toBe(0);
});

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
  ['2001:0DB8:0000:0001:9:9:9:9', '2001:db8:0:1::/64'],
  ['::FFFF:192.168.100.255', '192.168.100.255'],
  ['1::ffff:192.0.2.7', '1:0:0:0::/64'],
  ['::ffff:0:192.0.2.7', '0:0:0:0::/64'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:db8:a:b::', '2001:db8:a:b::/64'],
  ['2001:db8:1::', '2001:db8:1:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('the sign-in log has every attempt, unknown names with limited length, and no password', async () => {
  await attempt('north_admin', WRONG, '192.0.2.77');
  await attempt('x'.repeat(3_000), WRONG, '192.0.2.77');
  const { rows } = await server.database.pool.query(
    `select type, reason, succeeded, user_id, user_name, user_agent from login_logs where address = '192.0.2.77' order by id`,
  );
  expect(rows).toEqual([
    {
      type: 0,
      reason: 'authRejected',
      succeeded: false,
      user_id: server.world.users.northAdmin,
      user_name: 'north_admin',
      user_agent: 'sign-in test',
    },
    {
      type: 0,
      reason: 'authRejected',
      succeeded: false,
      user_id: null,
      user_name: 'x'.repeat(64),
      user_agent: 'sign-in test',
    },
  ]);
});

test('the correct password of a disabled account counts as neither failure nor success', async () => {
  for (let count = 0; count < 6; count += 1) {
    expect((await attempt('north_disabled', WORLD_PASSWORD, '203.0.113.40')).code).toBe(CODES.accountDisabled.code);
  }
  const { rows } = await server.database.pool.query('select points from sign_in_failures');
  expect(rows).toEqual([{ points: 0 }, { points: 0 }]);
});

test('a success removes its own attempt from the count of the network address, and no other', async () => {
  await attempt('north_admin', WRONG, '203.0.113.41');
  await attempt('south_admin', WORLD_PASSWORD, '203.0.113.41');
  const { rows } = await server.database.pool.query(`select points from sign_in_failures where key like 'address:%'`);
  expect(rows).toEqual([{ points: 1 }]);
});

test('expired counters are removed, others stay', async () => {
  const { pool } = server.database;
  await pool.query(
    `insert into sign_in_failures (key, points, expire) values ('account:old', 5, $1), ('account:new', 5, $2)`,
    [Date.now() - 1_000, Date.now() + 3_600_000],
  );
  await server.sweep();
  expect((await pool.query('select key from sign_in_failures')).rows).toEqual([{ key: 'account:new' }]);
});

test('behind a proxy with TLS the cookies are only sent over TLS', async () => {
  const body = await loginBody(server.url, 'north_admin', WORLD_PASSWORD);
  const { cookies } = await postLogin(server.url, body, { 'x-forwarded-proto': 'https' });
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) expect(cookie).toMatch(/; Secure; SameSite=Lax$/);
});

test('an unreadable attempt and one with a wrong captcha are logged too', async () => {
  const body = await loginBody(server.url, 'north_admin', WORLD_PASSWORD);
  const from = { 'x-forwarded-for': '192.0.2.78' };
  await postLogin(server.url, { ...body, userName: 'plain' }, from);
  await postLogin(server.url, { ...body, password: 'plain' }, from);
  await postLogin(server.url, { ...body, captchaId: 'other' }, from);
  const { rows } = await server.database.pool.query(
    `select reason, user_id, user_name from login_logs where address = '192.0.2.78' order by id`,
  );
  const known = { reason: 'authRejected', user_id: server.world.users.northAdmin, user_name: 'north_admin' };
  expect(rows).toEqual([{ reason: 'authRejected', user_id: null, user_name: '' }, known, known]);
});

test('without the captcha the one-time id is still required and used', async () => {
  const body = await loginBody(server.url, 'north_admin', WORLD_PASSWORD);
  expect(body.captcha).toBeUndefined();
  expect((await postLogin(server.url, body)).envelope.code).toBe(0);
  expect((await postLogin(server.url, body)).envelope.code).toBe(10101);
  expect((await signIn(server.url, 'north_admin', WORLD_PASSWORD)).envelope.code).toBe(0);
});
