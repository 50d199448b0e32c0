import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { deviceDirectory } from '../directory.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

function stranger(sn: string, more: object = {}) {
  return { sn, mac: null, protocolVersion: 'ocpp1.6', remoteAddress: '10.1.2.3', vendor: null, model: null, ...more };
}

test('a registered device is found in any case, with the fields that decide its admission', async () => {
  const { database, world } = server;
  const directory = deviceDirectory(database.db);
  const { id, sn } = world.devices.northQuay1;
  const known = {
    deviceId: id,
    sn,
    siteId: expect.any(Number),
    enabled: true,
    passwordHash: null,
    newPasswordHashes: [],
    tolerant: false,
    silenceSeconds: null,
    lastAddress: null,
    heartbeatSeconds: null,
    connectors: expect.any(Array),
    connectorStates: expect.any(Array),
    connectorCount: null,
    statusRejected: false,
  };
  expect(await directory.find(sn)).toEqual(known);
  expect(await directory.find(sn.toUpperCase())).toEqual(known);
  expect(await directory.find('nobody')).toBeNull();
  for (const [table, where] of [
    ['devices', id],
    ['sites', world.sites.northQuay],
    ['customers', world.customers.north],
  ] as const) {
    await database.db.updateTable(table).set({ enabled: false }).where('id', '=', where).execute();
    expect(await directory.find(sn)).toMatchObject({ enabled: false });
    await database.db.updateTable(table).set({ enabled: true }).where('id', '=', where).execute();
  }
});

test('an unknown device is added once, its attempts are counted, and its latest details are stored', async () => {
  const directory = deviceDirectory(server.database.db);
  await directory.reportUnknown(stranger('KNOCK-0001'));
  await Promise.all(
    Array.from({ length: 20 }, () => directory.reportUnknown(stranger('knock-0001', { mac: 'AA:BB' }))),
  );
  const root = await server.as('root');
  const { items, total } = await root.data(ENDPOINTS.listWaitingDevices, { query: { search: 'knock' } });
  expect(total).toBe(1);
  expect(items).toMatchObject([{ sn: 'KNOCK-0001', attempts: 21, mac: 'AA:BB', protocolVersion: 'ocpp1.6' }]);
});

test('a model and a site are proposed: by alias or protocol, and by the address that devices of one site share', async () => {
  const root = await server.as('root');
  const { world, database } = server;
  const { pool } = database;
  const proposed = async () => {
    const { items } = await root.data(ENDPOINTS.listWaitingDevices, { query: { search: 'knock' } });
    return [items[0]?.proposedModel?.name ?? null, items[0]?.proposedSite ?? null];
  };
  const { rows } = await pool.query('select remote_address as address from blacklist_entries where sn = $1', [
    'KNOCK-0001',
  ]);
  const use = (id: number) =>
    pool.query(
      `insert into device_states (device_id, remote_address) values ($1, $2)
       on conflict (device_id) do update set remote_address = excluded.remote_address`,
      [id, rows[0].address],
    );
  expect(await proposed()).toEqual(['Generic OCPP 1.6 pile', null]);
  await use(world.devices.northQuay1.id);
  expect((await proposed())[1]).toMatchObject({ id: world.sites.northQuay, devices: 1 });
  await use(world.devices.northMill1.id);
  expect((await proposed())[1]).toBeNull();
  await pool.query('update device_states set remote_address = null');
});

test('a registered device is not added to the list, and neither is an invalid SN', async () => {
  const directory = deviceDirectory(server.database.db);
  await directory.reportUnknown(stranger(server.world.devices.northQuay1.sn));
  await directory.reportUnknown(stranger('..'));
  await directory.reportUnknown(stranger('x'.repeat(500)));
  const root = await server.as('root');
  const { items } = await root.data(ENDPOINTS.listWaitingDevices, { query: { pageSize: 100 } });
  expect(items.map(({ sn }) => sn)).toEqual(['KNOCK-0001']);
});

test('text that the database cannot store does not prevent an entry', async () => {
  const directory = deviceDirectory(server.database.db);
  await directory.reportUnknown(stranger('ODD-0001', { vendor: `a\u0000b\ud800${'c'.repeat(1_000)}` }));
  const root = await server.as('root');
  const { items } = await root.data(ENDPOINTS.listWaitingDevices, { query: { search: 'ODD-0001' } });
  expect(items[0]?.vendor).toMatch(/^a\ufffdb\ufffdc+$/);
});

test('a flood of invented names leaves at most ten thousand entries, and the server keeps working', async () => {
  const directory = deviceDirectory(server.database.db);
  for (let round = 0; round < 12; round += 1) {
    await Promise.all(
      Array.from({ length: 1_000 }, (_, index) => directory.reportUnknown(stranger(`FLOOD-${round}-${index}`))),
    );
  }
  const root = await server.as('root');
  const { total, items } = await root.data(ENDPOINTS.listWaitingDevices, { query: { sort: '-lastAttemptAt' } });
  expect(total).toBe(10_000);
  expect(items[0]?.sn).toMatch(/^FLOOD-11-/);
});

test('only the platform vendor sees the list and can remove entries', async () => {
  const entries = () =>
    server.database.db.selectFrom('blacklist_entries').select('id').limit(1).executeTakeFirstOrThrow();
  const { id } = await entries();
  const admin = await server.as('northAdmin');
  const noPermission = { code: CODES.noPermission.code, data: null };
  expect(await admin.call(ENDPOINTS.listWaitingDevices)).toMatchObject(noPermission);
  expect(await admin.call(ENDPOINTS.deleteWaitingDevice, { params: { id } })).toMatchObject(noPermission);
  const staff = await server.as('vendorStaff');
  await staff.data(ENDPOINTS.deleteWaitingDevice, { params: { id } });
  expect(await staff.call(ENDPOINTS.deleteWaitingDevice, { params: { id } })).toMatchObject({
    code: CODES.notFound.code,
  });
});
