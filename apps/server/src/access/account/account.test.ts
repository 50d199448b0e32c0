import { accessEndpoints, accountEndpoints, auditEndpoints, streamEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publicKeyOf } from '../../testing/cases/ground.ts';
import { type Client, client, openSession } from '../../testing/client.ts';
import { holdVerification } from '../../testing/faults/held-verification.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { seal, signIn } from '../../testing/sign-in.ts';
import { type Person, userNameOf, WORLD_PASSWORD } from '../../testing/world.ts';

const NEW_PASSWORD = 'Night-watch.7';

let server: TestServer;
let publicKey: string;
beforeAll(async () => {
  server = await startTestServer({ captcha: false, sessionsPerUser: 10 });
  publicKey = await publicKeyOf(server.database.db);
});
afterAll(() => server.stop());

const sealed = (currentPassword: string, password: string) => ({
  body: { currentPassword: seal(publicKey, currentPassword), password: seal(publicKey, password) },
});
const change = (who: Client, currentPassword: string, password: string) =>
  who.call(accountEndpoints.changePassword, sealed(currentPassword, password));
const infoOf = (who: Client) => who.call(accessEndpoints.info);
const enter = async (person: Person) => {
  const { session } = await signIn(server.url, userNameOf(person), WORLD_PASSWORD);
  if (!session) throw new Error(`${person} could not sign in`);
  return client(server.url, session);
};
const actionsOn = async (person: Person) => {
  const { rows } = await server.database.pool.query(
    `select user_name, operation, before, after from action_logs
      where object_type = 'user' and object_id = $1 order by id`,
    [String(server.world.users[person])],
  );
  return rows;
};

describe('the account information', () => {
  test('shows the account and its latest sign-ins, including refused ones', async () => {
    await enter('southAdmin');
    await signIn(server.url, 'south_admin', 'Wrong-pass.1');
    const account = await (await enter('southAdmin')).data(accountEndpoints.readAccount);
    expect(account).toMatchObject({
      id: server.world.users.southAdmin,
      userName: 'south_admin',
      customerName: 'Customer south',
      roleName: 'Customer admin',
      customerAccess: 1,
      siteAccess: 0,
    });
    expect(account.signIns.map(({ succeeded }) => succeeded)).toEqual([true, false, true]);
    expect(account.signIns[0]).toMatchObject({ address: '127.0.0.1', userAgent: 'sign-in test' });
  });

  test('users can change their own nickname and contact, and the log has the previous values', async () => {
    const south = await server.as('southAdmin');
    await south.data(accountEndpoints.updateAccount, { body: { nickName: ' Ada ', contact: '+852 1234' } });
    await south.data(accountEndpoints.updateAccount, { body: { nickName: 'Ada' } });
    expect(await south.data(accountEndpoints.readAccount)).toMatchObject({ nickName: 'Ada', contact: '+852 1234' });
    expect(await actionsOn('southAdmin')).toEqual([
      {
        user_name: 'south_admin',
        operation: 'edit',
        before: { nick_name: '', contact: '' },
        after: { nick_name: 'Ada', contact: '+852 1234' },
      },
    ]);
  });

  test('a chosen language and theme apply in every browser', async () => {
    const one = await server.as('northReader');
    expect((await one.data(accessEndpoints.info)).preferences).toEqual({ locale: null, theme: null });
    await one.data(accountEndpoints.setPreferences, { body: { theme: 'dark' } });
    expect((await one.data(accessEndpoints.info)).preferences).toEqual({ locale: null, theme: 'dark' });
    await one.data(accountEndpoints.setPreferences, { body: { locale: 'en-US' } });
    const chinese = await server.as('northReader', 'zh-CN');
    const info = await chinese.data(accessEndpoints.info);
    expect(info.preferences).toEqual({ locale: 'en-US', theme: 'dark' });
    expect(info.privacy.content).toMatch(/^What this console stores/);
    expect(await actionsOn('northReader')).toHaveLength(2);
  });
});

describe('changing the password', () => {
  test('ends every other session with a reason, keeps this one, and only the new password is accepted', async () => {
    const here = await enter('northAdmin');
    const there = await enter('northAdmin');
    expect(await change(here, WORLD_PASSWORD, NEW_PASSWORD)).toMatchObject({ code: 0, data: { ended: 1 } });
    expect(await infoOf(there)).toMatchObject({
      code: 20003,
      message: expect.stringMatching(/^Your password was changed/),
    });
    expect((await infoOf(here)).code).toBe(0);
    expect((await signIn(server.url, 'north_admin', WORLD_PASSWORD)).envelope.code).toBe(10102);
    expect((await signIn(server.url, 'north_admin', NEW_PASSWORD)).envelope.code).toBe(0);
    expect(await actionsOn('northAdmin')).toEqual([
      { user_name: 'north_admin', operation: 'edit', before: { password: '••••' }, after: { password: '••••' } },
    ]);
    const { items } = await here.data(auditEndpoints.listLoginLogs, { query: { type: 1 } });
    expect(items[0]).toMatchObject({ userName: 'north_admin', reason: 'replaced', cause: 'password' });
  });

  test('is refused with the wrong field: too weak, the same, wrong, not encrypted', async () => {
    const who = await server.as('northAssigned');
    expect(await change(who, WORLD_PASSWORD, 'weak')).toMatchObject({ code: 10134, field: 'password' });
    expect(await change(who, WORLD_PASSWORD, WORLD_PASSWORD)).toMatchObject({ code: 10192, field: 'password' });
    expect(await change(who, 'Wrong-pass.1', NEW_PASSWORD)).toMatchObject({
      code: 10191,
      field: 'currentPassword',
      message: 'The current password is wrong. Attempts left before the account is locked: 4.',
    });
    const plain = await who.call(accountEndpoints.changePassword, {
      body: { currentPassword: WORLD_PASSWORD, password: NEW_PASSWORD },
    });
    expect(plain).toMatchObject({ code: 10105, field: 'currentPassword' });
    expect((await signIn(server.url, 'north_assigned', WORLD_PASSWORD)).envelope.code).toBe(0);
  });

  test('five wrong attempts lock it like the sign-in', async () => {
    const who = await server.as('vendorStaff');
    const codes: number[] = [];
    for (let count = 0; count < 6; count += 1) codes.push((await change(who, 'Wrong-pass.1', NEW_PASSWORD)).code);
    expect(codes).toEqual([10191, 10191, 10191, 10191, 10103, 10103]);
    expect((await change(who, WORLD_PASSWORD, NEW_PASSWORD)).code).toBe(10103);
    expect((await signIn(server.url, 'vendor_staff', WORLD_PASSWORD)).envelope.code).toBe(10103);
  });

  test('of two concurrent changes one succeeds, and the other learns that its current password is no longer correct', async () => {
    const who = await server.as('readOnlyAdmin');
    const wanted = ['First-choice.1', 'Second-choice.2'];
    const release = holdVerification();
    const answers = Promise.all(wanted.map(async (password) => (await change(who, WORLD_PASSWORD, password)).code));
    try {
      const counted = `select from sign_in_failures where key like 'account:%' and points = 2`;
      await expect.poll(async () => (await server.database.pool.query(counted)).rowCount).toBe(1);
    } finally {
      release();
    }
    const codes = await answers;
    expect(codes.toSorted()).toEqual([0, 10191]);
    const winner = wanted[codes.indexOf(0)] ?? '';
    expect((await signIn(server.url, 'read_only_admin', winner)).envelope.code).toBe(0);
    expect(await actionsOn('readOnlyAdmin')).toHaveLength(1);
  });
});

describe('own sessions', () => {
  const here = async (person: Person) => {
    const { db } = server.database;
    await server.database.pool.query('delete from sessions where user_id = $1', [server.world.users[person]]);
    const opened = [];
    for (let count = 0; count < 3; count += 1) opened.push(await openSession(db, server.world.users[person]));
    return opened.map((session) => client(server.url, session));
  };

  test('are listed with this one first, and without those of other users', async () => {
    const [first] = await here('southAdmin');
    const { items } = await (first as Client).data(accountEndpoints.listOwnSessions);
    expect(items.map(({ current }) => current)).toEqual([true, false, false]);
    expect(items[0]).toMatchObject({ address: '127.0.0.1', userAgent: 'test' });
  });

  test('one other is ended, then all others; its live stream closes with the reason', async () => {
    const [first, second, third] = (await here('southAdmin')) as [Client, Client, Client];
    const stream = await second.fetch(streamEndpoints.stream.path);
    const own = await second.data(accountEndpoints.listOwnSessions);
    const id = own.items[0]?.id ?? 0;
    await first.data(accountEndpoints.endOwnSession, { params: { id } });
    expect(await stream.text()).toContain('You ended this session from another browser.');
    expect(await infoOf(second)).toMatchObject({
      code: 20003,
      message: 'You ended this session from another browser.',
    });
    expect((await first.call(accountEndpoints.endOwnSession, { params: { id } })).code).toBe(10021);
    expect(await first.data(accountEndpoints.endOtherSessions)).toEqual({ ended: 1 });
    expect((await infoOf(third)).code).toBe(20003);
    expect((await infoOf(first)).code).toBe(0);
    expect(await first.data(accountEndpoints.endOtherSessions)).toEqual({ ended: 0 });
  });

  test("neither this one nor another user's can be ended here", async () => {
    const [first] = (await here('southAdmin')) as [Client];
    const [foreign] = (await here('northReader')) as [Client];
    for (const who of [first, foreign]) {
      const { items } = await who.data(accountEndpoints.listOwnSessions);
      const id = items[0]?.id ?? 0;
      expect((await first.call(accountEndpoints.endOwnSession, { params: { id } })).code).toBe(10021);
      expect((await infoOf(who)).code).toBe(0);
    }
  });
});
