import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessEndpoints, ENDPOINTS, PERMISSIONS } from '@chargehand/contract';
import { isUserName, passwordLacks } from '@chargehand/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type RoomName, startChargehand } from '../../chargehand.ts';
import type { Config } from '../../platform/config/config.ts';
import { createLog } from '../../platform/log.ts';
import { client } from '../../testing/client.ts';
import { manualClock } from '../../testing/clock.ts';
import { testConfig } from '../../testing/config.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { signIn } from '../../testing/sign-in.ts';
import { FIRST_USER } from '../index.ts';

let database: TestDatabase;
let dataFolder: string;
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-first-'));
  database = await createTestDatabase();
});
afterEach(async () => {
  await database.drop();
  await rm(dataFolder, { recursive: true });
});

/** Starts the product on the empty database. */
const start = (settings: Partial<Config> = {}, only?: readonly RoomName[]) =>
  startChargehand(
    testConfig(dataFolder, { captcha: false, ...settings }),
    { ...database, close: async () => undefined },
    createLog('silent'),
    null,
    manualClock(),
    only,
  );

test('the first start creates an administrator with a strong password, which is shown once', async () => {
  const first = await start();
  const { firstPassword } = first;
  expect(passwordLacks(firstPassword ?? '')).toEqual([]);
  expect(isUserName(FIRST_USER)).toBe(true);
  const { envelope, session } = await signIn(first.url, FIRST_USER, firstPassword ?? '');
  expect(envelope.data).toMatchObject({
    user: { userName: 'administrator', root: true, platformVendor: true },
    privacy: { needConfirm: true, newPrivacyPolicyVersion: 1, content: expect.stringContaining('password') },
  });
  const administrator = client(first.url, session);
  await administrator.data(accessEndpoints.acceptPrivacy, { body: { version: 1 } });
  await first.stop();

  const second = await start();
  expect(second.firstPassword).toBeNull();
  expect((await client(second.url, session).call(accessEndpoints.info)).code).toBe(0);
  expect((await database.pool.query('select count(*)::int as n from users')).rows).toEqual([{ n: 1 }]);
  await second.stop();
});

test("the operator's own first password is used and not shown", async () => {
  const product = await start({ adminPassword: 'Chosen-by-me.1' });
  expect(product.firstPassword).toBeNull();
  expect((await signIn(product.url, FIRST_USER, 'Chosen-by-me.1')).envelope.code).toBe(0);
  const { rows } = await database.pool.query('select password_hash from users');
  expect(rows[0].password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  await product.stop();
});

test('two nodes that start at once with an empty database seed it once', async () => {
  const nodes = await Promise.all([start({}, ['access']), start({}, ['access'])]);
  expect(nodes.filter((node) => node.firstPassword !== null)).toHaveLength(1);
  const { rows } = await database.pool.query(
    'select (select count(*)::int from users) as users, (select count(*)::int from roles) as roles',
  );
  expect(rows).toEqual([{ users: 1, roles: 5 }]);
  await Promise.all(nodes.map((node) => node.stop()));
});

test('menus and interfaces match the product, and keep changes by users', async () => {
  await (await start()).stop();
  const { pool } = database;
  const menus = await pool.query('select key from menus order by sort');
  expect(menus.rows.map((row) => row.key)).toEqual(Object.keys(PERMISSIONS));
  const interfaces = await pool.query('select id from interfaces');
  expect(interfaces.rows.map((row) => row.id).sort()).toEqual(
    Object.values(ENDPOINTS)
      .map((endpoint) => endpoint.id)
      .sort(),
  );
  await pool.query(`update menus set name_en = 'Piles', sort = 3 where key = 'auth_device'`);
  await pool.query(`insert into interfaces values ('gone.list', 'Gone', 'GET', '/gone', false, 'auth_home')`);
  await pool.query(`insert into menu_interfaces values ('auth_home', 'gone.list')`);
  // As if an older version had declared other keys for this one.
  await pool.query(`update interfaces set declared_access = 'auth_home' where id = 'devices.list'`);
  await pool.query(`insert into menu_interfaces values ('auth_home', 'devices.list'), ('auth_my', 'devices.list')`);

  await (await start()).stop();
  expect((await pool.query(`select name_en, name_zh, sort from menus where key = 'auth_device'`)).rows).toEqual([
    { name_en: 'Piles', name_zh: '设备', sort: 3 },
  ]);
  expect((await pool.query(`select 1 from interfaces where id = 'gone.list'`)).rowCount).toBe(0);
  const links = await pool.query(`select menu_key from menu_interfaces where interface_id = 'devices.list' order by 1`);
  expect(links.rows.map((row) => row.menu_key)).toEqual(['auth_device_list', 'auth_my']);
});
