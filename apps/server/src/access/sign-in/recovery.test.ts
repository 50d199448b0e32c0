import {
  accessEndpoints,
  CODES,
  type Envelope,
  fleetEndpoints,
  peopleEndpoints,
  recoveryEndpoints,
} from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, client, openSession } from '../../testing/client.ts';
import { tokenIn } from '../../testing/mails/mail-server.ts';
import { mailsTo } from '../../testing/mails/outbox.ts';
import { writePlannedMails } from '../../testing/mails/planned-mails.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { answerKey, loginBody, seal, signIn } from '../../testing/sign-in.ts';
import { WORLD_PASSWORD } from '../../testing/world.ts';

const { sendPasswordLink, checkPasswordLink, usePasswordLink } = recoveryEndpoints;
const PASSWORD = 'Recovered.7';

let server: TestServer;
let publicKey: string;
let counter = 0;
let email: string;
let userName: string;
let userId: number;

beforeAll(async () => {
  server = await startTestServer({ captcha: false, publicUrl: 'https://console.example.org' });
  ({ publicKey } = await server.anonymous.data(accessEndpoints.publicKey));
});
afterAll(() => server.stop());

/** A new user for each test: their address, name and the password of the test data. */
beforeEach(async () => {
  counter += 1;
  userName = `forgetful_${counter}`;
  email = `forgetful${counter}@example.org`;
  const { db } = server.database;
  const model = await db
    .selectFrom('users')
    .select(['password_hash', 'customer_id', 'role_id'])
    .where('id', '=', server.world.users.northAdmin)
    .executeTakeFirstOrThrow();
  const user = db.insertInto('users').values({ ...model, user_name: userName, email });
  ({ id: userId } = await user.returning('id').executeTakeFirstOrThrow());
  await db.insertInto('privacy_acceptances').values({ user_id: userId, version: 1 }).execute();
  // Each test uses an address that has not sent a request before.
  await server.database.pool.query(`delete from sign_in_failures`);
});

async function ask(address: string, who: Client = server.anonymous): Promise<Envelope<unknown>> {
  const { captchaId } = await who.data(accessEndpoints.captcha);
  return await who.call(sendPasswordLink, { body: { email: address, captchaId } });
}

/** The mail of a request, which is written after the answer. */
async function mailAfter(requested: string, address = requested) {
  const before = (await mailsTo(server.database.db, address)).length;
  expect(await ask(requested)).toMatchObject({ code: 0 });
  await expect.poll(async () => (await mailsTo(server.database.db, address)).length).toBe(before + 1);
  return (await mailsTo(server.database.db, address))[0]!;
}

const linkTo = async (address = email): Promise<string> => tokenIn((await mailAfter(address)).body_text);

/** Requests are processed one after the other: once a later one has its mail, the earlier ones are done. */
async function allLookedUp(): Promise<void> {
  const last = `last${counter}@example.org`;
  await server.database.db
    .updateTable('users')
    .set({ email: last })
    .where('id', '=', server.world.users.southAdmin)
    .execute();
  await mailAfter(last);
}

const choose = (token: string, password = PASSWORD) =>
  server.anonymous.call(usePasswordLink, { body: { token, password: seal(publicKey, password) } });
const codeOfSignIn = async (password: string) => (await signIn(server.url, userName, password)).envelope.code;
const expire = () =>
  server.database.pool.query(`update account_links set expires_at = now() - interval '1 ms' where user_id = $1`, [
    userId,
  ]);
const expired = { code: CODES.linkExpired.code, field: 'token' };

describe('a forgotten password', () => {
  test('is replaced with a link in a mail', async () => {
    const token = await linkTo();
    expect(await server.anonymous.data(checkPasswordLink, { body: { token } })).toEqual({
      purpose: 'resetPassword',
      userName,
      expiresAt: expect.any(String),
    });
    expect(await choose(token)).toMatchObject({ code: 0 });
    expect(await codeOfSignIn(PASSWORD)).toBe(0);
    expect(await codeOfSignIn(WORLD_PASSWORD)).toBe(CODES.credentialsWrong.code);
  });

  test('the mail is in the language of its reader and links to the public address of the console', async () => {
    await server.database.db.updateTable('users').set({ locale: 'zh-CN' }).where('id', '=', userId).execute();
    const mail = await mailAfter(email.toUpperCase(), email);
    const token = tokenIn(mail?.body_text);
    expect(mail).toMatchObject({ locale: 'zh-CN', state: 'waiting', subject: '重置您的 Chargehand 密码' });
    expect(mail?.body_text).toContain(`https://console.example.org/find-password/reset?lang=zh-CN#${token}`);
    expect(mail?.body_text).toContain('2 小时');
    expect(mail?.body_html).toContain(token);
    expect(mail!.secret_until!.getTime() - Date.now()).toBeLessThanOrEqual(2 * 3_600_000);
  });

  test('a weak new password is refused, and the link stays valid', async () => {
    const token = await linkTo();
    expect(await choose(token, 'weak')).toMatchObject({ code: CODES.passwordWeak.code, field: 'password' });
    expect(await choose(token)).toMatchObject({ code: 0 });
  });

  test('every session ends, failed sign-ins are reset, a notice is sent, and it is in the action log', async () => {
    const inside = client(server.url, await openSession(server.database.db, userId));
    for (let attempt = 0; attempt < 5; attempt += 1) await signIn(server.url, userName, 'Wrong-pass.1');
    expect(await codeOfSignIn(WORLD_PASSWORD)).toBe(CODES.accountLocked.code);
    expect(await choose(await linkTo())).toMatchObject({ code: 0 });
    expect((await inside.call(fleetEndpoints.listDevices)).code).toBe(CODES.signedOutElsewhere.code);
    expect(await codeOfSignIn(PASSWORD)).toBe(0);
    await writePlannedMails(server);
    const [notice] = await mailsTo(server.database.db, email);
    expect(notice).toMatchObject({ subject: 'Account security: Password changed', secret_until: null });
    const logged = server.database.db.selectFrom('action_logs').selectAll().where('object_id', '=', String(userId));
    expect(await logged.execute()).toMatchObject([
      { user_id: userId, user_name: userName, operation: 'edit', object_type: 'user', address: '127.0.0.1' },
    ]);
    expect(JSON.stringify(await logged.execute())).not.toContain(PASSWORD);
  });
});

describe('a link', () => {
  test('works once', async () => {
    const token = await linkTo();
    expect(await choose(token)).toMatchObject({ code: 0 });
    expect(await choose(token, 'Second-pass.1')).toMatchObject(expired);
    expect(await server.anonymous.call(checkPasswordLink, { body: { token } })).toMatchObject(expired);
    expect(await codeOfSignIn(PASSWORD)).toBe(0);
  });

  test('used many times concurrently changes the password once', async () => {
    const token = await linkTo();
    const passwords = Array.from({ length: 6 }, (_, index) => `Racing-pass.${index}`);
    const codes = await Promise.all(passwords.map(async (password) => (await choose(token, password)).code));
    expect(codes.filter((code) => code === 0)).toHaveLength(1);
    expect(codes.filter((code) => code === CODES.linkExpired.code)).toHaveLength(5);
    expect(await codeOfSignIn(passwords[codes.indexOf(0)]!)).toBe(0);
  });

  test('expires after two hours', async () => {
    const token = await linkTo();
    const { rows } = await server.database.pool.query(
      `select extract(epoch from expires_at - now()) / 3600 as hours from account_links where user_id = $1`,
      [userId],
    );
    expect(Number(rows[0].hours)).toBeCloseTo(2, 1);
    await expire();
    expect(await server.anonymous.call(checkPasswordLink, { body: { token } })).toMatchObject(expired);
    expect(await choose(token)).toMatchObject(expired);
    expect(await codeOfSignIn(WORLD_PASSWORD)).toBe(0);
  });

  test('becomes invalid when a newer one is requested', async () => {
    const older = await linkTo();
    const newer = await linkTo();
    expect(await choose(older)).toMatchObject(expired);
    expect(await choose(newer)).toMatchObject({ code: 0 });
  });

  test('is stored only as a hash', async () => {
    const token = await linkTo();
    const { rows } = await server.database.pool.query(
      `select encode(token_hash, 'base64') as hash from account_links where user_id = $1`,
      [userId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0].hash).not.toContain(token);
  });

  test.each([
    [
      'an administrator resets the password',
      (root: Client) =>
        root.data(peopleEndpoints.resetPassword, { ...onUser(), body: { answerKey: answerKey(publicKey).answerKey } }),
    ],
    ['the account is disabled', (root: Client) => root.data(peopleEndpoints.disableUser, onUser())],
    [
      "the account's address changes",
      (root: Client) => root.data(peopleEndpoints.updateUser, { ...onUser(), body: { email: `new.${email}` } }),
    ],
  ])('becomes invalid when %s', async (_title, change) => {
    const token = await linkTo();
    await change(await server.as('root'));
    expect(await choose(token)).toMatchObject(expired);
  });

  test('is invalid while the customer is disabled', async () => {
    const token = await linkTo();
    const enable = (enabled: boolean) =>
      server.database.db
        .updateTable('customers')
        .set({ enabled })
        .where('id', '=', server.world.customers.north)
        .execute();
    await enable(false);
    expect(await choose(token)).toMatchObject(expired);
    await enable(true);
    expect(await choose(token)).toMatchObject({ code: 0 });
  });

  test('with another purpose is not accepted here', async () => {
    const inside = client(server.url, await openSession(server.database.db, userId));
    const body = { email: `next.${email}`, currentPassword: seal(publicKey, WORLD_PASSWORD) };
    await inside.data(recoveryEndpoints.changeOwnEmail, { body });
    const [mail] = await mailsTo(server.database.db, `next.${email}`);
    expect(await choose(tokenIn(mail?.body_text))).toMatchObject(expired);
  });
});

const onUser = () => ({ params: { id: userId }, body: {} });

describe('requesting a link does not reveal which addresses have an account', () => {
  test('the answer is identical', async () => {
    const known = await ask(email);
    expect(await ask('nobody@example.org')).toEqual(known);
    await allLookedUp();
    expect(await mailsTo(server.database.db, 'nobody@example.org')).toEqual([]);
    expect(await mailsTo(server.database.db, email)).toHaveLength(1);
  });

  test.each([
    ['a disabled user', () => server.database.db.updateTable('users').set({ enabled: false }).where('id', '=', userId)],
    [
      'a user of a disabled customer',
      () =>
        server.database.db
          .updateTable('users')
          .set({ customer_id: server.world.customers.closed })
          .where('id', '=', userId),
    ],
  ])('%s gets no mail and the same answer', async (_title, change) => {
    await change().execute();
    expect(await ask(email)).toEqual(await ask('nobody@example.org'));
    await allLookedUp();
    expect(await mailsTo(server.database.db, email)).toEqual([]);
  });

  test('the answer does not wait for work that only an account needs', async () => {
    // While the account is locked, its link cannot be created.
    const { pool } = server.database;
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query('select from users where id = $1 for update', [userId]);
    await holder.query('lock table account_links');
    expect(await ask(email)).toEqual(await ask('nobody@example.org'));
    expect(await mailsTo(server.database.db, email)).toEqual([]);
    await holder.query('rollback');
    holder.release();
    await expect.poll(() => mailsTo(server.database.db, email)).toHaveLength(1);
  });

  test('another spelling of an address is counted as the same address', async () => {
    const spellings = [email, email.toUpperCase(), `F${email.slice(1)}`, email, email.toUpperCase()];
    for (const one of spellings) expect((await ask(one)).code).toBe(0);
    expect((await ask(`FO${email.slice(2)}`)).code).toBe(CODES.mailsTooOften.code);
  });

  test('an address without an account has the same limit as one with an account', async () => {
    for (const address of [email, 'stranger@example.org']) {
      const codes = await Promise.all(Array.from({ length: 5 }, async () => (await ask(address)).code));
      expect(codes).toEqual([0, 0, 0, 0, 0]);
      expect(await ask(address)).toEqual({
        code: CODES.mailsTooOften.code,
        message: 'Too many mails were requested. Try again in 60 min.',
        data: null,
      });
    }
  });

  test('one network address may send thirty requests an hour, for any addresses', async () => {
    const requests = Array.from({ length: 31 }, async (_, round) => (await ask(`one${round}@example.org`)).code);
    const codes = (await Promise.all(requests)).toSorted((a, b) => a - b);
    expect(codes).toEqual([...Array(30).fill(0), CODES.mailsTooOften.code]);
  });
});

describe('the captcha', () => {
  test('is used with every request', async () => {
    const { captchaId } = await server.anonymous.data(accessEndpoints.captcha);
    const body = { email: 'nobody@example.org', captchaId };
    expect(await server.anonymous.call(sendPasswordLink, { body })).toMatchObject({ code: 0 });
    expect(await server.anonymous.call(sendPasswordLink, { body })).toMatchObject({ code: CODES.captchaWrong.code });
  });

  test('must be solved when it is enabled', async () => {
    const strict = await startTestServer();
    const { captchaId } = await strict.anonymous.data(accessEndpoints.captcha);
    const body = { email: 'nobody@example.org', captchaId };
    const unsolved = await strict.anonymous.call(sendPasswordLink, { body });
    expect(unsolved).toMatchObject({ code: CODES.captchaWrong.code, field: 'captcha' });
    const solved = await loginBody(strict.url, 'x', 'x');
    const { captchaId: id, captcha } = solved;
    const answer = await strict.anonymous.call(sendPasswordLink, {
      body: { email: 'nobody@example.org', captchaId: id, captcha },
    });
    expect(answer).toMatchObject({ code: 0 });
    await strict.stop();
  });
});

test.each([
  ['a second header', 'ada@example.org\r\nBcc: eve@example.org'],
  ['a list', 'ada@example.org,eve@example.org'],
  ['a name', 'Ada <ada@example.org>'],
])('an address with %s is refused with the name of the field', async (_title, address) => {
  const answer = await ask(address);
  expect(answer.code).not.toBe(0);
  expect(answer).toMatchObject({ field: 'email' });
  expect(await mailsTo(server.database.db, address)).toEqual([]);
});
