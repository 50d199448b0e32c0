import {
  accessEndpoints,
  auditEndpoints,
  CODES,
  ENDPOINTS,
  type Endpoint,
  fleetEndpoints,
  IMPERSONATION_HEADER,
  impersonationEndpoints,
  peopleEndpoints,
  streamEndpoints,
} from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { assignedRole } from '../../testing/cases/ground.ts';
import type { Client } from '../../testing/client.ts';
import { distinctPolicies } from '../../testing/contract/distinct-policies.ts';
import { ENDPOINT_CASES } from '../../testing/contract/endpoint-cases.ts';
import { openStream } from '../../testing/event-stream.ts';
import { isFullRun } from '../../testing/full-run.ts';
import { invoke } from '../../testing/invoke.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { Person } from '../../testing/world.ts';

const { startImpersonation, stopImpersonation } = impersonationEndpoints;

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  root = await server.as('root');
});

const view = (person: Person) =>
  root.call(startImpersonation, { params: { id: server.world.users[person] }, body: {} });
const stop = () => root.data(stopImpersonation, { body: {} });

const isReading = ({ method, effect }: Endpoint) => method === 'GET' && ['list', 'read', 'export'].includes(effect);

async function logged(): Promise<string[]> {
  const rows = await server.database.db
    .selectFrom('action_logs')
    .select(['user_name', 'operation', 'object_name'])
    .where('object_type', '=', 'viewing')
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  return rows.map((row) => `${row.user_name} ${row.operation} ${row.object_name}`).reverse();
}

describe("the console shows the viewed user's data", () => {
  test('their account, lists and counts, marked with the root account', async () => {
    const north = await server.as('northAssigned');
    expect((await view('northAssigned')).code).toBe(0);
    const info = await root.data(accessEndpoints.info);
    expect(info.user).toEqual((await north.data(accessEndpoints.info)).user);
    expect(info.viewing).toMatchObject({ userName: 'north_assigned', viewerName: 'root_user' });
    const minutes = (Date.parse(info.viewing?.until ?? '') - Date.parse(info.viewing?.since ?? '')) / 60_000;
    expect(minutes).toBeCloseTo(30, 1);
    for (const endpoint of [fleetEndpoints.listDevices, peopleEndpoints.listUsers, fleetEndpoints.countDevices]) {
      const mine = await invoke(root, endpoint, {});
      expect(mine.code).toBe(0);
    }
    expect(await root.data(fleetEndpoints.listDevices)).toEqual(await north.data(fleetEndpoints.listDevices));
    await stop();
    expect((await root.data(accessEndpoints.info)).viewing).toBeNull();
    expect((await root.data(accessEndpoints.info)).user.root).toBe(true);
  });

  test('a reading call of each policy has the same code as for the viewed user', async () => {
    const reading = (isFullRun ? (Object.values(ENDPOINTS) as Endpoint[]) : distinctPolicies(isReading)).filter(
      (one) => isReading(one) && one.policy.route !== 'public',
    );
    const ground = { world: server.world, db: server.database.db };
    const theirs = await server.as('northAssigned');
    const inputs = new Map<string, object>();
    for (const one of reading)
      inputs.set(one.id, (await ENDPOINT_CASES[one.id]?.call?.(ground, 'northMill', 'northAssigned')) ?? {});
    await view('northAssigned');
    for (const endpoint of reading) {
      const given = inputs.get(endpoint.id) ?? {};
      const mine = await invoke(root, endpoint, given);
      expect(`${endpoint.id} ${mine.code}`).toBe(`${endpoint.id} ${(await invoke(theirs, endpoint, given)).code}`);
    }
  });
});

describe('nothing can be changed', () => {
  test('every call that is not read-only is refused with its own code, before validation', async () => {
    await view('vendorStaff');
    const changing = (Object.values(ENDPOINTS) as Endpoint[]).filter(
      (one) => one.policy.route !== 'public' && one.id !== stopImpersonation.id,
    );
    for (const endpoint of changing.filter((one) => !isReading(one))) {
      const { code, message } = await invoke(root, endpoint, { params: { id: 1, key: 'auth_home', interfaceId: 'x' } });
      expect(`${endpoint.id} ${code}`).toBe(`${endpoint.id} ${CODES.impersonationReadOnly.code}`);
      expect(message).toContain('vendor_staff');
    }
  });

  test('the privacy policy is neither requested from the viewed user nor accepted for them', async () => {
    const { pool } = server.database;
    await pool.query('delete from privacy_acceptances where user_id = $1', [server.world.users.southAdmin]);
    await view('southAdmin');
    expect((await root.data(accessEndpoints.info)).privacy.needConfirm).toBe(false);
    expect((await root.call(fleetEndpoints.listDevices)).code).toBe(0);
    const accepted = await root.call(accessEndpoints.acceptPrivacy, { body: { version: 1 } });
    expect(accepted.code).toBe(CODES.impersonationReadOnly.code);
    const south = await server.as('southAdmin');
    expect((await south.data(accessEndpoints.info)).privacy.needConfirm).toBe(true);
    await pool.query('insert into privacy_acceptances (user_id, version) values ($1, 1)', [
      server.world.users.southAdmin,
    ]);
  });

  test('the sessions of the viewed user are unaffected', async () => {
    const north = await server.as('northAdmin');
    await view('northAdmin');
    await stop();
    expect((await north.data(accessEndpoints.info)).user.userName).toBe('north_admin');
  });
});

describe('who may view whom', () => {
  test('only root, and not another root, themselves, or a disabled user', async () => {
    const staff = await server.as('vendorStaff');
    const id = server.world.users.northAdmin;
    expect((await staff.call(startImpersonation, { params: { id }, body: {} })).code).toBe(CODES.noPermission.code);
    expect((await view('root')).code).toBe(CODES.ownAccount.code);
    expect((await view('northDisabled')).code).toBe(CODES.impersonationOfDisabled.code);
    expect((await view('closedAdmin')).code).toBe(CODES.impersonationOfDisabled.code);
    const { pool } = server.database;
    await pool.query('update users set root = true where id = $1', [server.world.users.northReader]);
    try {
      expect((await view('northReader')).code).toBe(CODES.impersonationOfRoot.code);
    } finally {
      await pool.query('update users set root = false where id = $1', [server.world.users.northReader]);
    }
  });

  test('not within an impersonation, and of two concurrent starts one succeeds', async () => {
    const codes = await Promise.all([view('northAdmin'), view('southAdmin')]);
    const sorted = codes.map(({ code }) => code).sort((a, b) => a - b);
    expect(sorted[0]).toBe(0);
    expect([CODES.impersonationOver.code, CODES.impersonationReadOnly.code]).toContain(sorted[1]);
    expect((await view('southAdmin')).code).toBe(CODES.impersonationReadOnly.code);
    const { rows } = await server.database.pool.query(
      'select count(*)::int as n from viewings v join sessions s on s.id = v.session_id where v.ended_at is null and s.user_id = $1',
      [server.world.users.root],
    );
    expect(rows[0].n).toBeGreaterThan(0);
  });

  test('a user who becomes root or is disabled can no longer be viewed', async () => {
    const { pool } = server.database;
    await view('northReader');
    for (const change of ['root = true', 'enabled = false']) {
      await pool.query(`update users set ${change} where id = $1`, [server.world.users.northReader]);
      expect((await root.call(fleetEndpoints.listDevices)).code).toBe(CODES.impersonationOver.code);
      await pool.query('update users set root = false, enabled = true where id = $1', [server.world.users.northReader]);
    }
    expect((await root.call(fleetEndpoints.listDevices)).code).toBe(0);
  });
});

describe('the end', () => {
  test('when stopped: start and end are in the log under the name of the root account', async () => {
    await view('northAdmin');
    await stop();
    expect(await logged()).toEqual(['root_user enable north_admin', 'root_user disable north_admin']);
    await stop();
    expect(await logged()).toEqual(['root_user enable north_admin', 'root_user disable north_admin']);
  });

  test('after its time: every call is refused until the console has acknowledged the end', async () => {
    const { pool } = server.database;
    await view('southAdmin');
    await pool.query(`update viewings set until = now() - interval '1 second' where ended_at is null`);
    expect((await root.call(fleetEndpoints.listDevices)).code).toBe(CODES.impersonationOver.code);
    const changed = await root.call(peopleEndpoints.createRole, { body: { name: 'Not mine' } });
    expect(changed.code).toBe(CODES.impersonationOver.code);
    await server.sweep();
    expect(await logged()).toContain('root_user disable south_admin');
    expect((await root.call(fleetEndpoints.listDevices)).code).toBe(CODES.impersonationOver.code);
    expect((await root.data(accessEndpoints.info)).user.userName).toBe('root_user');
    expect((await root.call(fleetEndpoints.listDevices)).code).toBe(0);
    expect((await logged()).filter((line) => line === 'root_user disable south_admin')).toHaveLength(1);
  });

  test('with the session', async () => {
    await view('northAdmin');
    await root.data(accessEndpoints.logout, { body: {} });
    await server.sweep();
    expect(await logged()).toContain('root_user disable north_admin');
  });

  test('when the user is removed', async () => {
    const { db } = server.database;
    const { id } = await db
      .insertInto('users')
      .values({
        user_name: 'short_stay',
        password_hash: 'none',
        customer_id: server.world.customers.north,
        role_id: await assignedRole(db),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await root.data(startImpersonation, { params: { id }, body: {} });
    await db.deleteFrom('users').where('id', '=', id).execute();
    expect((await root.call(fleetEndpoints.listDevices)).code).toBe(CODES.impersonationOver.code);
  });
});

test('a tab that shows another user than its session is refused for reading and changing', async () => {
  const { users } = server.world;
  const as = (expected: string) => invoke(root, fleetEndpoints.listDevices, {}, { [IMPERSONATION_HEADER]: expected });
  expect((await as('0')).code).toBe(0);
  await view('northAdmin');
  expect((await as(String(users.northAdmin))).code).toBe(0);
  expect((await as('0')).code).toBe(CODES.impersonationOver.code);
  await stop();
  expect((await as(String(users.northAdmin))).code).toBe(CODES.impersonationOver.code);
  const made = await invoke(
    root,
    peopleEndpoints.createRole,
    { body: { name: 'Meant for nobody' } },
    { [IMPERSONATION_HEADER]: String(users.northAdmin) },
  );
  expect(made.code).toBe(CODES.impersonationOver.code);
});

test('the live stream ends when the user changes, and opens with the scope of the viewed user', async () => {
  const { users, devices } = server.world;
  const stream = await openStream(root, streamEndpoints.stream.path);
  expect((await stream.next()).event).toBe('ready');
  await root.data(startImpersonation, { params: { id: users.northAssigned }, body: {} });
  // Changes by earlier tests may be sent before.
  expect((await stream.rest()).at(-1)?.event).toBe('identity');
  const hidden = await root.call(streamEndpoints.stream, { query: { deviceId: devices.northMill1.id } });
  expect(hidden.code).toBe(CODES.notFound.code);
});

test('a log entry during an impersonation names the root account', async () => {
  await view('northAdmin');
  const info = await root.data(accessEndpoints.info);
  await stop();
  const { items } = await root.data(auditEndpoints.listActionLogs, { query: { objectType: 'viewing' } });
  expect(items[0]).toMatchObject({ userName: 'root_user', objectName: 'north_admin', operation: 'disable' });
  expect(info.tokenId).toBe((await root.data(accessEndpoints.info)).tokenId);
});
