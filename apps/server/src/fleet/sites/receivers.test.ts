import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { refused } from '../../testing/contract/refused.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { listReceivers, listReceiverCandidates, addReceiver, removeReceiver } = ENDPOINTS;

let server: TestServer;
let admin: Client;
let root: Client;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
  root = await server.as('root');
});
afterAll(() => server.stop());
beforeEach(() => server.database.pool.query('delete from site_receivers'));

const quay = () => ({ id: server.world.sites.northQuay });
const receivers = async (client: Client, params = quay()) =>
  (await client.data(listReceivers, { params })).items.map(({ userName }) => userName);
const candidates = async (client: Client, search?: string, params = quay()) =>
  (await client.data(listReceiverCandidates, { params, query: search === undefined ? {} : { search } })).items.map(
    ({ userName }) => userName,
  );
const add = (client: Client, person: keyof typeof server.world.users, params = quay()) =>
  client.call(addReceiver, { params, body: { userId: server.world.users[person] } });

test('users of the customer and of the vendor who see a site can be recipients; each caller sees their own users', async () => {
  expect(await candidates(root)).toEqual([
    'north_admin',
    'north_assigned',
    'north_disabled',
    'north_no_menus',
    'north_reader',
    'root_user',
    'vendor_staff',
  ]);
  expect(await candidates(admin)).toEqual([
    'north_admin',
    'north_assigned',
    'north_disabled',
    'north_no_menus',
    'north_reader',
  ]);
  expect(await candidates(admin, undefined, { id: server.world.sites.northMill })).not.toContain('north_assigned');
  expect(await candidates(root, 'ASSIGN')).toEqual(['north_assigned']);
  expect(await candidates(admin, 'vendor')).toEqual([]);
});

test('a user with assigned sites sees, adds and removes only users assigned to one of them', async () => {
  const assigned = await server.as('northAssigned');
  expect(await candidates(assigned)).toEqual(['north_assigned']);
  expect(await add(assigned, 'northReader')).toMatchObject({ code: CODES.receiverUnknown.code, field: 'userId' });
  await add(admin, 'northReader');
  expect(await receivers(assigned)).toEqual([]);
  const params = { ...quay(), userId: server.world.users.northReader };
  expect((await assigned.call(removeReceiver, { params })).code).toBe(CODES.receiverUnknown.code);
  expect(await receivers(admin)).toEqual(['north_reader']);
});

test('a user is added once, appears in the list and not among the candidates, is removed, and everything is logged', async () => {
  const { pool } = server.database;
  await pool.query(`update users set email = 'reader@north.example' where user_name = 'north_reader'`);
  await pool.query('delete from action_logs');
  const answers = await Promise.all(Array.from({ length: 5 }, () => add(admin, 'northReader')));
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  expect(await candidates(admin)).not.toContain('north_reader');
  const { items, total } = await admin.data(listReceivers, { params: quay() });
  expect(total).toBe(1);
  expect(items[0]).toMatchObject({ userName: 'north_reader', email: 'reader@north.example', reachable: true });
  const params = { ...quay(), userId: server.world.users.northReader };
  const removed = await Promise.all(Array.from({ length: 3 }, () => admin.call(removeReceiver, { params })));
  expect(removed.map(({ code }) => code).toSorted()).toEqual([
    0,
    CODES.receiverUnknown.code,
    CODES.receiverUnknown.code,
  ]);
  expect(await receivers(admin)).toEqual([]);
  const { rows } = await pool.query(
    `select operation, before, after from action_logs where object_type = 'site' order by id`,
  );
  expect(rows).toEqual([
    { operation: 'edit', before: null, after: { receiver: 'north_reader' } },
    { operation: 'edit', before: { receiver: 'north_reader' }, after: null },
  ]);
});

test('a user who does not see the site, or whom the caller does not see, cannot be added', async () => {
  expect(await add(root, 'southAdmin')).toEqual(refused('receiverUnknown'));
  expect(await add(admin, 'vendorStaff')).toEqual(refused('receiverUnknown'));
  expect(await add(admin, 'northAssigned', { id: server.world.sites.northMill })).toEqual(refused('receiverUnknown'));
  expect(await admin.call(addReceiver, { params: quay(), body: { userId: 2_000_000_000 } })).toEqual(
    refused('receiverUnknown'),
  );
  expect((await server.database.pool.query('select from site_receivers')).rowCount).toBe(0);
});

test('a recipient of the vendor is not shown to users who do not see them, and cannot be removed by them', async () => {
  expect((await add(root, 'vendorStaff')).code).toBe(0);
  expect(await receivers(root)).toEqual(['vendor_staff']);
  expect(await receivers(admin)).toEqual([]);
  const params = { ...quay(), userId: server.world.users.vendorStaff };
  expect(await admin.call(removeReceiver, { params })).toEqual(refused('receiverUnknown'));
  expect(await receivers(root)).toEqual(['vendor_staff']);
});

test('a user who loses the site leaves the list immediately, and returns with it; a disabled user is not reachable', async () => {
  const { pool } = server.database;
  const { northAssigned } = server.world.users;
  await pool.query(`update users set email = 'assigned@north.example' where id = $1`, [northAssigned]);
  expect((await add(admin, 'northAssigned')).code).toBe(0);
  await pool.query('delete from user_sites where user_id = $1', [northAssigned]);
  expect(await receivers(admin)).toEqual([]);
  expect(await add(admin, 'northAssigned')).toEqual(refused('receiverUnknown'));
  await pool.query('insert into user_sites (user_id, site_id) values ($1, $2)', [northAssigned, quay().id]);
  expect(await receivers(admin)).toEqual(['north_assigned']);
  await pool.query('update users set enabled = false where id = $1', [northAssigned]);
  const { items } = await admin.data(listReceivers, { params: quay() });
  expect(items).toMatchObject([{ userName: 'north_assigned', enabled: false, reachable: false }]);
  await pool.query('update users set enabled = true where id = $1', [northAssigned]);
});
