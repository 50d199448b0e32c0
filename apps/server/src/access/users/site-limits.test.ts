import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { updateUser, setRoleData, readRole, setAssignments } = ENDPOINTS;

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
});
afterAll(() => server.stop());

/** The user has one assigned site. Their customer has two. */
let user: { params: { id: number } };
let roles: { assigned: number; all: number };
beforeEach(async () => {
  const { db } = server.database;
  user = { params: { id: server.world.users.northAssigned } };
  const idOf = async (name: string) =>
    (await db.selectFrom('roles').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id;
  roles = { assigned: await idOf('Assigned sites'), all: await idOf('Customer admin') };
  await db.updateTable('roles').set({ site_access: 1 }).where('id', '=', roles.assigned).execute();
  await setUser({ role_id: roles.assigned, max_sites: 1 });
});

async function setUser(values: { role_id?: number; max_sites?: number | null }): Promise<void> {
  await server.database.db.updateTable('users').set(values).where('id', '=', user.params.id).execute();
}

const seenSitesExceed = { code: CODES.seenSitesExceed.code, field: 'maxSites' };

test('a user with a site limit cannot get a role that sees more sites', async () => {
  expect(await root.call(updateUser, { ...user, body: { roleId: roles.all } })).toMatchObject({
    ...seenSitesExceed,
    message: expect.stringMatching(/2 sites.*at most 1/),
  });
  expect((await root.call(updateUser, { ...user, body: { roleId: roles.all, maxSites: 2 } })).code).toBe(0);
});

test('the limit of a user who sees all sites cannot be below their number', async () => {
  await setUser({ role_id: roles.all, max_sites: null });
  expect(await root.call(updateUser, { ...user, body: { maxSites: 1 } })).toMatchObject(seenSitesExceed);
  expect((await root.call(updateUser, { ...user, body: { maxSites: 2 } })).code).toBe(0);
  // Other fields of a user who is above the limit can be changed.
  await setUser({ max_sites: 1 });
  expect((await root.call(updateUser, { ...user, body: { contact: '+852 5550 0000' } })).code).toBe(0);
});

test('a role cannot be changed to see all sites while one of its users has a lower limit', async () => {
  const params = { id: roles.assigned };
  const { customerAccess, remoteAccess, emailAlarm, levels } = await root.data(readRole, { params });
  const body = { ...{ customerAccess, remoteAccess, emailAlarm, levels }, siteAccess: 0 } as never;
  expect(await root.call(setRoleData, { params, body })).toMatchObject({
    code: CODES.roleSitesExceed.code,
    field: 'siteAccess',
    message: expect.stringContaining('north_assigned'),
  });
  expect((await root.data(readRole, { params })).siteAccess).toBe(1);
  await setUser({ max_sites: null });
  expect((await root.call(setRoleData, { params, body })).code).toBe(0);
});

test('a user of assigned customers cannot get a customer with more sites', async () => {
  const { db } = server.database;
  const {
    id: _,
    created_at: __,
    ...values
  } = await db.selectFrom('roles').selectAll().where('id', '=', roles.all).executeTakeFirstOrThrow();
  const role = { ...values, levels: JSON.stringify(values.levels), name: 'Of assigned customers', customer_access: 2 };
  const { id } = await db.insertInto('roles').values(role).returning('id').executeTakeFirstOrThrow();
  await setUser({ role_id: id, max_sites: 1 });
  const body = { customerIds: [server.world.customers.north], siteIds: [] };
  expect(await root.call(setAssignments, { ...user, body })).toMatchObject({
    ...seenSitesExceed,
    field: 'customerIds',
  });
});
