import {
  accessEndpoints,
  CODES,
  fleetEndpoints,
  impersonationEndpoints,
  messageEndpoints,
  peopleEndpoints,
  recoveryEndpoints,
  secondFactorEndpoints,
} from '@chargehand/contract';
import { levelsAll } from '@chargehand/domain';
import { URI } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, client, openSession } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { answerKey, seal, signIn } from '../../testing/sign-in.ts';
import { WORLD_PASSWORD, WORLD_PASSWORD_HASH } from '../../testing/world.ts';

const {
  beginSecondFactor,
  confirmSecondFactor,
  disableSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
} = secondFactorEndpoints;
const { readUser, setRoleData } = peopleEndpoints;

let server: TestServer;
let root: Client;
let admin: Client;
let publicKey: string;
let userName: string;
let userId: number;
let counter = 0;

beforeAll(async () => {
  server = await startTestServer({ captcha: false, sessionsPerUser: 3 });
  root = await server.as('root');
  admin = await server.as('northAdmin');
  ({ publicKey } = await root.data(accessEndpoints.publicKey));
});
afterAll(() => server.stop());

beforeEach(async () => {
  counter += 1;
  userName = `factor_${counter}`;
  const { db } = server.database;
  const { role_id, customer_id } = await db
    .selectFrom('users')
    .select(['role_id', 'customer_id'])
    .where('id', '=', server.world.users.northReader)
    .executeTakeFirstOrThrow();
  const values = { user_name: userName, password_hash: WORLD_PASSWORD_HASH, role_id, customer_id };
  ({ id: userId } = await db.insertInto('users').values(values).returning('id').executeTakeFirstOrThrow());
  await db.insertInto('privacy_acceptances').values({ user_id: userId, version: 1 }).execute();
});

const session = async () => client(server.url, await openSession(server.database.db, userId));
const enter = (code?: string) => signIn(server.url, userName, WORLD_PASSWORD, code);
const codeOf = async (code?: string) => (await enter(code)).envelope.code;

/** The authenticator app of a user, and their recovery codes. */
interface App {
  /** a code for a step (30 s) relative to now, each of which can be used once */
  code(steps?: number): string;
  recovery: string[];
}

async function begin(who: Client): Promise<(steps?: number) => string> {
  const { open, ...key } = answerKey(publicKey);
  const body = { currentPassword: seal(publicKey, WORLD_PASSWORD), ...key };
  const totp = URI.parse(open((await who.data(beginSecondFactor, { body })).uri));
  expect(totp).toMatchObject({ issuer: 'Chargehand', label: userName });
  if (!('period' in totp)) throw new Error('not time-based');
  return (steps = 0) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
}

const confirm = (who: Client, code: string, key = answerKey(publicKey)) =>
  who.call(confirmSecondFactor, { body: { code: seal(publicKey, code), answerKey: key.answerKey } });

/** Turns two-factor authentication on with the code of the previous step. */
async function turnOn(who: Client): Promise<App> {
  const code = await begin(who);
  const key = answerKey(publicKey);
  const { data } = await confirm(who, code(-1), key);
  return { code, recovery: key.open(data.recoveryCodes).split('\n') };
}

describe('signing in with two-factor authentication', () => {
  test('requires a code once it is confirmed, and each code works once', async () => {
    const who = await session();
    const code = await begin(who);
    expect(await codeOf()).toBe(0);
    expect(await confirm(who, code(-40))).toMatchObject({ code: CODES.secondFactorWrong.code, field: 'code' });
    expect((await confirm(who, code(-1))).code).toBe(0);
    expect((await enter()).envelope).toMatchObject({ code: CODES.secondFactorNeeded.code, field: 'code' });
    expect(await codeOf(code(-1))).toBe(CODES.secondFactorWrong.code);
    const answers = await Promise.all([1, 2, 3].map(() => codeOf(code(1))));
    expect(answers.filter((answer) => answer === 0)).toHaveLength(1);
    // The code before the last one is used too.
    expect(await codeOf(code())).toBe(CODES.secondFactorWrong.code);
  });

  test('ends the sessions that were opened without it, except the one that turned it on', async () => {
    const [who, other] = [await session(), await session()];
    await turnOn(who);
    expect((await who.call(accessEndpoints.info)).code).toBe(0);
    expect((await other.call(accessEndpoints.info)).code).toBe(CODES.signedOutElsewhere.code);
  });

  test('accepts a recovery code instead, once, records it in the action log and announces it to the user', async () => {
    const { recovery } = await turnOn(await session());
    expect(recovery).toHaveLength(10);
    const [first = '', second = ''] = recovery;
    expect(await codeOf(first.toLowerCase().replaceAll('-', ' '))).toBe(0);
    expect(await codeOf(first)).toBe(CODES.secondFactorWrong.code);
    expect(await codeOf(second)).toBe(0);
    expect(await (await session()).data(readSecondFactor)).toMatchObject({ enabled: true, recoveryCodes: 8 });
    const used = server.database.db
      .selectFrom('action_logs')
      .select('after')
      .where('object_id', '=', String(userId))
      .orderBy('id', 'desc');
    expect((await used.executeTakeFirstOrThrow()).after).toEqual({ recoveryCode: 'used' });
    await server.sweep();
    const { items } = await (await session()).data(messageEndpoints.listInbox, { query: {} });
    expect(items.filter(({ data }) => data.event === 'recoveryCodeUsed')).toHaveLength(2);
  });

  test('counts wrong codes like wrong passwords, and correct passwords without a code do not reset the count', async () => {
    const { code } = await turnOn(await session());
    for (const left of [4, 3, 2, 1]) {
      expect((await enter('000000')).envelope.message).toContain(`locked: ${left}`);
      expect(await codeOf()).toBe(CODES.secondFactorNeeded.code);
    }
    expect(await codeOf('000000')).toBe(CODES.accountLocked.code);
    expect(await codeOf(code(1))).toBe(CODES.accountLocked.code);
  });

  test('does not reveal it to a user without the password', async () => {
    const { code } = await turnOn(await session());
    const wrong = await signIn(server.url, userName, 'Wrong-pass.1', code(1));
    expect(wrong.envelope.code).toBe(CODES.credentialsWrong.code);
    expect(await codeOf(code(1))).toBe(0);
  });

  test('remains after a password reset', async () => {
    const { code } = await turnOn(await session());
    await admin.data(peopleEndpoints.updateUser, {
      params: { id: userId },
      body: { email: `${userName}@example.org` },
    });
    const { captchaId } = await server.anonymous.data(accessEndpoints.captcha);
    const body = { email: `${userName}@example.org`, captchaId };
    await server.anonymous.data(recoveryEndpoints.sendPasswordLink, { body });
    const mail = async () =>
      (await server.database.pool.query('select body_text from outgoing_mails where receiver = $1', [body.email]))
        .rows[0]?.body_text ?? '';
    await expect.poll(mail).toContain('#');
    const token = (await mail()).split('#')[1].split(/\s/)[0];
    const password = 'Harbour-tide.9';
    await server.anonymous.data(recoveryEndpoints.usePasswordLink, {
      body: { token, password: seal(publicKey, password) },
    });
    expect((await signIn(server.url, userName, password)).envelope.code).toBe(CODES.secondFactorNeeded.code);
    expect((await signIn(server.url, userName, password, code(1))).envelope.code).toBe(0);
  });
});

describe('the secret', () => {
  test('is stored encrypted, and recovery codes as hashes', async () => {
    const who = await session();
    const { open, ...key } = answerKey(publicKey);
    const begun = await who.data(beginSecondFactor, {
      body: { currentPassword: seal(publicKey, WORLD_PASSWORD), ...key },
    });
    const { secret } = URI.parse(open(begun.uri));
    const { rows } = await server.database.pool.query('select * from second_factors where user_id = $1', [userId]);
    expect(JSON.stringify(rows)).not.toContain(secret.base32);
    expect(JSON.stringify(begun)).not.toContain(secret.base32);
  });

  test('requires the password, and must be confirmed within fifteen minutes', async () => {
    const who = await session();
    const { answerKey: key } = answerKey(publicKey);
    const wrong = { currentPassword: seal(publicKey, 'Wrong-pass.1'), answerKey: key };
    expect(await who.call(beginSecondFactor, { body: wrong })).toMatchObject({
      code: CODES.currentPasswordWrong.code,
      field: 'currentPassword',
    });
    const code = await begin(who);
    await server.database.pool.query(
      `update second_factors set created_at = now() - interval '16 minutes' where user_id = $1`,
      [userId],
    );
    expect((await confirm(who, code())).code).toBe(CODES.secondFactorNotBegun.code);
  });

  test('can be replaced only after turning it off, which requires password and code', async () => {
    const who = await session();
    const { code } = await turnOn(who);
    const password = { currentPassword: seal(publicKey, WORLD_PASSWORD) };
    const again = await who.call(beginSecondFactor, {
      body: { ...password, answerKey: answerKey(publicKey).answerKey },
    });
    expect(again.code).toBe(CODES.secondFactorOn.code);
    const off = (value: string) =>
      who.call(disableSecondFactor, { body: { ...password, code: seal(publicKey, value) } });
    expect((await off('000000')).code).toBe(CODES.secondFactorWrong.code);
    expect((await off(code(1))).code).toBe(0);
    expect(await codeOf()).toBe(0);
  });
});

describe('new recovery codes', () => {
  const renew = (who: Client, code: string, { password = WORLD_PASSWORD, key = answerKey(publicKey) } = {}) => {
    const body = { currentPassword: seal(publicKey, password), code: seal(publicKey, code), answerKey: key.answerKey };
    return who.call(renewRecoveryCodes, { body });
  };

  test('replace the old ones immediately, are recorded in the action log, and each works once', async () => {
    const who = await session();
    const { code, recovery } = await turnOn(who);
    expect(await codeOf(recovery[0])).toBe(0);
    const key = answerKey(publicKey);
    const { data } = await renew(who, code(), { key });
    const fresh = key.open(data.recoveryCodes).split('\n');
    expect(new Set([...fresh, ...recovery]).size).toBe(20);
    expect(await who.data(readSecondFactor)).toMatchObject({ enabled: true, recoveryCodes: 10 });
    expect(await codeOf(recovery[1])).toBe(CODES.secondFactorWrong.code);
    expect(await codeOf(fresh[0])).toBe(0);
    expect(await codeOf(fresh[0])).toBe(CODES.secondFactorWrong.code);
    const { rows } = await server.database.pool.query(
      `select user_name from action_logs where object_id = $1 and after = '{"recoveryCodes": "renewed"}'`,
      [String(userId)],
    );
    expect(rows).toEqual([{ user_name: userName }]);
  });

  test('require the password and an unused code', async () => {
    const who = await session();
    const { code, recovery } = await turnOn(who);
    expect(await renew(who, code(), { password: 'Wrong-pass.1' })).toMatchObject({
      code: CODES.currentPasswordWrong.code,
      field: 'currentPassword',
    });
    expect(await renew(who, code(-1))).toMatchObject({ code: CODES.secondFactorWrong.code, field: 'code' });
    expect(await codeOf(recovery[0])).toBe(0);
    const answers = await Promise.all([1, 2, 3].map(() => renew(who, code())));
    expect(answers.filter((answer) => answer.code === 0)).toHaveLength(1);
    expect((await renew(who, recovery[1]!)).code).toBe(CODES.secondFactorWrong.code);
  });

  test('require two-factor authentication', async () => {
    expect((await renew(await session(), '000000')).code).toBe(CODES.secondFactorOff.code);
  });
});

describe('a role that requires it', () => {
  let factorRole: number;
  beforeEach(async () => {
    const created = await root.data(peopleEndpoints.createRole, { body: { name: `Factor ${counter}` } });
    factorRole = created.id;
    const data = { customerAccess: 1, siteAccess: 0, remoteAccess: 0, emailAlarm: false, levels: levelsAll(5) };
    await root.data(setRoleData, { params: { id: factorRole }, body: { ...data, secondFactor: true } });
    await root.data(peopleEndpoints.setRoleMenus, { params: { id: factorRole }, body: { keys: ['auth_device_list'] } });
    await server.database.db.updateTable('users').set({ role_id: factorRole }).where('id', '=', userId).execute();
  });

  test('only allows its users to set it up, and not to turn it off', async () => {
    const { session: cookies, envelope } = await enter();
    expect(envelope.data?.user.secondFactorDue).toBe(true);
    const who = client(server.url, cookies!);
    expect((await who.call(fleetEndpoints.listDevices)).code).toBe(CODES.secondFactorDue.code);
    expect((await who.call(peopleEndpoints.listRoleChoices)).code).toBe(CODES.secondFactorDue.code);
    const { code } = await turnOn(who);
    expect((await who.call(fleetEndpoints.listDevices)).code).toBe(0);
    expect((await who.data(accessEndpoints.info)).user.secondFactorDue).toBe(false);
    const off = { currentPassword: seal(publicKey, WORLD_PASSWORD), code: seal(publicKey, code(1)) };
    expect((await who.call(disableSecondFactor, { body: off })).code).toBe(CODES.secondFactorRequired.code);
  });

  test('keeps the requirement when a change of the role leaves it out', async () => {
    const data = { customerAccess: 1, siteAccess: 0, remoteAccess: 0, emailAlarm: true, levels: levelsAll(5) };
    await root.data(setRoleData, { params: { id: factorRole }, body: data });
    expect(await root.data(peopleEndpoints.readRole, { params: { id: factorRole } })).toMatchObject({
      secondFactor: true,
    });
  });

  test('does not prevent root from viewing the console as one of its users', async () => {
    await root.data(impersonationEndpoints.startImpersonation, { params: { id: userId }, body: {} });
    const info = await root.data(accessEndpoints.info);
    expect(info).toMatchObject({ user: { userName, secondFactorDue: false } });
    expect((await root.call(secondFactorEndpoints.beginSecondFactor, { body: {} as never })).code).not.toBe(0);
    await root.data(impersonationEndpoints.stopImpersonation, { body: {} });
  });
});

describe('an administrator', () => {
  test('removes it for a user without more permissions, which ends their sessions and is logged', async () => {
    const who = await session();
    await turnOn(who);
    const params = { id: userId };
    expect((await admin.data(readUser, { params })).secondFactor).toBe(true);
    const south = await server.as('southAdmin');
    expect((await south.call(resetSecondFactor, { params })).code).toBe(CODES.notFound.code);
    expect(await admin.call(resetSecondFactor, { params })).toMatchObject({ code: 0 });
    expect((await who.call(accessEndpoints.info)).code).toBe(CODES.signedOutElsewhere.code);
    expect(await codeOf()).toBe(0);
    const { rows } = await server.database.pool.query(
      `select before, after, user_name from action_logs where object_id = $1 order by id desc limit 1`,
      [String(userId)],
    );
    expect(rows).toEqual([
      { before: { secondFactor: true }, after: { secondFactor: false }, user_name: 'north_admin' },
    ]);
    expect((await admin.call(resetSecondFactor, { params })).code).toBe(CODES.secondFactorOff.code);
  });

  test('cannot remove their own this way, or that of a user with more permissions', async () => {
    const own = await admin.call(resetSecondFactor, { params: { id: server.world.users.northAdmin } });
    expect(own).toMatchObject({ code: CODES.ownAccount.code, field: 'secondFactor' });
    const staff = await server.as('vendorStaff');
    const stronger = await staff.call(resetSecondFactor, { params: { id: server.world.users.root } });
    expect(stronger.code).toBe(CODES.userExceeds.code);
  });
});
