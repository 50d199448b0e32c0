import { randomUUID } from 'node:crypto';
import { batchEndpoints, CODES, type NewBatch } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import {
  describeModel,
  type OperationsTest,
  openConnection,
  startOperationsTest,
} from '../../testing/operations-room.ts';

const { createBatch, previewBatches, listBatches, readBatch, listBatchExecutions, listCommonControls, cancelBatch } =
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
afterEach(async () => {
  await room.database.pool.query('truncate notices');
  await room.reset();
});

const ids = () => [devices.northQuay1.id, devices.northQuay2.id, devices.northMill1.id];
const command = (body: Partial<NewBatch> = {}) => ({
  body: { kind: 'clearCache' as const, deviceIds: ids(), ...body },
});
const listed = async () => (await admin.data(listBatches, { query: {} })).items;
const disable = (id: number) => room.database.pool.query('update devices set enabled = false where id = $1', [id]);
const stored = async () =>
  (await room.database.pool.query<{ id: number }>('select id from command_batches order by id')).rows.map(
    ({ id }) => id,
  );

test('devices of several sites are one operation with a batch for each site, logged as one action', async () => {
  const created = await admin.data(createBatch, command());
  expect(created.sites.map(({ siteName, counts }) => [siteName, counts.total])).toEqual([
    ['Site northQuay', 2],
    ['Site northMill', 1],
  ]);
  expect(created.counts.total).toBe(3);
  expect(await listed()).toMatchObject([{ id: created.id, counts: { total: 3 } }]);
  // Each of its batches leads to it.
  const own = await stored();
  expect(own).toEqual([created.id, created.id + 1]);
  for (const id of own) expect((await admin.data(readBatch, { params: { id } })).id).toBe(created.id);
  const query = { siteId: room.world.sites.northMill };
  const executions = await admin.data(listBatchExecutions, { params: { id: created.id }, query });
  expect(executions.items.map(({ deviceId, siteName }) => [deviceId, siteName])).toEqual([
    [devices.northMill1.id, 'Site northMill'],
  ]);
  const { rows } = await room.database.pool.query<{ entries: number; times: number }>(
    `select count(*) as entries, count(distinct at) as times from action_logs where object_type = 'commandBatch'`,
  );
  expect(rows).toEqual([{ entries: 2, times: 1 }]);
});

test('a reader sees the devices of other sites as numbers only, and cancels only what they see', async () => {
  const { id } = await admin.data(createBatch, command({ whenOffline: 'queue' }));
  const assigned = await room.as('northAssigned');
  const seen = await assigned.data(readBatch, { params: { id } });
  expect([seen.sites.map(({ siteName }) => siteName), seen.outside]).toEqual([
    ['Site northQuay'],
    { sites: 1, devices: 1 },
  ]);
  expect(seen.counts.total).toBe(2);
  expect((await assigned.data(listBatchExecutions, { params: { id }, query: {} })).total).toBe(2);
  expect((await (await room.as('southAdmin')).call(readBatch, { params: { id } })).code).toBe(CODES.notFound.code);
  await admin.data(cancelBatch, { params: { id }, body: {} });
  expect((await admin.data(readBatch, { params: { id } })).counts).toMatchObject({ cancelled: 3 });
});

test('an operation that is requested again with the same key, also at the same time, is created once', async () => {
  const wanted = command({ requestKey: randomUUID() });
  const [one, other] = await Promise.all([1, 2].map(() => admin.data(createBatch, wanted)));
  expect(other!.id).toBe(one!.id);
  expect(await stored()).toHaveLength(2);
});

test('the preview says for each device what the command would do, and sends nothing', async () => {
  await disable(devices.northQuay2.id);
  await room.database.pool.query(
    `insert into device_parameters (device_id, key, value, readonly, read_at)
     select id, 'Interval', case when id = $2 then '60' else '300' end, false, now() from unnest($1::int[]) id`,
    [ids(), devices.northMill1.id],
  );
  await openConnection(room, devices.northMill1.id);
  const wanted = command({ kind: 'setParameter', key: 'Interval', value: '60' });
  const { sites, value } = await admin.data(previewBatches, wanted);
  expect(value).toBe('60');
  expect(
    sites.map(({ siteName, devices: own }) => [siteName, own.map((one) => [one.value, one.effect, one.reason])]),
  ).toEqual([
    [
      'Site northQuay',
      [
        ['300', 'offline', 'deviceOffline'],
        ['300', 'cannot', 'deviceDisabled'],
      ],
    ],
    ['Site northMill', [['60', 'has', 'sameValue']]],
  ]);
  expect(await listed()).toEqual([]);
});

test('devices whose model does not have the control are left out on request, each with its reason', async () => {
  const { pool, db } = room.database;
  await describeModel(room, { controls: [{ type: 1 }] });
  const { rows } = await pool.query<{ id: number }>(
    `insert into device_models (name, type, connector_count) select 'Without control', type, connector_count
       from device_models where id = $1 returning id`,
    [room.world.model],
  );
  await pool.query('update devices set device_model_id = $1 where id = $2', [rows[0]!.id, devices.northMill1.id]);
  // It belongs to its own model, which has a description without controls.
  await describeModel({ database: room.database, world: { ...room.world, model: rows[0]!.id } }, {});
  const wanted = command({ kind: 'softReset' });
  expect((await admin.call(createBatch, wanted)).code).toBe(CODES.controlNotOffered.code);
  const created = await admin.data(createBatch, command({ kind: 'softReset', leaveOut: true }));
  expect(created.counts).toMatchObject({ total: 3, refused: 1 });
  const { items } = await admin.data(listBatchExecutions, { params: { id: created.id }, query: {} });
  expect(items.at(-1)).toMatchObject({ deviceId: devices.northMill1.id, reason: 'controlNotOffered' });
  await db.updateTable('devices').set({ device_model_id: room.world.model }).execute();
});

test('a busy device of one site prevents the operation, unless devices that cannot take it are left out', async () => {
  await admin.data(createBatch, command({ deviceIds: [devices.northMill1.id], whenOffline: 'queue' }));
  const refused = await admin.call(createBatch, command({ whenOffline: 'queue' }));
  expect(refused.code).toBe(CODES.someDevicesBusy.code);
  expect(await listed()).toHaveLength(1);
  const left = await admin.data(createBatch, command({ whenOffline: 'queue', leaveOut: true }));
  expect(left.sites.map(({ counts }) => counts.refused)).toEqual([0, 1]);
});

test('a device out of scope, or moved out of it since, prevents the operation', async () => {
  const assigned = await room.as('northAssigned');
  expect((await assigned.call(createBatch, command())).code).toBe(CODES.notFound.code);
  expect((await assigned.call(previewBatches, command())).code).toBe(CODES.notFound.code);
  const foreign = command({ deviceIds: [...ids(), devices.southPark1.id] });
  expect((await admin.call(createBatch, foreign)).code).toBe(CODES.notFound.code);
  const reader = await room.as('northReader');
  expect((await reader.call(createBatch, command())).code).toBe(CODES.noPermission.code);
  expect(await listed()).toEqual([]);
});

test('the controls of several sites are those that all devices support, and parameters those of some', async () => {
  const [first, second] = ids();
  await room.database.pool.query(
    `insert into device_parameters (device_id, key, value, readonly, read_at)
     values ($1, 'Volume', '3', false, now()), ($1, 'Interval', '60', false, now()),
            ($2, 'interval', '60', false, now()), ($2, 'Fixed', '', true, now())`,
    [first, second],
  );
  const common = await admin.data(listCommonControls, { body: { deviceIds: ids() } });
  expect(common.sites.map(({ name, devices: count }) => [name, count])).toEqual([
    ['Site northQuay', 2],
    ['Site northMill', 1],
  ]);
  expect(common.devices).toBe(3);
  expect(common.parameters.map(({ key, devices }) => [key.toLowerCase(), devices])).toEqual([
    ['interval', 2],
    ['volume', 1],
  ]);
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
  const answer = await admin.call(createBatch, command({ deviceIds: rows.map(({ id }) => id) }));
  expect(answer.code).toBe(CODES.batchTooManySites.code);
  expect(await listed()).toEqual([]);
});

test('its end is announced once, with the numbers of all sites, and not to a sender who saw it', async () => {
  const { pool } = room.database;
  const later = () => pool.query(`update command_batches set ended_at = ended_at - interval '1 min'`);
  const notices = async () => {
    await room.sweep();
    return (await pool.query('select type, subject_id, data from notices')).rows;
  };
  const ended = async (id: number, who: Client) =>
    vi.waitFor(async () => expect((await who.data(readBatch, { params: { id } })).endedAt).not.toBeNull());
  const { id } = await admin.data(createBatch, command());
  await ended(id, await room.as('vendorStaff'));
  expect(await notices()).toEqual([]);
  await later();
  const message = {
    type: 'commandFinished',
    subject_id: String(id),
    data: { kind: 'clearCache', failed: 3, sites: 2 },
  };
  expect(await notices()).toMatchObject([message]);
  expect(await notices()).toHaveLength(1);
  const seen = await admin.data(createBatch, command());
  await ended(seen.id, admin);
  await later();
  expect(await notices()).toHaveLength(1);
});
