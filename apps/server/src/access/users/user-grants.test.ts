import { accessEndpoints, CODES, peopleEndpoints, recoveryEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, client, openSession } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { seal } from '../../testing/sign-in.ts';
import { WORLD_PASSWORD_HASH } from '../../testing/world.ts';

const { createUser, deleteUser, disableUser, readUser, resetPassword, setAssignments, updateUser } = peopleEndpoints;

/**
 * Users who could try to get access to the platform vendor: of another customer, with the vendor in their scope, by
 * role or by assignment.
 */
const REACHES = ['all customers', 'assigned customers'] as const;

let server: TestServer;
let root: Client;
let publicKey: string;
let engineer: Client;
let own: { params: { id: number } };
let roleId: number;
let counter = 0;

const fresh = () => `grants_${++counter}`;
const newUser = (change: object = {}) => ({
  ...{ userName: fresh(), password: seal(publicKey, 'Night-shift.7'), customerId: server.world.customers.north },
  ...{ roleId, maxSites: 30, ...change },
});

async function signInAs(reach: (typeof REACHES)[number]): Promise<void> {
  const { db } = server.database;
  const [staff, assigned] = await Promise.all(
    ['Vendor staff', 'Customer admin'].map((name) =>
      db.selectFrom('roles').selectAll().where('name', '=', name).executeTakeFirstOrThrow(),
    ),
  );
  const { vendor, north } = server.world.customers;
  roleId = staff!.id;
  if (reach === 'assigned customers') {
    const { id: _, created_at: __, ...values } = assigned!;
    const role = { ...values, levels: JSON.stringify(values.levels), name: fresh(), customer_access: 2 };
    roleId = (await db.insertInto('roles').values(role).returning('id').executeTakeFirstOrThrow()).id;
    const menus = await db.selectFrom('role_menus').select('menu_key').where('role_id', '=', assigned!.id).execute();
    await db
      .insertInto('role_menus')
      .values(menus.map(({ menu_key }) => ({ menu_key, role_id: roleId })))
      .execute();
  }
  const { id } = await db
    .insertInto('users')
    .values({
      ...{ user_name: fresh(), password_hash: WORLD_PASSWORD_HASH, customer_id: north, role_id: roleId, max_sites: 50 },
      email: `own_${counter}@example.com`,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('user_customers')
    .values([vendor, north].map((customer_id) => ({ user_id: id, customer_id })))
    .execute();
  own = { params: { id } };
  engineer = client(server.url, await openSession(db, id));
  const { privacy } = await engineer.data(accessEndpoints.info);
  await engineer.data(accessEndpoints.acceptPrivacy, { body: { version: privacy.newPrivacyPolicyVersion! } });
}

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  ({ publicKey } = await root.data(accessEndpoints.publicKey));
});
afterAll(() => server.stop());

describe.each(REACHES)('a user of another customer who sees the platform vendor by %s', (reach) => {
  beforeEach(() => signInAs(reach));

  test('cannot move into it', async () => {
    const { vendor } = server.world.customers;
    const moved = await engineer.call(updateUser, { ...own, body: { customerId: vendor } });
    expect(moved).toMatchObject({ code: CODES.vendorExceeds.code, field: 'customerId' });
    expect((await engineer.data(accessEndpoints.info)).user.platformVendor).toBe(false);
  });

  test('cannot add a user to it, with a password or an invitation', async () => {
    const { vendor } = server.world.customers;
    const refused = { code: CODES.vendorExceeds.code, field: 'customerId' };
    const made = await engineer.call(createUser, { body: newUser({ customerId: vendor }) });
    expect(made).toMatchObject(refused);
    const { password: _, ...invited } = newUser({ customerId: vendor, email: `${fresh()}@example.com` });
    expect(await engineer.call(createUser, { body: invited })).toMatchObject(refused);
  });

  test('cannot take over an account of it', async () => {
    const target = { params: { id: server.world.users.vendorStaff } };
    for (const [endpoint, body] of [
      [resetPassword, { answerKey: seal(publicKey, 'any') }],
      [updateUser, { email: 'taken@example.com' }],
      [disableUser, {}],
      [deleteUser, undefined],
      [setAssignments, { customerIds: [], siteIds: [] }],
    ] as const) {
      const refused = await engineer.call(endpoint as typeof updateUser, { ...target, body: body as object });
      expect(refused.code, endpoint.id).toBe(CODES.userExceeds.code);
    }
    expect((await engineer.data(readUser, target)).may).toEqual({ edit: false, assign: false });
  });

  test('cannot raise their own site limit or that of others above it', async () => {
    const { id } = await engineer.data(createUser, { body: newUser() });
    const other = { params: { id } };
    const refused = { code: CODES.maxSitesExceeds.code, field: 'maxSites' };
    for (const maxSites of [60, null]) {
      expect(await engineer.call(updateUser, { ...own, body: { maxSites } })).toMatchObject(refused);
      expect(await engineer.call(updateUser, { ...other, body: { maxSites } })).toMatchObject(refused);
      expect(await engineer.call(createUser, { body: newUser({ maxSites }) })).toMatchObject(refused);
    }
    expect((await engineer.call(updateUser, { ...other, body: { maxSites: 50 } })).code).toBe(0);
    const omitted = await engineer.data(createUser, { body: newUser({ maxSites: undefined }) });
    expect((await root.data(readUser, { params: { id: omitted.id } })).maxSites).toBe(50);
  });
});

describe('the own account', () => {
  test.each(['engineer', 'root'])(
    'of %s keeps its email and password, whatever their permissions on users',
    async (who) => {
      await signInAs('all customers');
      const one = who === 'root' ? root : engineer;
      const target = who === 'root' ? { params: { id: server.world.users.root } } : own;
      const changed = await one.call(updateUser, { ...target, body: { email: `${fresh()}@example.com` } });
      expect(changed).toMatchObject({ code: CODES.ownEmail.code, field: 'email' });
      if (who !== 'root') {
        const removed = await one.call(updateUser, { ...target, body: { email: null } });
        expect(removed).toMatchObject({ code: CODES.ownEmail.code, field: 'email' });
      }
      expect((await one.call(resetPassword, { ...target, body: { answerKey: seal(publicKey, 'any') } })).code).toBe(
        CODES.ownAccount.code,
      );
      expect((await one.call(updateUser, { ...target, body: { nickName: 'Same person' } })).code).toBe(0);
      const wrong = { currentPassword: seal(publicKey, 'wrong'), email: `${fresh()}@example.com` };
      expect((await one.call(recoveryEndpoints.changeOwnEmail, { body: wrong })).code).toBe(
        CODES.currentPasswordWrong.code,
      );
    },
  );
});
