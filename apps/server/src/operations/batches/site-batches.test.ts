import { randomUUID } from 'node:crypto';
import { batchEndpoints, CODES, type NewBatch } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { describeModel, type OperationsTest, startOperationsTest } from '../../testing/operations-room.ts';

const { createBatch, createSiteBatches, previewBatches, listBatches, listBatchExecutions, listCommonControls } =
  batchEndpoints;

let room: OperationsTest;
let admin: Client;
let devices: OperationsTest['world']['devices'];
beforeAll(async () => {
  room = await startOperationsTest();
  admin = await room.as('northAdmin');
  devices = room.world.devices;
});
afterAll(() => room.stop());
afterEach(() => room.reset());

const ids = () => [devices.northQuay1.id, devices.northQuay2.id, devices.northMill1.id];
const command = (body: Partial<NewBatch> = {}) => ({
  body: { kind: 'clearCache' as const, deviceIds: ids(), ...body },
});
const batches = async () => (await admin.data(listBatches, { query: {} })).items;
const disable = (id: number) => room.database.pool.query('update devices set enabled = false where id = $1', [id]);

test('devices of several sites get a batch for each site, grouped and logged as one action', async () => {
  const { batches: created } = await admin.data(createSiteBatches, command());
  expect(created.map(({ siteName, counts }) => [siteName, counts.total])).toEqual([
    ['Site northQuay', 2],
    ['Site northMill', 1],
  ]);
  const [first] = created;
  expect(created.map(({ groupId }) => groupId)).toEqual([first!.id, first!.id]);
  const { total } = await admin.data(listBatches, { query: { groupId: first!.id } });
  expect(total).toBe(2);
  const executions = await admin.data(listBatchExecutions, { params: { id: created[1]!.id }, query: {} });
  expect(executions.items.map(({ deviceId }) => deviceId)).toEqual([devices.northMill1.id]);
  const { rows } = await room.database.pool.query<{ entries: number; times: number }>(
    `select count(*) as entries, count(distinct at) as times from action_logs where object_type = 'commandBatch'`,
  );
  expect(rows).toEqual([{ entries: 2, times: 1 }]);
});

test('batches that are requested again with the same key, also at the same time, are created once', async () => {
  const wanted = command({ requestKey: randomUUID() });
  const [one, other] = await Promise.all([1, 2].map(() => admin.data(createSiteBatches, wanted)));
  expect(other!.batches.map(({ id }) => id)).toEqual(one!.batches.map(({ id }) => id));
  expect(await batches()).toHaveLength(2);
  const single = command({ deviceIds: [devices.northQuay1.id], leaveOutBusy: true, requestKey: randomUUID() });
  const first = await admin.data(createBatch, single);
  expect((await admin.data(createBatch, single)).id).toBe(first.id);
  expect(await batches()).toHaveLength(3);
});

test('devices of one site get one batch without a group', async () => {
  const { batches: created } = await admin.data(createSiteBatches, command({ deviceIds: [devices.northQuay1.id] }));
  expect(created.map(({ groupId }) => groupId)).toEqual([null]);
});

test('the preview names the sites and the skipped devices, and sends nothing', async () => {
  await disable(devices.northQuay2.id);
  const { sites } = await admin.data(previewBatches, command());
  expect(sites).toEqual([
    {
      ...{ siteId: room.world.sites.northQuay, siteName: 'Site northQuay', devices: 2 },
      skipped: [expect.objectContaining({ deviceId: devices.northQuay2.id, reason: 'deviceDisabled' })],
    },
    { siteId: room.world.sites.northMill, siteName: 'Site northMill', devices: 1, skipped: [] },
  ]);
  expect(await batches()).toEqual([]);
});

test('a busy device of one site prevents the batches of all sites, unless busy devices are left out', async () => {
  await admin.data(createSiteBatches, command({ deviceIds: [devices.northMill1.id], whenOffline: 'queue' }));
  const refused = await admin.call(createSiteBatches, command({ whenOffline: 'queue' }));
  expect(refused.code).toBe(CODES.deviceBusy.code);
  expect(await batches()).toHaveLength(1);
  const left = await admin.data(createSiteBatches, command({ whenOffline: 'queue', leaveOutBusy: true }));
  expect(left.batches.map(({ counts }) => counts.refused)).toEqual([0, 1]);
});

test('a command that a model does not offer creates no batch at any site', async () => {
  await describeModel(room, { controls: [{ type: 1 }] });
  const answer = await admin.call(createSiteBatches, command({ kind: 'startVpn' }));
  expect(answer.code).not.toBe(0);
  expect(await batches()).toEqual([]);
});

test('a device out of scope, or moved out of it since, prevents all batches', async () => {
  const assigned = await room.as('northAssigned');
  const outside = await assigned.call(createSiteBatches, command());
  expect(outside.code).toBe(CODES.notFound.code);
  expect((await assigned.call(previewBatches, command())).code).toBe(CODES.notFound.code);
  const foreign = command({ deviceIds: [...ids(), devices.southPark1.id] });
  expect((await admin.call(createSiteBatches, foreign)).code).toBe(CODES.notFound.code);
  expect(await batches()).toEqual([]);
});

test('a user below the level sends nothing to any site', async () => {
  const reader = await room.as('northReader');
  expect((await reader.call(createSiteBatches, command())).code).toBe(CODES.noPermission.code);
  expect(await batches()).toEqual([]);
});

test('the controls of several sites are those that all devices support', async () => {
  const common = await admin.data(listCommonControls, { body: { deviceIds: ids() } });
  expect(common.sites.map(({ name, devices: count }) => [name, count])).toEqual([
    ['Site northQuay', 2],
    ['Site northMill', 1],
  ]);
  expect(common.devices).toBe(3);
});

test('more sites than can be overseen are refused', async () => {
  const { rows } = await room.database.pool.query<{ id: number }>(
    `with added as (
       insert into sites (customer_id, code, name) select $1, 'BY-' || n, 'By ' || n from generate_series(1, 51) n
       returning id, customer_id, code)
     insert into devices (sn, name, site_id, customer_id, device_model_id)
       select code, code, id, customer_id, $2 from added returning id`,
    [room.world.customers.north, room.world.model],
  );
  const answer = await admin.call(createSiteBatches, command({ deviceIds: rows.map(({ id }) => id) }));
  expect(answer.code).toBe(CODES.batchTooManySites.code);
  expect(await batches()).toEqual([]);
});
