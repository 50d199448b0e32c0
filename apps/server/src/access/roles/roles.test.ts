import { CODES, menusEndpoints, peopleEndpoints } from '@chargehand/contract';
import { levelsAll } from '@chargehand/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { createRole, deleteRole, listRoleChoices, listRoles, readRole, renameRole } = peopleEndpoints;
const { setRoleData, setRoleMenus, listUsers } = peopleEndpoints;

const DATA = { customerAccess: 1, siteAccess: 1, remoteAccess: 0, emailAlarm: false, levels: levelsAll(4) };

let server: TestServer;
let root: Client;
let staff: Client;
let staffRole: number;
let id: number;
let name: string;
let counter = 0;

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  staff = await server.as('vendorStaff');
  staffRole = await roleNamed('Vendor staff');
});
afterAll(() => server.stop());

beforeEach(async () => {
  counter += 1;
  name = `Night shift ${counter}`;
  ({ id } = await staff.data(createRole, { body: { name } }));
});

async function roleNamed(wanted: string): Promise<number> {
  const role = server.database.db.selectFrom('roles').select('id').where('name', '=', wanted);
  return (await role.executeTakeFirstOrThrow()).id;
}

async function lastLogged() {
  return await server.database.db
    .selectFrom('action_logs')
    .select(['user_name', 'operation', 'object_type', 'object_id', 'object_name', 'before', 'after'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}

describe('a role', () => {
  test('is created without permissions', async () => {
    expect(await staff.data(readRole, { params: { id } })).toMatchObject({
      ...{ name, customerAccess: 1, siteAccess: 1, remoteAccess: 0, levels: levelsAll(5), keys: [], users: 0 },
      grantable: true,
    });
  });

  test('is found by part of its name, sorted and counted', async () => {
    const found = await staff.data(listRoles, { query: { search: name.slice(6), sort: '-name' } });
    expect(found).toMatchObject({ total: 1, items: [{ id, name, users: 0, menus: 0 }] });
  });

  test('that is built in is found by its Chinese name', async () => {
    await root.data(createRole, { body: { name: 'Platform engineer' } });
    const found = await root.data(listRoles, { query: { search: '台工程' } });
    expect(found).toMatchObject({ total: 1, items: [{ name: 'Platform engineer' }] });
  });

  test('is copied with levels and menus', async () => {
    await staff.data(setRoleData, { params: { id }, body: DATA });
    await staff.data(setRoleMenus, { params: { id }, body: { keys: ['auth_device_list'] } });
    const copy = await staff.data(createRole, { body: { name: `${name} copy`, copyOf: id } });
    expect(await staff.data(readRole, { params: { id: copy.id } })).toMatchObject({
      ...DATA,
      name: `${name} copy`,
      keys: ['auth_device', 'auth_device_list'],
    });
  });

  test('starts from a preset, which never gives more than its creator has', async () => {
    const engineer = await root.data(createRole, { body: { name: `${name} engineer`, preset: 'engineer' } });
    const all = await root.data(readRole, { params: { id: engineer.id } });
    expect(all).toMatchObject({ customerAccess: 0, siteAccess: 0, remoteAccess: 3, levels: levelsAll(1) });
    expect(all.keys).toContain('auth_device_edit');
    expect(all.keys).not.toContain('auth_role_authData');

    const own = await root.data(readRole, { params: { id: staffRole } });
    const limited = await staff.data(createRole, { body: { name: `${name} limited`, preset: 'engineer' } });
    const given = await staff.data(readRole, { params: { id: limited.id } });
    expect(given.grantable).toBe(true);
    expect(given.remoteAccess).toBe(own.remoteAccess);
    expect(own.keys).toEqual(expect.arrayContaining(given.keys));
  });

  test('starts from a preset or from another role, not from both', async () => {
    const both = await staff.call(createRole, { body: { name: `${name} both`, preset: 'viewer', copyOf: id } });
    expect(both).toMatchObject({ code: CODES.rolePresetAndCopy.code, field: 'preset' });
  });

  test('has a unique name, ignoring case', async () => {
    const taken = await staff.call(createRole, { body: { name: name.toUpperCase() } });
    expect(taken).toMatchObject({ code: CODES.roleNameExists.code, field: 'name' });
    const { id: other } = await staff.data(createRole, { body: { name: `${name} b` } });
    const renamed = await staff.call(renameRole, { params: { id: other }, body: { name } });
    expect(renamed).toMatchObject({ code: CODES.roleNameExists.code, field: 'name' });
  });

  test('requires a name', async () => {
    const blank = await staff.call(renameRole, { params: { id }, body: { name: '   ' } });
    expect(blank).toMatchObject({ code: CODES.fieldRequired.code, field: 'name' });
  });

  test('includes the parents of its menus', async () => {
    await staff.data(setRoleMenus, { params: { id }, body: { keys: ['auth_application_add'] } });
    const { keys } = await staff.data(readRole, { params: { id } });
    expect(keys.toSorted()).toEqual(['auth_application', 'auth_application_add', 'auth_system']);
  });

  test('with an unknown menu is refused', async () => {
    const unknown = await staff.call(setRoleMenus, { params: { id }, body: { keys: ['auth_home', 'auth_moon'] } });
    expect(unknown).toMatchObject({ code: CODES.menuUnknown.code, field: 'keys' });
    expect((await staff.data(readRole, { params: { id } })).keys).toEqual([]);
  });

  test('changes are in the action log with who, what, before and after', async () => {
    await staff.data(setRoleData, { params: { id }, body: { ...DATA, levels: levelsAll(5), emailAlarm: true } });
    expect(await lastLogged()).toEqual({
      user_name: 'vendor_staff',
      operation: 'edit',
      object_type: 'role',
      object_id: String(id),
      object_name: name,
      before: { emailAlarm: false },
      after: { emailAlarm: true },
    });
  });

  test('is not logged when nothing changed', async () => {
    await staff.data(setRoleData, { params: { id }, body: DATA });
    const before = await lastLogged();
    await staff.data(setRoleData, { params: { id }, body: DATA });
    expect(await lastLogged()).toEqual(before);
  });

  test('can be removed only when no user has it', async () => {
    const held = await staff.call(deleteRole, { params: { id: await roleNamed('Reader') } });
    expect(held).toMatchObject({ code: CODES.roleInUse.code, message: expect.stringContaining('role (1)') });
    await staff.data(deleteRole, { params: { id } });
    expect((await staff.call(readRole, { params: { id } })).code).toBe(CODES.notFound.code);
  });
});

describe('users cannot grant more than they have', () => {
  test('a higher level than their own', async () => {
    const levels = { ...levelsAll(4), params: { read: 4, write: 0, download: 4 } } as const;
    const refused = await staff.call(setRoleData, { params: { id }, body: { ...DATA, levels } });
    expect(refused).toMatchObject({ code: CODES.grantExceeds.code, field: 'levels' });
    await root.data(setRoleData, { params: { id }, body: { ...DATA, levels } });
  });

  test('shell access to devices, when they have none', async () => {
    const refused = await staff.call(setRoleData, { params: { id }, body: { ...DATA, remoteAccess: 1 } });
    expect(refused).toMatchObject({ code: CODES.grantExceeds.code, field: 'remoteAccess' });
  });

  test('a menu that was taken from them', async () => {
    const { keys } = await root.data(readRole, { params: { id: staffRole } });
    const fewer = keys.filter((key) => key !== 'auth_menu');
    await root.data(setRoleMenus, { params: { id: staffRole }, body: { keys: fewer } });
    try {
      const refused = await staff.call(setRoleMenus, { params: { id }, body: { keys: ['auth_menu'] } });
      expect(refused).toMatchObject({ code: CODES.grantExceeds.code, field: 'keys' });
    } finally {
      await root.data(setRoleMenus, { params: { id: staffRole }, body: { keys } });
    }
  });

  test('also not by copying, renaming or removing a role with more permissions', async () => {
    await root.data(setRoleData, { params: { id }, body: { ...DATA, levels: levelsAll(0) } });
    const copied = await staff.call(createRole, { body: { name: `${name} copy`, copyOf: id } });
    expect(copied).toMatchObject({ code: CODES.grantExceeds.code, field: 'levels' });
    const renamed = await staff.call(renameRole, { params: { id }, body: { name: `${name} b` } });
    expect(renamed.code).toBe(CODES.roleExceeds.code);
    expect((await staff.call(deleteRole, { params: { id } })).code).toBe(CODES.roleExceeds.code);
    expect((await staff.data(readRole, { params: { id } })).grantable).toBe(false);
  });

  test('an administrator of a customer is offered only the roles they may assign', async () => {
    const admin = await server.as('northAdmin');
    const { items } = await admin.data(listRoleChoices);
    const names = items.map((role) => role.name);
    expect(names).toContain('Customer admin');
    expect(names).toContain('Reader');
    expect(names).not.toContain('Vendor staff');
    expect(names).not.toContain('Platform administrator');
  });
});

describe('permissions that a role loses', () => {
  test('are lost for its users with their next request', async () => {
    const admin = await server.as('southAdmin');
    await admin.data(listUsers);
    const role = await roleNamed('Customer admin');
    const { keys } = await root.data(readRole, { params: { id: role } });
    await root.data(setRoleMenus, {
      params: { id: role },
      body: { keys: keys.filter((key) => key !== 'auth_user_list') },
    });
    expect((await admin.call(listUsers)).code).toBe(CODES.noPermission.code);
    await root.data(setRoleMenus, { params: { id: role }, body: { keys } });
    await admin.data(listUsers);
  });
});

describe('concurrent changes', () => {
  test('of two roles with the same name one is created', async () => {
    const make = () => staff.call(createRole, { body: { name: `${name} twin` } });
    const codes = (await Promise.all([make(), make()])).map(({ code }) => code).sort();
    expect(codes).toEqual([0, CODES.roleNameExists.code]);
  });

  test('a role cannot be removed while a user is being given it', async () => {
    const { db } = server.database;
    const user = server.world.users.northReader;
    const { role_id } = await db.selectFrom('users').select('role_id').where('id', '=', user).executeTakeFirstOrThrow();
    const [given, removed] = await Promise.all([
      root.call(peopleEndpoints.updateUser, { params: { id: user }, body: { roleId: id } }),
      root.call(deleteRole, { params: { id } }),
    ]);
    const outcome = `${given.code},${removed.code}`;
    expect([`0,${CODES.roleInUse.code}`, `${CODES.roleUnknown.code},0`]).toContain(outcome);
    await db.updateTable('users').set({ role_id }).where('id', '=', user).execute();
  });
});

test('the tree of menus shows the interfaces of each, and which are common', async () => {
  const { items } = await staff.data(menusEndpoints.listMenus);
  const devices = items.find((menu) => menu.key === 'auth_device_list');
  expect(devices).toMatchObject({ parentKey: 'auth_device', common: false });
  expect(devices?.interfaces).toContainEqual({
    ...{ id: 'devices.list', method: 'GET', url: '/api/auth/sys/devices', common: false },
    nameEn: expect.any(String),
    nameZh: '查询设备列表',
  });
});
