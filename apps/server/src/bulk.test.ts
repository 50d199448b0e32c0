import {
  BULK_LIMIT,
  CODES,
  ENDPOINTS,
  type Endpoint,
  type Locale,
  listEndpoints,
  messageOf,
  type RowsPolicy,
} from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Ground, newDevice, newSite, onUser } from './testing/cases/ground.ts';
import { startTestServer, type TestServer } from './testing/server.ts';
import type { Person, SiteName } from './testing/world.ts';

let server: TestServer;
let ground: Ground;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  ground = { world: server.world, db: server.database.db };
});
afterAll(() => server.stop());

type Bulk = Extract<(typeof listEndpoints)[keyof typeof listEndpoints], { id: `${string}Many` }>;
type BulkTable = 'devices' | 'sites' | 'users';

const MAKE: Record<BulkTable, (site: SiteName) => Promise<number>> = {
  devices: (site) => newDevice(ground, site),
  sites: async (site) => (await newSite(ground, site)).params.id,
  users: async (site) => (await onUser(ground, site)).params.id,
};

async function run(person: Person, endpoint: Bulk, ids: number[], locale?: Locale) {
  const { results } = await (await server.as(person, locale)).data(endpoint, { body: { ids } });
  expect(results.map(({ id }) => id)).toEqual(ids);
  return results.map(({ code, message }) => ({ code, message }));
}

async function enabledOf(table: BulkTable, ids: number[]): Promise<boolean[]> {
  const { rows } = await server.database.pool.query<{ enabled: boolean }>(
    `select enabled from ${table} where id = any($1::int[]) order by array_position($1::int[], id)`,
    [ids],
  );
  return rows.map(({ enabled }) => enabled);
}

async function logged(table: string, ids: number[]): Promise<string[]> {
  const { rows } = await server.database.pool.query<{ entry: string }>(
    `select operation || ' by ' || user_name as entry from action_logs
      where object_type = $1 and object_id = any($2::text[]) order by id`,
    [table, ids.map(String)],
  );
  return rows.map(({ entry }) => entry);
}

describe.each([
  ['devices', 'device', listEndpoints.disableDevices, listEndpoints.enableDevices],
  ['sites', 'site', listEndpoints.disableSites, listEndpoints.enableSites],
  ['users', 'user', listEndpoints.disableUsers, listEndpoints.enableUsers],
] as const)('%s', (table, noun, disable, enable) => {
  test('are disabled and enabled together, each with its entry in the action log', async () => {
    const ids = [await MAKE[table]('northQuay'), await MAKE[table]('northMill')];
    expect(await run('northAdmin', disable, ids)).toEqual([
      { code: 0, message: '' },
      { code: 0, message: '' },
    ]);
    expect(await enabledOf(table, ids)).toEqual([false, false]);
    expect(await run('northAdmin', enable, ids)).toEqual([
      { code: 0, message: '' },
      { code: 0, message: '' },
    ]);
    expect(await enabledOf(table, ids)).toEqual([true, true]);
    const each = (operation: string) => ids.map(() => `${operation} by north_admin`);
    expect((await logged(noun, ids)).toSorted()).toEqual([...each('disable'), ...each('enable')].toSorted());
  });

  test('out of scope are reported as not found for each row, and the others are changed', async () => {
    const ids = [await MAKE[table]('northQuay'), await MAKE[table]('southPark'), 2_000_000_000];
    const codes = (await run('northAdmin', disable, ids)).map(({ code }) => code);
    expect(codes).toEqual([0, CODES.notFound.code, CODES.notFound.code]);
    expect(await enabledOf(table, ids)).toEqual([false, true]);
    expect(await logged(noun, ids)).toEqual(['disable by north_admin']);
  });

  test('of a site that is not assigned are not found', async () => {
    const ids = [await MAKE[table]('northQuay'), await MAKE[table]('northMill')];
    expect((await run('northAssigned', disable, ids)).map(({ code }) => code)).toEqual([0, CODES.notFound.code]);
    expect(await enabledOf(table, ids)).toEqual([false, true]);
  });

  test('below the level are refused, each in the language of the caller', async () => {
    const ids = [await MAKE[table]('northQuay')];
    for (const locale of ['en-US', 'zh-CN'] as const) {
      expect(await run('northReader', disable, ids, locale)).toEqual([
        { code: CODES.noPermission.code, message: messageOf('noPermission', locale) },
      ]);
    }
    expect(await enabledOf(table, ids)).toEqual([true]);
    expect(await logged(noun, ids)).toEqual([]);
  });

  test.each([
    ['none', []],
    ['more than allowed', Array.from({ length: BULK_LIMIT + 1 }, (_, index) => index + 1)],
    ['one twice', [1, 1]],
    ['an invalid id', ['1']],
  ])('%s are refused as a whole', async (_, ids) => {
    const answer = await (await server.as('root')).call(disable, { body: { ids: ids as number[] } });
    expect(answer).toMatchObject({ code: expect.any(Number), field: 'ids', data: null });
    expect(answer.code).toBeGreaterThan(10_000);
  });
});

test('devices are deleted together; one that is charging is kept, with the reason', async () => {
  const ids = [await newDevice(ground, 'northQuay'), await newDevice(ground, 'northQuay')];
  await server.database.pool.query(
    `insert into transactions (device_id, connector, id_tag, meter_start, started_at) values ($1, 1, 'tag', 0, now())`,
    [ids[1]],
  );
  expect(await run('northAdmin', listEndpoints.deleteDevices, ids, 'zh-CN')).toEqual([
    { code: 0, message: '' },
    { code: CODES.deviceHasOpenTransaction.code, message: messageOf('deviceHasOpenTransaction', 'zh-CN') },
  ]);
  const { rows } = await server.database.pool.query('select id from devices where id = any($1::int[])', [ids]);
  expect(rows).toEqual([{ id: ids[1] }]);
});

test('oneself and users with more permissions are refused, and the others are disabled', async () => {
  const { users } = server.world;
  const other = await MAKE.users('northQuay');
  const answer = await run('vendorStaff', listEndpoints.disableUsers, [users.vendorStaff, users.root, other]);
  expect(answer.map(({ code }) => code)).toEqual([CODES.ownAccount.code, CODES.userExceeds.code, 0]);
});

test('users are signed out together', async () => {
  const id = await MAKE.users('northQuay');
  await server.database.pool.query(
    `insert into sessions (id, token_hash, csrf, user_id, expires_at, address, user_agent)
     values (gen_random_uuid(), decode(md5(random()::text), 'hex'), 'x', $1, now() + interval '1 hour', '', '')`,
    [id],
  );
  expect((await run('northAdmin', listEndpoints.signOutUsers, [id])).map(({ code }) => code)).toEqual([0]);
  expect((await (await server.as('northAdmin')).data(ENDPOINTS.readUser, { params: { id } })).sessions).toBe(0);
});

test('a change of several rows requires the same permission as a change of one', () => {
  const single = (id: string) => (Object.values(ENDPOINTS) as Endpoint[]).find((endpoint) => endpoint.id === id);
  const many = (Object.values(listEndpoints) as Endpoint[]).filter(({ id }) => id.endsWith('Many'));
  expect(many).toHaveLength(11);
  for (const { id, policy } of many) {
    const one = single(id.replace(/Many$/, '').replace(/move$/, 'update'))?.policy;
    expect(policy).toEqual({ ...one, row: { ...(one as RowsPolicy).row, from: 'body.ids', each: true } });
  }
});
