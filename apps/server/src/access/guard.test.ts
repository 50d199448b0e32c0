import { accessEndpoints, auditEndpoints, CSRF_HEADER } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { findCaller } from './callers.store.ts';
import { hashToken } from './guard.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
});
afterAll(() => server.stop());

const acceptPath = accessEndpoints.acceptPrivacy.path;
const json = { 'content-type': 'application/json' };

test('a change requires the CSRF token of its own session', async () => {
  const north = await server.as('northAdmin');
  const other = await openSession(server.database.db, server.world.users.southAdmin);
  for (const csrf of ['', 'x', other.csrf]) {
    const response = await north.fetch(acceptPath, {
      method: 'POST',
      headers: { ...json, [CSRF_HEADER]: csrf },
      body: '{"version":1}',
    });
    expect(await response.json()).toMatchObject({ code: 10006 });
  }
  expect((await north.call(accessEndpoints.acceptPrivacy, { body: { version: 1 } })).code).toBe(0);
});

test('a form on another site cannot use the cookies of a signed-in user', async () => {
  const north = await server.as('northAdmin');
  const crossSite = await north.fetch(acceptPath, {
    method: 'POST',
    headers: { ...json, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
    body: '{"version":1}',
  });
  expect(await crossSite.json()).toMatchObject({ code: 10006 });
  const signOut = await north.fetch(accessEndpoints.logout.path, {
    method: 'POST',
    headers: { ...json, 'sec-fetch-site': 'cross-site' },
    body: '{}',
  });
  expect(await signOut.json()).toMatchObject({ code: 10006 });
  const form = await north.fetch(accessEndpoints.logout.path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a=b',
  });
  expect(await form.json()).toMatchObject({ code: 10005 });
  expect((await north.call(accessEndpoints.info)).code).toBe(0);
});

test('the database decides which role may use an endpoint: menus, links and common flags', async () => {
  const { pool } = server.database;
  const { id } = auditEndpoints.listActionLogs;
  const codeFor = async (person: 'northAdmin' | 'northNoMenus') =>
    (await (await server.as(person)).call(auditEndpoints.listActionLogs)).code;

  expect(await codeFor('northAdmin')).toBe(0);
  expect(await codeFor('northNoMenus')).toBe(20013);

  await pool.query('update interfaces set common = true where id = $1', [id]);
  expect(await codeFor('northNoMenus')).toBe(0);
  await pool.query('update interfaces set common = false where id = $1', [id]);

  await pool.query(`update menus set common = true where key = 'auth_logs_action'`);
  expect(await codeFor('northNoMenus')).toBe(0);
  await pool.query(`update menus set common = false where key = 'auth_logs_action'`);

  await pool.query('delete from menu_interfaces where interface_id = $1', [id]);
  expect(await codeFor('northAdmin')).toBe(20013);
  await pool.query(`insert into menu_interfaces values ('auth_home', $1)`, [id]);
  expect(await codeFor('northAdmin')).toBe(0);

  await server.restart();
  const { rows } = await pool.query('select menu_key from menu_interfaces where interface_id = $1', [id]);
  expect(rows).toEqual([{ menu_key: 'auth_home' }]);
});

test('until the privacy policy is accepted, only the policy and sign-out are available', async () => {
  const { pool } = server.database;
  await pool.query(`insert into privacy_policies (version, content_en, content_zh) values (2, 'New text', '新文本')`);
  try {
    for (const person of ['southAdmin', 'root'] as const) {
      const chinese = await server.as(person, 'zh-CN');
      expect((await chinese.data(accessEndpoints.info)).privacy).toEqual({
        needConfirm: true,
        content: '新文本',
        newPrivacyPolicyVersion: 2,
      });
      expect((await chinese.call(auditEndpoints.listActionLogs)).code).toBe(10107);
      expect((await chinese.call(accessEndpoints.acceptPrivacy, { body: { version: 1 } })).code).toBe(10106);
      expect((await chinese.call(accessEndpoints.acceptPrivacy, { body: { version: 3 } })).code).toBe(10106);
      expect((await chinese.call(auditEndpoints.listActionLogs)).code).toBe(10107);
      await chinese.data(accessEndpoints.acceptPrivacy, { body: { version: 2 } });
      expect((await chinese.call(auditEndpoints.listActionLogs)).code).toBe(0);
      expect((await chinese.data(accessEndpoints.info)).privacy.needConfirm).toBe(false);
    }
    const waiting = await server.as('readOnlyAdmin');
    expect((await waiting.call(accessEndpoints.logout, { body: {} })).code).toBe(0);
    expect((await waiting.call(accessEndpoints.info)).code).toBe(20001);
  } finally {
    await pool.query(
      'insert into privacy_acceptances (user_id, version) select id, 2 from users on conflict do nothing',
    );
  }
});

test('a root account has all keys; other users have those of their role and the common ones', async () => {
  const root = await (await server.as('root')).data(accessEndpoints.info);
  expect(root.user.root).toBe(true);
  expect(root.role.auth.length).toBe(root.role.menu.length);
  expect(root.role.levels.device?.write).toBe(0);
  const none = await (await server.as('northNoMenus')).data(accessEndpoints.info);
  expect(none.role).toMatchObject({ auth: [], menu: [] });
});

test('the guard runs one indexed query: of a hundred thousand sessions it reads only its own', async () => {
  const { pool, db } = server.database;
  const { token } = await openSession(db, server.world.users.northAssigned);
  await pool.query(`
    insert into sessions (id, token_hash, csrf, user_id, expires_at, address, user_agent)
    select gen_random_uuid(), sha256(convert_to(n::text, 'UTF8')), 'x', ${server.world.users.northAssigned},
           now() + interval '1 hour', '', '' from generate_series(1, 100000) n`);
  await pool.query('analyze sessions');
  const client = await pool.connect();
  /** The number of sessions read one by one so far, by the statistics of this connection. */
  const scanned = async () => {
    await client.query('select pg_stat_force_next_flush()');
    await client.query('select pg_stat_clear_snapshot()');
    const { rows } = await client.query<{ n: number }>(
      `select seq_tup_read::float8 as n from pg_stat_user_tables where relname = 'sessions'`,
    );
    return rows[0]!.n;
  };
  try {
    const before = await scanned();
    for (let count = 0; count < 20; count += 1) {
      expect((await findCaller(client, hashToken(token), 'devices.list'))?.user_name).toBe('north_assigned');
    }
    // Others, such as the sweep of sessions, may scan the whole table meanwhile; twenty scans would be two million
    // rows.
    expect((await scanned()) - before).toBeLessThan(1_000_000);
  } finally {
    client.release();
  }
});
