import { CODES, ENDPOINTS, type QueryOf } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let root: Client;
let admin: Client;
let assigned: Client;
beforeAll(async () => {
  server = await startTestServer();
  [root, admin, assigned] = await Promise.all([server.as('root'), server.as('northAdmin'), server.as('northAssigned')]);
  const { world, database } = server;
  const change = (id: number, values: object) =>
    database.db.updateTable('devices').set(values).where('id', '=', id).execute();
  await change(world.devices.northQuay1.id, { status: 'working', name: '北码头 100%_桩' });
  await change(world.devices.northQuay2.id, { status: 'faulted' });
  await change(world.devices.southPark1.id, { status: 'working' });
  const alarm = { connector: 1, code: 'GroundFailure', kind: 'fault', raised_at: new Date(), last_at: new Date() };
  await database.db
    .insertInto('alarms')
    .values([
      { ...alarm, device_id: world.devices.northQuay2.id, level: 'CA' },
      { ...alarm, device_id: world.devices.northQuay2.id, code: 'WeakSignal', level: 'OA' },
      { ...alarm, device_id: world.devices.southPark1.id, level: 'MA' },
      { ...alarm, device_id: world.devices.northMill1.id, level: 'CA', cleared_at: new Date() },
    ] as never)
    .execute();
});
afterAll(() => server.stop());

type Query = Partial<QueryOf<typeof ENDPOINTS.listDevices>>;
async function snsOf(client: Client, query: Query = {}): Promise<string[]> {
  const { items, total } = await client.data(ENDPOINTS.listDevices, { query: { sort: 'sn', ...query } });
  const counters = await client.data(ENDPOINTS.countDevices, { query: filtersOnly(query) });
  if (query.status === undefined) expect(counters.total).toBe(total);
  expect(total).toBe(items.length);
  return items.map(({ sn }) => sn);
}

function filtersOnly({ page: _page, pageSize: _size, sort: _sort, ...filters }: Query) {
  return filters;
}

test('users see the devices of their scope, with the same counts in list and counters', async () => {
  expect(await snsOf(root)).toHaveLength(8);
  expect(await snsOf(admin)).toEqual(['northMill-1', 'northMill-2', 'northQuay-1', 'northQuay-2']);
  expect(await snsOf(assigned)).toEqual(['northQuay-1', 'northQuay-2']);
});

test('a search finds any part of SN or name, in any case and in Chinese, and nothing outside the scope', async () => {
  expect(await snsOf(admin, { search: 'QUAY-1' })).toEqual(['northQuay-1']);
  expect(await snsOf(admin, { search: '码头' })).toEqual(['northQuay-1']);
  expect(await snsOf(admin, { search: 'pile north' })).toEqual(['northMill-1', 'northMill-2', 'northQuay-2']);
  expect(await snsOf(admin, { search: 'southPark' })).toEqual([]);
  expect(await snsOf(root, { search: 'southPark' })).toEqual(['southPark-1', 'southPark-2']);
});

test('wildcards and quotes in a search are matched literally', async () => {
  expect(await snsOf(admin, { search: '100%_' })).toEqual(['northQuay-1']);
  expect(await snsOf(admin, { search: '%' })).toEqual(['northQuay-1']);
  expect(await snsOf(admin, { search: 'north_uay' })).toEqual([]);
  expect(await snsOf(admin, { search: '\\' })).toEqual([]);
  expect(await snsOf(admin, { search: `' or 1=1 --` })).toEqual([]);
});

test('filters by status, site, customer, model, type and active alarm can be combined', async () => {
  const { world } = server;
  expect(await snsOf(admin, { status: 'working,faulted' })).toEqual(['northQuay-1', 'northQuay-2']);
  expect(await snsOf(admin, { siteId: world.sites.northMill })).toEqual(['northMill-1', 'northMill-2']);
  expect(await snsOf(root, { customerId: world.customers.south })).toEqual(['southPark-1', 'southPark-2']);
  expect(await snsOf(admin, { customerId: world.customers.south })).toEqual([]);
  expect(await snsOf(admin, { deviceModelId: world.model, type: 1 })).toHaveLength(4);
  expect(await snsOf(admin, { type: 2 })).toEqual([]);
  expect(await snsOf(admin, { alarm: 'active' })).toEqual(['northQuay-2']);
  expect(await snsOf(root, { alarm: 'active', status: 'working' })).toEqual(['southPark-1']);
});

test('the counters ignore the status filter, apply the others, and show every status', async () => {
  expect(await admin.data(ENDPOINTS.countDevices, { query: { status: 'working' } })).toEqual({
    total: 4,
    byStatus: { faulted: 1, offline: 2, working: 1, idle: 0, maintain: 0, firmwareUpdate: 0, disabled: 0 },
  });
  expect(await admin.data(ENDPOINTS.countDevices, { query: { siteId: server.world.sites.northMill } })).toMatchObject({
    total: 2,
    byStatus: { offline: 2 },
  });
});

test('active alarms are counted with their highest level; cleared ones are not', async () => {
  const { items } = await admin.data(ENDPOINTS.listDevices, { query: { sort: 'sn' } });
  expect(items.map(({ sn, activeAlarms, worstAlarmLevel }) => [sn, activeAlarms, worstAlarmLevel])).toEqual([
    ['northMill-1', 0, null],
    ['northMill-2', 0, null],
    ['northQuay-1', 0, null],
    ['northQuay-2', 2, 'CA'],
  ]);
});

test('the worst that happened to messages of the last day is listed', async () => {
  const { northQuay1, northQuay2 } = server.world.devices;
  const add = (id: number, outcome: string, hoursAgo: number) =>
    server.database.pool.query(
      `insert into device_message_faults (device_id, outcome, action, reason, count, first_at, last_at)
       values ($1, $2, 'MeterValues', 'x', 1, now() - make_interval(hours => $3), now() - make_interval(hours => $3))`,
      [id, outcome, hoursAgo],
    );
  await add(northQuay1.id, 'tolerated', 1);
  await add(northQuay1.id, 'partial', 2);
  await add(northQuay2.id, 'rejected', 25);
  const { items } = await admin.data(ENDPOINTS.listDevices, { query: { sort: 'sn', search: 'northQuay' } });
  expect(items.map(({ faultyMessages }) => faultyMessages)).toEqual(['partial', null]);
});

test('pages continue each other without gap or repetition, in both directions, equal values by id', async () => {
  await server.database.db
    .updateTable('devices')
    .set({ status_since: new Date('2026-01-01') })
    .execute();
  const { world, database } = server;
  await database.db
    .insertInto('devices')
    .values(
      Array.from({ length: 35 }, (_, index) => ({
        sn: `PAGE-${String(index).padStart(4, '0')}`,
        name: `Page ${index}`,
        site_id: world.sites.southPark,
        customer_id: world.customers.south,
        device_model_id: world.model,
        status_since: new Date('2026-01-01'),
      })) as never,
    )
    .execute();
  const south = await server.as('southAdmin');
  for (const sort of ['name', '-name', 'sn', '-sn', 'statusSince', '-statusSince'] as const) {
    const seen: number[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { items, total } = await south.data(ENDPOINTS.listDevices, { query: { sort, page, pageSize: 10 } });
      expect(total).toBe(37);
      seen.push(...items.map(({ id }) => id));
    }
    expect(new Set(seen).size).toBe(37);
  }
});

test('names and SNs are sorted by the numbers in them and Chinese by pinyin, in both directions', async () => {
  const { world, database } = server;
  const sorted = ['2号', '北京2号站', '北京10号站', '上海', 'alpha', 'Beta 2', 'beta 10'];
  const place = {
    site_id: world.sites.readOnlyYard,
    customer_id: world.customers.readOnly,
    device_model_id: world.model,
  };
  const added = [...sorted].reverse().map((name) => ({ ...place, name, sn: `NS-${sorted.indexOf(name) * 9}` }));
  await database.db
    .insertInto('devices')
    .values(added as never)
    .execute();
  const read = async (sort: 'name' | '-name' | 'sn') => {
    const query = { sort, siteId: place.site_id, search: 'NS-' };
    return (await root.data(ENDPOINTS.listDevices, { query })).items.map(({ name }) => name);
  };
  expect(await read('name')).toEqual(sorted);
  expect(await read('-name')).toEqual([...sorted].reverse());
  expect(await read('sn')).toEqual(sorted);
});

test('a page beyond the end is empty and still contains the total', async () => {
  expect(await admin.data(ENDPOINTS.listDevices, { query: { page: 9_999 } })).toEqual({ items: [], total: 4 });
});

test.each([
  ['an unknown status', 'status=asleep', 'fieldChoice'],
  ['an unsupported sort order', 'sort=gateway_password_hash', 'fieldChoice'],
  ['an unsupported page size', 'pageSize=1000', 'fieldChoice'],
  ['page 0', 'page=0', 'fieldTooSmall'],
  ['an unknown filter', 'colour=red', 'fieldUnknown'],
  ['a site that is not a number', 'siteId=1%20or%201', 'fieldType'],
  ['a search of 101 characters', `search=${'x'.repeat(101)}`, 'fieldTooLong'],
] as const)('%s is refused', async (_, query, code) => {
  const response = await admin.fetch(`/api/auth/sys/devices?${query}`);
  expect(await response.json()).toMatchObject({ code: CODES[code].code, data: null });
});

test('customers and sites are listed within the scope; models are visible to everyone', async () => {
  const names = async (client: Client) => ({
    customers: (await client.data(ENDPOINTS.listCustomers)).items.map(({ code }) => code).sort(),
    sites: (await client.data(ENDPOINTS.listSites)).items.map(({ code }) => code).sort(),
  });
  expect(await names(admin)).toEqual({ customers: ['north'], sites: ['northMill', 'northQuay'] });
  expect(await names(assigned)).toEqual({ customers: ['north'], sites: ['northQuay'] });
  expect((await names(root)).sites).toHaveLength(4);
  expect(await admin.data(ENDPOINTS.listSites, { query: { customerId: server.world.customers.south } })).toEqual({
    items: [],
    total: 0,
  });
  expect(await admin.data(ENDPOINTS.listSites, { query: { search: 'southPark' } })).toEqual({ items: [], total: 0 });
  const models = await admin.data(ENDPOINTS.listDeviceModels);
  expect(models.items.map(({ name }) => name)).toEqual([
    'Generic OCPP 1.6 pile',
    'Generic OCPP 2.0.1 pile',
    'Home storage unit',
    'Off-spec OCPP 1.6 pile',
    'V2G pile',
    'World pile',
  ]);
});
