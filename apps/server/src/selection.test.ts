import { CODES, ENDPOINTS, SELECTION_LIMIT } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Ground, newDevice } from './testing/cases/ground.ts';
import type { Client } from './testing/client.ts';
import { startTestServer, type TestServer } from './testing/server.ts';
import type { SiteName } from './testing/world.ts';

const { selectDevices, selectSites, selectUsers, selectAlarms, disableDevices, listDevices } = ENDPOINTS;

let server: TestServer;
let ground: Ground;
let root: Client;
let admin: Client;
let assigned: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  ground = { world: server.world, db: server.database.db };
  [root, admin, assigned] = await Promise.all([server.as('root'), server.as('northAdmin'), server.as('northAssigned')]);
});
afterAll(() => server.stop());

const snOf = (name: SiteName, number: 1 | 2) => server.world.devices[`${name}${number}`].sn;

test('all devices that match the filters are selected, within the scope of the caller', async () => {
  const snsOf = async (client: Client, query: object) =>
    (await client.data(selectDevices, { query })).items.map(({ name }) => name.split(' · ')[1]).toSorted();
  const quay = [snOf('northQuay', 1), snOf('northQuay', 2)];
  const mill = [snOf('northMill', 1), snOf('northMill', 2)];
  expect(await snsOf(admin, {})).toEqual([...mill, ...quay]);
  expect(await snsOf(assigned, {})).toEqual(quay);
  expect(await snsOf(admin, { siteId: server.world.sites.northMill })).toEqual(mill);
  expect(await snsOf(admin, { search: 'quay-1' })).toEqual([snOf('northQuay', 1)]);
  expect(await snsOf(admin, { siteId: server.world.sites.southPark })).toEqual([]);
});

test('sites, users and alarms are selected within the scope, with their names', async () => {
  const { devices } = server.world;
  const alarm = {
    connector: 1,
    code: 'GroundFailure',
    kind: 'fault',
    level: 'CA',
    raised_at: new Date(),
    last_at: new Date(),
  };
  const at = [devices.northQuay1, devices.northMill1, devices.southPark1];
  await ground.db
    .insertInto('alarms')
    .values(at.map(({ id }) => ({ ...alarm, device_id: id })) as never)
    .execute();
  const namesOf = async (client: Client, endpoint: typeof selectSites | typeof selectUsers | typeof selectAlarms) =>
    (await client.data(endpoint, { query: {} })).items.map(({ name }) => name).toSorted();
  expect(await namesOf(admin, selectSites)).toEqual([
    'Site northMill · Customer north',
    'Site northQuay · Customer north',
  ]);
  expect(await namesOf(assigned, selectSites)).toEqual(['Site northQuay · Customer north']);
  expect(await namesOf(admin, selectUsers)).not.toContain('south_admin');
  expect(await namesOf(admin, selectUsers)).toContain('north_reader');
  expect(await namesOf(assigned, selectAlarms)).toEqual(['GroundFailure · Pile northQuay-1']);
  expect(await namesOf(admin, selectAlarms)).toHaveLength(2);
});

test('a device that moved away between selection and action is not changed', async () => {
  const [stays, moves] = [await newDevice(ground, 'northQuay'), await newDevice(ground, 'northQuay')];
  const query = { siteId: server.world.sites.northQuay };
  const ids = (await admin.data(selectDevices, { query })).items.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining([stays, moves]));
  await root.data(ENDPOINTS.moveDevices, { body: { ids: [moves], siteId: server.world.sites.southPark } });
  const { results } = await admin.data(disableDevices, { body: { ids: [stays, moves] } });
  expect(results.map(({ code }) => code)).toEqual([0, CODES.notFound.code]);
  const { items } = await root.data(listDevices, { query: { siteId: server.world.sites.southPark, pageSize: 100 } });
  expect(items.find(({ id }) => id === moves)?.enabled).toBe(true);
});

test('a filter that matches too many rows is refused with the limit', async () => {
  const { sites, customers, model } = server.world;
  await server.database.pool.query(
    `insert into devices (sn, name, site_id, customer_id, device_model_id)
     select 'MANY-' || n, 'Many ' || n, $1, $2, $3 from generate_series(1, $4) n`,
    [sites.southPark, customers.south, model, SELECTION_LIMIT + 1],
  );
  const response = await root.fetch(`${selectDevices.path}?search=MANY-`);
  const { code, message } = (await response.json()) as { code: number; message: string };
  expect(code).toBe(CODES.selectionTooLarge.code);
  expect(message).toContain(String(SELECTION_LIMIT));
  expect((await root.data(selectDevices, { query: { search: 'MANY-1' } })).items.length).toBeGreaterThan(1_000);
});
