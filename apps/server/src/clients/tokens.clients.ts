import { ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import {
  connectStation,
  MAKES,
  now,
  type Registered,
  registerDevice,
  type Station,
} from '../testing/clients/stations.ts';
import { emptyTables } from '../testing/database/database.ts';
import { eventually } from '../testing/eventually.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const { createToken, changeTokens, setCustomerTokenPolicy, listDeviceTokenLists, listTransactions } = ENDPOINTS;

let server: TestServer;
let admin: Client;
let north: number;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
  north = server.world.customers.north;
});
afterAll(() => server.stop());
beforeEach(async () => {
  await emptyTables(
    server.database.pool,
    'tokens',
    'token_policies',
    'device_token_lists',
    'token_books',
    'transactions',
  );
  await admin.data(setCustomerTokenPolicy, { params: { id: north }, body: { tokenPolicy: 'known' } });
});

const FIELDS = {
  tokenType: 'ISO14443',
  ...{ tokenGroup: null, holder: '', tokenNote: '', validFrom: null, validUntil: null },
  ...{ blocked: false, concurrent: false },
} as const;
const add = async (tokenValue: string, more: object = {}) =>
  (await admin.data(createToken, { body: { customerId: north, tokenValue, ...FIELDS, siteIds: [], ...more } })).id;
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString();

describe.each(MAKES)('%s in %s', (make, protocol) => {
  const is16 = protocol === 'ocpp1.6';
  const open = async (device: Registered): Promise<Station> => {
    const station = await connectStation(server, device.sn, { make, protocols: [protocol] });
    await station.boot();
    return station;
  };
  const idToken = (value: string) => ({ idToken: value, type: 'ISO14443' });
  const ask = async (station: Station, value: string) => {
    const answer = await station.call('Authorize', is16 ? { idTag: value } : { idToken: idToken(value) });
    return answer[is16 ? 'idTagInfo' : 'idTokenInfo'] as Record<string, unknown>;
  };
  const begin = async (station: Station, value: string, session: string, timestamp = now(), more = {}) => {
    const answer = is16
      ? await station.call('StartTransaction', { connectorId: 1, idTag: value, meterStart: 0, timestamp })
      : await station.call('TransactionEvent', {
          ...{ eventType: 'Started', timestamp, triggerReason: 'Authorized', seqNo: 0, ...more },
          ...{ transactionInfo: { transactionId: session }, evse: { id: 1, connectorId: 1 }, idToken: idToken(value) },
        });
    return answer[is16 ? 'idTagInfo' : 'idTokenInfo'] as Record<string, unknown>;
  };

  test('invalid, blocked, expired, and known with its group', async () => {
    await add('04A2B3C4', { tokenGroup: 'FLEET', validUntil: '2099-01-01T00:00:00.000Z' });
    await add('04BLOCKED', { blocked: true });
    await add('04EXPIRED', { validUntil: YESTERDAY });
    const station = await open(await registerDevice(server, admin));
    expect(await ask(station, '04a2b3c4')).toMatchObject(
      is16
        ? { status: 'Accepted', parentIdTag: 'FLEET', expiryDate: expect.any(String) }
        : { status: 'Accepted', groupIdToken: { idToken: 'FLEET' }, cacheExpiryDateTime: expect.any(String) },
    );
    expect(await ask(station, '04BLOCKED')).toEqual({ status: 'Blocked' });
    expect(await ask(station, '04EXPIRED')).toEqual({ status: 'Expired' });
    expect(await ask(station, 'NOBODY')).toEqual({ status: is16 ? 'Invalid' : 'Unknown' });
    expect(await begin(station, '04BLOCKED', 'b')).toEqual({ status: 'Blocked' });
  });

  test('a session that began offline with a token that was blocked meanwhile', async () => {
    const id = await add('04LOST');
    const began = now();
    await admin.data(changeTokens, { body: { ids: [id], tokenChange: 'block' } });
    const device = await registerDevice(server, admin);
    const station = await open(device);
    expect(await begin(station, '04LOST', 'offline', began, { offline: true })).toEqual({ status: 'Blocked' });
    const sessions = await admin.data(listTransactions, { params: { id: device.id }, query: {} });
    expect(sessions.items).toMatchObject([
      { idTag: '04LOST', decision: { status: 'Blocked', reason: 'blockedSince' } },
    ]);
  });

  test('a token in another session', async () => {
    await add('04A2B3C4');
    const one = await open(await registerDevice(server, admin));
    const other = await open(await registerDevice(server, admin));
    expect(await begin(one, '04A2B3C4', 'first')).toEqual({ status: 'Accepted' });
    expect(await begin(other, '04a2b3c4', 'second')).toEqual({ status: 'ConcurrentTx' });
    // Asking alone is allowed: the driver ends the session with it.
    expect(await ask(other, '04A2B3C4')).toEqual({ status: 'Accepted' });
  });

  test('its local list is full, then follows a change', async () => {
    const id = await add('04A2B3C4');
    await add('04B3C4D5', { tokenGroup: 'FLEET', validUntil: '2099-01-01T00:00:00.000Z' });
    const device = await registerDevice(server, admin);
    const station = await connectStation(server, device.sn, { make, protocols: [protocol] });
    let version = 0;
    station.on('GetLocalListVersion', () => (is16 ? { listVersion: version } : { versionNumber: version }));
    station.on('ClearCache', () => ({ status: 'Accepted' }));
    station.on('SendLocalList', (payload) => {
      version = Number(payload[is16 ? 'listVersion' : 'versionNumber']);
      return { status: 'Accepted' };
    });
    await station.boot();
    const equal = () =>
      eventually(
        async () => {
          await server.sweep();
          return (await admin.data(listDeviceTokenLists, { query: { deviceId: device.id } })).items[0];
        },
        (row) => row?.state === 'equal' && row.checksum === row.wantedChecksum,
      );
    await equal();
    await admin.data(changeTokens, { body: { ids: [id], tokenChange: 'block' } });
    await equal();
    const sent = station.received('SendLocalList');
    expect(
      sent.map(({ updateType, localAuthorizationList }) => [updateType, (localAuthorizationList as []).length]),
    ).toEqual([
      ['Full', 2],
      ['Differential', 1],
    ]);
    expect(station.received('ClearCache')).toHaveLength(1);
  });
});
