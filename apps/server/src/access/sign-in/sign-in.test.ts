import { accessEndpoints, CODES, messageEndpoints } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { client } from '../../testing/client.ts';
import { holdVerification } from '../../testing/faults/held-verification.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { type LoginBody, loginBody, postLogin, seal, signIn } from '../../testing/sign-in.ts';
import { WORLD_PASSWORD } from '../../testing/world.ts';
import { hashPassword } from '../passwords/passwords.ts';

let server: TestServer;
/** Without the captcha, for what does not depend on it: to solve one takes half a second. */
let plain: TestServer;
beforeAll(async () => {
  [server, plain] = await Promise.all([
    startTestServer(),
    startTestServer({ captcha: false, trustedProxies: ['127.0.0.1'] }),
  ]);
});
afterAll(async () => {
  await Promise.all([server.stop(), plain.stop()]);
});
afterEach(() => vi.useRealTimers());

const prepared = (of = server) => loginBody(of.url, 'north_admin', WORLD_PASSWORD);
const codeOf = async (body: LoginBody, of = server) => (await postLogin(of.url, body)).envelope.code;

test('a user signs in with an encrypted name and password and a solved captcha', async () => {
  const { envelope, session, cookies } = await signIn(server.url, 'north_admin', WORLD_PASSWORD);
  expect(envelope).toMatchObject({
    code: 0,
    data: {
      user: { userName: 'north_admin', customerName: 'Customer north', root: false, platformVendor: false },
      csrfToken: session?.csrf,
      privacy: { needConfirm: false, newPrivacyPolicyVersion: 1 },
      settings: { captcha: true, languageSwitch: false },
    },
  });
  expect(envelope.data?.role.auth).toContain('auth_device_list');
  expect(cookies.find((cookie) => cookie.startsWith('x-auth-token='))).toMatch(/; Path=\/; HttpOnly; SameSite=Lax$/);
  expect(cookies.find((cookie) => cookie.startsWith('x-csrf='))).toMatch(/; Path=\/; SameSite=Lax$/);
  // The sign-in itself is an event, so that the position differs.
  const livePosition = expect.stringMatching(/^\w+\.\d+(_\w+\.\d+)*$/);
  expect(await client(server.url, session).call(accessEndpoints.info)).toEqual({
    ...envelope,
    data: { ...envelope.data, livePosition },
  });
});

test('of the same sign-in sent many times concurrently exactly one succeeds, and later none', async () => {
  const recorded = await prepared();
  const codes = await Promise.all(Array.from({ length: 8 }, () => codeOf(recorded)));
  expect(codes.sort()).toEqual([0, ...Array(7).fill(10101)]);
  expect(await codeOf(recorded)).toBe(10101);
  const fresh = await prepared();
  expect(await codeOf({ ...fresh, password: recorded.password })).toBe(10101);
});

test('a captcha must be solved as it was signed, within its time, and each solution belongs to its own id', async () => {
  const body = await prepared();
  const other = await prepared();
  const { captcha: _left, ...without } = body;
  const [nonce, , signature] = body.captchaId.split('.');
  const changed = (change: (payload: Payload) => void) => {
    const payload = JSON.parse(Buffer.from(body.captcha ?? '', 'base64').toString()) as Payload;
    change(payload);
    return { ...body, captcha: Buffer.from(JSON.stringify(payload)).toString('base64') };
  };
  const refused: [string, LoginBody][] = [
    ['not solved', without],
    ['of another id', { ...body, captcha: other.captcha ?? '' }],
    ['nonsense', { ...body, captcha: 'bm9uc2Vuc2U=' }],
    ['wrong', changed(({ solution }) => Object.assign(solution, { derivedKey: '00'.repeat(32) }))],
    ['made easier', changed(({ challenge }) => Object.assign(challenge.parameters, { cost: 1, keyPrefix: '' }))],
    ['with an id that this server did not sign', { ...body, captchaId: `${nonce}.9999999999.${signature}` }],
  ];
  for (const [what, attempt] of refused) expect([what, await codeOf(attempt)]).toEqual([what, 10101]);
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(Date.now() + 11 * 60_000);
  expect(await codeOf(body)).toBe(10101);
  vi.useRealTimers();
  // None of these used it up.
  expect(await codeOf(body)).toBe(0);
});

interface Payload {
  challenge: { parameters: object };
  solution: { counter: number; derivedKey: string };
}

test('changed or foreign ciphertexts all give the same error with the field', async () => {
  const body = await prepared(plain);
  const [wrapped = '', iv = '', text = ''] = body.userName.split('.');
  const flipped = Buffer.from(text, 'base64');
  flipped[0] = (flipped[0] ?? 0) ^ 1;
  const variants = [
    'plain text',
    `${wrapped}.${iv}`,
    `${wrapped}.${iv}.${flipped.toString('base64')}`,
    `${Buffer.alloc(384, 7).toString('base64')}.${iv}.${text}`,
    `${wrapped}.${Buffer.alloc(12).toString('base64')}.${text}`,
    `${wrapped}.${iv}.${text}.${text}`,
    `${wrapped}..${text}`,
  ];
  for (const userName of variants) {
    const { envelope } = await postLogin(plain.url, { ...body, userName });
    expect(envelope).toEqual({
      code: 10105,
      message: 'User name could not be decrypted. Reload the page and try again.',
      data: null,
      field: 'userName',
    });
  }
  const { publicKey } = await plain.anonymous.data(accessEndpoints.publicKey);
  expect(await codeOf({ ...body, password: seal(publicKey, `${WORLD_PASSWORD}:${body.captchaId}`) }, plain)).toBe(
    10105,
  );
  expect(await codeOf(body, plain)).toBe(0);
});

test('a name that the database cannot store is refused with its field, although it is encrypted', async () => {
  const body = await prepared(plain);
  const { publicKey } = await plain.anonymous.data(accessEndpoints.publicKey);
  for (const name of ['a\u0000b', 'a\u202Eb']) {
    const { envelope } = await postLogin(plain.url, { ...body, userName: seal(publicKey, name) });
    expect([envelope.code, (envelope as { field?: string }).field]).toEqual([10019, 'userName']);
  }
  expect(await codeOf(body, plain)).toBe(0);
});

test('an unknown name and a wrong password give the same answer', async () => {
  const wrong = await signIn(plain.url, 'south_admin', 'Not-the-1.password');
  const unknown = await signIn(plain.url, 'nobody_here', 'Not-the-1.password');
  expect(wrong.envelope).toEqual(unknown.envelope);
  expect(wrong.envelope).toMatchObject({
    code: 10102,
    message: 'User name or password is wrong. Attempts left before the account is locked: 4.',
  });
  expect(wrong.session).toBeNull();
});

test('the name is matched in any mixture of upper and lower case', async () => {
  expect((await signIn(plain.url, 'NORTH_Admin', WORLD_PASSWORD)).envelope.code).toBe(0);
});

test('a password that is changed while it is being verified opens no session, and its attempt stays counted', async () => {
  const { pool } = plain.database;
  const other = await hashPassword('0'.repeat(64));
  const body = await loginBody(plain.url, 'south_admin', WORLD_PASSWORD);
  const attempts = () => pool.query(`select from sign_in_failures where key like 'account:%'`);
  await pool.query('delete from sign_in_failures');
  const { rows } = await pool.query(`select password_hash from users where user_name = 'south_admin'`);
  const release = holdVerification();
  try {
    const answer = postLogin(plain.url, body);
    // The attempt is counted after its account was read, and verified after that.
    await expect.poll(async () => (await attempts()).rowCount).toBe(1);
    await pool.query(`update users set password_hash = $1 where user_name = 'south_admin'`, [other]);
    release();
    const { envelope, session } = await answer;
    expect([envelope.code, session]).toEqual([CODES.signedOutElsewhere.code, null]);
    expect((await attempts()).rowCount).toBe(1);
    const sessions = await pool.query('select from sessions where user_id = $1', [plain.world.users.southAdmin]);
    expect(sessions.rowCount).toBe(0);
  } finally {
    release();
    await pool.query(`update users set password_hash = $1 where user_name = 'south_admin'`, [rows[0].password_hash]);
  }
});

test('a disabled account and a disabled customer are reported, but only with the correct password', async () => {
  for (const userName of ['north_disabled', 'closed_admin']) {
    expect((await signIn(plain.url, userName, WORLD_PASSWORD)).envelope.code).toBe(20004);
    expect((await signIn(plain.url, userName, 'Wrong-pass.1')).envelope.code).toBe(10102);
  }
});

test('keys and captchas remain valid after a restart', async () => {
  const body = await prepared();
  await server.restart();
  expect(await codeOf(body)).toBe(0);
});

test('the sign-in page receives the settings of the installation without a session', async () => {
  const { settings, required } = await server.anonymous.data(accessEndpoints.captcha);
  expect(required).toBe(true);
  expect(settings).toMatchObject({ captcha: true, languageSwitch: false });
  expect((await server.anonymous.call(accessEndpoints.info)).code).toBe(20001);
});

test('a sign-in from a new browser or network is announced to its user, even after a failed one from there', async () => {
  const enter = async (address: string, userAgent: string, password = WORLD_PASSWORD) => {
    const headers = { 'x-forwarded-for': address, 'user-agent': userAgent };
    const body = await loginBody(plain.url, 'south_admin', password, headers);
    return (await postLogin(plain.url, body, headers)).envelope.code;
  };
  const announced = async () => {
    await plain.sweep();
    const { items } = await (await plain.as('southAdmin')).data(messageEndpoints.listInbox, { query: {} });
    return items.map(({ type, data }) => `${type} ${data.event} ${data.address}`);
  };
  expect(await enter('192.0.2.1', 'Firefox/140.0')).toBe(0);
  expect(await enter('192.0.77.9', 'Firefox/141.0')).toBe(0);
  expect(await announced()).toEqual([]);
  expect(await enter('203.0.113.5', 'Firefox/141.0', 'Wrong-pass.1')).toBe(CODES.credentialsWrong.code);
  expect(await enter('203.0.113.5', 'Firefox/141.0')).toBe(0);
  const first = 'accountSecurity newSignIn 203.0.113.5';
  expect(await announced()).toEqual([first]);
  expect(await enter('192.0.2.1', 'curl/8.5')).toBe(0);
  expect(await enter('203.0.113.5', 'curl/8.6')).toBe(0);
  expect(await announced()).toEqual(['accountSecurity newSignIn 192.0.2.1', first]);
});
