import { randomUUID } from 'node:crypto';
import { CODES, type ExecutionRow, operationsEndpoints, parameterEndpoints } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { emptyTables } from '../../testing/database/database.ts';
import { addExplanation } from '../../testing/database/documents.ts';
import { connectPile, type Pile } from '../../testing/gateways/pile.ts';
import { executionOnce } from '../../testing/operations-room.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { Person } from '../../testing/world.ts';

const { sendCommand, readExecution, listExecutions } = operationsEndpoints;
const {
  listParameters,
  setParameters,
  listParameterHistory,
  compareParameters,
  listParameterBaselines,
  createParameterBaseline,
  renameParameterBaseline,
  deleteParameterBaseline,
} = parameterEndpoints;

/** The parameters of the charge point: names of OCPP 1.6 §9, and a vendor-specific one. */
const HELD = [
  { key: 'HeartbeatInterval', readonly: false, value: '300' },
  { key: 'LightIntensity', readonly: false, value: '80' },
  { key: 'LocalPreAuthorize', readonly: false, value: 'false' },
  { key: 'NumberOfConnectors', readonly: true, value: '2' },
  { key: 'CpoName', readonly: false, value: 'Harbour' },
  { key: 'FanStart', readonly: false, value: '45' },
  { key: 'AuthorizationKey', readonly: false, value: 'hush-hush-hush-hush' },
];

let server: TestServer;
let id: number;
let sn: string;
let otherId: number;
let admin: Client;
let pile: Pile;
/** calls of the server that were answered */
let answered: number;

beforeAll(async () => {
  server = await startTestServer();
  const { northQuay1, northMill1 } = server.world.devices;
  ({ id, sn } = northQuay1);
  otherId = northMill1.id;
  await server.database.pool.query(
    `update devices set device_model_id = (select id from device_models where name = 'Generic OCPP 1.6 pile')`,
  );
});
afterAll(() => server.stop());
beforeEach(async () => {
  await emptyTables(
    server.database.pool,
    'executions',
    'commands',
    'device_parameters',
    'parameter_history',
    'parameter_baselines',
    'protocol_frames',
  );
  admin = await server.as('northAdmin');
  pile = await connectPile(server, sn);
  answered = 0;
});
afterEach(() => pile.cut());

/** Answers the next call of the server. */
async function answer(payload: object): Promise<{ action: string; payload: Record<string, unknown> }> {
  answered += 1;
  const call = await pile.call(answered);
  pile.answer(call.id, payload);
  return { action: call.action, payload: call.payload };
}

const set = (key: string, value: string, by: Client = admin) =>
  by.call(sendCommand, { params: { id }, body: { kind: 'setParameter', key, value } });
const ended = (execution: ExecutionRow) => executionOnce(admin, id, execution.id, ({ state }) => state === 'ended');
const verified = (execution: ExecutionRow) =>
  executionOnce(
    admin,
    id,
    execution.id,
    ({ verification }) => verification !== null && verification.state !== 'pending',
  );
const history = async (key?: string, by: Client = admin) =>
  (
    await by.data(listParameterHistory, {
      params: { id },
      query: { ...(key === undefined ? {} : { key }), limit: 100 },
    })
  ).items;

async function readAll(configurationKey: object[] = HELD): Promise<ExecutionRow> {
  const read = await admin.data(sendCommand, { params: { id }, body: { kind: 'refreshConfiguration' } });
  await answer({ configurationKey });
  return ended(read);
}

/** Stores reported parameters of another device that is not connected. */
async function reportParameters(deviceId: number, values: Record<string, string>): Promise<void> {
  await server.database.pool.query(
    `insert into device_parameters (device_id, key, value, readonly, read_at)
     select $1, k, v, false, now() from unnest($2::text[], $3::text[]) as u (k, v)`,
    [deviceId, Object.keys(values), Object.values(values)],
  );
}

describe('the list of parameters', () => {
  test('follows the model: its writable parameters, reported or not, then other reported ones', async () => {
    const before = await admin.data(listParameters, { params: { id } });
    expect(before.items.find(({ key }) => key === 'ConnectionTimeOut')).toMatchObject({ may: { set: true } });
    await readAll();
    const { items } = await admin.data(listParameters, { params: { id } });
    const keys = items.map(({ key }) => key);
    expect(keys.slice(0, 3)).toEqual([
      'MeterValueSampleInterval',
      'ClockAlignedDataInterval',
      'MeterValuesSampledData',
    ]);
    expect(keys.slice(-2)).toEqual(['AuthorizationKey', 'FanStart']);
    // A read-only value is a config item.
    expect(keys).not.toContain('NumberOfConnectors');
    const row = (key: string) => items.find((one) => one.key === key);
    expect(row('HeartbeatInterval')).toMatchObject({
      value: '300',
      item: { name: { en: 'Heartbeat interval' }, unit: 's', range: '10~86400', groupName: { en: 'Communication' } },
      may: { set: true },
      documentId: null,
    });
    expect(row('ConnectionTimeOut')).toMatchObject({ value: null, readAt: null, may: { set: false } });
    expect(row('FanStart')).toMatchObject({ value: '45', item: null, may: { set: true } });
    expect(row('AuthorizationKey')).toMatchObject({ value: null, secret: true, may: { set: false } });
  });

  test('names the document of each parameter, as far as the reader may open it', async () => {
    const { pool } = server.database;
    const own = await addExplanation(pool, { type: 101, key: 'FanStart' });
    const secret = await addExplanation(pool, { type: 101, key: 'CpoName', readLevel: 0 });
    await readAll();
    const documentsFor = async (client: Client) => {
      const { items } = await client.data(listParameters, { params: { id } });
      return ['FanStart', 'CpoName', 'LightIntensity'].map((key) => items.find((one) => one.key === key)?.documentId);
    };
    expect(await documentsFor(await server.as('root'))).toEqual([own, secret, null]);
    expect(await documentsFor(admin)).toEqual([own, null, null]);
  });

  test('leaves out parameters above the level of the reader, key by key', async () => {
    await server.database.pool.query(
      `update device_models set parameter_read_level = 4 where name = 'Generic OCPP 1.6 pile'`,
    );
    try {
      await readAll();
      const reader = await server.as('northReader');
      const keys = (await reader.data(listParameters, { params: { id } })).items.map(({ key }) => key);
      expect(keys).toContain('HeartbeatInterval');
      expect(keys).not.toContain('FanStart');
      expect((await history(undefined, reader)).map(({ key }) => key)).not.toContain('FanStart');
    } finally {
      await server.database.pool.query(
        `update device_models set parameter_read_level = 5 where name = 'Generic OCPP 1.6 pile'`,
      );
    }
  });
});

describe('setting a parameter', () => {
  test.each([
    ['HeartbeatInterval', '5', CODES.valueTooSmall.code, 'value', 'The value must be at least 10.'],
    ['HeartbeatInterval', '90000', CODES.valueTooLarge.code, 'value', 'The value must be at most 86400.'],
    ['HeartbeatInterval', '1.5', CODES.valueNotInteger.code, 'value', 'The value must be a whole number.'],
    ['HeartbeatInterval', '0300', CODES.sameValue.code, 'value', 'The parameter already has this value.'],
    ['LocalPreAuthorize', 'FALSE', CODES.sameValue.code, 'value', 'The parameter already has this value.'],
    ['LocalPreAuthorize', 'perhaps', CODES.valueNotListed.code, 'value', 'The value must be one from the list.'],
    ['FanStart', '45', CODES.sameValue.code, 'value', 'The parameter already has this value.'],
    ['NumberOfConnectors', '3', CODES.parameterReadonly.code, 'key', expect.any(String)],
    ['AuthorizationKey', 'another-secret-1', CODES.parameterSecret.code, 'key', expect.any(String)],
    ['ModemPassword', 'another-secret-1', CODES.parameterHoldsSecret.code, 'key', expect.any(String)],
  ])('%s to %j is refused by the server: %d', async (key, value, code, field, message) => {
    await readAll();
    expect(await set(key, value)).toMatchObject({ code, field, message });
    expect(pile.calls).toHaveLength(1);
  });

  test('sends numbers in the notation of their range, and requires the level of the item', async () => {
    await readAll();
    const [reader, staff] = await Promise.all([server.as('northReader'), server.as('vendorStaff')]);
    expect((await set('HeartbeatInterval', '60', reader)).code).toBe(CODES.noPermission.code);
    await server.database.pool.query(
      `update roles set levels = jsonb_set(levels, '{params,write}', '3') where name = 'Vendor staff'`,
    );
    try {
      expect((await set('CpoName', 'South', staff)).code).toBe(CODES.noPermission.code);
      expect((await set('HeartbeatInterval', '060', staff)).code).toBe(0);
      expect((await pile.call(2)).payload).toEqual({ key: 'HeartbeatInterval', value: '60' });
    } finally {
      await server.database.pool.query(
        `update roles set levels = jsonb_set(levels, '{params,write}', '1') where name = 'Vendor staff'`,
      );
    }
  });
});

describe('a changed value is read back from the device', () => {
  test.each([
    [
      'the same',
      'Accepted',
      { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '60' }] },
      'same',
      null,
    ],
    [
      'another one',
      'Accepted',
      { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '90' }] },
      'other',
      '90',
    ],
    [
      'the previous value until a restart',
      'RebootRequired',
      { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '300' }] },
      'afterRestart',
      '300',
    ],
    ['nothing', 'Accepted', { unknownKey: ['HeartbeatInterval'] }, 'unread', null],
  ])('%s', async (_, status, reported, state, value) => {
    await readAll();
    const { data } = await set('HeartbeatInterval', '60');
    expect(await answer({ status })).toMatchObject({ action: 'ChangeConfiguration' });
    expect((await ended(data)).verification).toEqual({ state: 'pending', value: null });
    expect(await answer(reported)).toEqual({ action: 'GetConfiguration', payload: { key: ['HeartbeatInterval'] } });
    expect((await verified(data)).verification).toEqual({ state, value });
    const one = await admin.data(readExecution, { params: { id, executionId: data.id } });
    expect(one).toMatchObject({ id: data.id, result: 2, verification: { state, value } });
    // Reading back belongs to the change; it is not a separate command of the user.
    expect((await admin.data(listExecutions, { params: { id } })).total).toBe(2);
  });

  test('not when the device refused; without an answer the value is unknown', async () => {
    await readAll();
    const { data: refused } = await set('HeartbeatInterval', '60');
    await answer({ status: 'Rejected' });
    expect((await ended(refused)).verification).toBeNull();
    const { data: silent } = await set('HeartbeatInterval', '60');
    await answer({ status: 'Accepted' });
    await pile.call(answered + 1);
    await server.database.pool.query(
      `update executions set deadline_at = now() - interval '1 ms' where verifies = $1`,
      [silent.id],
    );
    await server.sweep();
    expect((await verified(silent)).verification).toEqual({ state: 'unread', value: null });
  });

  test('before any command that waits behind it, which is not blocked as busy', async () => {
    await readAll();
    const { data } = await set('HeartbeatInterval', '60');
    await admin.data(sendCommand, { params: { id }, body: { kind: 'refreshParameters', key: 'FanStart' } });
    await answer({ status: 'Accepted' });
    const again = await admin.call(sendCommand, {
      params: { id },
      body: { kind: 'refreshParameters', key: 'HeartbeatInterval' },
    });
    expect(again.code).toBe(0);
    const sent = await answer({ configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '60' }] });
    expect(sent.payload).toEqual({ key: ['HeartbeatInterval'] });
    expect((await verified(data)).verification?.state).toBe('same');
    expect((await answer({ configurationKey: [] })).payload).toEqual({ key: ['FanStart'] });
  });
});

describe('the history of a parameter', () => {
  test('contains every value, who set it and with which command, and nothing twice', async () => {
    const read = await readAll();
    await readAll();
    const { data } = await set('HeartbeatInterval', '60');
    await answer({ status: 'Accepted' });
    await answer({ configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '60' }] });
    await verified(data);
    await readAll(HELD.map((one) => (one.key === 'HeartbeatInterval' ? { ...one, value: '900' } : one)));
    expect(await history('heartbeatinterval')).toMatchObject([
      { value: '900', source: 'read', changedBy: null },
      { value: '60', source: 'set', changedBy: 'north_admin', executionId: data.id, item: { unit: 's' } },
      { value: '300', source: 'read', changedBy: null, executionId: read.id },
    ]);
    expect(await history()).toHaveLength(HELD.length - 1 + 2);
  });

  test('has pages', async () => {
    await readAll();
    const page = (before?: number) =>
      admin.data(listParameterHistory, { params: { id }, query: { limit: 4, ...(before && { before }) } });
    const first = await page();
    const second = await page(first.next!);
    expect(first.items).toHaveLength(4);
    expect(second).toMatchObject({ next: null, items: [expect.anything(), expect.anything()] });
    expect(new Set([...first.items, ...second.items].map((one) => one.id)).size).toBe(6);
  });
});

test('secrets are neither stored nor shown, wherever the device reports them', async () => {
  const read = await readAll();
  expect(await history('AuthorizationKey')).toEqual([]);
  await vi.waitFor(
    async () => {
      const { rows } = await server.database.pool.query(
        `select body from protocol_frames where device_id = $1 and message_id = $2 and type = 2`,
        [id, read.id],
      );
      expect(rows).toHaveLength(1);
      expect(rows[0].body).toContain('AuthorizationKey');
      expect(rows[0].body).not.toContain('hush');
    },
    { timeout: 30_000 },
  );
  const { rows } = await server.database.pool.query(
    `select (select count(*) from executions e where e::text like '%hush%') +
            (select count(*) from device_parameters p where p::text like '%hush%') as found`,
  );
  expect(rows).toEqual([{ found: 0 }]);
});

describe('compared with another device', () => {
  test('every key of both, by their normalized values; only within the scope', async () => {
    await readAll();
    await reportParameters(otherId, { HeartbeatInterval: '0300', LightIntensity: '50', FanStart: '45', Extra: '1' });
    const { items } = await admin.data(compareParameters, { params: { id }, query: { deviceId: otherId } });
    expect(items.map(({ key, here, there, difference, settable }) => [key, here, there, difference, settable])).toEqual(
      [
        ['CpoName', 'Harbour', null, 'onlyHere', false],
        ['Extra', null, '1', 'onlyThere', false],
        ['FanStart', '45', '45', 'same', false],
        ['HeartbeatInterval', '300', '0300', 'same', false],
        ['LightIntensity', '80', '50', 'differs', true],
        ['LocalPreAuthorize', 'false', null, 'onlyHere', false],
        ['NumberOfConnectors', '2', null, 'onlyHere', false],
      ],
    );
    const code = async (person: Person, deviceId: number) =>
      (await (await server.as(person)).call(compareParameters, { params: { id }, query: { deviceId } })).code;
    expect(await code('northAssigned', otherId)).toBe(CODES.notFound.code);
    expect(await code('northAdmin', server.world.devices.southPark1.id)).toBe(CODES.notFound.code);
    expect((await admin.call(compareParameters, { params: { id }, query: {} })).code).toBe(CODES.comparedWithOne.code);
  });
});

test('keys that differ in a number are in the order of that number, in lists and comparisons', async () => {
  const keys = ['slot2', 'Slot10', 'Slot1', 'Slot3'];
  await readAll(keys.map((key) => ({ key, readonly: false, value: '1' })));
  await reportParameters(otherId, { Slot20: '1', Slot4: '1' });
  const listed = await admin.data(listParameters, { params: { id } });
  expect(listed.items.map(({ key }) => key).filter((key) => /slot/i.test(key))).toEqual([
    ...['Slot1', 'slot2', 'Slot3', 'Slot10'],
  ]);
  const compared = await admin.data(compareParameters, { params: { id }, query: { deviceId: otherId } });
  expect(compared.items.map(({ key }) => key)).toEqual(['Slot1', 'slot2', 'Slot3', 'Slot4', 'Slot10', 'Slot20']);
});

describe('baselines', () => {
  const create = (by: Client, name: string, deviceId = id) =>
    by.call(createParameterBaseline, { params: { id: deviceId }, body: { name } });
  const names = async (by: Client, deviceId = id) =>
    (await by.data(listParameterBaselines, { params: { id: deviceId }, query: {} })).items.map(({ name }) => name);

  test('contain the writable parameters, and can be applied', async () => {
    await readAll();
    const { data } = await create(admin, ' Winter ');
    const { items } = await admin.data(listParameterBaselines, { params: { id }, query: { search: 'wint' } });
    expect(items).toMatchObject([
      { name: 'Winter', values: 5, deviceName: 'Pile northQuay-1', createdBy: 'north_admin', may: { change: true } },
    ]);
    await readAll(
      HELD.map((one) => {
        if (one.key === 'LightIntensity') return { ...one, value: '10' };
        return one.key === 'LocalPreAuthorize' ? { ...one, value: 'true' } : one;
      }),
    );
    const query = { baselineId: data.id };
    const compared = await admin.data(compareParameters, { params: { id }, query });
    const differing = compared.items.filter(({ settable }) => settable);
    expect(differing.map(({ key, here, there }) => [key, here, there])).toEqual([
      ['LightIntensity', '10', '80'],
      ['LocalPreAuthorize', 'true', 'false'],
    ]);
    const values = [
      ...differing.map(({ key, there }) => ({ key, value: there! })),
      { key: 'CpoName', value: 'Harbour' },
    ];
    const wanted = { params: { id }, body: { values, requestKey: randomUUID() } };
    const [results, same] = await Promise.all(
      [1, 2].map(async () => (await admin.data(setParameters, wanted)).results),
    );
    expect(same).toEqual(results);
    expect(results!.map(({ key, code }) => [key, code])).toEqual([
      ['LightIntensity', 0],
      ['LocalPreAuthorize', 0],
      ['CpoName', CODES.sameValue.code],
    ]);
    for (const [key, value] of [
      ['LightIntensity', '80'],
      ['LocalPreAuthorize', 'false'],
    ]) {
      expect((await answer({ status: 'Accepted' })).payload).toEqual({ key, value });
      await answer({ configurationKey: [{ key, readonly: false, value }] });
    }
    for (const { executionId } of results!.slice(0, 2)) {
      await executionOnce(admin, id, executionId!, ({ verification }) => verification?.state === 'same');
    }
    const after = await admin.data(compareParameters, { params: { id }, query });
    expect(after.items.filter(({ settable }) => settable)).toEqual([]);
  });

  test('belong to the platform, or to the customer of the user who saved them', async () => {
    await readAll();
    await reportParameters(server.world.devices.southPark1.id, { HeartbeatInterval: '100' });
    const [staff, south] = await Promise.all([server.as('vendorStaff'), server.as('southAdmin')]);
    const ofNorth = (await create(admin, 'North')).data.id;
    const ofPlatform = (await create(staff, 'Platform')).data.id;
    expect((await create(south, 'North', server.world.devices.southPark1.id)).code).toBe(0);
    expect(await names(admin)).toEqual(['North', 'Platform']);
    expect(await names(south, server.world.devices.southPark1.id)).toEqual(['North', 'Platform']);
    expect(await names(staff)).toEqual(['North', 'North', 'Platform']);
    const rename = async (by: Client, baseline: number, name: string) =>
      (await by.call(renameParameterBaseline, { params: { id: baseline }, body: { name } })).code;
    expect(await rename(south, ofNorth, 'Mine')).toBe(CODES.notFound.code);
    expect(await rename(admin, ofPlatform, 'Mine')).toBe(CODES.noPermission.code);
    expect(await rename(admin, ofNorth, 'Quay')).toBe(0);
    expect((await create(admin, 'quay')).code).toBe(CODES.baselineNameExists.code);
    expect((await create(admin, '   ')).code).toBe(CODES.fieldRequired.code);
    const other = { params: { id: server.world.devices.southPark1.id }, query: { baselineId: ofNorth } };
    expect((await south.call(compareParameters, other)).code).toBe(CODES.notFound.code);
    expect((await staff.call(deleteParameterBaseline, { params: { id: ofNorth } })).code).toBe(0);
    expect(await names(admin)).toEqual(['Platform']);
  });

  test('of users with assigned sites belong to the site of the device', async () => {
    await readAll();
    const quay = await server.as('northAssigned');
    await server.database.pool.query(
      `insert into parameter_baselines (device_model_id, customer_id, site_id, name, device_name, created_by)
       select device_model_id, $2, $3, 'Mill', 'Pile of the mill', 'somebody' from devices where id = $1`,
      [id, server.world.customers.north, server.world.sites.northMill],
    );
    const forAll = (await create(admin, 'For all')).data.id;
    expect((await create(quay, 'Mill')).code).toBe(0);
    expect(await names(admin)).toEqual(['For all', 'Mill', 'Mill']);
    const { items } = await quay.data(listParameterBaselines, { params: { id }, query: {} });
    expect(items.map(({ name, siteName, deviceName, may }) => [name, siteName, deviceName, may.change])).toEqual([
      ['For all', null, '', false],
      ['Mill', 'Site northQuay', 'Pile northQuay-1', true],
    ]);
    const remove = async (baseline: number) =>
      (await quay.call(deleteParameterBaseline, { params: { id: baseline } })).code;
    expect(await remove(forAll)).toBe(CODES.noPermission.code);
    const all = await admin.data(listParameterBaselines, { params: { id }, query: {} });
    const ofMill = all.items.find(({ siteName }) => siteName === 'Site northMill')!.id;
    expect(await remove(ofMill)).toBe(CODES.notFound.code);
    const query = { baselineId: ofMill };
    expect((await quay.call(compareParameters, { params: { id }, query })).code).toBe(CODES.notFound.code);
    expect(await remove(items[1]!.id)).toBe(0);
    await server.database.pool.query(`delete from parameter_baselines where name in ('For all', 'Mill')`);
  });

  test('of two concurrent ones with the same name one is saved', async () => {
    await readAll();
    const codes = await Promise.all(Array.from({ length: 5 }, async () => (await create(admin, 'Race')).code));
    expect(codes.toSorted()).toEqual([0, ...Array(4).fill(CODES.baselineNameExists.code)]);
  });

  test('without reported parameters nothing is saved', async () => {
    expect((await create(admin, 'Empty')).code).toBe(CODES.baselineEmpty.code);
  });
});
