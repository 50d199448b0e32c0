import { CODES, explainEndpoints, fleetEndpoints, menusEndpoints, placesEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newFile } from '../../testing/cases/attachments.ts';
import { newIssue } from '../../testing/cases/issues/issues.ts';
import type { Client } from '../../testing/client.ts';
import { distinctPolicies } from '../../testing/contract/distinct-policies.ts';
import { explanationMatrix } from '../../testing/contract/explanation-matrix.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { PEOPLE, type Person } from '../../testing/world.ts';

const { explainAccess, listExplainable, readAbilities } = explainEndpoints;

let server: TestServer;
let root: Client;
const clients = {} as Record<Person, Client>;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  for (const person of PEOPLE) clients[person] = await server.as(person);
  root = clients.root;
});
afterAll(() => server.stop());

const explain = (asker: Client, about: Person, query: Record<string, unknown>) =>
  asker.data(explainAccess, { params: { id: server.world.users[about] }, query });

/** The failed steps, with the facts that decided them. */
const failed = (answer: Awaited<ReturnType<typeof explain>>) =>
  answer.steps.filter((step) => step.state === 'fail').map(({ step, reason, fix }) => ({ step, reason, fix }));

const HAVE_OTHER_RIGHTS = ['root', 'vendorStaff', 'northAdmin', 'northAssigned', 'northReader', 'southAdmin'] as const;

/**
 * One endpoint for each way to name a row, with a level if one of them has it: what they decide about comes from the
 * database. `decide.test.ts` has the others, and `policies.test.ts` the calls themselves.
 */
const WITH_ROWS = [
  ...Map.groupBy(
    distinctPolicies().filter(({ policy }) => policy.route !== 'public' && typeof policy.row === 'object'),
    ({ policy }) => JSON.stringify(policy.route !== 'public' && policy.row),
  ).values(),
].map((same) => same.find(({ policy }) => policy.route !== 'public' && policy.level) ?? same[0]!);

explanationMatrix(WITH_ROWS, HAVE_OTHER_RIGHTS, () => ({ server, clients }));

describe('reasons', () => {
  test.each([
    [0, { state: 'fail', reason: 'remoteMissing', fix: { place: 'roleData', id: expect.any(Number) } }],
    [1, { state: 'pass', reason: 'remoteHeld', fix: null }],
    [3, { state: 'open', reason: 'remotePagesOnly', fix: null }],
  ])('web and SSH access %s of the role decides about links', async (access, step) => {
    await server.database.pool.query('update roles set remote_access = $1', [access]);
    const device = { objectType: 'device', objectId: server.world.devices.northQuay1.id };
    const { steps } = await explain(root, 'northAdmin', { endpoint: 'links.request', ...device });
    expect(steps.find((one) => one.step === 'remote')).toMatchObject(step);
  });

  test('a missing menu: the step names the menus that include the interface and the role to give them to', async () => {
    const answer = await explain(root, 'northNoMenus', { endpoint: 'devices.list' });
    expect(answer).toMatchObject({ result: 'refused', code: CODES.noPermission.code });
    const route = answer.steps.find((step) => step.step === 'route');
    expect(route).toMatchObject({
      state: 'fail',
      reason: 'menuMissing',
      menus: expect.arrayContaining([{ key: 'auth_device_list', nameEn: 'Device list', nameZh: '设备列表' }]),
      fix: { place: 'roleMenus', id: expect.any(Number) },
    });
  });

  test('no menu includes it: only root accounts may use it', async () => {
    const { pool } = server.database;
    await pool.query(`delete from menu_interfaces where interface_id = 'deviceModels.list'`);
    try {
      const answer = await explain(root, 'northAdmin', { endpoint: 'deviceModels.list' });
      expect(failed(answer)).toEqual([{ step: 'route', reason: 'noMenu', fix: { place: 'menus', id: null } }]);
      expect(await explain(root, 'root', { endpoint: 'deviceModels.list' })).toMatchObject({ result: 'allowed' });
    } finally {
      await root.data(menusEndpoints.restoreInterface, { params: { interfaceId: 'deviceModels.list' }, body: {} });
    }
  });

  test('the row: another customer, a site that is not assigned', async () => {
    const { users, devices } = server.world;
    const device = { endpoint: 'devices.read', objectType: 'device', objectId: devices.northMill1.id };
    expect(failed(await explain(root, 'southAdmin', device))).toMatchObject([{ step: 'row', reason: 'otherCustomer' }]);
    expect(failed(await explain(root, 'northAssigned', device))).toEqual([
      { step: 'row', reason: 'siteNotAssigned', fix: { place: 'assignment', id: users.northAssigned } },
    ]);
    expect(await explain(root, 'northAdmin', device)).toMatchObject({ result: 'allowed', code: 0 });
  });

  test('the level: required and actual, for the model of the device', async () => {
    const device = { endpoint: 'commands.send', objectType: 'device', objectId: server.world.devices.northQuay1.id };
    const answer = await explain(root, 'northReader', device);
    expect(answer.steps.find((step) => step.step === 'level')).toMatchObject({
      state: 'fail',
      reason: 'levelMissing',
      levels: [
        { area: 'device', verb: 'read', needed: 5, held: 5 },
        { area: 'device', verb: 'write', needed: 4, held: 5 },
      ],
      fix: { place: 'roleData' },
    });
    const unnamed = await explain(root, 'northAdmin', { endpoint: 'commands.send' });
    expect(unnamed.result).toBe('depends');
    expect(unnamed.steps.filter((step) => step.state === 'open').map((step) => step.reason)).toEqual([
      'rowNeeded',
      'levelNeedsDevice',
    ]);
  });

  test('a file: its customer, its own levels, and what belongs to the platform', async () => {
    const { pool } = server.database;
    const objectId = await newFile({ world: server.world, db: server.database.db }, 'northQuay');
    const file = { objectType: 'attachment', objectId };
    const reads = { endpoint: 'attachments.read', ...file };
    expect(await explain(root, 'northAdmin', reads)).toMatchObject({ result: 'allowed' });
    expect(failed(await explain(root, 'southAdmin', reads))).toMatchObject([{ step: 'row', reason: 'otherCustomer' }]);
    await pool.query('update attachments set read_level = 3, write_level = 1 where id = $1', [objectId]);
    const answer = await explain(root, 'northReader', reads);
    // The same answer as for a file that does not exist.
    expect(answer).toMatchObject({ result: 'refused', code: CODES.notFound.code });
    expect(answer.steps.find((step) => step.step === 'level')).toMatchObject({
      ...{ state: 'fail', reason: 'levelMissing', fix: { place: 'roleData' } },
      levels: [{ area: 'attachment', verb: 'read', needed: 3, held: 5 }],
    });
    const hidden = await clients.southAdmin.call(explainAccess, {
      params: { id: server.world.users.southAdmin },
      query: { endpoint: 'attachments.read', objectType: 'attachment', objectId },
    });
    expect(hidden.code).toBe(CODES.notFound.code);
    await pool.query('update attachments set customer_id = null, write_level = 5 where id = $1', [objectId]);
    const updates = await explain(root, 'northAdmin', { endpoint: 'attachments.update', ...file });
    expect(failed(updates)).toMatchObject([{ step: 'vendor', reason: 'notVendor' }]);
  });

  test('a share: its creator, or the level of those who oversee shares', async () => {
    const { db, pool } = server.database;
    const { users, customers } = server.world;
    const file = await newFile({ world: server.world, db }, 'northQuay');
    const { rows } = await pool.query<{ id: number }>(
      `insert into shares (kind, sealed_token, token_hash, attachment_id, customer_id, created_by)
       values ('download', 'x', 'x', $1, $2, $3)
       returning id`,
      [file, customers.north, users.northReader],
    );
    const share = { endpoint: 'shares.read', objectType: 'share', objectId: rows[0]!.id };
    const level = async (person: Person) =>
      (await explain(root, person, share)).steps.find((step) => step.step === 'level');
    expect(await level('northReader')).toBeUndefined();
    expect(await level('northAdmin')).toMatchObject({ state: 'pass' });
    const assigned = await explain(root, 'northAssigned', share);
    expect(assigned).toMatchObject({ result: 'refused', code: CODES.notFound.code });
    expect(failed(assigned)).toMatchObject([
      { step: 'row', reason: 'wholeCustomerNeeded', fix: { place: 'roleData' } },
    ]);
    expect(failed(await explain(root, 'southAdmin', share)).map(({ reason }) => reason)).toContain('otherCustomer');
    const issue = await newIssue({ world: server.world, db }, 'northQuay');
    await pool.query(`update shares set kind = 'issue', attachment_id = null, issue_id = $1 where sealed_token = 'x'`, [
      issue,
    ]);
    expect((await level('northAdmin'))?.names).toEqual([expect.stringMatching(/^[A-Z0-9]+-\d+ /)]);
  });

  test('a described model: each control with its own level, and only its controls', async () => {
    const { pool } = server.database;
    const controls = [{ type: 1, level: 0, reading: null, precondition: null }];
    await pool.query(
      `with next as (update device_models set version = 1 where id = $1 returning id)
       insert into device_model_versions (device_model_id, version, changed_by, description)
       select id, 1, 'test', $2::jsonb from next`,
      [server.world.model, JSON.stringify({ configs: [], parameters: [], controls })],
    );
    try {
      const device = { endpoint: 'commands.send', objectType: 'device', objectId: server.world.devices.northQuay1.id };
      const reasons = async (person: Person, query: object) =>
        (await explain(root, person, { ...device, ...query })).steps
          .filter(({ step }) => step === 'level')
          .map(({ reason }) => reason);
      expect(await reasons('northAdmin', {})).toEqual(['levelNeedsControl']);
      expect(await reasons('northAdmin', { kind: 'softReset' })).toEqual(['levelMissing']);
      expect(await reasons('northAdmin', { kind: 'hardReset' })).toEqual(['levelHeld', 'controlNotOffered']);
      expect(await reasons('root', { kind: 'softReset' })).toEqual(['levelHeld']);
      expect(await reasons('northReader', { kind: 'refreshConfiguration' })).toEqual(['levelHeld']);
    } finally {
      await pool.query('delete from device_model_versions');
      await pool.query('update device_models set version = 0');
    }
  });

  test('the account, the customer, the privacy policy', async () => {
    expect(failed(await explain(root, 'northDisabled', { endpoint: 'devices.list' }))).toMatchObject([
      { step: 'account', reason: 'userDisabled', fix: { place: 'user' } },
    ]);
    expect(failed(await explain(root, 'closedAdmin', { endpoint: 'devices.list' }))).toMatchObject([
      { step: 'account', reason: 'customerDisabled', fix: { place: 'customer' } },
    ]);
    expect(failed(await explain(root, 'readOnlyAdmin', { endpoint: 'sites.create' }))).toMatchObject([
      { step: 'readOnly', reason: 'readOnlyCustomer', fix: { place: 'customer' } },
    ]);
  });

  test('a page: all of its keys are required', async () => {
    const keys = 'auth_user,auth_user_detail';
    expect(await explain(root, 'northAdmin', { keys })).toMatchObject({ result: 'allowed' });
    const answer = await explain(root, 'northNoMenus', { keys });
    expect(answer.result).toBe('refused');
    expect(answer.steps.find((step) => step.step === 'route')?.menus.map(({ key }) => key)).toEqual(keys.split(','));
  });
});

describe('data that the caller does not see is not revealed', () => {
  test('users and rows outside their scope look like unknown ones', async () => {
    const { users, devices, sites } = server.world;
    const north = clients.northAdmin;
    const about = (id: number, query = {}) => north.call(explainAccess, { params: { id }, query });
    expect((await about(users.southAdmin)).code).toBe(CODES.notFound.code);
    expect((await north.call(readAbilities, { params: { id: users.root } })).code).toBe(CODES.notFound.code);
    for (const query of [
      { objectType: 'device', objectId: devices.southPark1.id },
      { objectType: 'site', objectId: sites.southPark },
      { objectType: 'customer', objectId: server.world.customers.south },
      { objectType: 'user', objectId: users.southAdmin },
      { objectType: 'role', objectId: 1 },
    ]) {
      expect((await about(users.northReader, { endpoint: 'devices.read', ...query })).code).toBe(CODES.notFound.code);
    }
  });

  test('counts cover what both see', async () => {
    const seen = async (asker: Client, about: Person) =>
      (await asker.data(readAbilities, { params: { id: server.world.users[about] } })).seen;
    const devices = (await clients.northAssigned.data(fleetEndpoints.listDevices)).total;
    const sites = (await clients.northAssigned.data(placesEndpoints.listSites)).total;
    for (const asker of [clients.northAssigned, clients.northAdmin, root]) {
      expect(await seen(asker, 'northAssigned')).toEqual({ customers: 1, sites, devices });
    }
    const all = await seen(root, 'vendorStaff');
    expect(all.devices).toBe((await root.data(fleetEndpoints.listDevices)).total);
  });

  test('an unknown interface is reported', async () => {
    const answer = await root.call(explainAccess, {
      params: { id: server.world.users.northAdmin },
      query: { endpoint: 'moon.land' },
    });
    expect(answer).toMatchObject({ code: CODES.interfaceUnknown.code, field: 'endpoint' });
  });
});

test('the permissions of a user are listed with menus in both languages and the levels of their role', async () => {
  const abilities = await root.data(readAbilities, { params: { id: server.world.users.northReader } });
  expect(abilities).toMatchObject({ root: false, roleName: 'Reader', customerAccess: 1, siteAccess: 0 });
  expect(abilities.levels.device?.read).toBe(5);
  expect(abilities.menus).toContainEqual({
    ...{ key: 'auth_device_list', parentKey: 'auth_device', common: false },
    ...{ nameEn: 'Device list', nameZh: '设备列表' },
  });
  const { items } = await clients.northAdmin.data(listExplainable);
  expect(items.find((one) => one.id === 'devices.read')).toMatchObject({ objectType: 'device', nameZh: '查看设备' });
});
