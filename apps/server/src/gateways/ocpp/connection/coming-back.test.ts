import { randomUUID } from 'node:crypto';
import { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { steppedClock } from '../../../testing/clock.ts';
import { connectRaw, eventually, startTestbed, type Testbed } from '../../../testing/gateways/gateway-testbed.ts';

/** Devices that do not boot are queried immediately here, */
let bed: Testbed;
/** and these have unlimited time to boot. */
let slow: Testbed;
beforeAll(async () => {
  bed = await startTestbed({ requestAfterSeconds: 0 });
  slow = await startTestbed({ requestAfterSeconds: 3_600 });
});
afterAll(async () => {
  await bed.stop();
  await slow.stop();
});

const now = () => new Date().toISOString();

interface Trigger {
  requestedMessage: string;
  evse?: { id: number; connectorId: number };
}

/** The answer to a stored message may still be in flight. */
const AFTER_THE_ANSWERS = { awaitPending: true };

/** A third-party client with strict validation in both directions. */
async function connect(sn: string, protocol: string, onTrigger: (params: Trigger) => { status: string }) {
  const client = new RPCClient({
    ...{ endpoint: bed.url, identity: sn, protocols: [protocol], strictMode: true, reconnect: false },
    // The library's types require every option, but its code has a default for each.
  } as ConstructorParameters<typeof RPCClient>[0]);
  const problems: unknown[] = [];
  client.on('strictValidationFailure', (problem: unknown) => problems.push(problem));
  client.on('badMessage', (problem: unknown) => problems.push(problem));
  const triggers: unknown[] = [];
  client.handle('TriggerMessage', async ({ params }: { params?: unknown }) => {
    triggers.push(params);
    return onTrigger(params as Trigger);
  });
  await client.connect();
  return { client, problems, triggers };
}

const statuses = async (id: number) =>
  (
    await bed.pool.query<{ connector: number; status: string }>(
      'select connector, status from connectors where device_id = $1 and connector > 0 order by connector',
      [id],
    )
  ).rows;

/** The device was sent a firmware update or a log request and has not finished it. */
async function beginTransfer(id: number, kind: 'software' | 'log'): Promise<void> {
  const log = kind === 'log';
  await bed.pool.query(
    `with c as (insert into commands (kind, control_type, requested_by_name) values ('x', $3, 'test') returning id),
       e as (insert into executions (id, command_id, device_id, deadline_at) select $2, id, $1, now() + interval '1 h' from c)
     insert into transfers (execution_id, device_id, kind, transport, requested_by_name, deadline_at, log_type, version,
       object_key, size, sha256)
     values ($2, $1, $4, 'http', 'test', now() + interval '1 h', $5, $6, $6, $7, $6)`,
    [id, randomUUID(), log ? 6 : 5, kind, log ? 'diagnostics' : null, log ? null : '2.0', log ? null : 1],
  );
}

test('an OCPP 1.6 charge point that only lost its network is asked for all its statuses, and reports them', async () => {
  const id = await bed.addDevice('BACK-16');
  await beginTransfer(id, 'software');
  await beginTransfer(id, 'log');
  const received: string[] = [];
  const { client, problems, triggers } = await connect('BACK-16', 'ocpp1.6', ({ requestedMessage }) => {
    setImmediate(async () => {
      received.push(requestedMessage);
      if (requestedMessage === 'FirmwareStatusNotification') {
        await client.call(requestedMessage, { status: 'Installing' });
      }
      if (requestedMessage !== 'StatusNotification') return;
      for (const connectorId of [0, 1, 2]) {
        const status = connectorId === 2 ? 'Charging' : 'Available';
        await client.call('StatusNotification', { connectorId, errorCode: 'NoError', status, timestamp: now() });
      }
    });
    return { status: requestedMessage === 'DiagnosticsStatusNotification' ? 'NotImplemented' : 'Accepted' };
  });
  await client.call('Heartbeat', {});
  expect(
    await eventually(
      () => statuses(id),
      (rows) => rows.length === 2,
    ),
  ).toEqual([
    { connector: 1, status: 'Available' },
    { connector: 2, status: 'Charging' },
  ]);
  await eventually(
    async () => received.length,
    (count) => count === 3,
  );
  expect(triggers).toEqual([
    { requestedMessage: 'StatusNotification' },
    { requestedMessage: 'FirmwareStatusNotification' },
    { requestedMessage: 'DiagnosticsStatusNotification' },
  ]);
  await eventually(
    async () =>
      (await bed.pool.query('select firmware_status as status from device_states where device_id = $1', [id])).rows[0],
    (state) => state.status === 'Installing',
  );
  expect(problems).toEqual([]);
  await client.close(AFTER_THE_ANSWERS);
});

test('an OCPP 2.0.1 station is asked for the status of each known connector, one after the other', async () => {
  const id = await bed.addDevice('BACK-201');
  await bed.pool.query(
    `insert into connectors (device_id, connector, status, since, updated_at)
     select $1, n, 'Unavailable', now() - interval '1 h', now() - interval '1 h' from unnest(array[0, 1, 2, 258]) n`,
    [id],
  );
  await beginTransfer(id, 'log');
  const { client, problems, triggers } = await connect('BACK-201', 'ocpp2.0.1', ({ requestedMessage, evse }) => {
    if (requestedMessage === 'StatusNotification') {
      setImmediate(() => {
        const place = { evseId: evse?.id, connectorId: evse?.connectorId };
        client.call('StatusNotification', { timestamp: now(), connectorStatus: 'Available', ...place });
      });
    }
    return { status: 'Accepted' };
  });
  await eventually(
    () => statuses(id),
    (rows) => rows.every(({ status }) => status === 'Available'),
  );
  await eventually(
    async () => triggers.length,
    (count) => count === 4,
  );
  expect(triggers).toEqual([
    { requestedMessage: 'StatusNotification', evse: { id: 1, connectorId: 1 } },
    { requestedMessage: 'StatusNotification', evse: { id: 2, connectorId: 1 } },
    { requestedMessage: 'StatusNotification', evse: { id: 2, connectorId: 2 } },
    { requestedMessage: 'LogStatusNotification' },
  ]);
  expect(problems).toEqual([]);
  await client.close(AFTER_THE_ANSWERS);
});

test('a device that boots is not queried; when its configuration is read again, its statuses are requested too', async () => {
  const id = await slow.addDevice('BOOTED-16');
  const point = await connectRaw(`${slow.url}/BOOTED-16`, { hearsTriggers: true });
  await point.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M' });
  const executionId = randomUUID();
  const call = { executionId, kind: 'refreshConfiguration', connector: 0, params: {} } as const;
  expect(await slow.link.execute(id, call)).toEqual({ outcome: 'sent' });
  expect(await point.next()).toEqual([2, executionId, 'GetConfiguration', {}]);
  // Nothing is requested before the answer: one CALL is in flight at a time.
  await point.call('Heartbeat', {});
  point.send([3, executionId, { configurationKey: [], unknownKey: [] }]);
  const [, request, action, payload] = await point.next();
  expect([action, payload]).toEqual(['TriggerMessage', { requestedMessage: 'StatusNotification' }]);

  // A command waits for the answer to the request.
  const reset = { executionId: randomUUID(), kind: 'softReset', connector: 0, params: {} } as const;
  const handed = slow.link.execute(id, reset);
  await point.call('Heartbeat', {});
  point.send([3, request, { status: 'NotImplemented' }]);
  expect(await point.next()).toEqual([2, reset.executionId, 'Reset', { type: 'Soft' }]);
  expect(await handed).toEqual({ outcome: 'sent' });
  point.send([3, reset.executionId, { status: 'Accepted' }]);

  const frames = async () =>
    (
      await slow.pool.query<{ action: string; type: number; note: string | null }>(
        `select action, type, note from protocol_frames
          where device_id = $1 and action in ('GetConfiguration', 'TriggerMessage', 'Reset') order by id`,
        [id],
      )
    ).rows;
  const note = 'StatusNotification is not requested again on this connection';
  expect(await eventually(frames, (rows) => rows.length === 6)).toEqual([
    { action: 'GetConfiguration', type: 3, note: null },
    { action: 'GetConfiguration', type: 2, note: null },
    { action: 'TriggerMessage', type: 3, note: null },
    { action: 'TriggerMessage', type: 2, note },
    { action: 'Reset', type: 3, note: null },
    { action: 'Reset', type: 2, note: null },
  ]);
  expect(slow.answers.filter(({ deviceId }) => deviceId === id).map((one) => one.executionId)).toEqual([
    executionId,
    reset.executionId,
  ]);
  point.socket.terminate();
});

test('a device that boots while it should update its firmware is asked for the status of the update', async () => {
  const id = await bed.addDevice('BOOTED-UPDATE-16');
  await beginTransfer(id, 'software');
  const { client, problems, triggers } = await connect('BOOTED-UPDATE-16', 'ocpp1.6', () => ({ status: 'Accepted' }));
  await client.call('BootNotification', { chargePointVendor: 'V', chargePointModel: 'M', firmwareVersion: '1.0' });
  const update = { requestedMessage: 'FirmwareStatusNotification' };
  // It may have been asked before its boot was processed.
  expect(
    await eventually(
      async () => triggers,
      (all) => all.length > 0,
    ),
  ).toContainEqual(update);
  expect(problems).toEqual([]);
  await client.close(AFTER_THE_ANSWERS);
});

test('a command that waits for the answer to a status request ends with no device when the connection ends meanwhile', async () => {
  const id = await bed.addDevice('GONE-16');
  const point = await connectRaw(`${bed.url}/GONE-16`, { hearsTriggers: true });
  expect((await point.next())[2]).toBe('TriggerMessage');
  const handed = bed.link.execute(id, { executionId: randomUUID(), kind: 'softReset', connector: 0, params: {} });
  point.socket.terminate();
  expect(await handed).toEqual({ outcome: 'offline' });
});

test('a device is queried ten seconds after it came back; a command waits up to three seconds for its answer', async () => {
  const clock = steppedClock();
  const bench = await startTestbed({ requestAfterSeconds: 10 }, { clock });
  const id = await bench.addDevice('MUTE-16');
  const point = await connectRaw(`${bench.url}/MUTE-16`, { hearsTriggers: true });
  const calls: unknown[] = [];
  point.socket.on('message', (data) => {
    const [type, , action] = JSON.parse(String(data));
    if (type === 2) calls.push(action);
  });
  await clock.advance(9_000);
  await point.call('Heartbeat', {});
  expect(calls).toEqual([]);
  // The missing reports are read at that time, and sent once they are known.
  await eventually(
    async () => {
      await clock.advance(1_000);
      return calls;
    },
    (actions) => actions.length > 0,
    { what: 'the device to be asked' },
  );
  expect((await point.next())[2]).toBe('TriggerMessage');

  const executionId = randomUUID();
  const handed = bench.link.execute(id, { executionId, kind: 'softReset', connector: 0, params: {} });
  await point.call('Heartbeat', {});
  await clock.advance(2_999);
  await point.call('Heartbeat', {});
  expect(calls).toEqual(['TriggerMessage']);
  await clock.advance(1);
  expect(await point.next()).toEqual([2, executionId, 'Reset', { type: 'Soft' }]);
  expect(await handed).toEqual({ outcome: 'sent' });
  await bench.stop();
});
