import { CODES, ENDPOINTS, type QueryOf } from '@chargehand/contract';
import { readRecording, replay } from '@chargehand/simulator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../../testing/client.ts';
import { connectStation, registerDevice } from '../../../testing/clients/stations.ts';
import { emptyTables } from '../../../testing/database/database.ts';
import { packReadingsOf } from '../../../testing/faults/packed-readings.ts';
import { connectDevice, PASSWORD } from '../../../testing/gateways/mqtt-testbed.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { packDevice } from '../packing/packer.store.ts';

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
});
afterAll(() => server.stop());

type Query = Partial<QueryOf<typeof ENDPOINTS.listFleetFrames>>;
const list = (query: Query = {}, client = admin) => client.data(ENDPOINTS.listFleetFrames, { query });
const read = (id: number, frameId: number, client = admin) =>
  client.data(ENDPOINTS.readFrame, { params: { id, frameId } });
const LATER = new Date(Date.now() + 24 * 3_600_000);
const pack = (id: number) => packDevice(server.database.db, id, LATER);

/** Adds frames whose IDs are also their texts. */
async function add(deviceId: number, ids: readonly number[], at = new Date()): Promise<void> {
  await server.database.pool.query(
    `insert into protocol_frames (id, device_id, at, type, action, message_id, body, bytes) overriding system value
     select id, $1, $2, 2, 'Heartbeat', 'm' || id, 'n' || id, 1 from unnest($3::bigint[]) as id`,
    [deviceId, at, ids],
  );
}

describe('the frames of all devices', () => {
  beforeEach(() => emptyTables(server.database.pool, 'protocol_frames', 'frame_batches'));

  const all = async (query: Query = {}, client = admin) => {
    const ids: number[] = [];
    for (let before: number | undefined; ; ) {
      const { items, next, gaps } = await list({ limit: 7, ...query, ...(before && { before }) }, client);
      expect(gaps).toBe(false);
      ids.push(...items.map(({ id }) => id));
      if (next === null) return ids;
      before = next;
    }
  };
  const numbers = (count: number, step = 1, from = 1) => Array.from({ length: count }, (_, i) => from + step * i);

  test('are read newest first, page by page, packed or not, and only those in scope', async () => {
    const { northQuay1, northQuay2, southPark1 } = server.world.devices;
    await add(northQuay1.id, numbers(30, 3, 1));
    await add(northQuay2.id, numbers(30, 3, 2));
    await add(southPark1.id, numbers(30, 3, 3));
    const seen = numbers(90)
      .filter((id) => id % 3 !== 0)
      .toReversed();
    expect(await all()).toEqual(seen);
    await pack(northQuay1.id);
    await pack(southPark1.id);
    await add(northQuay1.id, [91]);
    expect(await all()).toEqual([91, ...seen]);
    await pack(northQuay2.id);
    expect(await all()).toEqual([91, ...seen]);
    expect(await all({}, await server.as('southAdmin'))).toEqual(numbers(30, 3, 3).toReversed());
    expect(await all({}, await server.as('root'))).toHaveLength(91);
  });

  test.each(['rows', 'batches'])('are filtered in %s', async (place) => {
    const { northQuay1, northMill1 } = server.world.devices;
    await add(northQuay1.id, numbers(20));
    await add(northMill1.id, numbers(20, 1, 21));
    await add(northMill1.id, [41], new Date(Date.now() - 7_200_000));
    if (place === 'batches') for (const { id } of [northQuay1, northMill1]) await pack(id);
    expect(await all({ deviceId: northQuay1.id })).toHaveLength(20);
    expect(await all({ siteId: server.world.sites.northMill })).toHaveLength(21);
    expect(await all({ messageId: 'm7' })).toEqual([7]);
    expect(await all({ action: 'heartbeat', deviceId: northQuay1.id })).toHaveLength(20);
    expect(await all({ messageId: 'm7', action: 'Heartbeat', siteId: server.world.sites.northMill })).toEqual([]);
    expect(await all({ search: 'N12' })).toEqual([12]);
    expect(await all({ types: '3' })).toEqual([]);
    expect(await all({ to: new Date(Date.now() - 3_600_000).toISOString() })).toEqual([41]);
    expect(await all({ messageId: 'm33' }, await server.as('southAdmin'))).toEqual([]);
  });

  test('newer ones are the newest after a frame, with the number of those left out', async () => {
    const { northQuay1, northQuay2 } = server.world.devices;
    await add(northQuay1.id, numbers(10));
    await add(northQuay2.id, numbers(30, 1, 11));
    const { items, skipped, next } = await list({ after: 5, limit: 10 });
    expect(items.map(({ id }) => id)).toEqual(numbers(10, 1, 31).toReversed());
    expect([skipped, next]).toEqual([25, null]);
    expect(await list({ after: 38 })).toMatchObject({ items: [{ id: 40 }, { id: 39 }], skipped: 0 });
  });

  test('a text search over all devices stops at its limit, says how far it came, and continues', async () => {
    const { id } = server.world.devices.northQuay1;
    await server.database.pool.query(
      `insert into protocol_frames (id, device_id, at, type, body) overriding system value
       select n, $1, now() - (210000 - n) * interval '1 second', 2, case n when 1 then 'needle' else '-' end
         from generate_series(1, 210000) as n`,
      [id],
    );
    const first = await list({ search: 'needle' });
    expect(first).toMatchObject({ items: [], gaps: false });
    expect(Date.parse(first.searchedTo!)).toBeLessThan(Date.now() - 3_600_000);
    expect(first.next).toBeGreaterThan(1);
    const second = await list({ search: 'needle', before: first.next! });
    expect(second).toMatchObject({ items: [{ id: 1 }], next: null, searchedTo: null });
  });
});

describe.each([false, true])('frames of real devices, packed: %s', (packed) => {
  beforeAll(() => emptyTables(server.database.pool, 'protocol_frames', 'frame_batches'));

  test.each([
    ['ocpp1.6', 'StatusNotification'],
    ['ocpp2.0.1', 'StatusNotification'],
  ] as const)(
    '%s: a request is read with its response, the meaning of its fields and its effects',
    async (protocol, action) => {
      const { id, sn } = await registerDevice(server, admin, { sn: `LOG-${protocol}-${packed}` });
      const station = await connectStation(server, sn, { make: 'ocpp-rpc', protocols: [protocol] });
      await station.boot();
      await station.status('Faulted');
      const session = protocol === 'ocpp1.6' ? await station.startSession() : null;
      if (packed) await pack(id);
      const { items } = await list({ deviceId: id });
      expect(new Set(items.map((item) => item.sn))).toEqual(new Set([sn]));
      const request = items.find((one) => one.action === action && one.type === 2)!;
      const detail = await read(id, request.id);
      expect(detail.other).toMatchObject({ type: 3, messageId: request.messageId });
      expect(detail.fields.map(({ value }) => value)).toContain('Faulted');
      expect(detail.effects).toContainEqual(expect.objectContaining({ kind: 'alarm', ended: false }));
      expect((await read(id, detail.other!.id)).other?.id).toBe(request.id);
      if (session !== null) {
        const start = items.find((one) => one.action === 'StartTransaction' && one.type === 2)!;
        expect((await read(id, start.id)).effects).toContainEqual({ kind: 'transaction', id: session, connector: 1 });
      }
    },
  );

  test('MQTT: a message is read with the readings that it contained', async () => {
    const { id, sn } = await registerDevice(server, admin, { sn: `LOG-MQTT-${packed}`, password: PASSWORD });
    const device = await connectDevice(server.mqttUrl!, sn);
    await device.say(`chargehand/${sn}/telemetry`, { values: { 'Battery/SoC': 61.5 } });
    await device.client.endAsync();
    if (packed) await pack(id);
    if (packed) await packReadingsOf(server.database, id);
    const { items } = await list({ deviceId: id, search: 'battery' });
    expect(items).toHaveLength(1);
    const { fields, effects } = await read(id, items[0]!.id);
    expect(fields).toContainEqual(expect.objectContaining({ value: 61.5 }));
    expect(effects).toEqual([{ kind: 'readings', count: 1 }]);
  });

  test('a command is an effect of its request and of its response', async () => {
    const device = await registerDevice(server, admin, { sn: `LOG-COMMAND-${packed}` });
    const station = await connectStation(server, device.sn, { make: 'ocpp-rpc', protocols: ['ocpp1.6'] });
    await station.boot();
    station.on('Reset', () => ({ status: 'Accepted' }));
    const { id: executionId, answered } = await device.command({ kind: 'softReset' });
    await answered();
    if (packed) await pack(device.id);
    const { items } = await list({ messageId: executionId, action: 'Reset' });
    expect(items.map(({ type }) => type)).toEqual([2, 3]);
    for (const { id } of items) {
      expect((await read(device.id, id)).effects).toContainEqual(
        expect.objectContaining({ kind: 'command', id: executionId, command: 'softReset' }),
      );
    }
  });

  test('the filtered log is exported as lines that can be replayed', async () => {
    const device = await registerDevice(server, admin, { sn: `LOG-EXPORT-${packed}` });
    const station = await connectStation(server, device.sn, { make: 'ocpp-rpc', protocols: ['ocpp1.6'] });
    await station.boot();
    if (packed) await pack(device.id);
    const response = await admin.fetch(`/api/auth/sys/logs/frames/export?siteId=${server.world.sites.northQuay}`);
    expect(response.headers.get('content-disposition')).toMatch(/filename="frames \d{8}-\d{6}\.jsonl"/);
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ sn }) => sn === device.sn);
    expect(lines.map(({ direction, action }) => [direction, action]).slice(0, 3)).toEqual([
      ['open', null],
      ['receive', 'BootNotification'],
      ['send', 'BootNotification'],
    ]);
    expect(lines[1]).toEqual({
      ...{ at: expect.any(String), sn: device.sn, protocol: 'ocpp1.6', direction: 'receive' },
      ...{ action: 'BootNotification', messageId: expect.any(String), text: expect.stringContaining('[2,') },
    });
    const south = await (await server.as('southAdmin')).fetch('/api/auth/sys/logs/frames/export');
    expect(await south.text()).not.toContain(device.sn);
  });

  test.each(['ocpp1.6', 'ocpp2.0.1'] as const)(
    '%s: a new software version is an effect of a boot, also when the log is replayed',
    async (protocol) => {
      const sn = `LOG-VERSION-${protocol}-${packed}`;
      const original = await registerDevice(server, admin, { sn });
      const copy = await registerDevice(server, admin, { sn: `${sn}-COPY` });
      const station = await connectStation(server, sn, { make: 'ocpp-rpc', protocols: [protocol] });
      const boots = async (id: number) =>
        (await list({ deviceId: id, action: 'BootNotification', types: '2' })).items.map((one) => one.id);
      for (const version of ['1.0', '1.0', '2.0']) await station.boot(version);
      await expect.poll(() => boots(original.id)).toHaveLength(3);
      const exported = await admin.fetch(
        `/api/auth/sys/logs/frames/export?deviceId=${original.id}&action=BootNotification`,
      );
      const recording = readRecording(await exported.text());
      const target = { url: server.deviceUrl, mqtt: '', speed: 10_000, timeoutMs: 10_000, sns: { [sn]: copy.sn } };
      await replay(recording, target);
      for (const { id } of [original, copy]) {
        await expect.poll(() => boots(id)).toHaveLength(3);
        if (packed) await pack(id);
        const effects = await Promise.all((await boots(id)).map(async (one) => (await read(id, one)).effects));
        expect(effects).toEqual([
          [{ kind: 'version', version: '2.0', former: '1.0' }],
          [],
          [{ kind: 'version', version: '1.0', former: null }],
        ]);
      }
    },
  );
});

test('an export needs no query for each device without matching frames', async () => {
  const { pool } = server.database;
  const { northQuay1, northQuay2 } = server.world.devices;
  await emptyTables(pool, 'protocol_frames', 'frame_batches');
  await add(northQuay1.id, [1]);
  await add(northQuay2.id, [2]);
  await pack(northQuay2.id);
  await pool.query(
    `insert into devices (sn, name, site_id, customer_id, device_model_id)
     select 'QUIET-' || n, 'Quiet ' || n, site_id, customer_id, device_model_id from devices, generate_series(1, 1200) as n
      where id = $1`,
    [northQuay1.id],
  );
  const listener = pool.onQuery;
  let queries = 0;
  pool.onQuery = (seconds, text) => {
    queries += 1;
    listener?.(seconds, text);
  };
  const texts = async (query: string) => {
    queries = 0;
    const response = await admin.fetch(`/api/auth/sys/logs/frames/export${query}`);
    const lines = (await response.text()).split('\n').filter((line) => line !== '');
    return lines.map((line) => JSON.parse(line).text).toSorted();
  };
  try {
    expect(await texts('?action=Heartbeat')).toEqual(['n1', 'n2']);
    expect(queries).toBeLessThan(30);
    expect(await texts('?action=Authorize')).toEqual([]);
    expect(queries).toBeLessThan(30);
    expect(await texts('?messageId=m2')).toEqual(['n2']);
    expect(await texts('?search=n1')).toEqual(['n1']);
  } finally {
    pool.onQuery = listener;
  }
});

test('a frame of another device, or out of scope, is not found', async () => {
  const { northQuay1, northQuay2 } = server.world.devices;
  await add(northQuay1.id, [900_001]);
  const call = (id: number, client: Client) => client.call(ENDPOINTS.readFrame, { params: { id, frameId: 900_001 } });
  expect((await call(northQuay1.id, admin)).code).toBe(0);
  expect(await call(northQuay2.id, admin)).toMatchObject({
    ...{ code: CODES.notFound.code, message: 'This frame does not exist, or you do not have access to it.' },
  });
  const unknown = await call(2_000_000_000, admin);
  expect(await call(northQuay1.id, await server.as('southAdmin'))).toEqual(unknown);
});
