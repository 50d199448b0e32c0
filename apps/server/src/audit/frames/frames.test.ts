import { CODES, ENDPOINTS, type QueryOf } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { emptyTables } from '../../testing/database/database.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { packDevice } from './packing/packer.store.ts';

let server: TestServer;
let admin: Client;
let device: number;

const NOW = Date.now();
const minutesAgo = (minutes: number) => new Date(NOW - minutes * 60_000);

beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
});
afterAll(() => server.stop());

/** Which frames are in compressed batches. */
describe.each(['none', 'older', 'all'] as const)('packed frames: %s', (packed) => {
  beforeAll(async () => {
    device = server.world.devices[({ none: 'northQuay1', older: 'northQuay2', all: 'northMill2' } as const)[packed]].id;
    await addFrame({ type: 0, at: minutesAgo(3_000), note: 'ocpp1.6' });
    await addFrame({
      type: 2,
      at: minutesAgo(2_999),
      action: 'BootNotification',
      body: '[2,"1","BootNotification",{"old":1}]',
    });
    for (let number = 1; number <= 5; number += 1) {
      if (packed === 'older' && number === 3) await pack(device);
      const at = minutesAgo(10 - number);
      await addFrame({
        type: 2,
        at,
        action: 'Heartbeat',
        message_id: `h${number}`,
        body: `[2,"h${number}","Heartbeat",{}]`,
      });
      await addFrame({
        type: 3,
        at,
        action: 'Heartbeat',
        message_id: `h${number}`,
        body: `[3,"h${number}",{"100%":"_"}]`,
      });
    }
    await addFrame({ device_id: server.world.devices.southPark1.id, type: 2, at: minutesAgo(1), action: 'Secret' });
    if (packed === 'all') await pack(device);
    const { rows } = await server.database.pool.query('select from protocol_frames where device_id = $1', [device]);
    expect(rows.length).toBe({ none: 12, older: 6, all: 0 }[packed]);
  });

  async function addFrame(frame: object): Promise<void> {
    await server.database.db
      .insertInto('protocol_frames')
      .values({ device_id: device, bytes: 10, ...frame } as never)
      .execute();
  }

  async function pack(id: number): Promise<void> {
    expect(await packDevice(server.database.db, id, new Date(NOW + 24 * 3_600_000))).toBeGreaterThan(0);
  }

  type Query = Partial<QueryOf<typeof ENDPOINTS.listFrames>>;
  const list = (query: Query = {}, client = admin) =>
    client.data(ENDPOINTS.listFrames, { params: { id: device }, query });

  test('the protocol log is read newest first, page by page to its start', async () => {
    const seen: number[] = [];
    let before: number | undefined;
    do {
      const { items, next } = await list({ limit: 5, ...(before === undefined ? {} : { before }) });
      seen.push(...items.map(({ id }) => id));
      before = next ?? undefined;
    } while (before !== undefined);
    expect(seen).toHaveLength(12);
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  });

  test('frames after a given one are fetched without gaps, however many there are', async () => {
    const { items: all } = await list();
    const oldest = all.at(-1)!.id;
    const first = await list({ after: oldest, limit: 4 });
    const second = await list({ after: first.items[0]!.id, limit: 100 });
    expect([...second.items, ...first.items].map(({ id }) => id)).toEqual(all.slice(0, -1).map(({ id }) => id));
    expect(await list({ after: all[0]!.id })).toEqual({ items: [], next: null });
  });

  test('frames are filtered by type, action and time', async () => {
    expect((await list({ types: '2,0' })).items).toHaveLength(7);
    expect((await list({ action: 'BootNotification' })).items).toHaveLength(1);
    expect((await list({ action: 'bootnotification' })).items).toHaveLength(1);
    expect((await list({ from: minutesAgo(7.5).toISOString(), to: minutesAgo(5.5).toISOString() })).items).toHaveLength(
      4,
    );
  });

  test('a search covers one day by default, and matches wildcards literally', async () => {
    expect((await list({ search: 'h3' })).items).toHaveLength(2);
    expect((await list({ search: '100%' })).items).toHaveLength(5);
    expect((await list({ search: 'h_' })).items).toHaveLength(0);
    expect((await list({ search: 'old' })).items).toHaveLength(0);
    expect((await list({ search: 'old', from: minutesAgo(4_000).toISOString() })).items).toHaveLength(1);
  });

  test('the protocol log is exported as JSON lines, oldest first', async () => {
    const response = await admin.fetch(`/api/auth/sys/devices/${device}/protocol-frames/export?types=2`);
    expect(response.headers.get('content-disposition')).toMatch(/filename="north(Quay|Mill)-[12] \d{8}-\d{6}\.jsonl"/);
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map(({ messageId, action }) => messageId ?? action)).toEqual([
      'BootNotification',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
    ]);
  });

  test('reading requires only the lowest level, downloading requires more', async () => {
    const reader = await server.as('northReader');
    expect((await list({}, reader)).items.length).toBeGreaterThan(0);
    const response = await reader.fetch(`/api/auth/sys/devices/${device}/protocol-frames/export`);
    expect(await response.json()).toMatchObject({ code: CODES.noPermission.code });
  });

  test('the protocol log of a device out of scope gives the same answer as for an unknown device', async () => {
    const south = await server.as('southAdmin');
    const call = (id: number) => south.call(ENDPOINTS.listFrames, { params: { id } });
    expect(await call(device)).toEqual(await call(2_000_000_000));
    const exported = await south.fetch(`/api/auth/sys/devices/${device}/protocol-frames/export`);
    expect(await exported.json()).toMatchObject({ code: CODES.notFound.code });
  });

  test('an unknown frame type is refused', async () => {
    expect(await admin.call(ENDPOINTS.listFrames, { params: { id: device }, query: { types: '9' } })).toMatchObject({
      code: CODES.fieldChoice.code,
      field: 'types',
    });
  });

  test('an export can be longer than one batch', async () => {
    const { id } = server.world.devices.northMill1;
    await emptyTables(server.database.pool, 'protocol_frames', 'frame_batches');
    await server.database.pool.query(
      `insert into protocol_frames (device_id, at, type, body) select $1, now(), 2, n::text from generate_series(1, 1000) n`,
      [id],
    );
    if (packed !== 'none') await pack(id);
    const response = await admin.fetch(`/api/auth/sys/devices/${id}/protocol-frames/export`);
    const bodies = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).body);
    expect(bodies).toEqual(Array.from({ length: 1_000 }, (_, index) => String(index + 1)));
  });
});
