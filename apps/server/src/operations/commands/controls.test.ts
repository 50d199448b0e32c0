import { CODES, type NewCommand, operationsEndpoints } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import {
  describeModel,
  executionOnce,
  type OperationsTest,
  openConnection,
  passDeadline,
  startOperationsTest,
} from '../../testing/operations-room.ts';

const { sendCommand, listExecutions, listControls, cancelExecution } = operationsEndpoints;

let room: OperationsTest;
let admin: Client;
let id: number;
beforeAll(async () => {
  room = await startOperationsTest();
  id = room.world.devices.northQuay1.id;
  admin = await room.as('northAdmin');
});
afterAll(() => room.stop());
afterEach(() => room.reset());

const ask = (body: NewCommand, person = admin) => person.call(sendCommand, { params: { id }, body });
const given = (body: NewCommand) => admin.data(sendCommand, { params: { id }, body });
const cancel = (executionId: string, person = admin) =>
  person.call(cancelExecution, { params: { executionId }, body: {} });
const latest = async () => (await admin.data(listExecutions, { params: { id } })).items[0];

describe('the controls of a device come from its model', () => {
  test('an undescribed model offers the standard set, without vendor-specific controls', async () => {
    const { items } = await admin.data(listControls, { params: { id } });
    expect(items.map(({ type, kinds }) => [type, kinds])).toEqual([
      [1, ['softReset']],
      [2, ['hardReset']],
      [3, ['disableSystem', 'enableSystem']],
      [4, ['disableConnector', 'enableConnector']],
      [5, ['upgradeSoftware']],
      [6, ['uploadLog']],
      [9, ['refreshConfiguration']],
      [10, ['refreshParameters']],
      [11, ['setParameter']],
      [12, ['remoteStart']],
      [13, ['remoteStop']],
      [14, ['unlockConnector']],
      [15, ['clearCache']],
      [16, ['triggerMessage']],
      [17, ['sendMessage']],
    ]);
    expect(items.every(({ name, may, unmet }) => name === null && may && !unmet)).toBe(true);
    for (const kind of ['restartCcu', 'startVpn', 'stopVpn'] as const) {
      expect(await ask({ kind })).toMatchObject({ code: CODES.controlNotOffered.code, field: 'kind' });
    }
  });

  test('a described model offers its controls, with its own names', async () => {
    const port = { en: 'Port', zh: '端口' };
    await describeModel(room, {
      controls: [
        { type: 2, precondition: 'noSession' },
        { type: 7 },
        { type: 9, reading: 'restartCcu', param1: port },
        { type: 1, precondition: 'maintenance' },
      ],
    });
    const { items } = await admin.data(listControls, { params: { id } });
    expect(items).toMatchObject([
      { type: 2, kinds: ['hardReset'], precondition: 'noSession', unmet: false },
      { type: 9, kinds: ['restartCcu'], name: { en: 'Named' }, param1: port, param2: null },
      { type: 1, kinds: ['softReset'], precondition: 'maintenance', unmet: true },
    ]);
    // A link sends control 7 with its own parameters: as a plain command it would do nothing.
    for (const kind of ['clearCache', 'startVpn'] as const) {
      expect(await ask({ kind })).toMatchObject({
        code: CODES.controlNotOffered.code,
        message: 'Devices of the model World pile do not have this control.',
      });
    }
    const connection = await openConnection(room, id);
    const sent = await given({ kind: 'restartCcu', param1: '22' });
    expect(sent).toMatchObject({ controlType: 9, params: { param1: '22' } });
    expect(connection.calls).toEqual([
      { executionId: sent.id, kind: 'restartCcu', connector: 0, params: { param1: '22' } },
    ]);
    expect(await ask({ kind: 'restartCcu', param1: '22', param2: 'x' })).toMatchObject({
      code: CODES.fieldUnknown.code,
      field: 'param2',
    });
  });

  test("the control's own level applies, and the server enforces it", async () => {
    const staff = await room.as('vendorStaff');
    const reader = await room.as('northReader');
    await describeModel(room, {
      controls: [
        { type: 1, level: 5 },
        { type: 2, level: 0 },
      ],
    });
    await openConnection(room, id);
    expect(await ask({ kind: 'softReset' }, reader)).toMatchObject({ code: 0 });
    expect((await ask({ kind: 'hardReset' }, staff)).code).toBe(CODES.noPermission.code);
    expect((await ask({ kind: 'hardReset' }, await room.as('root'))).code).toBe(CODES.deviceBusy.code);
    const { items } = await staff.data(listControls, { params: { id } });
    expect(items.map(({ may }) => may)).toEqual([true, false]);
  });
});

describe('preconditions are checked when a command is requested and when it is sent', () => {
  const charge = () =>
    room.database.pool.query(
      `insert into connectors (device_id, connector, status, since, updated_at)
       values ($1, 1, 'Charging', now(), now()), ($1, 2, 'Available', now(), now())`,
      [id],
    );

  test('no session: at the device, or at the given connector', async () => {
    await describeModel(room, {
      controls: [
        { type: 2, precondition: 'noSession' },
        { type: 4, precondition: 'noSession' },
      ],
    });
    await charge();
    await openConnection(room, id);
    expect(await ask({ kind: 'hardReset' })).toMatchObject({
      code: CODES.sessionInProgress.code,
      message: expect.stringContaining('Wait until the session ends'),
    });
    expect((await ask({ kind: 'disableConnector', connector: 1 })).code).toBe(CODES.sessionInProgress.code);
    expect((await ask({ kind: 'disableConnector', connector: 2 })).code).toBe(0);
  });

  test('an open transaction counts, unless its connector reports that it is available again', async () => {
    await describeModel(room, { controls: [{ type: 2, precondition: 'noSession' }] });
    await openConnection(room, id);
    await room.database.pool.query(
      `insert into transactions (device_id, connector, id_tag, meter_start, started_at) values ($1, 1, 'T', 0, now())`,
      [id],
    );
    expect((await ask({ kind: 'hardReset' })).code).toBe(CODES.sessionInProgress.code);
    await room.database.pool.query(
      `insert into connectors (device_id, connector, status, since, updated_at) values ($1, 1, 'Available', now(), now())`,
      [id],
    );
    expect((await ask({ kind: 'hardReset' })).code).toBe(0);
  });

  test('maintenance: refused with the next step, accepted when the device is in maintenance', async () => {
    await describeModel(room, { controls: [{ type: 1, precondition: 'maintenance' }] });
    await openConnection(room, id);
    expect(await ask({ kind: 'softReset' })).toMatchObject({ code: CODES.maintenanceNeeded.code });
    await room.database.pool.query('update devices set maintenance = true where id = $1', [id]);
    expect((await ask({ kind: 'softReset' })).code).toBe(0);
  });

  test('a precondition that fails while the command waits ends it, and nothing is sent', async () => {
    await describeModel(room, { controls: [{ type: 1 }, { type: 4, precondition: 'noSession' }] });
    const connection = await openConnection(room, id);
    await room.database.pool.query(
      `insert into connectors (device_id, connector, status, since, updated_at) values ($1, 1, 'Available', now(), now())`,
      [id],
    );
    const first = await given({ kind: 'softReset' });
    const second = await given({ kind: 'disableConnector', connector: 1 });
    await room.database.pool.query(`update connectors set status = 'Charging' where device_id = $1`, [id]);
    await connection.answer(first.id);
    expect(await executionOnce(admin, id, second.id, ({ state }) => state === 'ended')).toMatchObject({
      result: 3,
      reason: 'sessionInProgress',
    });
    expect(connection.calls).toHaveLength(1);
  });
});

describe('a command may wait for a device that is offline', () => {
  test('it waits, also over a restart, and is sent when the device is online', async () => {
    const sent = await given({ kind: 'clearCache', whenOffline: 'queue', queueMinutes: 30 });
    expect(sent).toMatchObject({ state: 'queued', whenOffline: 'queue' });
    expect(Date.parse(sent.deadlineAt) - Date.parse(sent.queuedAt)).toBeGreaterThan(29 * 60_000);
    await room.restart();
    admin = await room.as('northAdmin');
    expect(await latest()).toMatchObject({ id: sent.id, state: 'queued' });
    const connection = await openConnection(room, id);
    expect((await connection.call(1)).executionId).toBe(sent.id);
    await connection.answer(sent.id);
    expect(await latest()).toMatchObject({ state: 'ended', result: 2 });
    expect(connection.calls).toHaveLength(1);
  });

  test('a device that is not online in time ends it as offline', async () => {
    const sent = await given({ kind: 'softReset', whenOffline: 'queue' });
    await passDeadline(room, sent.id);
    expect(await executionOnce(admin, id, sent.id, ({ state }) => state === 'ended')).toMatchObject({
      result: 5,
      reason: 'deviceOffline',
    });
    const connection = await openConnection(room, id);
    const next = await given({ kind: 'softReset' });
    expect(connection.calls.map(({ executionId }) => executionId)).toEqual([next.id]);
  });

  test('a connection that breaks just before sending returns it to the queue, with its remaining time', async () => {
    const connection = await openConnection(room, id);
    connection.sendResult = { outcome: 'offline' };
    const sent = await given({ kind: 'softReset', whenOffline: 'queue', queueMinutes: 30 });
    expect(sent).toMatchObject({ state: 'queued', sentAt: null });
    expect(Date.parse(sent.deadlineAt) - Date.parse(sent.queuedAt)).toBeGreaterThan(29 * 60_000);
    await connection.close();
    const again = await openConnection(room, id);
    expect((await again.call(1)).executionId).toBe(sent.id);
    await again.answer(sent.id);
    expect(again.calls).toHaveLength(1);
  });

  test('a command that ends immediately is not blocked by waiting ones', async () => {
    await given({ kind: 'softReset', whenOffline: 'queue' });
    expect(await given({ kind: 'disableSystem' })).toMatchObject({ state: 'ended', result: 5 });
  });

  test.each([
    [{ kind: 'softReset', queueMinutes: 5 }, CODES.fieldUnknown.code],
    [{ kind: 'softReset', whenOffline: 'queue', queueMinutes: 0 }, CODES.fieldTooSmall.code],
    [{ kind: 'softReset', whenOffline: 'queue', queueMinutes: 7 * 24 * 60 + 1 }, CODES.fieldTooLarge.code],
    [{ kind: 'softReset', whenOffline: 'queue', queueMinutes: 7 * 24 * 60 }, 0],
  ] as const)('%j answers %i', async (body, code) => {
    expect((await ask(body)).code).toBe(code);
  });
});

describe('a waiting command can be cancelled', () => {
  test('by a user who may send it; nothing is sent to the device, and the action log records who', async () => {
    const sent = await given({ kind: 'hardReset', whenOffline: 'queue' });
    for (const [person, code] of [
      ['northReader', CODES.noPermission.code],
      ['southAdmin', CODES.notFound.code],
    ] as const) {
      expect((await cancel(sent.id, await room.as(person))).code).toBe(code);
    }
    expect(await cancel(sent.id)).toMatchObject({ code: 0, data: { state: 'ended', result: 3, reason: 'cancelled' } });
    expect((await cancel(sent.id)).code).toBe(CODES.executionNotQueued.code);
    const connection = await openConnection(room, id);
    const next = await given({ kind: 'softReset' });
    expect(connection.calls.map(({ executionId }) => executionId)).toEqual([next.id]);
    const { rows } = await room.database.pool.query(`select user_name, after from action_logs order by id`);
    expect(rows[1]).toMatchObject({
      user_name: 'north_admin',
      after: { kind: 'hardReset', cancelled: true, executionId: sent.id },
    });
  });

  test('a sent command cannot be cancelled', async () => {
    const connection = await openConnection(room, id);
    const sent = await given({ kind: 'clearCache' });
    expect((await cancel(sent.id)).code).toBe(CODES.executionNotQueued.code);
    await connection.answer(sent.id);
    expect(await latest()).toMatchObject({ result: 2 });
  });

  test('of a concurrent cancel and send one succeeds, and both report the same', async () => {
    for (let round = 0; round < 6; round += 1) {
      const sent = await given({ kind: 'clearCache', whenOffline: 'queue' });
      const connection = openConnection(room, id);
      const [{ code }, opened] = await Promise.all([cancel(sent.id), connection]);
      if (code === 0) {
        expect(await latest()).toMatchObject({ state: 'ended', reason: 'cancelled' });
        expect(opened.calls).toEqual([]);
      } else {
        await vi.waitFor(() => expect(opened.calls).toHaveLength(1), { timeout: 30_000 });
        await opened.answer(sent.id);
        expect(await latest()).toMatchObject({ state: 'ended', result: 2 });
      }
      await opened.close();
    }
  });

  test.each(['absent', '00000000-0000-4000-8000-000000000000'])('unknown ids give notFound: %s', async (gone) => {
    expect((await cancel(gone)).code).toBe(CODES.notFound.code);
  });
});
