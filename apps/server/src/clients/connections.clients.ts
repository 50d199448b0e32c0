import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { connectStation, MAKES, type Make, type Protocol, registerDevice } from '../testing/clients/stations.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { seal } from '../testing/sign-in.ts';

const FORMER = 'the-former-password';
const NEXT = 'A1B2C3D4E5F60718293A4B5C6D7E8F9012345678';

let server: TestServer;
let admin: Client;
let root: Client;
beforeAll(async () => {
  // A station that answers pings may miss two of them; a busy machine must not be late by that much.
  server = await startTestServer({ pingSeconds: 2 }, { sweeps: true });
  admin = await server.as('northAdmin');
  root = await server.as('root');
});
afterAll(() => server.stop());

const attemptsOf = async (search: string) =>
  (await root.data(ENDPOINTS.listConnectionAttempts, { query: { search } })).items;

describe('heartbeats', () => {
  test.each(MAKES)(
    '%s in %s sends nothing for longer than several pings, and stays connected',
    async (make, protocol) => {
      const device = await registerDevice(server, admin);
      const station = await connectStation(server, device.sn, { make, protocols: [protocol] });
      expect(await station.boot()).toMatchObject({ status: 'Accepted', interval: expect.any(Number) });
      const { connectedAt } = await device.read();
      await station.pings(3);
      expect(await device.read()).toMatchObject({ connected: true, connectedAt });
      expect(await station.call('Heartbeat')).toMatchObject({ currentTime: expect.any(String) });
    },
  );

  test('a station that answers no pings is judged by its heartbeat interval, even after a change', async () => {
    const device = await registerDevice(server, admin);
    const options = { make: 'ocpp-rpc', protocols: ['ocpp1.6'], answersPings: false } as const;
    const station = await connectStation(server, device.sn, { ...options, protocols: ['ocpp1.6'] });
    await station.boot();
    station.on('ChangeConfiguration', () => ({ status: 'Accepted' }));
    const set = await device.command({ kind: 'setParameter', key: 'HeartbeatInterval', value: '600' });
    expect(await set.ended()).toMatchObject({ result: 2 });
    await station.pings(3);
    expect((await device.read()).connected).toBe(true);
    await station.call('Heartbeat');
  });
});

describe('identities', () => {
  const NAMES = ['RDAM 123', 'CP1', 'DE*ABC*E1', 'AA:BB:CC:DD:EE:FF', 'a=b|c@d', '-x.', `W${'x'.repeat(47)}`];

  test.each(NAMES)('%s, as each client library writes it, also with a password', async (name) => {
    const device = await registerDevice(server, admin, { sn: name, password: FORMER });
    for (const [make, protocol] of MAKES) {
      const station = await connectStation(server, name, { make, protocols: [protocol], password: FORMER });
      await station.boot();
      expect(await device.read()).toMatchObject({ connected: true, protocol });
    }
  });

  test.each(['/', '//'])('an endpoint that ends with %s', async (end) => {
    for (const make of ['ocpp-rpc', 'ocpp-ws-io'] satisfies Make[]) {
      const device = await registerDevice(server, admin);
      const endpoint = `${server.deviceUrl}${end}`;
      const station = await connectStation(server, device.sn, { make, protocols: ['ocpp1.6'], endpoint });
      await station.boot();
      expect((await device.read()).connected).toBe(true);
    }
  });

  test('a storm of reconnections: the newest connection counts', async () => {
    const device = await registerDevice(server, admin);
    const open = (make: Make) => connectStation(server, device.sn, { make, protocols: ['ocpp1.6'] });
    await Promise.allSettled(Array.from({ length: 30 }, (_, at) => open(at % 2 ? 'ocpp-rpc' : 'ocpp-ws-io')));
    const last = await open('ocpp-rpc');
    await last.boot();
    last.on('ClearCache', () => ({ status: 'Accepted' }));
    expect(await (await device.command({ kind: 'clearCache' })).ended()).toMatchObject({ result: 2 });
    expect(last.received('ClearCache')).toHaveLength(1);
  });

  test('every attempt is recorded: an unsupported version, no version, and an invalid name', async () => {
    const device = await registerDevice(server, admin);
    const oldest = { make: 'ocpp-ws-io', protocols: ['ocpp1.5' as Protocol] } as const;
    await expect(connectStation(server, device.sn, { ...oldest, protocols: [...oldest.protocols] })).rejects.toThrow();
    const refused = { gateway: 'ocpp', deviceId: device.id, reason: 'subprotocol' };
    await expect.poll(() => attemptsOf(device.sn)).toMatchObject([{ ...refused, protocols: 'ocpp1.5', attempts: 1 }]);
    const upgrade = ['-H', 'Connection: Upgrade', '-H', 'Upgrade: websocket', '-H', 'Sec-WebSocket-Version: 13'];
    const curl = (path: string) =>
      promisify(execFile)('curl', [
        ...[
          '-s',
          '-m',
          '10',
          '-o',
          '/dev/null',
          '-w',
          '%{http_code}',
          '-H',
          'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==',
        ],
        ...[...upgrade, `${server.url}${path}`],
      ]).then(({ stdout }) => stdout);
    // OCPP-J 1.6 §3.1.2: the handshake is completed without a subprotocol, and the connection is closed immediately.
    expect(await curl(`/ocpp/${device.sn}`)).toBe('101');
    await expect.poll(() => attemptsOf(device.sn)).toMatchObject([{ ...refused, attempts: 2 }]);
    expect(await curl('/ocpp/%E7%AB%99-traceless')).toMatch(/^4/);
    await expect.poll(() => attemptsOf('traceless')).toMatchObject([{ gateway: 'ocpp' }]);
  });
});

describe('a new password reaches the station', () => {
  test.each(MAKES)('%s in %s', async (make, protocol) => {
    const device = await registerDevice(server, admin, { password: FORMER });
    const open = (password: string) => connectStation(server, device.sn, { make, protocols: [protocol], password });
    const station = await open(FORMER);
    await station.boot();
    const sent: unknown[] = [];
    station.on('ChangeConfiguration', (payload) => {
      sent.push(payload);
      return { status: 'Accepted' };
    });
    station.on('SetVariables', (payload) => {
      const [{ component, variable, attributeValue }] = payload.setVariableData as [Record<string, object | string>];
      sent.push({ key: (variable as { name: string }).name, value: attributeValue });
      return { setVariableResult: [{ attributeStatus: 'Accepted', component, variable }] };
    });
    const { publicKey } = await admin.data(ENDPOINTS.publicKey);
    const body = { gatewayPassword: seal(publicKey, NEXT) };
    await admin.data(ENDPOINTS.updateDevice, { params: { id: device.id }, body });
    const key = protocol === 'ocpp1.6' ? 'AuthorizationKey' : 'BasicAuthPassword';
    await expect.poll(() => sent).toEqual([{ key, value: NEXT }]);
    await expect.poll(async () => (await device.read()).passwordChange?.state).toBe('accepted');
    // Until it uses the new one, both are accepted.
    await station.cut();
    await (await open(FORMER)).cut();
    await open(NEXT);
    await expect.poll(async () => (await device.read()).passwordChange).toBeNull();
    await expect(open(FORMER)).rejects.toThrow(/401|Unauthorized/);
  });
});

describe('an unregistered station', () => {
  test.each(MAKES)('%s in %s boots, waits, and is admitted on the same connection', async (make, protocol) => {
    const sn = `NEW-${make}-${protocol}`.toUpperCase();
    const station = await connectStation(server, sn, { make, protocols: [protocol] });
    expect(await station.boot()).toMatchObject({ status: 'Pending', interval: expect.any(Number) });
    await expect(station.call('Heartbeat')).rejects.toMatchObject({ rpcErrorCode: 'SecurityError' });
    await expect(station.status('Available')).rejects.toThrow();
    const entry = async () => (await root.data(ENDPOINTS.listWaitingDevices, { query: { search: sn } })).items[0];
    await expect.poll(entry).toMatchObject({
      ...{ sn, vendor: 'Other', model: 'Make', firmwareVersion: '9.1', waiting: true, protocolVersion: protocol },
    });
    const device = await registerDevice(server, admin, { sn });
    await expect.poll(async () => (await device.read()).connected).toBe(true);
    expect(await station.boot()).toMatchObject({ status: 'Accepted' });
    await station.status('Available');
    expect(await device.connectors()).toEqual({ 1: 'Available' });
    expect(await entry()).toBeUndefined();
  });
});
