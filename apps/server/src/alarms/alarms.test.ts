import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let admin: Client;
let device: number;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
  device = server.world.devices.northQuay1.id;
  const day = (number: number) => new Date(Date.UTC(2026, 0, number));
  const alarm = { device_id: device, connector: 1, kind: 'fault', level: 'MA' };
  await server.database.db
    .insertInto('alarms')
    .values([
      { ...alarm, code: 'old active', raised_at: day(1), last_at: day(1) },
      { ...alarm, code: 'new cleared', raised_at: day(9), last_at: day(9), cleared_at: day(10) },
      { ...alarm, code: 'new active', raised_at: day(5), last_at: day(6), repeats: 3 },
      {
        ...alarm,
        code: 'elsewhere',
        device_id: server.world.devices.southPark1.id,
        raised_at: day(1),
        last_at: day(1),
      },
    ] as never)
    .execute();
  await server.database.db
    .insertInto('device_events')
    .values([
      { device_id: device, type: 2, connector: 1, at: day(1), code: 'GroundFailure', ended_at: day(2) },
      { device_id: device, type: 0, connector: 0, at: day(3), code: 'networkTimeout' },
      { device_id: server.world.devices.southPark1.id, type: 0, connector: 0, at: day(4), code: 'elsewhere' },
    ] as never)
    .execute();
});
afterAll(() => server.stop());

test('alarms that are active come first, then the newest', async () => {
  const { items, total } = await admin.data(ENDPOINTS.listAlarms, { params: { id: device } });
  expect(items.map(({ code }) => code)).toEqual(['new active', 'old active', 'new cleared']);
  expect(total).toBe(3);
  expect(items[0]).toMatchObject({ kind: 'fault', level: 'MA', repeats: 3, clearedAt: null, connector: 1 });
});

test('alarms can be narrowed to active or cleared ones, page by page', async () => {
  const codes = async (query: object) =>
    (await admin.data(ENDPOINTS.listAlarms, { params: { id: device }, query })).items.map(({ code }) => code);
  expect(await codes({ active: true })).toEqual(['new active', 'old active']);
  expect(await codes({ active: false })).toEqual(['new cleared']);
  expect(await codes({ page: 2, pageSize: 10 })).toEqual([]);
});

test('events come newest first and can be narrowed by their type', async () => {
  const all = await admin.data(ENDPOINTS.listDeviceEvents, { params: { id: device } });
  expect(all).toMatchObject({
    total: 2,
    items: [{ code: 'networkTimeout', endedAt: null }, { code: 'GroundFailure' }],
  });
  const alarms = await admin.data(ENDPOINTS.listDeviceEvents, { params: { id: device }, query: { type: 2 } });
  expect(alarms.items.map(({ code }) => code)).toEqual(['GroundFailure']);
});

test.each([
  ['alarms', ENDPOINTS.listAlarms],
  ['events', ENDPOINTS.listDeviceEvents],
] as const)('%s of a device out of scope are as unknown as those of none', async (_, endpoint) => {
  const foreign = await admin.call(endpoint, { params: { id: server.world.devices.southPark1.id } });
  expect(foreign).toEqual(await admin.call(endpoint, { params: { id: 2_000_000_000 } }));
  expect(foreign).toMatchObject({ code: CODES.notFound.code, data: null });
});
