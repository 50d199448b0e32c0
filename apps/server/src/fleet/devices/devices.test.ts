import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fitsDevicePassword } from '../../ports/devices/device-password.ts';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { seal } from '../../testing/sign-in.ts';

let server: TestServer;
let admin: Client;
let publicKey: string;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
  ({ publicKey } = await admin.data(ENDPOINTS.publicKey));
});
afterAll(() => server.stop());

const { createDevice, readDevice, updateDevice, enableDevice, disableDevice, deleteDevice } = ENDPOINTS;

const sealed = (text: string): string => seal(publicKey, text);

function newDevice(sn: string, more: object = {}) {
  return { sn, name: `New ${sn}`, siteId: server.world.sites.northQuay, deviceModelId: server.world.model, ...more };
}

async function actionsOn(id: number) {
  return server.database.db
    .selectFrom('action_logs')
    .select(['operation', 'user_name', 'object_name', 'customer_id', 'site_id', 'before', 'after'])
    .where('object_type', '=', 'device')
    .where('object_id', '=', String(id))
    .orderBy('id')
    .execute();
}

test('a registered device can be read immediately, offline until it connects', async () => {
  const { id } = await admin.data(createDevice, {
    body: newDevice('REG-0001', { arrivalDate: '2026-01-01', installDate: '2026-01-02', maintenanceCycleDays: 90 }),
  });
  expect(await admin.data(readDevice, { params: { id } })).toMatchObject({
    sn: 'REG-0001',
    name: 'New REG-0001',
    status: 'offline',
    enabled: true,
    connected: false,
    siteName: 'Site northQuay',
    customerName: 'Customer north',
    deviceModelName: 'World pile',
    installDate: '2026-01-02',
    arrivalDate: '2026-01-01',
    maintenanceCycleDays: 90,
    hasGatewayPassword: false,
    activeAlarms: 0,
    worstAlarmLevel: null,
    may: { edit: true, control: true, readParameters: true, setParameters: true, download: true },
  });
});

test.each(['RDAM 123', 'Q', 'DE*ABC*E1', 'AA:BB:CC:DD:EE:FF'])('an SN may be any OCPP identity: %s', async (sn) => {
  const { id } = await admin.data(createDevice, { body: newDevice(sn) });
  expect(await admin.data(readDevice, { params: { id } })).toMatchObject({ sn });
});

test('registering removes the SN from the waiting devices, in any case', async () => {
  const { db } = server.database;
  await db
    .insertInto('blacklist_entries')
    .values({
      sn: 'blk-0001',
      protocol_version: 'ocpp1.6',
      remote_address: '10.0.0.1',
      mac: null,
      vendor: null,
      model: null,
    })
    .execute();
  await admin.data(createDevice, { body: newDevice('BLK-0001') });
  expect(await db.selectFrom('blacklist_entries').select('id').where('sn', '=', 'blk-0001').execute()).toEqual([]);
});

test('an SN in use is refused, in any case, and the waiting devices do not change', async () => {
  const { db } = server.database;
  const sn = server.world.devices.northQuay1.sn;
  await db
    .insertInto('blacklist_entries')
    .values({ sn, protocol_version: 'ocpp1.6', remote_address: '10.0.0.1', mac: null, vendor: null, model: null })
    .execute();
  const refused = await admin.call(createDevice, { body: newDevice(sn.toUpperCase()) });
  expect(refused).toMatchObject({
    code: CODES.deviceSnExists.code,
    field: 'sn',
    message: 'The device SN already exists.',
  });
  expect(await db.selectFrom('blacklist_entries').select('sn').where('sn', '=', sn).execute()).toEqual([{ sn }]);
});

test('a name can be used once per customer, and again by another customer', async () => {
  const name = 'Shared name';
  await admin.data(createDevice, { body: newDevice('NAM-0001', { name }) });
  expect(await admin.call(createDevice, { body: newDevice('NAM-0002', { name: ' shared NAME ' }) })).toMatchObject({
    code: CODES.deviceNameExists.code,
    field: 'name',
  });
  const south = await server.as('southAdmin');
  const body = newDevice('NAM-0003', { name, siteId: server.world.sites.southPark });
  expect((await south.call(createDevice, { body })).code).toBe(0);
});

test('when two users register the same SN at the same time, exactly one succeeds', async () => {
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      admin.call(createDevice, { body: newDevice('RACE-0001', { name: `Race ${index}` }) }),
    ),
  );
  expect(answers.map(({ code }) => code).sort()).toEqual([0, ...Array(5).fill(CODES.deviceSnExists.code)]);
});

test.each([
  ['an SN that ends with a space', { sn: 'ABCD ' }, 'deviceSnFormat', 'sn'],
  ['an SN without a letter or digit', { sn: '..' }, 'deviceSnFormat', 'sn'],
  ['an SN with a path in it', { sn: '../../etc' }, 'deviceSnFormat', 'sn'],
  ['an empty name', { name: '   ' }, 'fieldRequired', 'name'],
  ['a model that does not exist', { deviceModelId: 999_999 }, 'deviceModelUnknown', 'deviceModelId'],
  ['a site that does not exist', { siteId: 999_999 }, 'siteUnknown', 'siteId'],
  [
    'an install date before the arrival',
    { arrivalDate: '2026-02-02', installDate: '2026-02-01' },
    'datesOutOfOrder',
    'installDate',
  ],
  ['a date that does not exist', { installDate: '2026-02-30' }, 'fieldFormat', 'installDate'],
  ['an unknown field', { colour: 'red' }, 'fieldUnknown', 'colour'],
] as const)('%s is refused with the name of the field', async (_, wrong, code, field) => {
  const answer = await admin.call(createDevice, { body: newDevice('BAD-0001', wrong) });
  expect(answer).toMatchObject({ code: CODES[code].code, field, data: null });
});

test('a problem is in the language of the caller', async () => {
  const chinese = await server.as('northAdmin', 'zh-CN');
  const { message } = await chinese.call(createDevice, { body: newDevice('AB/CD') });
  expect(message).toBe(CODES.deviceSnFormat.zh);
});

test('text is stored as it was entered, even SQL or script', async () => {
  const name = `'; drop table devices; -- <script>alert(1)</script>`;
  const { id } = await admin.data(createDevice, { body: newDevice('SQL-0001', { name }) });
  expect(await admin.data(readDevice, { params: { id } })).toMatchObject({ name });
});

test('a site of another customer cannot be used, and looks like one that does not exist', async () => {
  const foreign = await admin.call(createDevice, {
    body: newDevice('FOR-0001', { siteId: server.world.sites.southPark }),
  });
  const missing = await admin.call(createDevice, { body: newDevice('FOR-0001', { siteId: 999_999 }) });
  expect(foreign).toEqual(missing);
  const { id } = await admin.data(createDevice, { body: newDevice('FOR-0002') });
  const moved = await admin.call(updateDevice, { params: { id }, body: { siteId: server.world.sites.southPark } });
  expect(moved).toMatchObject({ code: CODES.siteUnknown.code });
});

test.each<[string, () => string, 'fieldTooShort' | 'fieldTooLong' | 'decryptionFailed']>([
  ['short', () => sealed('short'), 'fieldTooShort'],
  ['long', () => sealed('x'.repeat(41)), 'fieldTooLong'],
  ['unencrypted', () => 'a-long-enough-secret-1', 'decryptionFailed'],
])('a gateway password that is %s is refused, and changes nothing', async (_title, password, code) => {
  const refused = { code: CODES[code].code, field: 'gatewayPassword' };
  const sn = `PWS-${code}`;
  expect(await admin.call(createDevice, { body: newDevice(sn, { gatewayPassword: password() }) })).toMatchObject(
    refused,
  );
  const { id } = await admin.data(createDevice, { body: newDevice(sn) });
  const body = { name: 'Renamed', gatewayPassword: password() };
  expect(await admin.call(updateDevice, { params: { id }, body })).toMatchObject(refused);
  expect(await admin.data(readDevice, { params: { id } })).toMatchObject({ hasGatewayPassword: false });
});

test('the gateway password is stored as a hash, is never shown, and is masked in the action log', async () => {
  const gatewayPassword = 'a-long-enough-secret-1';
  const { id } = await admin.data(createDevice, {
    body: newDevice('PWD-0001', { gatewayPassword: sealed(gatewayPassword) }),
  });
  const stored = await server.database.db
    .selectFrom('devices')
    .select('gateway_password_hash')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  expect(fitsDevicePassword(gatewayPassword, stored.gateway_password_hash ?? '')).toBe(true);
  expect(await admin.data(readDevice, { params: { id } })).toMatchObject({ hasGatewayPassword: true });
  await admin.data(updateDevice, { params: { id }, body: { gatewayPassword: null } });
  expect(await admin.data(readDevice, { params: { id } })).toMatchObject({ hasGatewayPassword: false });
  const log = JSON.stringify(await actionsOn(id));
  expect(log).not.toContain(gatewayPassword);
  expect(log).not.toContain('sha256:');
});

test('an edit changes the given fields, keeps the rest, and logs only both sides of the change', async () => {
  const { id } = await admin.data(createDevice, { body: newDevice('EDT-0001', { installDate: '2026-01-02' }) });
  await admin.data(updateDevice, {
    params: { id },
    body: { name: 'Edited', siteId: server.world.sites.northMill, maintenanceCycleDays: 30 },
  });
  expect(await admin.data(readDevice, { params: { id } })).toMatchObject({
    sn: 'EDT-0001',
    name: 'Edited',
    siteName: 'Site northMill',
    installDate: '2026-01-02',
    maintenanceCycleDays: 30,
  });
  // A move is logged at both sites.
  const [, left, edited] = await actionsOn(id);
  expect(left).toMatchObject({ site_id: server.world.sites.northQuay, after: { siteId: null } });
  expect(edited).toMatchObject({
    operation: 'edit',
    user_name: 'north_admin',
    object_name: 'Edited',
    site_id: server.world.sites.northMill,
    before: { name: 'New EDT-0001', maintenanceCycleDays: null },
    after: { name: 'Edited', maintenanceCycleDays: 30 },
  });
  expect(edited?.after).not.toHaveProperty('installDate');
});

test('an edit whose date contradicts a stored one is refused', async () => {
  const { id } = await admin.data(createDevice, { body: newDevice('EDT-0002', { arrivalDate: '2026-03-01' }) });
  const answer = await admin.call(updateDevice, { params: { id }, body: { installDate: '2026-02-01' } });
  expect(answer).toMatchObject({ code: CODES.datesOutOfOrder.code });
});

test('a disabled device has that status until it is enabled, then it is offline; each change is logged once', async () => {
  const { id } = await admin.data(createDevice, { body: newDevice('SWI-0001') });
  await admin.data(disableDevice, { params: { id } });
  await admin.data(disableDevice, { params: { id } });
  expect(await admin.data(readDevice, { params: { id } })).toMatchObject({ status: 'disabled', enabled: false });
  await admin.data(enableDevice, { params: { id } });
  expect(await admin.data(readDevice, { params: { id } })).toMatchObject({ status: 'offline', enabled: true });
  expect((await actionsOn(id)).map(({ operation }) => operation)).toEqual(['new', 'disable', 'enable']);
});

test('a device with an open charging session cannot be deleted; once it is closed, it is deleted with all its history', async () => {
  const { db } = server.database;
  const { id } = await admin.data(createDevice, { body: newDevice('DEL-0001') });
  await db
    .insertInto('transactions')
    .values({ device_id: id, connector: 1, id_tag: 'TAG', meter_start: 0, started_at: new Date() } as never)
    .execute();
  await db
    .insertInto('protocol_frames')
    .values({ device_id: id, at: new Date(), type: 2, action: 'Heartbeat', body: '[]' } as never)
    .execute();
  await db
    .insertInto('readings_5m')
    .values({
      ...{
        device_id: id,
        connector: 1,
        layout_id: 1,
        at: new Date(),
        readings: 1,
        first_at: new Date(),
        last_at: new Date(),
      },
      ...{ low: [1], high: [1], mean: [1], counter_first: [], counter_last: [], counter_high: [] },
    })
    .execute();
  expect(await admin.call(deleteDevice, { params: { id } })).toMatchObject({
    code: CODES.deviceHasOpenTransaction.code,
  });
  await db
    .updateTable('transactions')
    .set({ stopped_at: new Date(), meter_stop: 1 })
    .where('device_id', '=', id)
    .execute();
  await admin.data(deleteDevice, { params: { id } });
  expect(await admin.call(readDevice, { params: { id } })).toMatchObject({ code: CODES.notFound.code });
  expect((await actionsOn(id)).at(-1)).toMatchObject({ operation: 'delete', before: { sn: 'DEL-0001' } });
  await expect
    .poll(() => db.selectFrom('protocol_frames').select('id').where('device_id', '=', id).execute())
    .toEqual([]);
  await expect
    .poll(() => db.selectFrom('readings_5m').select('readings').where('device_id', '=', id).execute())
    .toEqual([]);
  expect((await admin.call(createDevice, { body: newDevice('DEL-0001') })).code).toBe(0);
});

test('a device can be deleted while the end of its connection is stored', async () => {
  const { id } = await admin.data(createDevice, { body: newDevice('DEL-0002') });
  const report = await server.database.pool.connect();
  try {
    // The order in which ingest stores the end of a connection.
    await report.query('begin');
    await report.query('update device_states set connected = false where device_id = $1', [id]);
    const deleted = admin.call(deleteDevice, { params: { id } });
    await expect
      .poll(async () => {
        const { rows } = await server.database.pool.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return rows.length;
      })
      .toBe(1);
    await report.query(`insert into device_events (device_id, connector, type, at, code, detail, source)
      values (${id}, 0, 0, now(), 'networkTimeout', '', 'line')`);
    await report.query('commit');
    expect(await deleted).toMatchObject({ code: 0 });
  } finally {
    report.release();
  }
});

test.each([
  ['read', readDevice],
  ['update', updateDevice],
  ['enable', enableDevice],
  ['disable', disableDevice],
  ['delete', deleteDevice],
] as const)(
  '%s: the device of another customer gives the same answer as one that does not exist',
  async (_, endpoint) => {
    const foreign = server.world.devices.southPark1.id;
    const call = async (client: Client, id: number) =>
      client.call(endpoint as typeof updateDevice, { params: { id }, body: {} });
    expect(await call(admin, foreign)).toEqual(await call(admin, 2_000_000_000));
    expect(await call(admin, foreign)).toMatchObject({ code: CODES.notFound.code, data: null });
    const assigned = await server.as('northAssigned');
    expect(await call(assigned, server.world.devices.northMill1.id)).toMatchObject({ code: CODES.notFound.code });
  },
);

test('the lowest level can read a device but not change it, and receives the reason', async () => {
  const reader = await server.as('northReader');
  const { id } = server.world.devices.northQuay1;
  expect(await reader.data(readDevice, { params: { id } })).toMatchObject({
    may: { edit: false, control: false, readParameters: true, setParameters: false, download: false },
  });
  const noPermission = { code: CODES.noPermission.code };
  expect(await reader.call(updateDevice, { params: { id }, body: { name: 'x' } })).toMatchObject(noPermission);
  expect(await reader.call(disableDevice, { params: { id } })).toMatchObject(noPermission);
  expect(await reader.call(deleteDevice, { params: { id } })).toMatchObject(noPermission);
  expect(await reader.call(createDevice, { body: newDevice('LOW-0001') })).toMatchObject(noPermission);
});

test('users of a read-only customer see their devices and cannot change them', async () => {
  const readOnly = await server.as('readOnlyAdmin');
  const { id } = server.world.devices.readOnlyYard1;
  expect(await readOnly.data(readDevice, { params: { id } })).toMatchObject({ may: { edit: false, control: false } });
  expect(await readOnly.call(disableDevice, { params: { id } })).toMatchObject({ code: CODES.noPermission.code });
});
