import { batchEndpoints, CODES, type ExecutionRow, type NewCommand, operationsEndpoints } from '@chargehand/contract';
import type { Fleet } from '@chargehand/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { emptyTables } from '../../testing/database/database.ts';
import { connectPile, type Pile } from '../../testing/gateways/pile.ts';
import { executionOnce, passDeadline } from '../../testing/operations-room.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { connectDevices } from '../../testing/transfers/transfers.ts';

const { sendCommand } = operationsEndpoints;

let server: TestServer;
let admin: Client;
let fleet: Fleet | undefined;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
});
afterAll(async () => {
  await fleet?.stop();
  await server.stop();
});

const sendTo = (id: number, body: NewCommand) => admin.data(sendCommand, { params: { id }, body });
const once = (id: number, { id: executionId }: ExecutionRow, state: ExecutionRow['state']) =>
  executionOnce(admin, id, executionId, (execution) => execution.state === state);

describe('frames in OCPP 1.6', () => {
  let id: number;
  let sn: string;
  let pile: Pile;
  beforeAll(async () => {
    ({ id, sn } = server.world.devices.northQuay1);
  });
  afterEach(async () => {
    await pile.cut();
    await emptyTables(server.database.pool, 'executions', 'command_batches', 'commands', 'transactions');
  });
  const connect = async () => {
    pile = await connectPile(server, sn);
    await pile.say('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Preparing' });
  };
  const at = () => new Date().toISOString();
  const start = async (idTag: string) => {
    const started = { connectorId: 1, idTag, meterStart: 5, timestamp: at() };
    return (await pile.say('StartTransaction', started)).transactionId as number;
  };

  test('a remote start succeeds when its session starts, not when the device accepts it', async () => {
    await connect();
    const sent = await sendTo(id, { kind: 'remoteStart', connector: 1 });
    const call = await pile.call(1);
    const { idTag } = sent.params as { idTag: string };
    expect(call).toEqual({ id: sent.id, action: 'RemoteStartTransaction', payload: { connectorId: 1, idTag } });
    expect(idTag).toMatch(/^CH[0-9A-F]{12}$/);
    pile.answer(call.id, { status: 'Accepted' });
    expect(await once(id, sent, 'accepted')).toMatchObject({ result: 1, reason: null, endedAt: null });
    // Nothing is in flight meanwhile, so the next command is sent.
    const cleared = await sendTo(id, { kind: 'clearCache' });
    const next = await pile.call(2);
    expect(next).toEqual({ id: cleared.id, action: 'ClearCache', payload: {} });
    pile.answer(next.id, { status: 'Accepted' });
    expect(await once(id, cleared, 'ended')).toMatchObject({ result: 2, reason: 'accepted' });
    // A session of another card is not the one that was requested.
    await start('OTHER-CARD');
    expect(await once(id, sent, 'accepted')).toMatchObject({ result: 1 });
    await start(idTag.toLowerCase());
    expect(await once(id, sent, 'ended')).toMatchObject({ result: 2, reason: 'transactionStarted' });
  });

  test('a requested message counts even when it arrives before the answer; without an answer it does not', async () => {
    await connect();
    const sent = await sendTo(id, { kind: 'triggerMessage', message: 'Heartbeat' });
    const call = await pile.call(1);
    await pile.say('Heartbeat', {});
    pile.answer(call.id, { status: 'Accepted' });
    expect(await once(id, sent, 'ended')).toMatchObject({ result: 2, reason: 'messageReceived' });
    const refused = await sendTo(id, { kind: 'triggerMessage', message: 'MeterValues' });
    const next = await pile.call(2);
    const sampledValue = [{ value: '1' }];
    await pile.say('MeterValues', { connectorId: 1, meterValue: [{ timestamp: at(), sampledValue }] });
    pile.answer(next.id, { status: 'Rejected' });
    expect(await once(id, refused, 'ended')).toMatchObject({ result: 3, reason: 'rejected' });
  });

  test('it still counts when the server restarts in between', async () => {
    await connect();
    const sent = await sendTo(id, { kind: 'remoteStart', connector: 1, idTag: 'SERVICE-7' });
    const call = await pile.call(1);
    expect(call.payload).toEqual({ connectorId: 1, idTag: 'SERVICE-7' });
    pile.answer(call.id, { status: 'Accepted' });
    await once(id, sent, 'accepted');
    await server.restart();
    await connect();
    expect(await once(id, sent, 'accepted')).toMatchObject({ result: 1 });
    await start('SERVICE-7');
    expect(await once(id, sent, 'ended')).toMatchObject({ result: 2, reason: 'transactionStarted' });
  });

  test('a remote start without a plugged-in vehicle times out, and one that the device rejects fails', async () => {
    await connect();
    const sent = await sendTo(id, { kind: 'remoteStart', connector: 1 });
    pile.answer((await pile.call(1)).id, { status: 'Accepted' });
    await once(id, sent, 'accepted');
    await passDeadline(server, sent.id);
    expect(await once(id, sent, 'ended')).toMatchObject({ result: 4, reason: 'notConfirmed' });
    const refused = await sendTo(id, { kind: 'remoteStart', connector: 1 });
    pile.answer((await pile.call(2)).id, { status: 'Rejected' });
    expect(await once(id, refused, 'ended')).toMatchObject({ result: 3, reason: 'rejected' });
  });

  test('a remote stop ends the session of its connector, and succeeds when the session has ended', async () => {
    await connect();
    const none = await admin.call(sendCommand, { params: { id }, body: { kind: 'remoteStop', connector: 1 } });
    expect(none).toMatchObject({ code: CODES.noSession.code, field: 'connector' });
    const transactionId = await start('CARD');
    const sent = await sendTo(id, { kind: 'remoteStop', connector: 1 });
    const call = await pile.call(1);
    expect(call).toEqual({ id: sent.id, action: 'RemoteStopTransaction', payload: { transactionId } });
    pile.answer(call.id, { status: 'Accepted' });
    expect(await once(id, sent, 'accepted')).toMatchObject({ result: 1, reason: null });
    await pile.say('StopTransaction', { transactionId, meterStop: 9, timestamp: at(), reason: 'Remote' });
    expect(await once(id, sent, 'ended')).toMatchObject({ result: 2, reason: 'transactionEnded' });
  });

  test('a stop whose session ended while it was queued is not sent', async () => {
    await connect();
    const transactionId = await start('CARD');
    const before = await sendTo(id, { kind: 'clearCache' });
    const sent = await sendTo(id, { kind: 'remoteStop', connector: 1 });
    const call = await pile.call(1);
    await pile.say('StopTransaction', { transactionId, meterStop: 9, timestamp: at() });
    pile.answer(call.id, { status: 'Rejected' });
    expect(await once(id, before, 'ended')).toMatchObject({ result: 3, reason: 'rejected' });
    expect(await once(id, sent, 'ended')).toMatchObject({ result: 3, reason: 'noSession' });
    expect(pile.calls).toHaveLength(1);
  });

  test('a reset has succeeded when the device has restarted, not when it accepts', async () => {
    await connect();
    const sent = await sendTo(id, { kind: 'hardReset' });
    pile.answer((await pile.call(1)).id, { status: 'Accepted' });
    expect(await once(id, sent, 'accepted')).toMatchObject({ result: 1, outcome: 1, reason: null });
    // A boot message on the same connection is no restart.
    await pile.say('BootNotification', { chargePointVendor: 'Test', chargePointModel: 'Pile' });
    expect(await once(id, sent, 'accepted')).toMatchObject({ result: 1 });
    await pile.cut();
    await connect();
    expect(await once(id, sent, 'ended')).toMatchObject({ result: 2, outcome: 2, reason: 'restarted' });
  });

  test('a reset that the device did not accept has not succeeded when the device connects and boots', async () => {
    await connect();
    const sent = await sendTo(id, { kind: 'softReset' });
    await pile.call(1);
    await server.restart();
    await connect();
    await passDeadline(server, sent.id);
    expect(await once(id, sent, 'ended')).toMatchObject({ result: 4, reason: 'connectionLost' });
  });

  test('a reset is confirmed, too, when the server restarts in between; without a restart it is a timeout', async () => {
    await connect();
    const sent = await sendTo(id, { kind: 'softReset' });
    pile.answer((await pile.call(1)).id, { status: 'Accepted' });
    await once(id, sent, 'accepted');
    await server.restart();
    await connect();
    expect(await once(id, sent, 'ended')).toMatchObject({ result: 2, reason: 'restarted' });
    const again = await sendTo(id, { kind: 'softReset' });
    pile.answer((await pile.call(1)).id, { status: 'Accepted' });
    await once(id, again, 'accepted');
    await passDeadline(server, again.id);
    expect(await once(id, again, 'ended')).toMatchObject({ result: 4, reason: 'notConfirmed' });
  });

  test('a change of availability that waits for the session has succeeded when it takes effect', async () => {
    await connect();
    const status = (connectorId: number, word: string) =>
      pile.say('StatusNotification', { connectorId, errorCode: 'NoError', status: word });
    await status(2, 'Available');
    const one = await sendTo(id, { kind: 'disableConnector', connector: 1 });
    pile.answer((await pile.call(1)).id, { status: 'Scheduled' });
    expect(await once(id, one, 'accepted')).toMatchObject({ result: 1, reason: 'scheduled' });
    const all = await sendTo(id, { kind: 'disableSystem' });
    pile.answer((await pile.call(2)).id, { status: 'Scheduled' });
    await once(id, all, 'accepted');
    await status(2, 'Unavailable');
    expect(await once(id, one, 'accepted')).toMatchObject({ result: 1 });
    await status(1, 'Unavailable');
    expect(await once(id, one, 'ended')).toMatchObject({ result: 2, reason: 'availabilityChanged' });
    expect(await once(id, all, 'ended')).toMatchObject({ result: 2, reason: 'availabilityChanged' });
    const enabled = await sendTo(id, { kind: 'enableSystem' });
    pile.answer((await pile.call(3)).id, { status: 'Accepted' });
    expect(await once(id, enabled, 'ended')).toMatchObject({ result: 2, reason: 'accepted' });
  });

  test.each([
    ['Unlocked', { result: 2, reason: 'unlocked' }],
    ['UnlockFailed', { result: 3, reason: 'unlockFailed' }],
    ['NotSupported', { result: 3, reason: 'notSupported' }],
  ])('an unlock with the answer %s', async (status, expected) => {
    await connect();
    const sent = await sendTo(id, { kind: 'unlockConnector', connector: 1 });
    const call = await pile.call(1);
    expect(call).toMatchObject({ action: 'UnlockConnector', payload: { connectorId: 1 } });
    pile.answer(call.id, { status });
    expect(await once(id, sent, 'ended')).toMatchObject(expected);
  });
});

describe('a simulated station', () => {
  describe.each([
    ['OCPP 1.6', 0, 'ONE'],
    ['OCPP 2.0.1', 1, 'TWO'],
  ] as const)('in %s', (_, ocpp201, prefix) => {
    let id: number;
    beforeAll(async () => {
      await fleet?.stop();
      const started = await connectDevices(server, { prefix, devices: 1, speed: 20, connectors: 2, ocpp201 });
      fleet = started.fleet;
      id = started.devices[0]!.id;
      await vi.waitFor(async () => {
        const { rows } = await server.database.pool.query('select from connectors where device_id = $1', [id]);
        expect(rows.length).toBeGreaterThanOrEqual(2);
      });
    });
    const succeeds = async (body: NewCommand, reason: string) => {
      const sent = await sendTo(id, body);
      expect(await once(id, sent, 'ended')).toMatchObject({ result: 2, reason });
    };

    test('starts and stops a session, unlocks, and refuses to clear a cache that it does not have', {
      timeout: 60_000,
    }, async () => {
      await succeeds({ kind: 'remoteStart', connector: 1 }, 'transactionStarted');
      await succeeds({ kind: 'remoteStop', connector: 1 }, 'transactionEnded');
      await succeeds({ kind: 'unlockConnector', connector: 2 }, 'unlocked');
      // It has no cache, and answers so.
      const sent = await sendTo(id, { kind: 'clearCache' });
      expect(await once(id, sent, 'ended')).toMatchObject({ result: 3, reason: 'rejected' });
    });

    test('sends the messages that are requested', { timeout: 60_000 }, async () => {
      await succeeds({ kind: 'triggerMessage', message: 'Heartbeat' }, 'messageReceived');
      await succeeds({ kind: 'triggerMessage', message: 'StatusNotification', connector: 1 }, 'messageReceived');
      await succeeds({ kind: 'triggerMessage', message: 'MeterValues', connector: 1 }, 'messageReceived');
      await succeeds({ kind: 'triggerMessage', message: 'BootNotification' }, 'messageReceived');
    });

    test('does not send messages that its version does not have', async () => {
      const message = ocpp201 === 0 ? 'TransactionEvent' : 'DiagnosticsStatusNotification';
      const sent = await sendTo(id, { kind: 'triggerMessage', message });
      expect(await once(id, sent, 'ended')).toMatchObject({
        result: 3,
        reason: 'notSupported',
        sentAt: expect.any(String),
      });
    });
  });
});

test('a session is started and stopped on one device at a time', async () => {
  const deviceIds = [server.world.devices.northQuay1.id];
  const body = { deviceIds, kind: 'remoteStart' as const, connector: 1 };
  expect(await admin.call(batchEndpoints.createBatch, { body })).toMatchObject({
    code: CODES.notForBatches.code,
    field: 'kind',
  });
  const { controls } = await admin.data(batchEndpoints.listCommonControls, { body: { deviceIds } });
  const kinds = controls.map(({ kind }) => kind);
  expect(kinds).toContain('triggerMessage');
  expect(kinds).toContain('clearCache');
  expect(kinds).not.toContain('remoteStop');
});
