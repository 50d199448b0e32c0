import { accessEndpoints, CODES, peopleEndpoints } from '@chargehand/contract';
import { ROLE_PRESETS } from '@chargehand/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { seal } from '../../testing/sign-in.ts';

const { createUser, updateUser, readUser } = peopleEndpoints;
const ROLE = ROLE_PRESETS.engineer;

let server: TestServer;
let root: Client;
let publicKey: string;
let counter = 0;

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  ({ publicKey } = await root.data(accessEndpoints.publicKey));
});
afterAll(() => server.stop());
beforeEach(async () => {
  counter += 1;
  const { pool } = server.database;
  await pool.query(`delete from users where role_id in (select id from roles where name = $1)`, [ROLE]);
  await pool.query('delete from roles where name = $1', [ROLE]);
});

const newUser = (change: object = {}) => ({
  ...{ userName: `preset_${counter}`, password: seal(publicKey, 'Night-shift.7') },
  ...{ customerId: server.world.customers.vendor, rolePreset: 'engineer' as const, ...change },
});
const roles = async () =>
  (await server.database.pool.query('select id from roles where name = $1', [ROLE])).rows.map(({ id }) => id as number);

describe('a user with a preset', () => {
  test('gets the role with its name, which is added once, and both are logged', async () => {
    const { id } = await root.data(createUser, { body: newUser() });
    const [roleId] = await roles();
    expect(await root.data(readUser, { params: { id } })).toMatchObject({ roleId, roleName: ROLE });
    const other = await root.data(createUser, { body: newUser({ userName: `preset_${counter}_b` }) });
    expect(await root.data(readUser, { params: { id: other.id } })).toMatchObject({ roleId });
    expect(await roles()).toEqual([roleId]);
    const { rows } = await server.database.pool.query(
      `select object_type from action_logs where operation = 'new' and object_id = any($1) order by id`,
      [[String(roleId), String(id)]],
    );
    expect(rows.map((row) => row.object_type)).toEqual(['role', 'user']);
  });

  test('who cannot be saved leaves no role behind', async () => {
    const taken = await root.call(createUser, { body: newUser({ userName: 'north_admin' }) });
    expect(taken.code).toBe(CODES.userNameExists.code);
    expect(await roles()).toEqual([]);
  });

  test('is also changed to it', async () => {
    const { northAssigned: id } = server.world.users;
    const before = await root.data(readUser, { params: { id } });
    const { code } = await root.call(updateUser, { params: { id }, body: { rolePreset: 'engineer', roleId: 1 } });
    expect(code).toBe(CODES.roleOrPreset.code);
    await root.data(updateUser, { params: { id }, body: { rolePreset: 'engineer', revision: before.revision } });
    expect(await root.data(readUser, { params: { id } })).toMatchObject({ roleName: ROLE });
    await root.data(updateUser, { params: { id }, body: { roleId: before.roleId as number } });
  });

  test('needs a role or a preset', async () => {
    const none = await root.call(createUser, { body: newUser({ rolePreset: undefined }) });
    expect(none).toMatchObject({ code: CODES.fieldRequired.code, field: 'roleId' });
  });

  test('is refused when the caller may not add the role', async () => {
    const admin = await server.as('northAdmin');
    const body = newUser({ customerId: server.world.customers.north });
    expect((await admin.call(createUser, { body })).code).toBe(CODES.noPermission.code);
    expect(await roles()).toEqual([]);
  });
});
