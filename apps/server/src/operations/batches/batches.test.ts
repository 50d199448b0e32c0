import { randomUUID } from 'node:crypto';
import { type BatchRow, batchEndpoints, CODES, type NewBatch, operationsEndpoints } from '@chargehand/contract';
import type { BatchDeviceState } from '@chargehand/domain';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ExecutionAnswer } from '../../ports/uplink.ts';
import type { Client } from '../../testing/client.ts';
import {
  addDevices,
  type DeviceConnection,
  describeModel,
  type OperationsTest,
  openConnection,
  startOperationsTest,
} from '../../testing/operations-room.ts';

const { createBatch, listBatches, readBatch, listBatchExecutions, cancelBatch, rerunBatch, listCommonControls } =
  batchEndpoints;

let room: OperationsTest;
let admin: Client;
let deviceIds: number[];
beforeAll(async () => {
  room = await startOperationsTest();
  deviceIds = await addDevices(room, 'BATCH', 8);
  admin = await room.as('northAdmin');
});
afterAll(() => room.stop());
afterEach(() => room.reset());

const ask = (body: Partial<NewBatch>, person = admin) =>
  person.call(createBatch, { body: { kind: 'clearCache', deviceIds, ...body } });
const given = (body: Partial<NewBatch>) =>
  admin.data(createBatch, { body: { kind: 'clearCache', deviceIds, ...body } });
const read = (id: number) => admin.data(readBatch, { params: { id } });
const over = (id: number): Promise<BatchRow> => until(id, (batch) => batch.endedAt !== null);
const until = (id: number, met: (batch: BatchRow) => boolean): Promise<BatchRow> =>
  vi.waitFor(
    async () => {
      const batch = await read(id);
      expect(met(batch)).toBe(true);
      return batch;
    },
    { timeout: 30_000, interval: 25 },
  );
const executionsOf = async (id: number, state?: BatchDeviceState) =>
  (await admin.data(listBatchExecutions, { params: { id }, query: { pageSize: 100, state } })).items;
const openAll = (ids = deviceIds, announced = false): Promise<DeviceConnection[]> =>
  Promise.all(ids.map((id) => openConnection(room, id, announced)));
/** Sets the answer to the next call of a connection. */
const obeys = (connection: DeviceConnection, answer: Partial<ExecutionAnswer> = {}) =>
  connection.call(1).then(({ executionId }) => connection.answer(executionId, answer));
const refusal = { success: false, reason: 'rejected' } as const;

describe('one command to several devices', () => {
  test('each device has its own result, and the batch counts them', async () => {
    const connections = await openAll(deviceIds.slice(0, 6));
    const batch = await given({});
    expect(batch).toMatchObject({
      kind: 'clearCache',
      sites: [{ siteName: 'Site northQuay', counts: { total: 8 } }],
      outside: { sites: 0, devices: 0 },
      requestedBy: 'north_admin',
      may: true,
    });
    expect(batch).toMatchObject({ counts: { total: 8 }, parallel: 20, stopAfter: null, stopped: null });
    await Promise.all(connections.map((connection, place) => obeys(connection, place < 4 ? {} : refusal)));
    const { counts, stopped } = await over(batch.id);
    expect(counts).toMatchObject({ total: 8, queued: 0, inFlight: 0, succeeded: 4, failed: 2, offline: 2 });
    expect(stopped).toBeNull();
    const items = await executionsOf(batch.id);
    expect(items.map(({ sn, result }) => [sn, result])).toEqual([
      ...[1, 2, 3, 4].map((n) => [`BATCH-0${n}`, 2]),
      ...[5, 6].map((n) => [`BATCH-0${n}`, 3]),
      ...[7, 8].map((n) => [`BATCH-0${n}`, 5]),
    ]);
    for (const [state, numbers] of [
      ['succeeded', [1, 2, 3, 4]],
      ['failed', [5, 6]],
      ['offline', [7, 8]],
      ['unable', []],
    ] as const)
      expect((await executionsOf(batch.id, state)).map(({ sn }) => sn)).toEqual(numbers.map((n) => `BATCH-0${n}`));
    expect(items.every(({ batchId }) => batchId === batch.id)).toBe(true);
    for (const id of deviceIds) expect(room.published).toContain(`${id} device.executions`);
  });

  test('never runs more commands at a time than allowed, on any number of nodes', async () => {
    const nodes = [room.anotherNode(), room.anotherNode()];
    for (const node of nodes) await node.start();
    const connections = await openAll();
    const batch = await given({ parallel: 2 });
    let most = 0;
    const sent = new Set<DeviceConnection>();
    while (sent.size < connections.length) {
      const busy = await vi.waitFor(
        () => {
          const open = connections.filter((connection) => connection.calls.length === 1 && !sent.has(connection));
          expect(open.length).toBeGreaterThan(0);
          return open;
        },
        { timeout: 30_000, interval: 10 },
      );
      most = Math.max(most, busy.length);
      sent.add(busy[0]!);
      const { executionId } = busy[0]!.calls[0]!;
      await busy[0]!.answer(executionId);
      for (const node of nodes) node.onAnswersStored([{ deviceId: 0, executionId }]);
    }
    expect(most).toBe(2);
    expect((await over(batch.id)).counts.succeeded).toBe(8);
    expect(connections.every(({ calls }) => calls.length === 1)).toBe(true);
  });

  test('it stops after a number of failures, and sends nothing to the rest', async () => {
    const connections = await openAll();
    const batch = await given({ parallel: 1, stopAfter: 2 });
    await obeys(connections[0]!);
    await obeys(connections[1]!, refusal);
    await obeys(connections[2]!, refusal);
    const { counts, stopped, stoppedBy } = await over(batch.id);
    expect({ counts, stopped, stoppedBy }).toMatchObject({
      counts: { succeeded: 1, failed: 2, cancelled: 5 },
      stopped: 'failures',
      stoppedBy: null,
    });
    const rest = (await executionsOf(batch.id)).slice(3);
    expect(new Set(rest.map(({ result, reason }) => `${result} ${reason}`))).toEqual(new Set(['3 batchStopped']));
    expect((await read(batch.id)).failures).toEqual([
      { outcome: 3, reason: 'batchStopped', transferReason: null, devices: 5 },
      { outcome: 3, reason: 'rejected', transferReason: null, devices: 2 },
    ]);
    const again = { params: { id: batch.id }, body: { reason: 'rejected' as const } };
    expect(await admin.data(rerunBatch, again)).toMatchObject({ counts: { total: 2 } });
    expect(connections.slice(3).every(({ calls }) => calls.length === 0)).toBe(true);
  });

  test('after a user cancels it, running commands continue and the rest is cancelled', async () => {
    const connections = await openAll();
    const batch = await given({ parallel: 1 });
    const { executionId } = await connections[0]!.call(1);
    const cancelled = await admin.data(cancelBatch, { params: { id: batch.id }, body: {} });
    expect(cancelled).toMatchObject({
      counts: { inFlight: 1, queued: 0, cancelled: 7 },
      stopped: 'person',
      stoppedBy: 'north_admin',
      endedAt: null,
    });
    await connections[0]!.answer(executionId);
    expect((await over(batch.id)).counts).toMatchObject({ succeeded: 1, cancelled: 7 });
    expect((await admin.call(cancelBatch, { params: { id: batch.id }, body: {} })).code).toBe(CODES.batchOver.code);
    expect(connections.slice(1).every(({ calls }) => calls.length === 0)).toBe(true);
  });

  test('a vendor-specific control is sent to each device, with the parameter names of its model', async () => {
    const [param1, param2] = [
      { en: 'Port', zh: '端口' },
      { en: 'Minutes', zh: '分钟' },
    ];
    await describeModel(room, { controls: [{ type: 9, reading: 'restartCcu', param1, param2 }] });
    const connections = await openAll();
    const params = { param1: '22', param2: '30' };
    expect(await given({ kind: 'restartCcu', ...params })).toMatchObject({ kind: 'restartCcu', params });
    for (const connection of connections) {
      await connection.call(1);
      expect(connection.calls).toMatchObject([{ kind: 'restartCcu', params }]);
    }
  });

  test('the command to one of its devices can be cancelled', async () => {
    const connections = await openAll();
    const batch = await given({ parallel: 1 });
    const last = (await executionsOf(batch.id)).at(-1)!;
    await admin.data(operationsEndpoints.cancelExecution, { params: { executionId: last.id }, body: {} });
    for (const connection of connections.slice(0, 7)) await obeys(connection);
    expect((await over(batch.id)).counts).toMatchObject({ succeeded: 7, cancelled: 1 });
    expect(connections[7]!.calls).toEqual([]);
  });

  test('it can be repeated as a new batch for failed devices once it has ended', async () => {
    const connections = await openAll(deviceIds.slice(0, 6));
    const batch = await given({});
    expect((await admin.call(rerunBatch, { params: { id: batch.id }, body: {} })).code).toBe(CODES.batchRunning.code);
    await Promise.all(connections.map((connection, place) => obeys(connection, place < 5 ? {} : refusal)));
    await over(batch.id);
    const rerun = { params: { id: batch.id }, body: { requestKey: randomUUID() } };
    const again = await admin.data(rerunBatch, rerun);
    expect((await admin.data(rerunBatch, rerun)).id).toBe(again.id);
    expect(again).toMatchObject({ rerunOf: batch.id, kind: 'clearCache', counts: { total: 3 } });
    expect((await executionsOf(again.id)).map(({ sn }) => sn)).toEqual(['BATCH-06', 'BATCH-07', 'BATCH-08']);
    const { executionId } = await connections[5]!.call(2);
    await connections[5]!.answer(executionId);
    expect((await over(again.id)).counts).toMatchObject({ succeeded: 1, offline: 2 });
  });

  test('it is queued for offline devices, also over a restart, and sent when they are online', async () => {
    const batch = await given({ whenOffline: 'queue', queueMinutes: 60, parallel: 3 });
    expect(batch).toMatchObject({ whenOffline: 'queue', queueMinutes: 60, counts: { queued: 8 } });
    await room.restart();
    admin = await room.as('northAdmin');
    const connections = await openAll(deviceIds.slice(0, 4), true);
    await Promise.all(connections.map((connection) => obeys(connection)));
    await until(batch.id, ({ counts }) => counts.succeeded === 4);
    expect((await read(batch.id)).counts.queued).toBe(4);
    await Promise.all((await openAll(deviceIds.slice(4), true)).map((connection) => obeys(connection)));
    expect((await over(batch.id)).counts).toMatchObject({ succeeded: 8 });
    expect(connections.every(({ calls }) => calls.length === 1)).toBe(true);
  });

  test('after a restart it continues with the remaining devices and sends nothing twice', async () => {
    const connections = await openAll();
    const batch = await given({ parallel: 2 });
    const first = await connections[0]!.call(1);
    await connections[1]!.call(1);
    await room.restart();
    admin = await room.as('northAdmin');
    await connections[0]!.answer(first.executionId);
    await Promise.all(connections.slice(1).map((connection) => obeys(connection)));
    expect((await over(batch.id)).counts).toMatchObject({ succeeded: 8 });
    expect(connections.map(({ calls }) => calls.length)).toEqual(Array(8).fill(1));
  });

  test('when a node is killed right after the stop, another node cancels the waiting commands', async () => {
    await openAll();
    const batch = await given({ parallel: 1 });
    await room.database.pool.query(
      `update command_batches set stopped_at = now(), stop_reason = 'person', stopped_by_name = 'x' where id = $1`,
      [batch.id],
    );
    await room.restart();
    admin = await room.as('northAdmin');
    expect((await until(batch.id, ({ counts }) => counts.queued === 0)).counts).toMatchObject({ cancelled: 7 });
  });
});

describe('reasons against the whole batch', () => {
  test.each<[string, () => Partial<NewBatch>, keyof typeof CODES]>([
    ['a device out of scope', () => ({ deviceIds: [deviceIds[0]!, room.world.devices.southPark1.id] }), 'notFound'],
    ['no device', () => ({ deviceIds: [] }), 'fieldItems'],
    ['too many', () => ({ deviceIds: Array.from({ length: 1_001 }, (_, n) => n + 1) }), 'fieldItems'],
    ['a missing input', () => ({ kind: 'setParameter', key: 'A' }), 'paramMissing'],
    [
      'the password of the connection',
      () => ({ kind: 'setParameter', key: 'AuthorizationKey', value: 'x' }),
      'parameterSecret',
    ],
    ['a queue time shorter than the batch takes', () => ({ whenOffline: 'queue', queueMinutes: 1 }), 'queueTooShort'],
  ])('%s', async (_, body, code) => {
    expect((await ask(body())).code).toBe(CODES[code].code);
    expect((await admin.data(listBatches)).total).toBe(0);
  });

  test('too low a level for any of the models', async () => {
    expect((await ask({}, await room.as('northReader'))).code).toBe(CODES.noPermission.code);
    await describeModel(room, { controls: [{ type: 15, level: 0 }] });
    expect((await ask({})).code).toBe(CODES.noPermission.code);
  });

  test('a control that a model does not offer, or whose parameter it does not name', async () => {
    await describeModel(room, {
      controls: [{ type: 7 }, { type: 9, reading: 'restartCcu', param1: { en: 'Port', zh: '端口' } }],
    });
    expect((await ask({ kind: 'softReset' })).code).toBe(CODES.controlNotOffered.code);
    expect((await ask({ kind: 'startVpn' })).code).toBe(CODES.notForBatches.code);
    expect(await ask({ kind: 'restartCcu', param1: '22', param2: 'x' })).toMatchObject({
      ...{ code: CODES.fieldUnknown.code, field: 'param2' },
    });
  });

  test('busy devices: the batch is refused, or leaves them out when requested', async () => {
    await openAll();
    const [busy] = deviceIds;
    await admin.data(operationsEndpoints.sendCommand, { params: { id: busy! }, body: { kind: 'clearCache' } });
    expect(await ask({})).toMatchObject({
      code: CODES.someDevicesBusy.code,
      message: 'Some devices are busy with other commands: 1 of 8.',
    });
    expect((await ask({ deviceIds: [busy!] })).code).toBe(CODES.deviceBusy.code);
    const batch = await given({ leaveOut: true });
    expect(batch.counts).toMatchObject({ refused: 1, total: 8 });
    expect((await executionsOf(batch.id, 'unable'))[0]).toMatchObject({ sn: 'BATCH-01', reason: 'deviceBusy' });
  });

  test('of two concurrent batches for the same devices one is accepted', async () => {
    await openAll();
    const codes = await Promise.all(Array.from({ length: 4 }, async () => (await ask({})).code));
    expect(codes.toSorted()).toEqual([0, ...Array(3).fill(CODES.someDevicesBusy.code)]);
  });
});

describe('known reasons end the command of a single device', () => {
  test('disabled devices, missing connectors, preconditions', async () => {
    await openAll();
    const { pool } = room.database;
    await describeModel(room, { controls: [{ type: 4, precondition: 'noSession' }] });
    await pool.query(
      `insert into connectors (device_id, connector, status, since, updated_at)
       select id, 1, case when id = $2 then 'Charging' else 'Available' end, now(), now()
         from unnest($1::int[]) id where id <> $3`,
      [deviceIds, deviceIds[1], deviceIds[2]],
    );
    await pool.query('update devices set enabled = false where id = $1', [deviceIds[0]]);
    const batch = await given({ kind: 'disableConnector', connector: 1 });
    expect(batch.counts).toMatchObject({ refused: 3, total: 8 });
    expect((await executionsOf(batch.id, 'unable')).map(({ reason }) => reason)).toEqual([
      'deviceDisabled',
      'sessionInProgress',
      'connectorUnknown',
    ]);
  });
});

describe('a parameter of several devices', () => {
  const interval = { key: 'HeartbeatInterval', range: '10~3600', unit: 's' };
  const tell = (values: (string | null)[]) =>
    room.database.pool.query(
      `insert into device_parameters (device_id, key, value, readonly, read_at)
       select id, 'HeartbeatInterval', value, value = '1', now() from unnest($1::int[], $2::text[]) n (id, value)
        where value is not null
       union all select id, 'Other', 'x', false, now() from unnest($1::int[]) id`,
      [deviceIds, values],
    );

  test('is set when every model allows it for several devices; a device with the same value does not make the batch fail', async () => {
    await describeModel(room, { parameters: [interval] });
    await tell(['60', '300', '300', '1', null, '300', '300', '300']);
    const connections = await openAll();
    const batch = await given({ kind: 'setParameter', key: 'heartbeatinterval', value: '060' });
    expect(batch).toMatchObject({ params: { key: 'HeartbeatInterval', value: '60' }, counts: { refused: 3 } });
    expect((await executionsOf(batch.id, 'same')).map(({ sn, reason }) => [sn, reason])).toEqual([
      ['BATCH-01', 'sameValue'],
    ]);
    expect((await executionsOf(batch.id, 'unable')).map(({ sn, reason }) => [sn, reason])).toEqual([
      ['BATCH-04', 'parameterReadonly'],
      ['BATCH-05', 'parameterUnknown'],
    ]);
    const sent = connections.filter((_, place) => ![0, 3, 4].includes(place));
    await Promise.all(sent.map((connection) => obeys(connection)));
    expect((await over(batch.id)).counts).toMatchObject({ succeeded: 5, refused: 3, same: 1 });
    const { failures, values } = await read(batch.id);
    expect(failures.map(({ reason, devices }) => [reason, devices])).toEqual([
      ['parameterReadonly', 1],
      ['parameterUnknown', 1],
    ]);
    expect(values?.map(({ value, devices }) => [value, devices])).toEqual([
      ['300', 5],
      ...[
        ['60', 1],
        ['1', 1],
        [null, 1],
      ],
    ]);
    expect(sent[0]!.calls[0]!.params).toEqual({ key: 'HeartbeatInterval', value: '60' });
    const again = await admin.data(rerunBatch, { params: { id: batch.id }, body: {} });
    expect((await executionsOf(again.id)).map(({ sn }) => sn)).toEqual(['BATCH-04', 'BATCH-05']);
  });

  test.each([
    [{ value: '5' }, {}, 'valueTooSmall'],
    [{ value: 'soon' }, {}, 'valueNotInteger'],
    [{ value: '60' }, { batch: false }, 'batchIncapable'],
    [{ value: '60' }, { writeLevel: 0 }, 'noPermission'],
    [{ key: 'Unheard', value: '60' }, {}, 'batchIncapable'],
  ] as const)('%j of an item %j: %s', async (body, item, code) => {
    await describeModel(room, { parameters: [{ ...interval, ...item }] });
    const answer = await ask({ kind: 'setParameter', key: 'HeartbeatInterval', ...body });
    expect(answer.code).toBe(CODES[code].code);
  });

  test('its value is shown to users who may read it', async () => {
    await describeModel(room, { parameters: [{ ...interval, readLevel: 1 }] });
    const batch = await given({ kind: 'setParameter', key: 'HeartbeatInterval', value: '60' });
    const reader = await room.as('northReader');
    const shown = await reader.data(readBatch, { params: { id: batch.id } });
    expect([shown.params, shown.values]).toEqual([{ key: 'HeartbeatInterval' }, null]);
    const { items } = await reader.data(listBatchExecutions, { params: { id: batch.id } });
    expect(items[0]?.params).toEqual({ key: 'HeartbeatInterval' });
    expect((await reader.data(listBatches)).items[0]).toMatchObject({ may: false });
  });
});

test('the controls that several devices have in common can be requested first', async () => {
  await describeModel(room, {
    controls: [
      { type: 1 },
      { type: 2, level: 0 },
      { type: 7 },
      { type: 9, reading: 'restartCcu', param1: { en: 'A', zh: '甲' } },
    ],
    parameters: [
      { key: 'A', type: 1, range: '1~9' },
      { key: 'B', batch: false },
      { key: 'C', writeLevel: 0 },
    ],
  });
  await openAll(deviceIds.slice(0, 3));
  const { controls, parameters, ...rest } = await admin.data(listCommonControls, { body: { deviceIds } });
  expect(controls.map(({ kind, param1 }) => [kind, param1?.en])).toEqual([
    ['softReset', undefined],
    ['restartCcu', 'A'],
    ['refreshConfiguration', undefined],
    ['refreshParameters', undefined],
    ['setParameter', undefined],
  ]);
  expect(parameters.map(({ key, range, devices }) => [key, range, devices])).toEqual([['A', '1~9', 8]]);
  expect(rest).toMatchObject({
    devices: 8,
    offline: 5,
    sites: [{ name: 'Site northQuay', devices: 8 }],
    connectors: [],
  });
});

test('batches are visible to users who see their site', async () => {
  await given({ deviceIds: deviceIds.slice(0, 2) });
  const kinds = async (person: Parameters<OperationsTest['as']>[0]) =>
    (await (await room.as(person)).data(listBatches, { query: { state: 'ended' } })).total;
  await vi.waitFor(async () => expect(await kinds('northAdmin')).toBe(1), { timeout: 30_000 });
  expect(await kinds('northAssigned')).toBe(1);
  expect(await kinds('southAdmin')).toBe(0);
  const { rows } = await room.database.pool.query('select object_type, object_name, after from action_logs');
  expect(rows).toMatchObject([
    { object_type: 'commandBatch', object_name: 'Site northQuay', after: { kind: 'clearCache', devices: 2 } },
  ]);
});

test('a device that moved out of the scope of a reader stays in the batch without its name, SN and id', async () => {
  const { pool } = room.database;
  const { world } = room;
  const [moved] = await addDevices(room, 'MOVED', 1);
  const batch = await given({ deviceIds: [deviceIds[0]!, moved!] });
  await over(batch.id);
  const move = (site: keyof typeof world.sites) =>
    pool.query(
      'update devices d set site_id = s.id, customer_id = s.customer_id from sites s where d.id = $1 and s.id = $2',
      [moved, world.sites[site]],
    );
  const listed = async (person: Parameters<OperationsTest['as']>[0]) => {
    const { items } = await (await room.as(person)).data(listBatchExecutions, { params: { id: batch.id }, query: {} });
    return items.map(({ sn, deviceName, deviceId }) => [sn, deviceName, deviceId]);
  };
  const stays = ['BATCH-01', 'BATCH 1', deviceIds[0]];
  const known = ['MOVED-01', 'MOVED 1', moved];
  const unknown = [null, null, null];
  expect(await listed('northAssigned')).toEqual([stays, known]);
  // To another site of the customer, then to another customer.
  await move('northMill');
  expect(await listed('northAssigned')).toEqual([stays, unknown]);
  expect(await listed('northAdmin')).toEqual([stays, known]);
  await move('southPark');
  expect(await listed('northAdmin')).toEqual([stays, unknown]);
  expect(await listed('vendorStaff')).toEqual([stays, known]);
});

test('a removed device leaves its batch, which continues without it', async () => {
  const [gone] = await addDevices(room, 'GONE', 1);
  const batch = await given({ deviceIds: [gone!, deviceIds[0]!], whenOffline: 'queue' });
  await room.database.pool.query('delete from devices where id = $1', [gone]);
  expect((await read(batch.id)).counts).toMatchObject({ total: 1, queued: 1 });
});
