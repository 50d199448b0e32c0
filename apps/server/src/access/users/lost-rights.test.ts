import {
  accessEndpoints,
  fleetEndpoints,
  peopleEndpoints,
  placesEndpoints,
  streamEndpoints,
} from '@chargehand/contract';
import { levelsAll } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { client, openSession } from '../../testing/client.ts';
import { openStream } from '../../testing/event-stream.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { Person } from '../../testing/world.ts';

const { deleteUser, disableUser, resetPassword, updateUser, setRoleData, setRoleMenus, readRole } = peopleEndpoints;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
});
afterAll(() => server.stop());

/** A copy of a user of the test data, for one test only. */
async function double(of: Person, more: object = {}): Promise<number> {
  const { db } = server.database;
  const model = await db
    .selectFrom('users')
    .select(['password_hash', 'customer_id', 'role_id', 'root'])
    .where('id', '=', server.world.users[of])
    .executeTakeFirstOrThrow();
  const user_name = `double_${(await db.selectFrom('users').select('id').execute()).length}`;
  const { id } = await db
    .insertInto('users')
    .values({ ...model, user_name, ...more })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('privacy_acceptances').values({ user_id: id, version: 1 }).execute();
  return id;
}
const enter = async (userId: number) => client(server.url, await openSession(server.database.db, userId));
const roleOf = async (person: Person) => {
  const user = server.database.db.selectFrom('users').select('role_id').where('id', '=', server.world.users[person]);
  return (await user.executeTakeFirstOrThrow()).role_id ?? 0;
};

describe('a removed account', () => {
  test('gets the reason with its next request, its stream closes immediately, and a restart changes nothing', async () => {
    const admin = await server.as('northAdmin');
    const id = await double('northReader');
    const worker = await enter(id);
    const stream = await openStream(worker, streamEndpoints.stream.path);
    await stream.next();
    await admin.data(deleteUser, { params: { id } });
    // Events of other users may arrive before.
    const ends = (await stream.rest()).filter(({ event }) => event !== 'events');
    expect(ends).toMatchObject([{ event: 'session', data: { code: 20004 } }]);
    const expected = { code: 20004, message: expect.stringContaining('disabled or deleted') };
    expect(await worker.call(accessEndpoints.info)).toMatchObject(expected);
    expect(await worker.call(fleetEndpoints.listDevices)).toMatchObject(expected);
    await server.restart();
    expect(await worker.call(fleetEndpoints.listDevices)).toMatchObject(expected);
  });

  test('that was removed directly in the database gets the same answer', async () => {
    const id = await double('northReader');
    const worker = await enter(id);
    await server.database.pool.query('delete from users where id = $1', [id]);
    expect((await worker.call(accessEndpoints.info)).code).toBe(20004);
  });
});

describe('changes for a signed-in user apply to their next request', () => {
  test('another role', async () => {
    const root = await server.as('root');
    const id = await double('northAdmin');
    const worker = await enter(id);
    await worker.data(fleetEndpoints.listDevices);
    await root.data(updateUser, { params: { id }, body: { roleId: await roleOf('northNoMenus') } });
    expect((await worker.call(fleetEndpoints.listDevices)).code).toBe(20013);
    expect((await worker.data(accessEndpoints.info)).role.auth).toEqual([]);
  });

  test('menus, scope and levels of the role', async () => {
    const root = await server.as('root');
    const params = { id: await roleOf('northReader') };
    const worker = await server.as('northReader');
    const { keys } = await root.data(readRole, { params });
    const data = { customerAccess: 1, siteAccess: 1, remoteAccess: 0, emailAlarm: true } as const;
    expect((await worker.data(placesEndpoints.listSites)).total).toBe(2);
    await root.data(setRoleData, { params, body: { ...data, levels: levelsAll(4) } });
    expect((await worker.data(placesEndpoints.listSites)).total).toBe(0);
    expect((await worker.data(accessEndpoints.info)).role.levels.device?.write).toBe(4);
    await root.data(setRoleMenus, { params, body: { keys: [] } });
    expect((await worker.call(placesEndpoints.listSites)).code).toBe(20013);
    await root.data(setRoleMenus, { params, body: { keys } });
    await root.data(setRoleData, { params, body: { ...data, siteAccess: 0, levels: levelsAll(5) } });
    expect((await worker.data(placesEndpoints.listSites)).total).toBe(2);
  });
});

describe('users cannot lock out themselves or everyone', () => {
  test('disabling, deleting and resetting oneself is refused with the reason, and changes nothing', async () => {
    const admin = await server.as('northAdmin');
    const params = { id: server.world.users.northAdmin };
    const answers = [
      await admin.call(disableUser, { params }),
      await admin.call(deleteUser, { params }),
      await admin.call(resetPassword, { params, body: { answerKey: 'any' } }),
    ];
    expect(answers.map(({ code, field }) => [code, field])).toEqual([
      [10137, 'enabled'],
      [10137, 'id'],
      [10137, 'password'],
    ]);
    expect((await admin.call(accessEndpoints.info)).code).toBe(0);
  });

  test.each([
    ['disable', disableUser, 'enabled'],
    ['delete', deleteUser, 'id'],
  ] as const)(
    'of two roots who %s each other concurrently one remains, and the other request gets the reason',
    async (_, endpoint, field) => {
      const { pool } = server.database;
      const other = await double('root');
      const root = server.world.users.root;
      const seats = [await enter(root), await enter(other)] as const;
      const answers = await Promise.all([
        seats[0].call(endpoint, { params: { id: other } }),
        seats[1].call(endpoint, { params: { id: root } }),
      ]);
      const codes = answers.map(({ code }) => code);
      expect(codes.filter((code) => code === 0)).toHaveLength(1);
      const refused = answers.find(({ code }) => code !== 0);
      // The second request is either no longer allowed, or violates the rule of the database.
      expect([10138, 20004]).toContain(refused?.code);
      if (refused?.code === 10138)
        expect(refused).toMatchObject({ field, message: expect.stringContaining('last enabled') });
      const { rows } = await pool.query('select count(*)::int as n from users where root and enabled');
      expect(rows).toEqual([{ n: 1 }]);
      await pool.query(`update users set enabled = true where root`);
      server.world.users.root = (await pool.query('select id from users where root order by id limit 1')).rows[0].id;
      await pool.query('delete from users where root and id <> $1', [server.world.users.root]);
    },
  );
});
