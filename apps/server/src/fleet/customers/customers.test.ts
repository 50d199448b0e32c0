import { CODES, ENDPOINTS } from '@chargehand/contract';
import { proposedIssuePrefix } from '@chargehand/domain';
import { sql } from 'kysely';
import readExcelFile from 'read-excel-file/node';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { refused } from '../../testing/contract/refused.ts';
import { connectPile } from '../../testing/gateways/pile.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const {
  listCustomers,
  readCustomer,
  listCustomerUsers,
  createCustomer,
  updateCustomer,
  enableCustomer,
  disableCustomer,
  deleteCustomer,
  createSite,
  readDevice,
  createDevice,
} = ENDPOINTS;

let server: TestServer;
let staff: Client;
let admin: Client;
beforeAll(async () => {
  server = await startTestServer();
  staff = await server.as('vendorStaff');
  admin = await server.as('northAdmin');
});
afterAll(() => server.stop());

async function actionsOn(id: number) {
  return server.database.db
    .selectFrom('action_logs')
    .select(['operation', 'user_name', 'object_name', 'customer_id', 'before', 'after'])
    .where('object_type', '=', 'customer')
    .where('object_id', '=', String(id))
    .orderBy('id')
    .execute();
}

test('a customer is added, read with its counts, renamed and removed, and each step is in the action log', async () => {
  const { id } = await staff.data(createCustomer, {
    body: { code: 'ACME', name: '  Acme Charging 顶点充电 ', contact: 'Ada Leung', address: '1 Quay Road' },
  });
  expect(await staff.data(readCustomer, { params: { id } })).toMatchObject({
    code: 'ACME',
    name: 'Acme Charging 顶点充电',
    issuePrefix: 'AC',
    contact: 'Ada Leung',
    address: '1 Quay Road',
    enabled: true,
    readOnly: false,
    platformVendor: false,
    siteCount: 0,
    deviceCount: 0,
    userCount: 0,
    may: { edit: true, manage: true, seeUsers: true },
  });
  await staff.data(updateCustomer, { params: { id }, body: { name: 'Acme', contact: 'Ada Leung' } });
  await staff.data(updateCustomer, { params: { id }, body: { name: 'Acme' } });
  await staff.data(deleteCustomer, { params: { id } });
  expect(await staff.call(readCustomer, { params: { id } })).toEqual(refused('notFound'));
  expect(await actionsOn(id)).toMatchObject([
    { operation: 'new', user_name: 'vendor_staff', after: { code: 'ACME', readOnly: false } },
    { operation: 'edit', before: { name: 'Acme Charging 顶点充电' }, after: { name: 'Acme' } },
    { operation: 'delete', object_name: 'Acme', customer_id: null, before: { code: 'ACME' } },
  ]);
});

test('each customer has its own issue prefix; the database proposes it as the domain does', async () => {
  const cases = [
    ['Harbour View Charging', 'HARBOUR'],
    ['Greenway', 'X'],
    ['One Two Three Four Five', 'X'],
    ['鹏程充电', 'PENGCHENG'],
    ['鹏程充电', 'SZ-PC'],
    ['鹏程充电', '0755'],
    ['Énergie Été', 'X'],
    ['3E Power', 'EEE'],
  ] as const;
  for (const [name, code] of cases) {
    const { rows } = await sql<{ prefix: string }>`select propose_issue_prefix(${name}, ${code}) as prefix`.execute(
      server.database.db,
    );
    expect([name, code, rows[0]?.prefix]).toEqual([name, code, proposedIssuePrefix(name, code)]);
  }
  const add = (code: string, more = {}) =>
    staff.call(createCustomer, { body: { code, name: `Quiet Lane ${code}`, ...more } });
  const created = async (code: string) => {
    const { id } = await staff.data(createCustomer, { body: { code, name: `Blue Bay ${code}` } });
    return { id, prefix: (await staff.data(readCustomer, { params: { id } })).issuePrefix };
  };
  const [first, second] = [await created('1'), await created('2')];
  expect([first.prefix, second.prefix]).toEqual(['BB', 'BB2']);
  const edit = (issuePrefix: string, who = staff) =>
    who.call(updateCustomer, { params: { id: second.id }, body: { issuePrefix } });
  expect(await edit('bb')).toEqual(refused('issuePrefixTaken'));
  expect(await edit('B-1')).toEqual(refused('issuePrefixFormat'));
  expect(await add('Q1', { issuePrefix: 'BB' })).toEqual(refused('issuePrefixTaken'));
  expect(await edit(' bay ')).toMatchObject({ code: 0 });
  expect((await staff.data(readCustomer, { params: { id: second.id } })).issuePrefix).toBe('BAY');
  expect(
    await admin.call(updateCustomer, {
      params: { id: server.world.customers.north },
      body: { issuePrefix: 'NN' },
    }),
  ).toEqual(refused('noPermission'));
  for (const { id } of [first, second]) await staff.data(deleteCustomer, { params: { id } });
});

test('counts and users are those of the customer and of the sites that the reader sees', async () => {
  const { north } = server.world.customers;
  const id = { params: { id: north } };
  expect(await admin.data(readCustomer, id)).toMatchObject({
    siteCount: 2,
    deviceCount: 4,
    userCount: 5,
    byStatus: { offline: 4, working: 0 },
    may: { edit: true, manage: false, seeUsers: true },
  });
  const { items, total } = await admin.data(listCustomerUsers, { ...id, query: { sort: '-userName' } });
  expect(total).toBe(5);
  expect(items.map(({ userName }) => userName)).toEqual([
    'north_reader',
    'north_no_menus',
    'north_disabled',
    'north_assigned',
    'north_admin',
  ]);
  expect(items[4]).toMatchObject({ roleName: 'Customer admin', enabled: true });

  const assigned = await server.as('northAssigned');
  expect(await assigned.data(readCustomer, id)).toMatchObject({
    siteCount: 1,
    deviceCount: 2,
    userCount: null,
    may: { edit: false, manage: false, seeUsers: false },
  });
  expect((await assigned.data(listCustomers)).items).toMatchObject([{ siteCount: 1, deviceCount: 2, userCount: null }]);
});

test('the list is searched, filtered and sorted in the database', async () => {
  const codes = async (query: object) => (await staff.data(listCustomers, { query })).items.map(({ code }) => code);
  expect(await codes({ search: 'OUTH' })).toEqual(['south']);
  expect(await codes({ search: '%' })).toEqual([]);
  expect(await codes({ enabled: false })).toEqual(['closed']);
  expect(await codes({ sort: '-code' })).toEqual(['vendor', 'south', 'readOnly', 'north', 'closed']);
});

test('the list is exported in the language of the caller', async () => {
  const chinese = await server.as('vendorStaff', 'zh-CN');
  const response = await chinese.fetch('/api/auth/sys/customers/export?sort=-code&enabled=true');
  expect(response.headers.get('content-disposition')).toContain(encodeURIComponent('客户'));
  const [sheet] = await readExcelFile(Buffer.from(await response.arrayBuffer()));
  expect(sheet?.data[0]?.slice(0, 3)).toEqual(['编码', '名称', '状态']);
  expect(sheet?.data.slice(1).map((row) => row.slice(0, 3))).toEqual([
    ['vendor', 'Customer vendor', '启用'],
    ['south', 'Customer south', '启用'],
    ['readOnly', 'Customer readOnly', '启用'],
    ['north', 'Customer north', '启用'],
  ]);
});

test('a name or code in use, in any case, is refused with its field and in the language of the caller', async () => {
  const create = (code: string, name: string) => staff.call(createCustomer, { body: { code, name } });
  expect(await create('NORTH', 'Somebody')).toEqual(refused('customerCodeExists', 'code'));
  expect(await create('nobody', 'CUSTOMER NORTH')).toEqual(refused('customerNameExists', 'name'));
  expect(await create('nobody', ' \u3000 ')).toEqual(refused('fieldRequired', 'name'));
  expect(await create('客户', 'Somebody')).toEqual(refused('placeCodeFormat', 'code'));
  expect(await create('nobody', 'x'.repeat(10_000))).toEqual(refused('fieldTooLong', 'name'));
  const chinese = await server.as('vendorStaff', 'zh-CN');
  expect(
    await chinese.call(updateCustomer, {
      params: { id: server.world.customers.south },
      body: { name: 'customer north' },
    }),
  ).toMatchObject({ message: '客户名称已存在。', field: 'name' });
});

test('when two customers take the same name at once, one of them gets it', async () => {
  const answers = await Promise.all(
    ['RACE-A', 'RACE-B', 'RACE-C'].map((code) => staff.call(createCustomer, { body: { code, name: 'Race' } })),
  );
  expect(answers.map(({ code }) => code).sort()).toEqual([
    0,
    CODES.customerNameExists.code,
    CODES.customerNameExists.code,
  ]);
});

test('users of a customer can change its contact; only the vendor can change its name and status', async () => {
  const params = { id: server.world.customers.north };
  await admin.data(updateCustomer, { params, body: { contact: 'Ken Lau', address: '2 Quay Road' } });
  expect(await admin.data(readCustomer, { params })).toMatchObject({ contact: 'Ken Lau', address: '2 Quay Road' });
  // The name of another customer is refused like any other change, so that nobody learns which customers exist.
  for (const body of [{ name: 'Customer south' }, { code: 'south' }, { readOnly: true }, { name: 'Free' }]) {
    expect(await admin.call(updateCustomer, { params, body })).toEqual(refused('noPermission'));
  }
});

test('a customer with sites or users cannot be removed, also when the site is added at the same moment', async () => {
  const { north, closed } = server.world.customers;
  expect(await staff.call(deleteCustomer, { params: { id: north } })).toEqual(refused('customerHasSites'));
  expect(await staff.call(deleteCustomer, { params: { id: closed } })).toEqual(refused('customerHasUsers'));

  for (let round = 0; round < 5; round += 1) {
    const { id } = await staff.data(createCustomer, { body: { code: `GONE-${round}`, name: `Gone ${round}` } });
    const [removed, added, renamed] = await Promise.all([
      staff.call(deleteCustomer, { params: { id } }),
      staff.call(createSite, { body: { customerId: id, code: 'S', name: 'Site' } }),
      staff.call(updateCustomer, { params: { id }, body: { name: `Renamed ${round}` } }),
    ]);
    const exists = (await staff.call(readCustomer, { params: { id } })).code === 0;
    expect(removed.code).toBe(exists ? CODES.customerHasSites.code : 0);
    expect(added.code).toBe(exists ? 0 : CODES.customerUnknown.code);
    expect([0, CODES.notFound.code]).toContain(renamed.code);
    if (exists) expect(renamed.code).toBe(0);
  }
});

test('there is one platform vendor, and even direct database writes cannot change that', async () => {
  const params = { id: server.world.customers.vendor };
  const root = await server.as('root');
  expect(await root.call(disableCustomer, { params })).toEqual(refused('platformVendorKept'));
  expect(await root.call(updateCustomer, { params, body: { readOnly: true } })).toEqual(refused('platformVendorKept'));
  expect(await root.call(deleteCustomer, { params })).toEqual(refused('platformVendorKept'));
  const { pool } = server.database;
  for (const statement of [
    'update customers set platform_vendor = false where platform_vendor',
    'update customers set enabled = false where platform_vendor',
    `update customers set platform_vendor = true where code = 'north'`,
  ]) {
    await expect(pool.query(statement)).rejects.toThrow(/platform_vendor|platform vendor/);
  }
});

test('users of a read-only customer see and change nothing', async () => {
  const { south } = server.world.customers;
  const site = server.world.sites.southPark;
  const theirs = await server.as('southAdmin');
  const rename = (name: string) => theirs.call(ENDPOINTS.updateSite, { params: { id: site }, body: { contact: name } });
  expect((await rename('Before')).code).toBe(0);
  await staff.data(updateCustomer, { params: { id: south }, body: { readOnly: true } });
  expect(await rename('After')).toEqual(refused('noPermission'));
  expect((await theirs.data(ENDPOINTS.readSite, { params: { id: site } })).may.edit).toBe(false);
  await staff.data(updateCustomer, { params: { id: south }, body: { readOnly: false } });
  expect((await rename('Again')).code).toBe(0);
});

test('disabling a customer signs its users out, disconnects its devices and shows them as disabled', async () => {
  const { south } = server.world.customers;
  const { id: deviceId, sn } = server.world.devices.southPark1;
  const theirs = await server.as('southAdmin');
  const pile = await connectPile(server, sn);
  const device = () => staff.data(readDevice, { params: { id: deviceId } });
  await expect.poll(async () => (await device()).status).toBe('idle');

  await staff.data(disableCustomer, { params: { id: south } });
  const { rows } = await server.database.pool.query(
    `select count(*)::int as open from sessions where user_id = $1 and ended_at is null`,
    [server.world.users.southAdmin],
  );
  expect(rows).toEqual([{ open: 0 }]);
  expect(await theirs.call(listCustomers)).toMatchObject({ code: CODES.accountDisabled.code });
  const login = await server.database.pool.query(
    `select reason from login_logs where type = 1 and user_id = $1 order by id desc limit 1`,
    [server.world.users.southAdmin],
  );
  expect(login.rows).toEqual([{ reason: 'authRejected' }]);
  await expect.poll(device).toMatchObject({ status: 'disabled', connected: false, enabled: true });
  await pile.cut();
  await expect(connectPile(server, sn)).rejects.toThrow();
  const added = await staff.data(createDevice, {
    body: { sn: 'LATE-0001', name: 'Late', siteId: server.world.sites.southPark, deviceModelId: server.world.model },
  });
  expect((await staff.data(readDevice, { params: { id: added.id } })).status).toBe('disabled');

  await staff.data(disableCustomer, { params: { id: south } });
  await staff.data(enableCustomer, { params: { id: south } });
  expect((await device()).status).toBe('offline');
  expect((await actionsOn(south)).map(({ operation }) => operation)).toEqual(['edit', 'edit', 'disable', 'enable']);
  const again = await connectPile(server, sn);
  await expect.poll(async () => (await device()).status).toBe('idle');
  await again.cut();
});
