import { auditEndpoints, CODES, type Locale, type QueryOf } from '@chargehand/contract';
import readExcelFile from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { Person } from '../../testing/world.ts';
import { logAction, logActions } from '../index.ts';

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

test('entries of one request are one entry, whose parts are listed on request', async () => {
  const { customers, sites, users } = server.world;
  const by = { userId: users.southAdmin, userName: 'southAdmin', address: '192.0.2.1' };
  const entry = (name: string, customerId: number, siteId: number) => ({
    ...{
      operation: 'new' as const,
      objectType: 'device' as const,
      objectId: `id-${name}`,
      objectName: name,
      customerId,
      siteId,
    },
    after: { sn: name, file: 'piles.json' },
  });
  await logActions(server.database.db, by, [
    entry('one', customers.south, sites.southPark),
    entry('two', customers.south, sites.southPark),
    entry('three', customers.north, sites.northQuay),
  ]);
  const names = async (person: Person, query: Partial<QueryOf<typeof auditEndpoints.listActionLogs>>) => {
    const wanted = { limit: 10, ...query };
    const { items } = await (await server.as(person)).data(auditEndpoints.listActionLogs, { query: wanted });
    return items.map(({ objectName, together }) => [objectName, together]);
  };
  const added = { operation: 'new', objectType: 'device' } as const;
  expect(await names('root', added)).toEqual([['three', 3]]);
  // Each user sees, and counts, only entries in their scope.
  expect(await names('southAdmin', added)).toEqual([['two', 2]]);
  expect(await names('northAssigned', added)).toEqual([['three', 1]]);
  expect(await names('root', { ...added, customerId: customers.south })).toEqual([['two', 2]]);
  // A name and an object find each entry.
  expect(await names('root', { search: 'one' })).toEqual([['one', 1]]);
  expect(await names('root', { ...added, objectId: 'id-one' })).toEqual([['one', 1]]);
  const { items } = await (await server.as('southAdmin')).data(auditEndpoints.listActionLogs, {
    query: { ...added, limit: 10 },
  });
  expect(await names('southAdmin', { group: items[0]!.id })).toEqual([
    ['two', 1],
    ['one', 1],
  ]);
  expect(await names('southAdmin', { group: items[0]!.id, limit: 1, before: items[0]!.id })).toEqual([['one', 1]]);
  await server.database.pool.query(`delete from action_logs where after->>'file' = 'piles.json'`);
});

test('the events of sites are what was done to sites in scope', async () => {
  const { customers, sites, users } = server.world;
  const by = { userId: users.root, userName: 'root', address: '192.0.2.1' };
  const site = (operation: 'new' | 'disable', name: string, customerId: number, siteId: number) => ({
    ...{ operation, objectType: 'site' as const, objectId: String(siteId), objectName: name, customerId, siteId },
  });
  await logActions(server.database.db, by, [
    site('new', 'Quay', customers.north, sites.northQuay),
    site('disable', 'Park', customers.south, sites.southPark),
  ]);
  const events = async (person: Person, limit = 10) => {
    const { items } = await (await server.as(person)).data(auditEndpoints.listSiteEvents, { query: { limit } });
    return items.map(({ siteName, operation }) => `${operation} ${siteName}`);
  };
  expect(await events('root')).toEqual(['disable Park', 'new Quay']);
  expect(await events('root', 1)).toEqual(['disable Park']);
  expect(await events('northAssigned')).toEqual(['new Quay']);
  expect(await events('southAdmin')).toEqual(['disable Park']);
  await server.database.pool.query(`delete from action_logs where object_type = 'site'`);
});

test('a row contains who did what to which object, from where, with the values before and after', async () => {
  const { items } = await (await server.as('northAssigned')).data(auditEndpoints.listActionLogs);
  expect(items).toEqual([
    {
      id: expect.any(Number),
      applicationName: null,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      userName: 'northAdmin',
      operation: 'edit',
      objectType: 'device' as const,
      objectId: '1',
      objectName: 'quay',
      before: { name: 'old' },
      after: { name: 'quay' },
      address: '192.0.2.1',
      together: 1,
    },
  ]);
});

test('filters and pages can be combined', async () => {
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

test.each<[string, Partial<QueryOf<typeof auditEndpoints.listActionLogs>>, string[]]>([
  ['the start of a name, in any case', { userName: 'NORTHa' }, ['role of north', 'north', 'quay']],
  ['a name with a wildcard, matched literally', { userName: 'north%' }, []],
  ["part of the object's name", { search: 'role of' }, ['role of north', 'role of root']],
  ['only blanks', { search: '   ', objectType: 'role' }, ['role of north', 'role of root']],
  ['a time in the past', { to: '2020-01-01T00:00:00Z' }, []],
  [
    'a time',
    { from: '2020-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z', objectType: 'role', limit: 1 },
    ['role of north'],
  ],
])('filtered by %s', async (_, query, names) => {
  const { items } = await (await server.as('root')).data(auditEndpoints.listActionLogs, { query });
  expect(items.map((row) => row.objectName)).toEqual(names);
});

test('filtered by the start of the name of an application, in any case', async () => {
  const { pool } = server.database;
  const found = async (applicationName: string) =>
    (await (await server.as('root')).data(auditEndpoints.listActionLogs, { query: { applicationName } })).items;
  await pool.query(`update action_logs set application_name = 'Billing 50%' where object_name = 'quay'`);
  try {
    for (const name of ['billing', ' Billing 50%'])
      expect(await found(name)).toMatchObject([{ objectName: 'quay', applicationName: 'Billing 50%' }]);
    expect(await found('illing')).toEqual([]);
    expect(await found('Billing_')).toEqual([]);
  } finally {
    await pool.query('update action_logs set application_name = null');
  }
});

test('filtered by customer and site, within the scope', async () => {
  const { customers, sites } = server.world;
  const namesSeen = async (person: Person, query: object) => {
    const { items } = await (await server.as(person)).data(auditEndpoints.listActionLogs, { query });
    return items.map((row) => row.objectName);
  };
  expect(await namesSeen('root', { customerId: customers.south })).toEqual(['park']);
  expect(await namesSeen('root', { siteId: sites.northMill })).toEqual(['mill']);
  expect(await namesSeen('northAdmin', { customerId: customers.south })).toEqual([]);
  expect(await namesSeen('northAssigned', { siteId: sites.northMill })).toEqual([]);
});

test('an end time before the start is refused', async () => {
  const query = { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' };
  const answer = await (await server.as('root')).call(auditEndpoints.listActionLogs, { query });
  expect(answer).toMatchObject({ code: CODES.rangeTurned.code, field: 'to' });
});

test('the whole filtered log is exported as a spreadsheet in the language of the caller, within their scope', async () => {
  const sheetOf = async (person: Person, locale: Locale, query = '') => {
    const client = await server.as(person, locale);
    const response = await client.fetch(`/api/auth/sys/logs/actions/export${query}`);
    const [sheet] = await readExcelFile(Buffer.from(await response.arrayBuffer()));
    return { sheet: sheet?.sheet, rows: sheet?.data ?? [] };
  };
  const mine = await sheetOf('northAssigned', 'zh-CN');
  expect(mine.sheet).toBe('操作日志');
  expect(mine.rows[0]?.slice(0, 3)).toEqual(['时间', '用户', '操作类型']);
  expect(mine.rows.slice(1).map((row) => row.slice(1))).toEqual([
    ['northAdmin', '编辑', '设备', '1', 'quay', '名称：old', '名称：quay', '192.0.2.1', null],
  ]);
  const lines = await (await server.as('northAssigned')).fetch('/api/auth/sys/logs/actions/export?format=jsonl');
  expect(JSON.parse(await lines.text())).toMatchObject({ objectName: 'quay', before: { name: 'old' } });
  const roles = await sheetOf('root', 'en-US', '?objectType=role');
  expect(roles.rows.slice(1).map((row) => row[5])).toEqual(['role of north', 'role of root']);
});
