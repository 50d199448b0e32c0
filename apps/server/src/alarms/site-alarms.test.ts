import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

let server: TestServer;
let admin: Client;
beforeAll(async () => {
  server = await startTestServer();
  admin = await server.as('northAdmin');
  const { pool } = server.database;
  const { northQuay1, northQuay2, northMill1 } = server.world.devices;
  const alarm = (deviceId: number, code: string, raised: string, cleared: string | null) =>
    pool.query(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, cleared_at)
       values ($1, 1, $2, 'fault', 'MA', $3, $3, $4)`,
      [deviceId, code, raised, cleared],
    );
  await alarm(northQuay1.id, 'first', '2026-01-01T00:00:00Z', null);
  await alarm(northQuay2.id, 'second', '2026-01-02T00:00:00Z', '2026-01-02T01:00:00Z');
  await alarm(northQuay2.id, 'third', '2026-01-03T00:00:00Z', '2026-01-03T01:00:00Z');
  await alarm(northMill1.id, 'elsewhere', '2026-01-04T00:00:00Z', null);
  for (const [deviceId, type, at] of [
    [northQuay1.id, 0, '2026-01-01T00:00:00Z'],
    [northQuay2.id, 2, '2026-01-02T00:00:00Z'],
    [northMill1.id, 2, '2026-01-03T00:00:00Z'],
  ]) {
    await pool.query(`insert into device_events (device_id, connector, type, at, code) values ($1, 0, $2, $3, 'x')`, [
      deviceId,
      type,
      at,
    ]);
  }
});
afterAll(() => server.stop());

const quay = () => ({ params: { id: server.world.sites.northQuay } });

test('the faults of a site are those of its devices, active ones first, each with its device', async () => {
  const { listSiteAlarms } = ENDPOINTS;
  const all = await admin.data(listSiteAlarms, quay());
  expect(all.total).toBe(3);
  expect(all.items.map(({ code, deviceName }) => [code, deviceName])).toEqual([
    ['first', 'Pile northQuay-1'],
    ['third', 'Pile northQuay-2'],
    ['second', 'Pile northQuay-2'],
  ]);
  const over = await admin.data(listSiteAlarms, {
    ...quay(),
    query: { active: false, sort: 'raisedAt', pageSize: 10 },
  });
  expect(over.items.map(({ code }) => code)).toEqual(['second', 'third']);
  expect((await admin.data(ENDPOINTS.readSite, quay())).activeAlarms).toBe(1);
});

test('the events of a site are those of its devices, newest first', async () => {
  const { listSiteEvents } = ENDPOINTS;
  const all = await admin.data(listSiteEvents, quay());
  expect(all.items.map(({ type, deviceName }) => [type, deviceName])).toEqual([
    [2, 'Pile northQuay-2'],
    [0, 'Pile northQuay-1'],
  ]);
  expect((await admin.data(listSiteEvents, { ...quay(), query: { type: 0 } })).total).toBe(1);
});

test('a site outside the scope has neither', async () => {
  const south = await server.as('southAdmin');
  for (const endpoint of [ENDPOINTS.listSiteAlarms, ENDPOINTS.listSiteEvents]) {
    expect(await south.call(endpoint, quay())).toMatchObject({ code: CODES.notFound.code, data: null });
  }
});
