import { CODES, fleetEndpoints, menusEndpoints, peopleEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { createMenu, deleteMenu, listInterfaces, listMenus, moveMenu } = menusEndpoints;
const { restoreInterface, setInterfaceCommon, setMenuInterfaces, updateMenu } = menusEndpoints;

let server: TestServer;
let root: Client;
let staff: Client;
let key: string;
let counter = 0;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  staff = await server.as('vendorStaff');
});
afterAll(() => server.stop());

beforeEach(async () => {
  key = await made(null);
});

/** A new menu below another one or on the top level. */
async function made(parentKey: string | null): Promise<string> {
  counter += 1;
  const body = { nameEn: `Night ${counter}`, nameZh: `夜班 ${counter}`, parentKey };
  return (await staff.data(createMenu, { body })).key;
}

async function menuOf(wanted: string) {
  const { items } = await staff.data(listMenus);
  return items.find((menu) => menu.key === wanted);
}

async function interfaceOf(id: string) {
  const { items } = await staff.data(listInterfaces);
  return items.find((one) => one.id === id);
}

const keysUnder = async (parentKey: string | null) =>
  (await staff.data(listMenus)).items.filter((menu) => menu.parentKey === parentKey).map((menu) => menu.key);

async function lastLogged() {
  return await server.database.db
    .selectFrom('action_logs')
    .select(['user_name', 'operation', 'object_type', 'object_id', 'before', 'after'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
}

describe('a menu', () => {
  test('of the product has the address of its page', async () => {
    expect(await menuOf('auth_site_list')).toMatchObject({ url: '/manage/site/list' });
    expect(await menuOf('auth_role_authData')).toMatchObject({ url: '/manage/role/auth/data/:RoeId' });
  });

  test('has names in both languages, no interfaces and no users', async () => {
    expect(await menuOf(key)).toMatchObject({
      ...{ nameEn: `Night ${counter}`, nameZh: `夜班 ${counter}`, url: '', common: false, builtIn: false },
      ...{ roles: 0, interfaces: [], changeable: true },
    });
    expect(await menuOf('auth_device_list')).toMatchObject({
      ...{ nameEn: 'Device list', nameZh: '设备列表', builtIn: true },
    });
  });

  test('can be renamed and given a path; the log has both values', async () => {
    const body = { nameZh: '巡检', url: '/manage/device/list' };
    await staff.data(updateMenu, { params: { key }, body });
    expect(await menuOf(key)).toMatchObject(body);
    expect(await lastLogged()).toEqual({
      ...{ user_name: 'vendor_staff', operation: 'edit', object_type: 'menu', object_id: key },
      before: { nameZh: `夜班 ${counter}`, url: '' },
      after: body,
    });
  });

  test.each(['javascript:alert(1)', '//evil.example', '/\\evil.example', 'manage', '/a b'])(
    'cannot have a path like %s',
    async (url) => {
      const refused = await staff.call(updateMenu, { params: { key }, body: { url } });
      expect(refused).toMatchObject({ code: CODES.fieldFormat.code, field: 'url' });
    },
  );

  test.each(['nameEn', 'nameZh'])('requires a %s', async (field) => {
    const refused = await staff.call(updateMenu, { params: { key }, body: { [field]: '  ' } });
    expect(refused).toMatchObject({ code: CODES.fieldRequired.code, field });
  });

  test('can be moved within its level and below another one', async () => {
    const [one, two, three] = [await made(key), await made(key), await made(key)] as [string, string, string];
    await staff.data(moveMenu, { params: { key: three }, body: { parentKey: key, index: 0 } });
    expect(await keysUnder(key)).toEqual([three, one, two]);
    await staff.data(moveMenu, { params: { key: two }, body: { parentKey: one, index: 9 } });
    expect(await keysUnder(key)).toEqual([three, one]);
    expect(await keysUnder(one)).toEqual([two]);
    await staff.data(moveMenu, { params: { key: two }, body: { parentKey: null, index: 0 } });
    expect((await keysUnder(null))[0]).toBe(two);
  });

  test('cannot be moved below itself, at any depth', async () => {
    const child = await made(key);
    const grandchild = await made(child);
    for (const parentKey of [key, child, grandchild]) {
      const refused = await staff.call(moveMenu, { params: { key }, body: { parentKey, index: 0 } });
      expect(refused).toMatchObject({ code: CODES.menuOwnAncestor.code, field: 'parentKey' });
    }
    const lost = await staff.call(moveMenu, { params: { key }, body: { parentKey: 'menu_moon', index: 0 } });
    expect(lost).toMatchObject({ code: CODES.menuUnknown.code, field: 'parentKey' });
  });

  test('can be removed only when nothing refers to it', async () => {
    const child = await made(key);
    const removed = (wanted: string) => staff.call(deleteMenu, { params: { key: wanted } });
    expect((await removed(key)).code).toBe(CODES.menuHasChildren.code);
    await staff.data(setMenuInterfaces, { params: { key: child }, body: { attach: ['devices.list'] } });
    expect((await removed(child)).code).toBe(CODES.menuHasInterfaces.code);
    await staff.data(setMenuInterfaces, { params: { key: child }, body: { detach: ['devices.list'] } });
    const { id } = await root.data(peopleEndpoints.createRole, { body: { name: `Holder ${key}` } });
    await root.data(peopleEndpoints.setRoleMenus, { params: { id }, body: { keys: [child] } });
    expect((await removed(child)).code).toBe(CODES.menuInUse.code);
    await root.data(peopleEndpoints.deleteRole, { params: { id } });
    expect((await removed(child)).code).toBe(0);
    expect((await removed(key)).code).toBe(0);
    expect(await menuOf(key)).toBeUndefined();
  });

  test('that is built in can be renamed and moved, but not removed, and keeps its key', async () => {
    const { pool } = server.database;
    const before = await menuOf('auth_message_setting');
    await staff.data(updateMenu, { params: { key: 'auth_message_setting' }, body: { nameEn: 'Reception' } });
    await staff.data(moveMenu, { params: { key: 'auth_message_setting' }, body: { parentKey: 'auth_my', index: 0 } });
    expect((await root.call(deleteMenu, { params: { key: 'auth_message_setting' } })).code).toBe(
      CODES.menuBuiltIn.code,
    );
    await pool.query(`delete from menu_interfaces where menu_key = 'auth_message_setting'`);
    await pool.query(`delete from role_menus where menu_key = 'auth_message_setting'`);
    await expect(pool.query(`delete from menus where key = 'auth_message_setting'`)).rejects.toThrow(/is kept/);
    await expect(pool.query(`update menus set key = 'x' where key = 'auth_message_setting'`)).rejects.toThrow(
      /is kept/,
    );
    await root.data(updateMenu, { params: { key: 'auth_message_setting' }, body: { nameEn: before?.nameEn ?? '' } });
  });
});

describe('an interface', () => {
  test('is available to users of a menu with their next request, and no longer when it is detached', async () => {
    const admin = await server.as('northAdmin');
    const codeNow = async () => (await admin.call(fleetEndpoints.listDevices)).code;
    expect(await codeNow()).toBe(0);
    await staff.data(setMenuInterfaces, { params: { key: 'auth_device_list' }, body: { detach: ['devices.list'] } });
    expect(await codeNow()).toBe(CODES.noPermission.code);
    expect(await interfaceOf('devices.list')).toMatchObject({
      ...{ carried: 'none', menus: [], declared: { common: false, menus: ['auth_device_list'] } },
      changed: { attached: [], detached: ['auth_device_list'], common: false },
    });
    expect((await root.call(fleetEndpoints.listDevices)).code).toBe(0);

    await root.data(setMenuInterfaces, { params: { key: 'auth_home' }, body: { attach: ['devices.list'] } });
    expect(await codeNow()).toBe(0);
    expect(await interfaceOf('devices.list')).toMatchObject({ carried: 'menus', changed: { attached: ['auth_home'] } });

    await root.data(restoreInterface, { params: { interfaceId: 'devices.list' }, body: {} });
    expect(await interfaceOf('devices.list')).toMatchObject({
      ...{ menus: ['auth_device_list'], changed: { attached: [], detached: [], common: false } },
    });
    expect(await lastLogged()).toMatchObject({ object_type: 'interface', object_id: 'devices.list' });
  });

  test('can be made common and restricted again', async () => {
    const nobody = await server.as('northNoMenus');
    const set = (common: boolean) =>
      staff.data(setInterfaceCommon, { params: { interfaceId: 'devices.list' }, body: { common } });
    await set(true);
    expect((await nobody.call(fleetEndpoints.listDevices)).code).toBe(0);
    expect(await interfaceOf('devices.list')).toMatchObject({ carried: 'common', changed: { common: true } });
    await set(false);
    expect((await nobody.call(fleetEndpoints.listDevices)).code).toBe(CODES.noPermission.code);
  });

  test('that is public cannot be changed', async () => {
    const refused = await root.call(setInterfaceCommon, {
      params: { interfaceId: 'session.login' },
      body: { common: false },
    });
    expect(refused.code).toBe(CODES.interfacePublic.code);
    expect(await interfaceOf('session.login')).toMatchObject({ carried: 'public', changeable: false });
  });

  test('that does not exist is reported', async () => {
    const refused = await root.call(setMenuInterfaces, { params: { key }, body: { attach: ['moon.land'] } });
    expect(refused).toMatchObject({ code: CODES.interfaceUnknown.code, field: 'attach' });
    expect(refused.message).toContain('moon.land');
  });

  test('the synchronization keeps changes by users and reports them', async () => {
    await staff.data(setMenuInterfaces, { params: { key }, body: { attach: ['devices.read'] } });
    await root.data(moveMenu, { params: { key: 'auth_menu' }, body: { parentKey: null, index: 0 } });
    await root.data(moveMenu, { params: { key: 'auth_system' }, body: { parentKey: 'auth_menu', index: 0 } });
    await server.restart();
    expect(await interfaceOf('devices.read')).toMatchObject({ changed: { attached: [key] } });
    expect(await menuOf('auth_system')).toMatchObject({ parentKey: 'auth_menu', builtIn: true });
    await root.data(moveMenu, { params: { key: 'auth_system' }, body: { parentKey: null, index: 0 } });
    await root.data(moveMenu, { params: { key: 'auth_menu' }, body: { parentKey: 'auth_system', index: 0 } });
  });
});

describe('users cannot give access that they do not have', () => {
  /** Removes a menu from the vendor's role while a function runs. */
  async function without(menu: string, work: () => Promise<void>): Promise<void> {
    const { db } = server.database;
    const role = await db.selectFrom('roles').select('id').where('name', '=', 'Vendor staff').executeTakeFirstOrThrow();
    await db.deleteFrom('role_menus').where('role_id', '=', role.id).where('menu_key', '=', menu).execute();
    try {
      await work();
    } finally {
      await db.insertInto('role_menus').values({ role_id: role.id, menu_key: menu }).execute();
    }
  }

  test('an interface they cannot use can neither be attached nor made common', async () => {
    await without('auth_role_authMenu', async () => {
      const attached = await staff.call(setMenuInterfaces, { params: { key }, body: { attach: ['roles.setMenus'] } });
      expect(attached).toMatchObject({ code: CODES.interfaceExceeds.code, field: 'attach' });
      const common = await staff.call(setInterfaceCommon, {
        params: { interfaceId: 'roles.setMenus' },
        body: { common: true },
      });
      expect(common.code).toBe(CODES.interfaceExceeds.code);
    });
  });

  test('a built-in menu they do not have cannot be made common', async () => {
    await without('auth_black_device', async () => {
      const refused = await staff.call(updateMenu, { params: { key: 'auth_black_device' }, body: { common: true } });
      expect(refused.code).toBe(CODES.menuExceeds.code);
      expect(await menuOf('auth_black_device')).toMatchObject({ common: false, changeable: false });
    });
  });

  test('a menu with interfaces they cannot use cannot be changed', async () => {
    await root.data(setMenuInterfaces, { params: { key }, body: { attach: ['roles.setMenus'] } });
    await without('auth_role_authMenu', async () => {
      expect((await staff.call(updateMenu, { params: { key }, body: { common: true } })).code).toBe(
        CODES.menuExceeds.code,
      );
    });
  });

  test('users of other customers cannot see or change any of it, whatever their menus', async () => {
    const admin = await server.as('northAdmin');
    expect((await admin.call(listInterfaces)).code).toBe(CODES.noPermission.code);
    expect((await admin.call(deleteMenu, { params: { key } })).code).toBe(CODES.noPermission.code);
  });
});

describe('concurrent changes', () => {
  test('two menus that are moved below each other: one of them moves, and the tree stays a tree', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [await made(null), await made(null)] as [string, string];
      const codes = await Promise.all([
        staff.call(moveMenu, { params: { key: one }, body: { parentKey: two, index: 0 } }),
        root.call(moveMenu, { params: { key: two }, body: { parentKey: one, index: 0 } }),
      ]);
      expect(codes.map(({ code }) => code).sort()).toEqual([0, CODES.menuOwnAncestor.code]);
    }
  });

  test('the database itself refuses a circle that two sessions would create', async () => {
    const { pool } = server.database;
    const [one, two] = [await made(null), await made(null)] as [string, string];
    const first = await pool.connect();
    const second = await pool.connect();
    try {
      await first.query('begin');
      await first.query('update menus set parent_key = $1 where key = $2', [two, one]);
      const closing = second.query('update menus set parent_key = $1 where key = $2', [one, two]);
      const refused = expect(closing).rejects.toThrow(/above itself/);
      await first.query('commit');
      await refused;
    } finally {
      first.release();
      second.release();
    }
  });

  test('a menu cannot be removed while an interface is being attached to it', async () => {
    const [attached, removed] = await Promise.all([
      root.call(setMenuInterfaces, { params: { key }, body: { attach: ['devices.list'] } }),
      staff.call(deleteMenu, { params: { key } }),
    ]);
    expect([`0,${CODES.menuHasInterfaces.code}`, `${CODES.notFound.code},0`]).toContain(
      `${attached.code},${removed.code}`,
    );
  });

  test('a menu cannot be removed while a role is being given it', async () => {
    const { id } = await root.data(peopleEndpoints.createRole, { body: { name: `Race ${key}` } });
    const [given, removed] = await Promise.all([
      root.call(peopleEndpoints.setRoleMenus, { params: { id }, body: { keys: [key] } }),
      staff.call(deleteMenu, { params: { key } }),
    ]);
    expect([`0,${CODES.menuInUse.code}`, `${CODES.menuUnknown.code},0`]).toContain(`${given.code},${removed.code}`);
  });
});
