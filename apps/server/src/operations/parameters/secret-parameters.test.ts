import {
  auditEndpoints,
  batchEndpoints,
  CODES,
  ENDPOINTS,
  type ModelItem,
  operationsEndpoints,
  parameterEndpoints,
} from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { connectPile, type Pile } from '../../testing/gateways/pile.ts';
import { executionOnce } from '../../testing/operations-room.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { sendCommand, listExecutions } = operationsEndpoints;
const { listParameters, listParameterHistory, compareParameters, createParameterBaseline, listParameterBaselines } =
  parameterEndpoints;
const { createDataItem, createItemGroup, createDeviceModel, readDeviceModel, updateDeviceModel } = ENDPOINTS;

let server: TestServer;
let staff: Client;
let admin: Client;
let modelId: number;
let dataItemId: number;
let id: number;
let otherId: number;

beforeAll(async () => {
  server = await startTestServer();
  staff = await server.as('vendorStaff');
  admin = await server.as('northAdmin');
  const { pool } = server.database;
  const name = { en: 'Door', zh: '门' };
  const { id: groupId } = await staff.data(createItemGroup, { body: { name } });
  const item = { key: 'DoorCode', name, groupId, type: 3 as const, range: '', unit: '' };
  dataItemId = (await staff.data(createDataItem, { body: item })).id;
  const generic = await pool.query(`select id from device_models where name = 'Generic OCPP 1.6 pile'`);
  const model = { name: 'Pile with a door', type: 1 as const, parentId: generic.rows[0].id, vendor: 'Acme' };
  modelId = (await staff.data(createDeviceModel, { body: model })).id;
  await describeDoor({});
  const { northQuay1, northMill1 } = server.world.devices;
  ({ id } = northQuay1);
  otherId = northMill1.id;
  await pool.query('update devices set device_model_id = $1 where id = any ($2::int[])', [modelId, [id, otherId]]);
});
afterAll(() => server.stop());

/** Describes the parameter in the model, as the model editor does. */
async function describeDoor(more: Partial<ModelItem>): Promise<void> {
  const model = await staff.data(readDeviceModel, { params: { id: modelId } });
  const { name, type, parentId, vendor, sshSupport, webSupport, tolerant, imageKey, iconKey, version } = model;
  const { parameterReadLevel, parameterWriteLevel, controlLevel, own } = model;
  const item = {
    ...{ dataItemId, removed: false, groupId: null, priority: 1, readLevel: 5 as const, writeLevel: 3 as const },
    ...{ batch: true, range: null, unit: null },
    ...more,
  };
  const body = {
    ...{ version, name, type, parentId, vendor, sshSupport, webSupport, tolerant, imageKey, iconKey },
    ...{ parameterReadLevel, parameterWriteLevel, controlLevel, ...own, parameters: [item] },
  };
  await staff.data(updateDeviceModel, { params: { id: modelId }, body });
}

const send = (deviceId: number, body: object) =>
  admin.call(sendCommand, { params: { id: deviceId }, body: body as { kind: 'refreshConfiguration' } });

/** Makes a device report its parameters. */
async function tellAll(pile: Pile, deviceId: number, value: string): Promise<void> {
  const next = pile.calls.length + 1;
  const read = await send(deviceId, { kind: 'refreshConfiguration' });
  const call = await pile.call(next);
  pile.answer(call.id, { configurationKey: [{ key: 'DoorCode', readonly: false, value }] });
  await executionOnce(admin, deviceId, read.data.id, ({ state }) => state === 'ended');
}

const textOf = async (who: Client, path: string) => (await who.fetch(path)).text();

/** Every endpoint that shows values of parameters, as one text. */
async function shown(deviceId: number): Promise<string> {
  const params = { id: deviceId };
  const batches = await admin.data(batchEndpoints.listBatches, { query: {} });
  const parts: unknown[] = [
    await admin.data(listParameters, { params }),
    await admin.data(listParameterHistory, { params, query: { limit: 100 } }),
    await admin.data(listExecutions, { params, query: {} }),
    await admin.data(auditEndpoints.listFrames, { params, query: {} }),
    await textOf(admin, `/api/auth/sys/devices/${deviceId}/protocol-frames/export`),
    batches,
    ...(await Promise.all(
      batches.items.map((batch) =>
        admin.data(batchEndpoints.listBatchExecutions, { params: { id: batch.id }, query: {} }),
      ),
    )),
  ];
  const { items } = await admin.data(listParameterBaselines, { params, query: {} });
  for (const { id: baselineId } of items) {
    parts.push(await admin.data(compareParameters, { params: { id: otherId }, query: { baselineId } }));
  }
  if (deviceId !== otherId) {
    parts.push(await admin.data(compareParameters, { params: { id: otherId }, query: { deviceId } }));
  }
  return JSON.stringify(parts);
}

/** The stored values of parameters, as one text: the current ones, the history, baselines, and reported texts. */
async function storedValues(): Promise<string> {
  const { rows } = await server.database.pool.query(
    'select value from device_parameters union all select value from parameter_history union all select value from parameter_baseline_values union all select value from latest_texts',
  );
  return JSON.stringify(rows);
}

/**
 * The number of frames of a device that a search finds, page by page. An export with the same search has the same
 * number.
 */
async function found(search: string): Promise<number> {
  let count = 0;
  let before: number | undefined;
  do {
    const query = { search, limit: 1, ...(before === undefined ? {} : { before }) };
    const page = await admin.data(auditEndpoints.listFrames, { params: { id }, query });
    count += page.items.length;
    before = page.next ?? undefined;
  } while (before !== undefined);
  const exported = await textOf(admin, `/api/auth/sys/devices/${id}/protocol-frames/export?search=${search}`);
  expect(exported.split('\n').filter(Boolean)).toHaveLength(count);
  return count;
}

test('a parameter that the model marks as secret is shown nowhere, including earlier values', async () => {
  const pile = await connectPile(server, server.world.devices.northQuay1.sn);
  await tellAll(pile, id, 'open-4711');
  // As a device on MQTT reports it.
  await server.database.pool.query(
    `insert into latest_texts (device_id, connector, key, value, at) values ($1, 0, 'DoorCode', 'open-4710', now())`,
    [id],
  );
  const batch = { kind: 'setParameter' as const, deviceIds: [id], key: 'DoorCode', value: 'open-4712' };
  const next = pile.calls.length + 1;
  await admin.data(batchEndpoints.createBatch, { body: batch });
  const set = await pile.call(next);
  pile.answer(set.id, { status: 'Accepted' });
  await admin.data(createParameterBaseline, { params: { id }, body: { name: 'Doors' } });
  await expect.poll(() => shown(id)).toContain('open-4712');
  expect(await shown(id)).toContain('open-4711');
  expect(await storedValues()).toContain('open-4710');
  expect(await storedValues()).toContain('open-4711');
  expect(await found('OPEN-471')).toBe(2);

  await describeDoor({ secret: true });
  expect(await shown(id)).not.toMatch(/open-471/);
  // The protocol log still contains it, but no search finds it, because a search could guess it digit by digit.
  expect(await found('OPEN-471')).toBe(0);
  expect(await found('DoorCode')).toBeGreaterThanOrEqual(2);
  const erased = async () => {
    await server.sweep();
    return storedValues();
  };
  await expect.poll(erased).not.toMatch(/open-471/);
  const { items } = await admin.data(listParameters, { params: { id } });
  expect(items.find(({ key }) => key === 'DoorCode')).toMatchObject({ value: null, secret: true, may: { set: false } });

  const refused = await send(id, { kind: 'setParameter', key: 'DoorCode', value: 'open-4713' });
  expect(refused.code).toBe(CODES.parameterHoldsSecret.code);
  const payload = { key: 'DoorCode', value: 'open-4713' };
  const message = await send(id, { kind: 'sendMessage', action: 'ChangeConfiguration', payload });
  expect(message.code).toBe(CODES.messageHoldsSecret.code);
  await pile.cut();
});

test('values that a device reports afterwards are not stored', async () => {
  await describeDoor({ secret: true });
  const pile = await connectPile(server, server.world.devices.northMill1.sn);
  await tellAll(pile, otherId, 'open-5000');
  await pile.say('DataTransfer', { vendorId: 'Acme', data: '{"DoorCode":"open-5000"}' });
  await pile.cut();
  const { rows } = await server.database.pool.query(
    `select body::text as kept from protocol_frames where device_id = $1
     union all select value from device_parameters where device_id = $1
     union all select value from parameter_history where device_id = $1
     union all select answer::text from executions where device_id = $1`,
    [otherId],
  );
  const kept = JSON.stringify(rows);
  expect(kept).toContain('DoorCode');
  expect(kept).not.toContain('open-5000');
});

test('devices that are connected get the new setting too', async () => {
  await describeDoor({ secret: false });
  const pile = await connectPile(server, server.world.devices.northQuay1.sn);
  const last = async () => {
    await pile.say('DataTransfer', { vendorId: 'Acme', data: '{"DoorCode":"open-6000"}' });
    const { rows } = await server.database.pool.query(
      `select body from protocol_frames where device_id = $1 and action = 'DataTransfer' and type = 2
        order by id desc limit 1`,
      [id],
    );
    return String(rows[0]?.body);
  };
  await expect.poll(last).toContain('open-6000');
  await describeDoor({ secret: true });
  await expect.poll(last).toContain('***');
  await pile.cut();
});

test('the setting is kept when a client that does not support it writes the model, and is part of the exported file', async () => {
  await describeDoor({ secret: true });
  await describeDoor({ priority: 7 });
  const model = await staff.data(readDeviceModel, { params: { id: modelId } });
  expect(model.own.parameters).toMatchObject([{ dataItemId, priority: 7, secret: true }]);
  const file = JSON.parse(await textOf(staff, `/api/auth/sys/device-models/${modelId}/export`));
  expect(file.parameters).toMatchObject([{ key: 'DoorCode', secret: true }]);
  const body = { text: JSON.stringify(file), dryRun: false, name: 'Pile with a door, imported' };
  const imported = await staff.data(ENDPOINTS.importDeviceModel, { body });
  expect((await staff.data(readDeviceModel, { params: { id: imported.id! } })).own.parameters).toMatchObject([
    { secret: true },
  ]);
});
