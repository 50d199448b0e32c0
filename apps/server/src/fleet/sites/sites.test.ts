import { randomUUID } from 'node:crypto';
import { CODES, ENDPOINTS } from '@chargehand/contract';
import readExcelFile from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { refused } from '../../testing/contract/refused.ts';
import { connectPile } from '../../testing/gateways/pile.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const {
  listSites,
  listSitePositions,
  readSite,
  listSiteAdministrators,
  createSite,
  updateSite,
  enableSite,
  disableSite,
  deleteSite,
  readDevice,
  createDevice,
  updateDevice,
  enableDevice,
  disableDevice,
} = ENDPOINTS;

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
});
afterAll(() => server.stop());

async function actionsOn(id: number) {
  return server.database.db
    .selectFrom('action_logs')
    .select(['operation', 'object_name', 'customer_id', 'site_id', 'before', 'after'])
    .where('object_type', '=', 'site')
    .where('object_id', '=', String(id))
    .orderBy('id')
    .execute();
}

test('a site that is added again with the same Idempotency-Key is the same site', async () => {
  const { north } = server.world.customers;
  const create = async (key: string, code: string) => {
    const response = await admin.fetch(createSite.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ customerId: north, code, name: 'Once' }),
    });
    return {
      status: response.status,
      again: response.headers.get('idempotency-replayed'),
      ...((await response.json()) as { code: number; data: { id: number } }),
    };
  };
  const key = randomUUID();
  const first = await create(key, 'ONCE');
  expect(first).toMatchObject({ status: 200, again: null, code: 0 });
  expect(await create(key.toUpperCase(), 'ONCE')).toMatchObject({ again: 'true', code: 0, data: first.data });
  expect(await create(key, 'TWICE')).toMatchObject({ status: 409, code: CODES.idempotencyKeyUsed.code });
  expect(await create('7', 'TWICE')).toMatchObject({ code: CODES.fieldFormat.code });
  await admin.data(deleteSite, { params: { id: first.data.id } });
});

test('a site is added, read, changed and removed, and each step is in the action log', async () => {
  const { north } = server.world.customers;
  const { id } = await admin.data(createSite, {
    body: {
      ...{ customerId: north, code: 'YARD', name: 'North Yard', contact: 'Mandy Ho', buildDate: '2025-03-01' },
      gridOperator: ' CLP Power ',
    },
  });
  expect(await admin.data(readSite, { params: { id } })).toMatchObject({
    code: 'YARD',
    name: 'North Yard',
    customerId: north,
    customerName: 'Customer north',
    contact: 'Mandy Ho',
    phone: '',
    buildDate: '2025-03-01',
    gridOperator: 'CLP Power',
    enabled: true,
    customerEnabled: true,
    deviceCount: 0,
    activeAlarms: 0,
    byStatus: { offline: 0 },
    may: { edit: true },
  });
  await admin.data(updateSite, {
    params: { id },
    body: { buildDate: null, phone: '+852 5550 0101', name: 'North Yard' },
  });
  await admin.data(deleteSite, { params: { id } });
  expect(await admin.call(readSite, { params: { id } })).toEqual(refused('notFound'));
  expect(await actionsOn(id)).toMatchObject([
    {
      operation: 'new',
      customer_id: north,
      after: { customerId: north, buildDate: '2025-03-01', gridOperator: 'CLP Power' },
    },
    {
      operation: 'edit',
      before: { buildDate: '2025-03-01', phone: '' },
      after: { buildDate: null, phone: '+852 5550 0101' },
    },
    { operation: 'delete', object_name: 'North Yard', customer_id: north, site_id: null },
  ]);
});

test('names and codes are unique per customer: taken ones are refused with their field, those of another customer are free', async () => {
  const { north, south } = server.world.customers;
  const create = (customerId: number, code: string, name: string) =>
    admin.call(createSite, { body: { customerId, code, name } });
  expect(await create(north, 'NORTHQUAY', 'Free')).toEqual(refused('siteCodeExists', 'code'));
  expect(await create(north, 'free', 'site NORTHQUAY')).toEqual(refused('siteNameExists', 'name'));
  expect(await create(north, 'a b', 'Free')).toEqual(refused('placeCodeFormat', 'code'));
  expect(await create(south, 'free', 'Free')).toEqual(refused('customerUnknown', 'customerId'));
  expect(await create(2_000_000_000, 'free', 'Free')).toEqual(refused('customerUnknown', 'customerId'));
  expect((await create(north, 'southPark', 'Site southPark')).code).toBe(0);
});

test('a user with assigned sites is assigned to a site they add', async () => {
  const assigned = await server.as('northAssigned');
  const { id } = await assigned.data(createSite, {
    body: { customerId: server.world.customers.north, code: 'MINE', name: 'Mine' },
  });
  expect(await assigned.data(readSite, { params: { id } })).toMatchObject({ name: 'Mine' });
  expect((await assigned.data(listSites)).items.map(({ code }) => code)).toEqual(['MINE', 'northQuay']);
});

test('a user at their site limit cannot add a site, receives the reason, and no site is created', async () => {
  const { db } = server.database;
  const limited = await server.as('northAssigned');
  const user = db.updateTable('users').where('id', '=', server.world.users.northAssigned);
  const { count } = await db
    .selectFrom('user_sites')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('user_id', '=', server.world.users.northAssigned)
    .executeTakeFirstOrThrow();
  await user.set({ max_sites: Number(count) }).execute();
  const body = { customerId: server.world.customers.north, code: 'OVER', name: 'One too many' };
  expect(await limited.call(createSite, { body })).toMatchObject({ code: CODES.siteLimitReached.code });
  expect((await admin.data(listSites, { query: { search: 'One too many' } })).total).toBe(0);
  await user.set({ max_sites: null }).execute();
});

test('a site limit also counts the sites of a user who sees all of them', async () => {
  const { db } = server.database;
  const user = db.updateTable('users').where('id', '=', server.world.users.northAdmin);
  const seen = (await admin.data(listSites)).total;
  const body = { customerId: server.world.customers.north, code: 'LIMIT', name: 'At the limit' };
  await user.set({ max_sites: seen }).execute();
  expect(await admin.call(createSite, { body })).toMatchObject({ code: CODES.siteLimitReached.code });
  expect((await admin.data(listSites)).total).toBe(seen);
  await user.set({ max_sites: seen + 1 }).execute();
  const { id } = await admin.data(createSite, { body });
  await user.set({ max_sites: null }).execute();
  await admin.data(deleteSite, { params: { id } });
});

test('the list is searched, filtered, sorted and exported', async () => {
  const root = await server.as('root');
  const codes = async (query: object) => (await root.data(listSites, { query })).items.map(({ code }) => code);
  expect(await codes({ search: 'mill' })).toEqual(['northMill']);
  expect(await codes({ customerId: server.world.customers.readOnly })).toEqual(['readOnlyYard']);
  expect(await codes({ search: 'site', sort: '-code', pageSize: 10 })).toEqual([
    'southPark',
    'southPark',
    'readOnlyYard',
    'northQuay',
    'northMill',
  ]);
  const response = await root.fetch('/api/auth/sys/sites/export?search=site&sort=code');
  expect(response.headers.get('content-disposition')).toMatch(/filename="Sites \d{8}-\d{6}\.xlsx"/);
  const [sheet] = await readExcelFile(Buffer.from(await response.arrayBuffer()));
  expect(sheet?.data[0]?.slice(0, 5)).toEqual(['Code', 'Name', 'Customer', 'State', 'Devices']);
  expect(sheet?.data[1]?.slice(0, 5)).toEqual(['northMill', 'Site northMill', 'Customer north', 'Enabled', 2]);
  expect(sheet?.data[0]?.slice(-3)).toEqual(['Build date', 'Grid operator', 'Created']);
  expect(sheet?.data).toHaveLength(6);
});

test('the administrators of a site are the users in scope who may edit it', async () => {
  const names = async (client: Client, site: number) =>
    (await client.data(listSiteAdministrators, { params: { id: site } })).items.map(({ userName }) => userName);
  const { northQuay, northMill, readOnlyYard } = server.world.sites;
  expect(await names(admin, northQuay)).toEqual(['north_admin', 'north_assigned']);
  expect(await names(admin, northMill)).toEqual(['north_admin']);
  const root = await server.as('root');
  expect(await names(root, northMill)).toEqual(['north_admin', 'root_user', 'vendor_staff']);
  expect(await names(root, readOnlyYard)).toEqual(['root_user', 'vendor_staff']);
});

test('a site with devices cannot be removed, also when the device is added at the same moment', async () => {
  expect(await admin.call(deleteSite, { params: { id: server.world.sites.northQuay } })).toEqual(
    refused('siteHasDevices'),
  );
  for (let round = 0; round < 5; round += 1) {
    const { id } = await admin.data(createSite, {
      body: { customerId: server.world.customers.north, code: `GONE-${round}`, name: `Gone ${round}` },
    });
    const [removed, added] = await Promise.all([
      admin.call(deleteSite, { params: { id } }),
      admin.call(createDevice, {
        body: { sn: `GONE-${round}`, name: `Gone ${round}`, siteId: id, deviceModelId: server.world.model },
      }),
    ]);
    const exists = (await admin.call(readSite, { params: { id } })).code === 0;
    expect(removed.code).toBe(exists ? CODES.siteHasDevices.code : 0);
    expect(added.code).toBe(exists ? 0 : CODES.siteUnknown.code);
  }
});

test('the devices of a disabled site are disconnected, refused and shown as disabled until it is enabled', async () => {
  const { northMill: siteId, northQuay } = server.world.sites;
  const { id: deviceId, sn } = server.world.devices.northMill1;
  const params = { id: siteId };
  const device = () => admin.data(readDevice, { params: { id: deviceId } });
  const pile = await connectPile(server, sn);
  await expect.poll(async () => (await device()).status).toBe('idle');

  await admin.data(disableSite, { params });
  await expect.poll(device).toMatchObject({ status: 'disabled', connected: false, enabled: true });
  expect(await admin.data(readSite, { params })).toMatchObject({ enabled: false, byStatus: { disabled: 2 } });
  await pile.cut();
  await expect(connectPile(server, sn)).rejects.toThrow();
  expect(await admin.call(ENDPOINTS.sendCommand, { params: { id: deviceId }, body: { kind: 'softReset' } })).toEqual(
    refused('deviceDisabled'),
  );

  // Enabling the device itself does not admit it, and a device that moves in is disabled too.
  await admin.data(disableDevice, { params: { id: deviceId } });
  await admin.data(enableDevice, { params: { id: deviceId } });
  expect((await device()).status).toBe('disabled');
  const mover = server.world.devices.northQuay2;
  const moving = await connectPile(server, mover.sn);
  await admin.data(updateDevice, { params: { id: mover.id }, body: { siteId } });
  await expect
    .poll(() => admin.data(readDevice, { params: { id: mover.id } }))
    .toMatchObject({ status: 'disabled', connected: false });
  await moving.cut();
  await admin.data(updateDevice, { params: { id: mover.id }, body: { siteId: northQuay } });
  expect((await admin.data(readDevice, { params: { id: mover.id } })).status).toBe('offline');

  await admin.data(disableSite, { params });
  await admin.data(enableSite, { params });
  expect((await device()).status).toBe('offline');
  const again = await connectPile(server, sn);
  await expect.poll(async () => (await device()).status).toBe('idle');
  await again.cut();
  expect((await actionsOn(siteId)).map(({ operation }) => operation)).toEqual(['disable', 'enable']);
});

test('a device registered while its site is being disabled is disabled too', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { id } = await admin.data(createSite, {
      body: { customerId: server.world.customers.north, code: `OFF-${round}`, name: `Off ${round}` },
    });
    const [, added] = await Promise.all([
      admin.data(disableSite, { params: { id } }),
      admin.data(createDevice, {
        body: { sn: `OFF-000${round}`, name: `Off ${round}`, siteId: id, deviceModelId: server.world.model },
      }),
    ]);
    expect((await admin.data(readDevice, { params: { id: added.id } })).status).toBe('disabled');
  }
});

test('the positions of the filtered sites are listed for a map, within the scope', async () => {
  const { northQuay, northMill, southPark } = server.world.sites;
  const place = 'update sites set latitude = $2, longitude = $3 where id = any($1)';
  await server.database.pool.query(place, [[northQuay, southPark], 22.3, 114.2]);
  await server.database.pool.query(place, [[northMill], null, null]);
  const { items, unplaced, more } = await admin.data(listSitePositions, { query: {} });
  expect(items).toContainEqual({
    ...{ id: northQuay, name: 'Site northQuay', latitude: 22.3, longitude: 114.2 },
    state: (await admin.data(readSite, { params: { id: northQuay } })).state,
  });
  expect(items.map(({ id }) => id)).not.toContain(southPark);
  expect(unplaced).toBeGreaterThan(0);
  expect(more).toBe(false);
  const found = await admin.data(listSitePositions, { query: { search: 'northMill' } });
  expect(found).toEqual({ items: [], unplaced: 1, more: false });
});
