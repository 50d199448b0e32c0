import { auditEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../testing/server.ts';
import type { Person } from '../testing/world.ts';
import { logAction } from './index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  const { customers, sites, users } = server.world;
  const by = (person: Person) => ({ userId: users[person], userName: person, address: '192.0.2.1' });
  const write = (person: Person, objectName: string, customerId: number | null, siteId: number | null) =>
    logAction(server.database.db, by(person), {
      operation: 'edit',
      objectType: customerId === null ? 'role' : 'device',
      objectId: '1',
      objectName,
      customerId,
      siteId,
      before: { name: 'old' },
      after: { name: objectName },
    });
  await write('northAdmin', 'quay', customers.north, sites.northQuay);
  await write('vendorStaff', 'mill', customers.north, sites.northMill);
  await write('northAdmin', 'north', customers.north, null);
  await write('southAdmin', 'park', customers.south, sites.southPark);
  await write('root', 'role of root', null, null);
  await write('northAdmin', 'role of north', null, null);
});
afterAll(() => server.stop());

test.each<[Person, string[]]>([
  ['root', ['role of north', 'role of root', 'park', 'north', 'mill', 'quay']],
  ['vendorStaff', ['role of north', 'role of root', 'park', 'north', 'mill', 'quay']],
  ['northAdmin', ['role of north', 'north', 'mill', 'quay']],
  ['northAssigned', ['quay']],
  ['southAdmin', ['park']],
  ['readOnlyAdmin', []],
])('%s sees the actions %j, newest first', async (person, names) => {
  const { items } = await (await server.as(person)).data(auditEndpoints.listActionLogs);
  expect(items.map((row) => row.objectName)).toEqual(names);
});

test('a row says who did what to which thing, from where, with the values before and after', async () => {
  const { items } = await (await server.as('northAssigned')).data(auditEndpoints.listActionLogs);
  expect(items).toEqual([
    {
      id: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      userName: 'northAdmin',
      operation: 'edit',
      objectType: 'device',
      objectId: '1',
      objectName: 'quay',
      before: { name: 'old' },
      after: { name: 'quay' },
      address: '192.0.2.1',
    },
  ]);
});

test('filters and pages hold together', async () => {
  const root = await server.as('root');
  const first = await root.data(auditEndpoints.listActionLogs, { query: { objectType: 'device', limit: 3 } });
  expect(first.items.map((row) => row.objectName)).toEqual(['park', 'north', 'mill']);
  const rest = await root.data(auditEndpoints.listActionLogs, {
    query: { objectType: 'device', limit: 3, before: first.next ?? 1 },
  });
  expect(rest).toMatchObject({ items: [{ objectName: 'quay' }], next: null });
  expect((await root.data(auditEndpoints.listActionLogs, { query: { operation: 'delete' } })).items).toEqual([]);
  expect((await root.data(auditEndpoints.listActionLogs, { query: { objectId: '2' } })).items).toEqual([]);
});
