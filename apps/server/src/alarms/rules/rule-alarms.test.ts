import { ENDPOINTS, type EventsMessage, type ModelRule } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { uplinkSink } from '../../ingest/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { listenTo } from '../../platform/database/connections/listen.ts';
import { createLog } from '../../platform/log.ts';
import type { Client } from '../../testing/client.ts';
import { type EventStream, openStream } from '../../testing/event-stream.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { createItemGroup, createDataItem, readDeviceModel, updateDeviceModel, listAlarms, readAlarm } = ENDPOINTS;
const { listDeviceEvents, rankAlarms } = ENDPOINTS;

let server: TestServer;
let staff: Client;
let admin: Client;
let dataItemId: number;
const log = createLog('silent');
/** Stores the device's messages; the alarm rules run in the product. */
const parts = {} as Record<'sink', ReturnType<typeof uplinkSink>> & Record<'news', ReturnType<typeof listenTo>>;

beforeAll(async () => {
  server = await startTestServer({}, { sweeps: true });
  [staff, admin] = await Promise.all([server.as('vendorStaff'), server.as('northAdmin')]);
  const { id: groupId } = await staff.data(createItemGroup, { body: { name: { en: 'Heat', zh: '温控' } } });
  const item = { key: 'T.Coolant', name: { en: 'Coolant', zh: '冷却液温度' }, groupId, type: 2, range: '', unit: '°C' };
  dataItemId = (await staff.data(createDataItem, { body: { ...item, type: 2 } })).id;
  const { pool } = server.database;
  parts.sink = uplinkSink({
    pool,
    clock: systemClock,
    log,
    events: { publish: () => undefined },
    onAnswer: async () => [],
  });
  parts.news = listenTo(pool, 'device_models', { log, onNotification: () => parts.sink.modelsChanged() });
});
afterAll(async () => {
  await parts.news.stop();
  await parts.sink.stop();
  await server.stop();
});

async function setRules(...rules: Partial<ModelRule>[]): Promise<void> {
  const id = server.world.model;
  const model = await staff.data(readDeviceModel, { params: { id } });
  const { name, type, parentId, vendor, sshSupport, webSupport, tolerant, imageKey, iconKey, version, own } = model;
  const { parameterReadLevel, parameterWriteLevel, controlLevel } = model;
  const config = { dataItemId, removed: false, groupId: null, priority: 1, readLevel: 5, writeLevel: 3, batch: false };
  await staff.data(updateDeviceModel, {
    params: { id },
    body: {
      ...{ version, name, type, parentId, vendor, sshSupport, webSupport, tolerant, imageKey, iconKey },
      ...{ parameterReadLevel, parameterWriteLevel, controlLevel, ...own },
      configs: [{ ...config, range: null, unit: null } as (typeof own.configs)[number]],
      rules: rules.map((rule) => ({
        ...{ code: 'COOLANT', removed: false, enabled: true, name: { en: 'Coolant hot', zh: '冷却液过热' } },
        ...{ kind: 'fault', level: 'CA', dataItemId, connector: null, condition: 'above', low: null, high: 60 },
        ...{ values: [], hysteresis: 5, durationSeconds: 0, ...rule },
      })) as ModelRule[],
    },
  });
}

const report = (value: number) =>
  parts.sink.submit(server.world.devices.northQuay1.id, [
    {
      ...{ kind: 'reading', connector: 1, at: new Date(), receivedAt: new Date(), transactionId: null },
      values: [{ key: 'T.Coolant', unit: '°C', counter: false, value }],
    },
  ]);
const timeout = { timeout: 30_000, interval: 50 };
const coolant = (state: 'open' | 'cleared') => admin.data(listAlarms, { query: { code: 'COOLANT', state } });

/** Reads a stream until it reports a change of a device's alarms. */
async function alarmsReceived(stream: EventStream, deviceId: number): Promise<void> {
  for (;;) {
    const { event, data } = await stream.next();
    if (event !== 'events') continue;
    if ((data as EventsMessage)['device.alarms']?.some(([id]) => id === deviceId)) return;
  }
}

test('a rule of the model raises an alarm with the rule and the value; removing the rule clears it', async () => {
  await setRules({});
  const { id: deviceId } = server.world.devices.northQuay1;
  const raised = await vi.waitFor(async () => {
    await report(72.5);
    const { items } = await coolant('open');
    expect(items).toHaveLength(1);
    return items[0]!;
  }, timeout);
  expect(raised).toMatchObject({
    deviceId,
    connector: 1,
    kind: 'fault',
    level: 'CA',
    nameZh: '冷却液过热',
    source: 'rule',
  });
  expect(raised.info).toBe('T.Coolant 72.5 °C');
  const { rule } = await admin.data(readAlarm, { params: { id: raised.id } });
  expect(rule).toMatchObject({ key: 'T.Coolant', condition: 'above', high: 60, hysteresis: 5, value: '72.5' });
  const { items: events } = await admin.data(listDeviceEvents, { query: { deviceId } });
  expect(events).toContainEqual(expect.objectContaining({ code: 'COOLANT', nameEn: 'Coolant hot', endedAt: null }));
  const { items: ranked } = await admin.data(rankAlarms, { query: { by: 'code' } });
  expect(ranked).toContainEqual(expect.objectContaining({ name: 'COOLANT', nameEn: 'Coolant hot' }));

  const stream = await openStream(admin, ENDPOINTS.stream.path);
  expect(await stream.next()).toMatchObject({ event: 'ready' });
  await setRules({ enabled: false });
  await alarmsReceived(stream, deviceId);
  await stream.close();
  expect((await coolant('open')).items).toEqual([]);
  expect((await coolant('cleared')).items).toMatchObject([{ id: raised.id }]);
});

test('a duration ends without a new value', async () => {
  await setRules({ code: 'COOLANT', durationSeconds: 1 });
  await vi.waitFor(async () => {
    await report(80);
    const { rows } = await server.database.pool.query('select from alarm_rule_states');
    expect(rows).toHaveLength(1);
  }, timeout);
  await vi.waitFor(async () => expect((await coolant('open')).items).toHaveLength(1), timeout);
  await setRules();
  await vi.waitFor(async () => expect((await coolant('open')).items).toEqual([]), timeout);
  const { rows } = await server.database.pool.query('select from alarm_rule_states');
  expect(rows).toEqual([]);
});
