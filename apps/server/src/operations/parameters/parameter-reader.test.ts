import { ENDPOINTS } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { claimUnreadDevices } from '../../fleet/index.ts';
import { createLog } from '../../platform/log.ts';
import type { Client } from '../../testing/client.ts';
import { manualClock } from '../../testing/clock.ts';
import { emptyTables } from '../../testing/database/database.ts';
import { connectPile, type Pile } from '../../testing/gateways/pile.ts';
import { executionOnce } from '../../testing/operations-room.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { parameterReader } from './parameter-reader.ts';

let server: TestServer;
let admin: Client;
let pile: Pile;
beforeAll(async () => {
  server = await startTestServer({ readParameters: true });
  admin = await server.as('northAdmin');
});
afterEach(async () => {
  await pile?.cut();
  await emptyTables(server.database.pool, 'executions', 'commands', 'device_parameters');
  await server.database.pool.query(`
    update device_states set connected = false, booted_at = null, parameters_asked_at = null`);
});
afterAll(() => server.stop());

const device = () => server.world.devices.northQuay1;
const connect = async () => {
  pile = await connectPile(server, device().sn);
};
/** Makes the connection and the boot as old as a minute. */
const aMinuteLater = () =>
  server.database.pool.query(`
    update device_states set connected_at = connected_at - interval '1 min', booted_at = booted_at - interval '1 min',
           parameters_asked_at = parameters_asked_at - interval '1 min'`);
/** Runs the jobs that lead to a reading. */
const readNow = () => server.sweep('waitingDevices', 'parameterReading', 'commandSweep');
const configuration = { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '300' }] };

test('a device is read once after its boot, in nobody’s name, and again after the next', async () => {
  await connect();
  await readNow();
  expect(pile.calls).toEqual([]);
  await aMinuteLater();
  await readNow();
  const call = await pile.call(1);
  expect(call).toMatchObject({ action: 'GetConfiguration', payload: {} });
  pile.answer(call.id, configuration);
  const params = { id: device().id };
  const execution = await executionOnce(admin, device().id, call.id, ({ state }) => state === 'ended');
  expect(execution).toMatchObject({ kind: 'refreshParameters', result: 2, requestedBy: '' });
  const { items } = await admin.data(ENDPOINTS.listParameters, { params });
  expect(items.find(({ key }) => key === 'HeartbeatInterval')).toMatchObject({
    value: '300',
    readAt: expect.any(String),
  });
  await aMinuteLater();
  await readNow();
  expect(pile.calls).toHaveLength(1);
  await pile.say('BootNotification', { chargePointVendor: 'Test', chargePointModel: 'Pile' });
  await aMinuteLater();
  await readNow();
  expect((await pile.call(2)).action).toBe('GetConfiguration');
});

test('a device that waited for its registration is read after it', async () => {
  pile = await connectPile(server, 'WAITED-1');
  await readNow();
  expect(pile.calls).toEqual([]);
  const values = { sn: 'WAITED-1', name: 'Waited 1', siteId: server.world.sites.northQuay };
  const body = { ...values, deviceModelId: server.world.model };
  const { id } = await admin.data(ENDPOINTS.createDevice, { body });
  await readNow();
  const connected = async () =>
    (await server.database.pool.query('select connected from device_states where device_id = $1', [id])).rows[0]
      ?.connected;
  await expect.poll(connected).toBe(true);
  const boot = await pile.say('BootNotification', { chargePointVendor: 'Test', chargePointModel: 'Pile' });
  expect(boot.status).toBe('Accepted');
  await aMinuteLater();
  await readNow();
  const call = await pile.call(1);
  expect(call).toMatchObject({ action: 'GetConfiguration', payload: {} });
  pile.answer(call.id, configuration);
  await executionOnce(admin, id, call.id, ({ state }) => state === 'ended');
  const { items } = await admin.data(ENDPOINTS.listParameters, { params: { id } });
  expect(items.find(({ key }) => key === 'HeartbeatInterval')).toMatchObject({ value: '300' });
});

test('not while another command is in progress, and not over MQTT', async () => {
  await connect();
  await aMinuteLater();
  const { id } = device();
  await admin.data(ENDPOINTS.sendCommand, { params: { id }, body: { kind: 'clearCache' } });
  const clearing = await pile.call(1);
  await readNow();
  pile.answer(clearing.id, { status: 'Accepted' });
  await executionOnce(admin, id, clearing.id, ({ state }) => state === 'ended');
  expect(pile.calls).toHaveLength(1);
  await server.database.pool.query(`update device_states set protocol = 'sparkplug' where device_id = $1`, [id]);
  await readNow();
  expect(pile.calls).toHaveLength(1);
  await server.database.pool.query(`update device_states set protocol = 'ocpp1.6' where device_id = $1`, [id]);
  await readNow();
  expect((await pile.call(2)).action).toBe('GetConfiguration');
});

test('of many that boot at once a few are read in each round, and none while reports are late', async () => {
  const { pool, db } = server.database;
  await pool.query(
    `with added as (
       insert into devices (sn, name, site_id, customer_id, device_model_id)
       select 'MANY-' || n, 'Many ' || n, d.site_id, d.customer_id, d.device_model_id
         from generate_series(1, 12) n, devices d where d.id = $1 returning id)
     insert into device_states (device_id, connected, protocol, connected_at, booted_at)
     select id, true, 'ocpp1.6', now() - interval '1 min', now() - interval '1 min' from added`,
    [device().id],
  );
  const requested: number[] = [];
  let delayMs = 501;
  const clock = manualClock();
  const reader = parameterReader({
    ...{ db, clock, log: createLog('silent'), delayMs: () => delayMs },
    claimUnread: (limit) => claimUnreadDevices(db, limit),
    sendFor: async (deviceId) => {
      requested.push(deviceId);
    },
  });
  await reader.start();
  await clock.sweep();
  expect(requested).toEqual([]);
  delayMs = 0;
  await clock.sweep();
  expect(requested).toHaveLength(5);
  await clock.sweep();
  await clock.sweep();
  await clock.sweep();
  expect(new Set(requested).size).toBe(12);
  expect(requested).toHaveLength(12);
  await reader.stop();
});
