import { accessEndpoints, CODES, fleetEndpoints, peopleEndpoints, placesEndpoints } from '@chargehand/contract';
import { compareNaturally } from '@chargehand/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, client, openSession } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { answerKey, seal, signIn } from '../../testing/sign-in.ts';

const { createUser, deleteUser, disableUser, enableUser, listUsers, readUser, resetPassword } = peopleEndpoints;
const { setAssignments, readAssignments, listAssignable, signOutUser, updateUser } = peopleEndpoints;

const PASSWORD = 'Night-shift.7';

let server: TestServer;
let root: Client;
let admin: Client;
let publicKey: string;
let roles: Map<string, number>;
let id: number;
let userName: string;
let counter = 0;

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  admin = await server.as('northAdmin');
  ({ publicKey } = await root.data(accessEndpoints.publicKey));
  const rows = await server.database.db.selectFrom('roles').select(['id', 'name']).execute();
  roles = new Map(rows.map((role) => [role.name, role.id]));
});
afterAll(() => server.stop());

beforeEach(async () => {
  counter += 1;
  userName = `worker_${counter}`;
  ({ id } = await admin.data(createUser, { body: worker() }));
});

function worker(change: object = {}) {
  return {
    userName,
    password: seal(publicKey, PASSWORD),
    customerId: server.world.customers.north,
    roleId: role('Assigned sites'),
    ...change,
  };
}

function role(name: string): number {
  return roles.get(name) as number;
}

/** The request for a password reset. */
const key = () => ({ answerKey: answerKey(publicKey).answerKey });

const fresh = () => `other_${counter}_${Math.random().toString(36).slice(2, 8)}`;

/** A user who signed in normally, with a given password that counts as chosen by themselves. */
async function signedIn(name: string, password: string): Promise<Client> {
  await server.database.db.updateTable('users').set({ password_state: 'own' }).where('user_name', '=', name).execute();
  const { session, envelope } = await signIn(server.url, name, password);
  if (!session) throw new Error(envelope.message);
  const one = client(server.url, session);
  if (envelope.data?.privacy.needConfirm) {
    await one.data(accessEndpoints.acceptPrivacy, {
      body: { version: envelope.data.privacy.newPrivacyPolicyVersion as number },
    });
  }
  return one;
}

async function lastLogged() {
  return await server.database.db
    .selectFrom('action_logs')
    .select(['user_name', 'operation', 'object_type', 'object_id', 'customer_id', 'before', 'after'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}

describe('a new user', () => {
  test('signs in with the password they received', async () => {
    const worker = await signedIn(userName, PASSWORD);
    expect(await worker.data(fleetEndpoints.listDevices)).toMatchObject({ total: 0 });
  });

  test('is in the action log without their password', async () => {
    const entry = await lastLogged();
    expect(entry).toMatchObject({
      ...{ user_name: 'north_admin', operation: 'new', object_type: 'user', object_id: String(id) },
      customer_id: server.world.customers.north,
      after: { user_name: userName, password: '••••' },
    });
    expect(JSON.stringify(entry)).not.toMatch(/argon2|Night-shift/);
  });

  test.each([
    ['without upper case', 'night-shift.7'],
    ['without lower case', 'NIGHT-SHIFT.7'],
    ['without a digit', 'Night-shift.'],
    ['without a special character', 'Nightshift77'],
    ['too short', 'Ni-7.ab'],
    ['too long', `Ni-7.${'a'.repeat(40)}`],
  ])('cannot have a password %s', async (_title, password) => {
    const refused = await admin.call(createUser, {
      body: worker({ userName: fresh(), password: seal(publicKey, password) }),
    });
    expect(refused).toMatchObject({ code: CODES.passwordWeak.code, field: 'password' });
  });

  test.each([
    ['a common password', () => 'Password1!'],
    ['their user name', () => `X-${userName}.7A`],
  ])('cannot have a password that is %s', async (_title, password) => {
    const body = worker({ password: seal(publicKey, password()) });
    expect(await admin.call(createUser, { body })).toMatchObject({
      code: CODES.passwordGuessable.code,
      field: 'password',
    });
  });

  test.each(['short', 'with space', 'user-name', '用户名用户名', `a${'b'.repeat(32)}`])(
    'cannot have the name %s',
    async (name) => {
      const refused = await admin.call(createUser, { body: worker({ userName: name }) });
      expect(refused).toMatchObject({ code: CODES.userNameFormat.code, field: 'userName' });
    },
  );

  test('needs a unique user name and email', async () => {
    const taken = await admin.call(createUser, { body: worker({ userName: userName.toUpperCase() }) });
    expect(taken).toMatchObject({ code: CODES.userNameExists.code, field: 'userName' });
    const email = `${userName}@example.com`;
    await admin.data(updateUser, { params: { id }, body: { email } });
    const shared = await admin.call(createUser, { body: worker({ userName: fresh(), email: email.toUpperCase() }) });
    expect(shared).toMatchObject({ code: CODES.userEmailExists.code, field: 'email' });
  });

  test('belongs to a customer in scope, and has a role that the caller may assign', async () => {
    const elsewhere = await admin.call(createUser, {
      body: worker({ userName: fresh(), customerId: server.world.customers.south }),
    });
    expect(elsewhere).toMatchObject({ code: CODES.userCustomerUnknown.code, field: 'customerId' });
    const greater = await admin.call(createUser, {
      body: worker({ userName: fresh(), roleId: role('Vendor staff') }),
    });
    expect(greater).toMatchObject({ code: CODES.roleUnknown.code, field: 'roleId' });
  });

  test('created by a user with assigned sites is assigned to one of them', async () => {
    const assigned = await server.as('northAssigned');
    const lost = await assigned.call(createUser, { body: worker({ userName: fresh() }) });
    expect(lost).toMatchObject({ code: CODES.fieldRequired.code, field: 'siteIds' });
  });

  test.each([
    ['a\r\nBcc: x@example.com', 'fieldCharacters'],
    ['x@example.com\nSubject: y', 'fieldCharacters'],
    ['no at', 'fieldFormat'],
    ['"<b>"@', 'fieldFormat'],
  ] as const)('cannot have the email %j', async (email, code) => {
    const refused = await admin.call(updateUser, { params: { id }, body: { email } });
    expect(refused).toMatchObject({ code: CODES[code].code, field: 'email' });
  });
});

describe('the list', () => {
  test('is filtered, searched and sorted on the server', async () => {
    const found = await admin.data(listUsers, { query: { search: userName.toUpperCase() } });
    expect(found.items.map((user) => user.userName)).toContain(userName);
    const disabled = await admin.data(listUsers, { query: { status: 'disabled' } });
    expect(disabled.items.map((user) => user.userName)).toEqual(['north_disabled']);
    const readers = await admin.data(listUsers, { query: { roleId: role('Reader') } });
    expect(readers.items.map((user) => user.userName)).toEqual(['north_reader']);
    const turned = await admin.data(listUsers, { query: { sort: '-userName', pageSize: 100 } });
    const names = turned.items.map((user) => user.userName);
    expect(names).toEqual(names.toSorted(compareNaturally).reverse());
  });
});

describe('a user with more permissions than the caller cannot be changed', () => {
  test('a root account can only be changed by root', async () => {
    const staff = await server.as('vendorStaff');
    const target = { params: { id: server.world.users.root } };
    expect((await staff.call(resetPassword, { ...target, body: key() })).code).toBe(CODES.userExceeds.code);
    expect((await staff.call(updateUser, { ...target, body: { nickName: 'x' } })).code).toBe(CODES.userExceeds.code);
    expect((await staff.data(readUser, target)).may).toEqual({ edit: false, assign: false });
  });

  test('a user of the same customer with a stronger role is shown but cannot be changed', async () => {
    const { north } = server.world.customers;
    const { db } = server.database;
    await db
      .updateTable('users')
      .set({ role_id: role('Vendor staff') })
      .where('id', '=', id)
      .execute();
    const target = { params: { id } };
    expect((await admin.call(resetPassword, { ...target, body: key() })).code).toBe(CODES.userExceeds.code);
    expect((await admin.data(readUser, target)).customerId).toBe(north);
  });

  test('a user with assignments that the caller does not see', async () => {
    const { db } = server.database;
    await db.insertInto('user_customers').values({ user_id: id, customer_id: server.world.customers.south }).execute();
    expect((await admin.call(resetPassword, { params: { id }, body: key() })).code).toBe(CODES.userExceeds.code);
    const { customers } = await admin.data(readAssignments, { params: { id } });
    expect(customers).toEqual([]);
  });

  test('users cannot raise their own permissions', async () => {
    const own = { params: { id: server.world.users.northAdmin } };
    const raised = await admin.call(updateUser, { ...own, body: { roleId: role('Vendor staff') } });
    expect(raised).toMatchObject({ code: CODES.roleUnknown.code, field: 'roleId' });
  });
});

describe('disabling', () => {
  test('ends the sessions immediately, and after enabling the user can sign in again', async () => {
    const worker = await signedIn(userName, PASSWORD);
    await admin.data(disableUser, { params: { id } });
    expect((await worker.call(accessEndpoints.info, { body: {} })).code).toBe(CODES.accountDisabled.code);
    const { envelope } = await signIn(server.url, userName, PASSWORD);
    expect(envelope.code).toBe(CODES.accountDisabled.code);
    const open = await server.database.db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', id)
      .where('ended_at', 'is', null)
      .execute();
    expect(open).toEqual([]);
    await admin.data(enableUser, { params: { id } });
    await signedIn(userName, PASSWORD);
  });

  test('oneself is refused, and so is deleting oneself', async () => {
    const own = { params: { id: server.world.users.northAdmin } };
    expect((await admin.call(disableUser, own)).code).toBe(CODES.ownAccount.code);
    expect((await admin.call(deleteUser, own)).code).toBe(CODES.ownAccount.code);
    await admin.data(listUsers);
  });
});

describe('sessions', () => {
  test('of a user end together', async () => {
    const first = await signedIn(userName, PASSWORD);
    const second = await signedIn(userName, PASSWORD);
    const { ended } = await admin.data(signOutUser, { params: { id } });
    expect(ended).toBeGreaterThanOrEqual(1);
    for (const one of [first, second]) {
      expect((await one.call(accessEndpoints.info, { body: {} })).code).toBe(CODES.signedOutElsewhere.code);
    }
  });

  test('end with a new password, which replaces the old one', async () => {
    const before = await signedIn(userName, PASSWORD);
    const { open, ...body } = answerKey(publicKey);
    const answer = await admin.data(resetPassword, { params: { id }, body });
    const password = open(answer.password);
    expect((await before.call(accessEndpoints.info, { body: {} })).code).toBe(CODES.signedOutElsewhere.code);
    expect((await signIn(server.url, userName, PASSWORD)).envelope.code).toBe(CODES.credentialsWrong.code);
    await signedIn(userName, password);
    expect(JSON.stringify(await lastLogged())).not.toContain(password);
  });

  test('a new password is encrypted for the caller, and nothing changes when that is impossible', async () => {
    const before = await signedIn(userName, PASSWORD);
    for (const answerKey of ['nonsense', seal(publicKey, 'short')]) {
      const refused = await admin.call(resetPassword, { params: { id }, body: { answerKey } });
      expect(refused).toMatchObject({ code: CODES.decryptionFailed.code, field: 'answerKey' });
    }
    expect((await before.call(accessEndpoints.info, { body: {} })).code).toBe(0);
    const { open, ...body } = answerKey(publicKey);
    const answer = await admin.call(resetPassword, { params: { id }, body });
    expect(JSON.stringify(answer)).not.toContain(open(answer.data.password));
  });

  test('end when the user is deleted, and the log keeps their name', async () => {
    const worker = await signedIn(userName, PASSWORD);
    await admin.data(deleteUser, { params: { id } });
    expect((await worker.call(accessEndpoints.info, { body: {} })).code).toBe(CODES.accountDisabled.code);
    expect(await lastLogged()).toMatchObject({ operation: 'delete', before: { user_name: userName } });
    expect((await admin.call(readUser, { params: { id } })).code).toBe(CODES.notFound.code);
  });
});

describe('data authorization', () => {
  test('a user sees exactly the assigned sites', async () => {
    const { northQuay } = server.world.sites;
    await admin.data(setAssignments, { params: { id }, body: { customerIds: [], siteIds: [northQuay] } });
    const worker = await signedIn(userName, PASSWORD);
    const seen = await worker.data(placesEndpoints.listSites);
    expect(seen.items.map((site) => site.id)).toEqual([northQuay]);
    await admin.data(setAssignments, { params: { id }, body: { customerIds: [], siteIds: [] } });
    expect((await worker.data(placesEndpoints.listSites)).total).toBe(0);
  });

  test('the tree contains only their own customer, and finds a site by part of its name', async () => {
    const all = await admin.data(listAssignable, { params: { id } });
    expect(all.customers.map((customer) => customer.id)).toEqual([server.world.customers.north]);
    expect(all.customers[0]?.sites).toHaveLength(2);
    const name = all.customers[0]?.sites[0]?.name as string;
    const found = await admin.data(listAssignable, { params: { id }, query: { search: name } });
    expect(found.customers[0]?.sites.map((site) => site.name)).toEqual([name]);
  });

  test('a site outside the scope is unknown, and one of a customer that the user does not see is refused with its field', async () => {
    const { southPark } = server.world.sites;
    const body = { customerIds: [], siteIds: [southPark] };
    const unseen = await admin.call(setAssignments, { params: { id }, body });
    expect(unseen).toMatchObject({ code: CODES.siteUnknown.code, field: 'siteIds' });
    const useless = await root.call(setAssignments, { params: { id }, body });
    expect(useless).toMatchObject({ code: CODES.siteNotOfCustomer.code, field: 'siteIds' });
  });

  test('changes are in the action log', async () => {
    const { northQuay, northMill } = server.world.sites;
    await admin.data(setAssignments, { params: { id }, body: { customerIds: [], siteIds: [northQuay] } });
    await admin.data(setAssignments, { params: { id }, body: { customerIds: [], siteIds: [northMill] } });
    expect(await lastLogged()).toMatchObject({ before: { siteIds: [northQuay] }, after: { siteIds: [northMill] } });
  });

  test('cannot exceed the site limit, even with two concurrent requests', async () => {
    const { northQuay, northMill } = server.world.sites;
    await admin.data(updateUser, { params: { id }, body: { maxSites: 1 } });
    const both = { customerIds: [], siteIds: [northQuay, northMill] };
    const refused = await admin.call(setAssignments, { params: { id }, body: both });
    expect(refused).toMatchObject({ code: CODES.maxSitesExceeded.code, field: 'maxSites' });
    const { pool } = server.database;
    const assign = (site: number) =>
      pool.query('insert into user_sites (user_id, site_id) values ($1, $2)', [id, site]).then(
        () => 'assigned',
        (error: { constraint?: string }) => error.constraint,
      );
    expect((await Promise.all([assign(northQuay), assign(northMill)])).sort()).toEqual(['assigned', 'user_sites_max']);
  });

  test('a limit below the number of assigned sites is refused', async () => {
    const { northQuay } = server.world.sites;
    await admin.data(setAssignments, { params: { id }, body: { customerIds: [], siteIds: [northQuay] } });
    const refused = await admin.call(updateUser, { params: { id }, body: { maxSites: 0 } });
    expect(refused).toMatchObject({ code: CODES.maxSitesExceeded.code, field: 'maxSites' });
    expect((await admin.data(readUser, { params: { id } })).maxSites).toBeNull();
  });
});

test('one enabled root account remains, even when root accounts disable each other concurrently', async () => {
  const { db } = server.database;
  const second = await db
    .insertInto('users')
    .values({ user_name: fresh(), password_hash: 'none', customer_id: server.world.customers.vendor, root: true })
    .returning('id')
    .executeTakeFirstOrThrow();
  const other = client(server.url, await openSession(db, second.id));
  await db.insertInto('privacy_acceptances').values({ user_id: second.id, version: 1 }).execute();
  const [one, two] = await Promise.all([
    root.call(disableUser, { params: { id: second.id } }),
    other.call(disableUser, { params: { id: server.world.users.root } }),
  ]);
  const codes = [one.code, two.code];
  expect(codes).toContain(0);
  expect(codes.filter((code) => code === 0)).toHaveLength(1);
  const roots = await db
    .selectFrom('users')
    .select('id')
    .where('root', '=', true)
    .where('enabled', '=', true)
    .execute();
  expect(roots).toHaveLength(1);

  // The same without the service, directly in the database.
  await db.updateTable('users').set({ enabled: true }).where('root', '=', true).execute();
  const disable = (user: number) =>
    server.database.pool.query('update users set enabled = false where id = $1', [user]).then(
      () => 'disabled',
      (error: { constraint?: string }) => error.constraint,
    );
  const outcomes = await Promise.all([disable(second.id), disable(server.world.users.root)]);
  expect(outcomes.sort()).toEqual(['disabled', 'users_last_root']);
});
