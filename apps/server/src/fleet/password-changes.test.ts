import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import WebSocket from 'ws';
import type { Client } from '../testing/client.ts';
import { emptyTables } from '../testing/database/database.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { seal } from '../testing/sign-in.ts';

const { readDevice, updateDevice, listExecutions } = ENDPOINTS;

const FORMER = 'the-former-password';
const NEXT = 'A1B2C3D4E5F60718293A4B5C6D7E8F9012345678';

let server: TestServer;
let admin: Client;
let id: number;
let sn: string;
let connections: DeviceConnection[] = [];
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
  ({ id, sn } = server.world.devices.northQuay1);
});
afterAll(() => server.stop());
beforeEach(async () => {
  await emptyTables(server.database.pool, 'executions', 'command_batches', 'commands');
  await change({ gatewayPassword: FORMER, passwordAtOnce: true });
});
afterEach(() => {
  for (const connection of connections) connection.socket.terminate();
  connections = [];
});

const until = <T>(holds: () => Promise<T> | T) => vi.waitFor(holds, { timeout: 20_000, interval: 50 });

/** A connection of the device with a password, and the CALLs that arrived on it. */
interface DeviceConnection {
  socket: WebSocket;
  calls: [number, string, string, object][];
}

/** The refusal status of a connection with a password, or the connection. */
async function connect(password: string, protocol = 'ocpp1.6'): Promise<DeviceConnection | number> {
  const authorization = `Basic ${Buffer.from(`${sn}:${password}`).toString('base64')}`;
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ocpp/${sn}`, protocol, { headers: { authorization } });
  const connection: DeviceConnection = { socket, calls: [] };
  socket.on('error', () => undefined);
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data));
    if (frame[0] !== 2) return;
    if (frame[2] === 'TriggerMessage') socket.send(JSON.stringify([4, frame[1], 'NotImplemented', '', {}]));
    else connection.calls.push(frame);
  });
  const refused = await Promise.race([
    once(socket, 'open').then(() => null),
    once(socket, 'unexpected-response').then(([, response]) => response.statusCode as number),
  ]);
  if (refused !== null) return refused;
  connections.push(connection);
  return connection;
}

async function opened(password: string, protocol?: string): Promise<DeviceConnection> {
  const connection = await connect(password, protocol);
  if (typeof connection === 'number') throw new Error(`refused with ${connection}`);
  await until(async () => expect((await device()).connected).toBe(true));
  return connection;
}

const device = () => admin.data(readDevice, { params: { id } });
const change = async (body: { gatewayPassword: string; passwordAtOnce?: boolean }) => {
  const { publicKey } = await admin.data(ENDPOINTS.publicKey);
  const gatewayPassword = seal(publicKey, body.gatewayPassword);
  return admin.call(updateDevice, { params: { id }, body: { ...body, gatewayPassword } });
};
const changeState = async () => (await device()).passwordChange?.state ?? null;
const callOn = async (connection: DeviceConnection) => {
  await until(() => expect(connection.calls).toHaveLength(1));
  return connection.calls[0]!;
};

test.each([
  ['ocpp1.6', { key: 'AuthorizationKey', value: NEXT }, { status: 'Accepted' }],
  [
    'ocpp2.0.1',
    {
      setVariableData: [
        { attributeValue: NEXT, component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } },
      ],
    },
    {
      setVariableResult: [
        {
          attributeStatus: 'Accepted',
          ...{ component: { name: 'SecurityCtrlr' }, variable: { name: 'BasicAuthPassword' } },
        },
      ],
    },
  ],
])(
  'in %s a new password is sent, and the previous one is accepted until the new one is used',
  async (protocol, sent, answer) => {
    const connection = await opened(FORMER, protocol);
    expect(await change({ gatewayPassword: NEXT })).toMatchObject({ code: 0 });
    const [, messageId, , payload] = await callOn(connection);
    expect(payload).toEqual(sent);
    expect(await changeState()).toBe('unknown');
    connection.socket.send(JSON.stringify([3, messageId, answer]));
    await until(async () => expect(await changeState()).toBe('accepted'));
    // The device has not used it yet, so the previous one is still accepted.
    connection.socket.terminate();
    (await opened(FORMER, protocol)).socket.terminate();
    expect(await changeState()).toBe('accepted');
    await opened(NEXT, protocol);
    await until(async () => expect(await device()).toMatchObject({ passwordChange: null, hasGatewayPassword: true }));
    expect(await connect(FORMER, protocol)).toBe(401);
    // The new password is in no log.
    const { rows } = await server.database.pool.query<{ all: string }>(
      `select coalesce(string_agg(body, ''), '') || (select coalesce(string_agg(t::text, ''), '') from action_logs t)
         || (select coalesce(string_agg(c::text, ''), '') from commands c)
         || (select coalesce(string_agg(p::text, ''), '') from device_parameters p) as all
       from protocol_frames`,
    );
    expect(rows[0]?.all).toContain(protocol === 'ocpp1.6' ? 'AuthorizationKey' : 'BasicAuthPassword');
    expect(rows[0]?.all).not.toContain(NEXT);
    const { items } = await admin.data(listExecutions, { params: { id } });
    expect(items[0]).toMatchObject({ kind: 'changePassword', result: 2, params: {} });
  },
);

test('a device that refuses the new password keeps the previous one, and the new one is not accepted', async () => {
  const connection = await opened(FORMER);
  await change({ gatewayPassword: NEXT });
  const [, messageId] = await callOn(connection);
  expect(await change({ gatewayPassword: `${NEXT.slice(0, 39)}F` })).toMatchObject({
    code: CODES.deviceBusy.code,
    field: 'gatewayPassword',
  });
  connection.socket.send(JSON.stringify([3, messageId, { status: 'Rejected' }]));
  await until(async () =>
    expect((await device()).passwordChange).toMatchObject({ state: 'failed', reason: 'rejected' }),
  );
  connection.socket.terminate();
  expect(await connect(NEXT)).toBe(401);
  await opened(FORMER);
});

test('it waits encrypted for a device that is offline, also over a restart', async () => {
  (await opened(FORMER)).socket.terminate();
  await until(async () => expect((await device()).connected).toBe(false));
  await change({ gatewayPassword: NEXT });
  expect(await changeState()).toBe('waiting');
  const { rows } = await server.database.pool.query<{ secret: string }>('select secret from password_changes');
  expect(rows).toHaveLength(1);
  expect(Buffer.from(rows[0]!.secret, 'base64').toString('latin1')).not.toContain(NEXT);
  await server.restart();
  const connection = await opened(FORMER);
  expect((await callOn(connection))[3]).toEqual({ key: 'AuthorizationKey', value: NEXT });
});

test('one that the device uses before it was sent is not sent', async () => {
  (await opened(FORMER)).socket.terminate();
  await until(async () => expect((await device()).connected).toBe(false));
  await change({ gatewayPassword: NEXT });
  const connection = await opened(NEXT);
  await until(async () => {
    const { items } = await admin.data(listExecutions, { params: { id } });
    expect(items[0]).toMatchObject({ result: 3, reason: 'passwordInUse' });
  });
  expect(connection.calls).toEqual([]);
  expect(await device()).toMatchObject({ passwordChange: null });
});

test('one that the device already has replaces the previous one immediately', async () => {
  const connection = await opened(FORMER);
  const closed = once(connection.socket, 'close');
  await change({ gatewayPassword: NEXT, passwordAtOnce: true });
  await closed;
  expect(await connect(FORMER)).toBe(401);
  await opened(NEXT);
});

test('another model applies to the open connection at once', async () => {
  const { pool } = server.database;
  const { rows } = await pool.query<{ id: number }>('select id from device_models where tolerant limit 1');
  const { socket } = (await connect(FORMER)) as DeviceConnection;
  const status = async (): Promise<number> => {
    const answer = once(socket, 'message');
    const payload = { connectorId: 1, status: 'available', errorCode: 'NoError' };
    socket.send(JSON.stringify([2, randomUUID(), 'StatusNotification', payload]));
    return JSON.parse(String((await answer)[0]))[0];
  };
  expect(await status()).toBe(4);
  await admin.data(updateDevice, { params: { id }, body: { deviceModelId: rows[0]!.id } });
  await until(async () => expect(await status()).toBe(3));
});
