import { randomUUID } from 'node:crypto';
import { CODES, type ExecutionRow, operationsEndpoints, parameterEndpoints } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  executionOnce,
  type OperationsTest,
  openConnection,
  passDeadline,
  startOperationsTest,
} from '../../testing/operations-room.ts';

const { sendCommand, listExecutions } = operationsEndpoints;
const { listParameters } = parameterEndpoints;
const hasEnded = (execution: ExecutionRow) => execution.state === 'ended';

let room: OperationsTest;
beforeAll(async () => {
  room = await startOperationsTest();
});
afterAll(() => room.stop());
afterEach(() => room.reset());

test('a command reaches the device immediately and ends with its answer', async () => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  const connection = await openConnection(room, id);
  const sent = await admin.data(sendCommand, { params: { id }, body: { kind: 'clearCache' } });
  expect(sent).toMatchObject({ kind: 'clearCache', controlType: 15, connector: 0, state: 'sent', result: 1 });
  expect(sent).toMatchObject({ requestedBy: 'north_admin', reason: null, endedAt: null });
  expect(connection.calls).toEqual([{ executionId: sent.id, kind: 'clearCache', connector: 0, params: {} }]);

  await connection.answer(sent.id, { detail: 'in a moment' });
  const { items, total } = await admin.data(listExecutions, { params: { id } });
  expect(total).toBe(1);
  expect(items[0]).toMatchObject({ state: 'ended', result: 2, reason: 'accepted', detail: 'in a moment' });
  expect(room.published.filter((one) => one === `${id} device.executions`).length).toBeGreaterThanOrEqual(3);
});

test('a command that is sent again with the same key, also at the same time, reaches the device once', async () => {
  const { id } = room.world.devices.northQuay1;
  const [admin, root] = await Promise.all([room.as('northAdmin'), room.as('root')]);
  const connection = await openConnection(room, id);
  const command = { params: { id }, body: { kind: 'clearCache' as const, requestKey: randomUUID() } };
  const answers = await Promise.all([1, 2, 3].map(() => admin.data(sendCommand, command)));
  await connection.answer(answers[0]!.id);
  const late = await admin.data(sendCommand, command);
  expect(new Set([...answers, late].map((one) => one.id)).size).toBe(1);
  expect(connection.calls).toHaveLength(1);
  const own = await root.data(sendCommand, command);
  expect(own.id).not.toBe(late.id);
  const other = { ...command, params: { id: room.world.devices.northQuay2.id } };
  expect((await admin.data(sendCommand, other)).id).not.toBe(late.id);
});

test('every command is in the action log, with who, what and where', async () => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  const sent = await admin.data(sendCommand, { params: { id }, body: { kind: 'hardReset' } });
  const { rows } = await room.database.pool.query('select * from action_logs');
  expect(rows).toMatchObject([
    {
      user_name: 'north_admin',
      operation: 'control',
      object_type: 'device',
      object_id: String(id),
      object_name: 'Pile northQuay-1',
      customer_id: room.world.customers.north,
      site_id: room.world.sites.northQuay,
      after: { kind: 'hardReset', executionId: sent.id },
    },
  ]);
});

test('a command to an offline device ends immediately as offline', async () => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  const sent = await admin.data(sendCommand, { params: { id }, body: { kind: 'softReset' } });
  expect(sent).toMatchObject({ state: 'ended', result: 5, reason: 'deviceOffline' });
});

test('a command that the gateway does not support fails as not supported', async () => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  const connection = await openConnection(room, id);
  connection.sendResult = { outcome: 'notSupported' };
  const sent = await admin.data(sendCommand, { params: { id }, body: { kind: 'softReset' } });
  expect(sent).toMatchObject({ state: 'ended', result: 3, reason: 'notSupported' });
});

test.each([
  ['rejected', 'rejected', null],
  ['a CALLERROR', 'callError', 'InternalError: the relay is stuck'],
  ['an answer outside the protocol', 'badAnswer', 'status: Perhaps'],
] as const)('%s is a failure with a reason for the operator', async (_, reason, detail) => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  const connection = await openConnection(room, id);
  const sent = await admin.data(sendCommand, { params: { id }, body: { kind: 'disableSystem' } });
  await connection.answer(sent.id, { success: false, reason, detail });
  const { items } = await admin.data(listExecutions, { params: { id } });
  expect(items[0]).toMatchObject({ state: 'ended', result: 3, reason, detail });
});

test('one command at a time: each one starts when the answer to the previous one is stored', async () => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  const connection = await openConnection(room, id);
  const executions: ExecutionRow[] = [];
  for (let number = 1; number <= 10; number += 1) {
    const body = { kind: 'refreshParameters', key: `Key${number}` } as const;
    executions.push(await admin.data(sendCommand, { params: { id }, body }));
  }
  expect(executions.map((execution) => execution.state)).toEqual(['sent', ...Array(9).fill('queued')]);
  // Without the sweep, which would also start them.
  for (const [index, execution] of executions.entries()) {
    expect((await connection.call(index + 1)).executionId).toBe(execution.id);
    expect(connection.calls).toHaveLength(index + 1);
    await connection.answer(execution.id);
  }
});

test('a command without an answer times out, and a later answer is only noted', async () => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  const connection = await openConnection(room, id);
  const sent = await admin.data(sendCommand, { params: { id }, body: { kind: 'softReset' } });
  expect(Date.parse(sent.deadlineAt) - Date.parse(sent.sentAt ?? '')).toBe(60_000);
  await passDeadline(room, sent.id);
  const silent = await executionOnce(admin, id, sent.id, hasEnded);
  expect(silent).toMatchObject({ result: 4, reason: 'noAnswer', lateAnswerAt: null });

  const at = new Date('2026-07-01T10:00:00Z');
  await connection.answer(sent.id, { at });
  await connection.answer(sent.id, { at: new Date() });
  const { items } = await admin.data(listExecutions, { params: { id } });
  expect(items[0]).toEqual({ ...silent, lateAnswerAt: at.toISOString() });
});

test('an answer that is repeated, from another device, or without a command changes nothing', async () => {
  const { northQuay1, northQuay2 } = room.world.devices;
  const { id } = northQuay1;
  const admin = await room.as('northAdmin');
  const connection = await openConnection(room, id);
  const other = await openConnection(room, northQuay2.id);
  const sent = await admin.data(sendCommand, { params: { id }, body: { kind: 'clearCache' } });
  await other.answer(sent.id, { success: false, reason: 'rejected' });
  await other.answer(randomUUID());
  expect((await admin.data(listExecutions, { params: { id } })).items[0]).toMatchObject({ state: 'sent' });
  await connection.answer(sent.id);
  await connection.answer(sent.id, { success: false, reason: 'rejected' });
  expect((await admin.data(listExecutions, { params: { id } })).items[0]).toMatchObject({
    result: 2,
    reason: 'accepted',
    lateAnswerAt: null,
  });
});

test('a connection lost before the answer ends in a timeout with that reason, unless the answer arrives on the new connection', async () => {
  const { northQuay1, northQuay2 } = room.world.devices;
  const admin = await room.as('northAdmin');
  const lost = await openConnection(room, northQuay1.id);
  const back = await openConnection(room, northQuay2.id);
  const [one, two] = await Promise.all(
    [northQuay1, northQuay2].map(({ id }) =>
      admin.data(sendCommand, { params: { id }, body: { kind: 'refreshConfiguration' } }),
    ),
  );
  await lost.close();
  await back.close();
  const again = await openConnection(room, northQuay2.id);
  await again.answer(two!.id);
  await passDeadline(room, one!.id);
  expect(await executionOnce(admin, northQuay1.id, one!.id, hasEnded)).toMatchObject({
    result: 4,
    reason: 'connectionLost',
  });
  expect(await executionOnce(admin, northQuay2.id, two!.id, hasEnded)).toMatchObject({ result: 2 });
  expect(again.calls).toEqual([]);
});

test('a device that reconnected after the command was sent and does not answer lost it with the previous connection', async () => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  const lost = await openConnection(room, id);
  const sent = await admin.data(sendCommand, { params: { id }, body: { kind: 'softReset' } });
  await lost.call(1);
  await lost.close();
  await openConnection(room, id, false);
  await passDeadline(room, sent.id);
  expect(await executionOnce(admin, id, sent.id, hasEnded)).toMatchObject({ result: 4, reason: 'connectionLost' });
});

test('after a restart queued commands are sent once when the device is online, and sent ones are not sent again', async () => {
  const { id } = room.world.devices.northQuay1;
  const before = await room.as('northAdmin');
  const connection = await openConnection(room, id);
  const sent = await before.data(sendCommand, { params: { id }, body: { kind: 'disableSystem' } });
  const queued = await before.data(sendCommand, { params: { id }, body: { kind: 'enableSystem' } });
  await connection.close();
  await room.restart();
  const admin = await room.as('northAdmin');
  const again = await openConnection(room, id);
  await again.answer(sent.id);
  expect((await again.call(1)).executionId).toBe(queued.id);
  await again.answer(queued.id);
  expect(await executionOnce(admin, id, queued.id, hasEnded)).toMatchObject({ result: 2 });
  expect(again.calls).toHaveLength(1);
});

test('after a restart overdue commands end: sent ones as timeout, queued ones as offline', async () => {
  const { id } = room.world.devices.northQuay1;
  const connection = await openConnection(room, id);
  const before = await room.as('northAdmin');
  const sent = await before.data(sendCommand, { params: { id }, body: { kind: 'disableSystem' } });
  const queued = await before.data(sendCommand, { params: { id }, body: { kind: 'enableSystem' } });
  await connection.close();
  await passDeadline(room, sent.id);
  await passDeadline(room, queued.id);
  await room.restart();
  const { items } = await (await room.as('northAdmin')).data(listExecutions, { params: { id } });
  expect(items).toMatchObject([
    { id: queued.id, state: 'ended', result: 5, reason: 'deviceOffline' },
    { id: sent.id, state: 'ended', result: 4, reason: 'connectionLost' },
  ]);
  expect(connection.calls).toHaveLength(1);
});

test.each(['devices', 'sites', 'customers'] as const)(
  'a queued command is not sent when its device, site or customer was disabled meanwhile (%s)',
  async (table) => {
    const { id } = room.world.devices.northQuay1;
    const { pool } = room.database;
    const admin = await room.as('northAdmin');
    // A user whose own customer stays enabled still sees the result.
    const vendor = await room.as('vendorStaff');
    const connection = await openConnection(room, id);
    const first = await admin.data(sendCommand, { params: { id }, body: { kind: 'disableSystem' } });
    const second = await admin.data(sendCommand, { params: { id }, body: { kind: 'enableSystem' } });
    const owner = { devices: 'id', sites: 'site_id', customers: 'customer_id' }[table];
    const set = (enabled: boolean) =>
      pool.query(`update ${table} set enabled = $2 where id = (select ${owner} from devices where id = $1)`, [
        id,
        enabled,
      ]);
    await set(false);
    try {
      await connection.answer(first.id);
      expect(await executionOnce(vendor, id, second.id, hasEnded)).toMatchObject({
        result: 3,
        reason: 'deviceDisabled',
      });
      expect(connection.calls).toHaveLength(1);
    } finally {
      await set(true);
    }
  },
);

test('on many nodes each command is sent once, and one at a time', async () => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  await room.database.pool.query(
    `insert into connectors (device_id, connector, status, since, updated_at)
     select $1, n, 'Available', now(), now() from generate_series(1, 12) n`,
    [id],
  );
  const nodes = [room.anotherNode(), room.anotherNode(), room.anotherNode()];
  for (const node of nodes) await node.start();
  const connection = await openConnection(room, id);
  const executions = await Promise.all(
    Array.from({ length: 12 }, (_, number) =>
      admin.data(sendCommand, { params: { id }, body: { kind: 'disableConnector', connector: number + 1 } }),
    ),
  );
  for (let count = 1; count <= 12; count += 1) {
    const { executionId } = await connection.call(count);
    expect(connection.calls).toHaveLength(count);
    const wakes = nodes.map((node) => () => node.onAnswersStored([{ deviceId: id, executionId }]));
    await connection.answer(executionId);
    for (const wake of wakes) wake();
  }
  await Promise.all(executions.map((execution) => executionOnce(admin, id, execution.id, hasEnded)));
  expect(new Set(connection.calls.map((call) => call.executionId)).size).toBe(12);
});

test.each([
  ['the same command again', { kind: 'softReset' }, { kind: 'softReset' }],
  ['another kind of restart', { kind: 'softReset' }, { kind: 'hardReset' }],
] as const)('the device is busy: %s', async (_, one, other) => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  await openConnection(room, id);
  await admin.data(sendCommand, { params: { id }, body: one });
  expect((await admin.call(sendCommand, { params: { id }, body: other })).code).toBe(CODES.deviceBusy.code);
});

test('a device has at most twenty commands waiting', async () => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  await openConnection(room, id);
  const codes: number[] = [];
  for (let number = 1; number <= 21; number += 1) {
    const body = { kind: 'refreshParameters', key: `Key${number}` } as const;
    codes.push((await admin.call(sendCommand, { params: { id }, body })).code);
  }
  expect(codes).toEqual([...Array(20).fill(0), CODES.deviceBusy.code]);
});

test('of two identical concurrent requests one succeeds, and the other finds the device busy', async () => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  const connection = await openConnection(room, id);
  const codes = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const body = { kind: 'setParameter', key: 'HeartbeatInterval', value: '60' } as const;
      return (await admin.call(sendCommand, { params: { id }, body })).code;
    }),
  );
  expect(codes.toSorted()).toEqual([0, ...Array(5).fill(CODES.deviceBusy.code)]);
  expect(connection.calls).toHaveLength(1);
});

test('parameters are listed as the device reported them; the same value, an unknown or a read-only key is refused', async () => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  await openConnection(room, id);
  const readAt = '2026-07-01T10:00:00.000Z';
  await room.database.pool.query(
    `insert into device_parameters (device_id, key, value, readonly, read_at)
     values ($1, 'NumberOfConnectors', '2', true, $2), ($1, 'HeartbeatInterval', '300', false, $2)`,
    [id, readAt],
  );
  const plain = { secret: false, item: null, documentId: null };
  expect(await admin.data(listParameters, { params: { id } })).toEqual({
    items: [
      { key: 'HeartbeatInterval', value: '300', readonly: false, readAt, ...plain, may: { set: true } },
      { key: 'NumberOfConnectors', value: '2', readonly: true, readAt, ...plain, may: { set: false } },
    ],
  });
  const set = (key: string, value: string) =>
    admin.call(sendCommand, { params: { id }, body: { kind: 'setParameter', key, value } });
  expect(await set('HeartbeatInterval', '300')).toMatchObject({ code: CODES.sameValue.code, field: 'value' });
  expect(await set('heartbeatinterval', '300')).toMatchObject({ code: CODES.sameValue.code });
  expect(await set('NumberOfConnectors', '3')).toMatchObject({
    code: CODES.parameterReadonly.code,
    message: 'The parameter NumberOfConnectors is read-only.',
  });
  expect(await set('NoSuchKey', '3')).toMatchObject({ code: CODES.parameterUnknown.code });
  expect(await set('AuthorizationKey', 'secret')).toMatchObject({ code: CODES.parameterSecret.code });
  expect(await set('HeartbeatInterval', '60')).toMatchObject({
    code: 0,
    data: { controlType: 11, params: { key: 'HeartbeatInterval', value: '60' }, state: 'sent' },
  });
});

test("a parameter is set with the device's spelling of its name, and can be set back when the answer to a change was lost", async () => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  const connection = await openConnection(room, id);
  await room.database.pool.query(
    `insert into device_parameters (device_id, key, value, readonly, read_at)
     values ($1, 'HeartbeatInterval', '300', false, now())`,
    [id],
  );
  const set = (value: string) =>
    admin.call(sendCommand, { params: { id }, body: { kind: 'setParameter', key: 'heartbeatinterval', value } });
  const changed = await set('60');
  expect(connection.calls[0]?.params).toEqual({ key: 'HeartbeatInterval', value: '60' });
  await passDeadline(room, changed.data.id);
  await executionOnce(admin, id, changed.data.id, hasEnded);
  expect(await set('300')).toMatchObject({ code: 0 });
});

test('missing and unnecessary inputs of a command are named', async () => {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  const send = (body: object) => admin.call(sendCommand, { params: { id }, body: body as { kind: 'softReset' } });
  expect(await send({ kind: 'disableConnector' })).toMatchObject({
    code: CODES.paramMissing.code,
    message: 'Connector is required for this command.',
  });
  expect(await send({ kind: 'setParameter', key: 'A' })).toMatchObject({ field: 'value' });
  expect(await send({ kind: 'softReset', connector: 1 })).toMatchObject({ code: CODES.fieldUnknown.code });
  expect(await send({ kind: 'selfDestruct' })).toMatchObject({ code: CODES.fieldChoice.code, field: 'kind' });
  expect(await send({ kind: 'disableConnector', connector: 7 })).toMatchObject({
    code: CODES.connectorUnknown.code,
    message: 'The device has no connector 7.',
  });
});

test('a connector that the model defines can be used before the device has reported it', async () => {
  const { id } = room.world.devices.northQuay1;
  const { pool } = room.database;
  const admin = await room.as('northAdmin');
  const connection = await openConnection(room, id);
  const disable = (connector: number) =>
    admin.call(sendCommand, { params: { id }, body: { kind: 'disableConnector', connector } });
  expect(await disable(2)).toMatchObject({ code: CODES.connectorUnknown.code });
  await pool.query('update device_models set connector_count = 2');
  try {
    expect(await disable(2)).toMatchObject({ code: 0 });
    expect(await connection.call(1)).toMatchObject({ kind: 'disableConnector', connector: 2 });
    expect(await disable(3)).toMatchObject({ code: CODES.connectorUnknown.code });
  } finally {
    await pool.query('update device_models set connector_count = null');
  }
});

test('a disabled device, site or customer accepts no commands', async () => {
  const { id } = room.world.devices.northQuay1;
  const { pool } = room.database;
  const admin = await room.as('vendorStaff');
  const code = async () => (await admin.call(sendCommand, { params: { id }, body: { kind: 'softReset' } })).code;
  await pool.query('update devices set enabled = false where id = $1', [id]);
  expect(await code()).toBe(CODES.deviceDisabled.code);
  await pool.query('update devices set enabled = true');
  await pool.query('update sites set enabled = false');
  expect(await code()).toBe(CODES.deviceDisabled.code);
});

test('a user who may not see or control a device cannot send commands to it', async () => {
  const { northQuay1, northMill1, readOnlyYard1 } = room.world.devices;
  const code = async (person: Parameters<OperationsTest['as']>[0], id: number, body: object = { kind: 'softReset' }) =>
    (await (await room.as(person)).call(sendCommand, { params: { id }, body: body as { kind: 'softReset' } })).code;
  expect(await code('southAdmin', northQuay1.id)).toBe(CODES.notFound.code);
  expect(await code('northAssigned', northMill1.id)).toBe(CODES.notFound.code);
  expect(await code('northAdmin', 999_999)).toBe(CODES.notFound.code);
  expect(await code('northReader', northQuay1.id)).toBe(CODES.noPermission.code);
  expect(await code('northReader', northQuay1.id, { kind: 'setParameter', key: 'A', value: '1' })).toBe(
    CODES.noPermission.code,
  );
  expect(await code('northReader', northQuay1.id, { kind: 'refreshConfiguration' })).toBe(0);
  expect(await code('readOnlyAdmin', readOnlyYard1.id)).toBe(CODES.noPermission.code);
  expect(await code('northNoMenus', northQuay1.id)).toBe(CODES.noPermission.code);
  const south = await room.as('southAdmin');
  expect((await south.call(listExecutions, { params: northQuay1 })).code).toBe(CODES.notFound.code);
  expect((await south.call(listParameters, { params: northQuay1 })).code).toBe(CODES.notFound.code);
});

test('values of parameters are shown only to users who may read parameters', async () => {
  const { id } = room.world.devices.northQuay1;
  await openConnection(room, id);
  const admin = await room.as('northAdmin');
  await admin.data(sendCommand, { params: { id }, body: { kind: 'setParameter', key: 'Note', value: 'private' } });
  await room.database.pool.query('update device_models set parameter_read_level = 4');
  const reader = await room.as('northReader');
  expect((await reader.call(listParameters, { params: { id } })).code).toBe(CODES.noPermission.code);
  expect((await reader.data(listExecutions, { params: { id } })).items[0]?.params).toEqual({ key: 'Note' });
  expect((await admin.data(listExecutions, { params: { id } })).items[0]?.params).toEqual({
    key: 'Note',
    value: 'private',
  });
});
