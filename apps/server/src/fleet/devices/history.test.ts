import { randomUUID } from 'node:crypto';
import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

/** History belongs to the customer and site where it happened: a moved device does not take it along. */

let server: TestServer;
let root: Client;
/** of the device's first customer */
let former: Client;
/** of the device's current customer */
let present: Client;
let id: number;

beforeAll(async () => {
  server = await startTestServer();
  root = await server.as('root');
  former = await server.as('northAdmin');
  present = await server.as('southAdmin');
  const { sites, model } = server.world;
  const body = { sn: 'PAST-0001', name: 'Pile 7', siteId: sites.northQuay, deviceModelId: model };
  id = (await root.data(ENDPOINTS.createDevice, { body })).id;
  await happen('north');
  await root.data(ENDPOINTS.moveDevices, { body: { ids: [id], siteId: sites.southPark } });
  await root.data(ENDPOINTS.updateDevice, { params: { id }, body: { name: 'South name' } });
  await happen('south');
});
afterAll(() => server.stop());

/** One entry of everything that a device keeps a history of, with the owner in its text. */
async function happen(owner: 'north' | 'south'): Promise<void> {
  const person = owner === 'north' ? former : present;
  const query = async (text: string, values: unknown[]) =>
    (await server.database.pool.query<{ id: string }>(text, values)).rows[0]?.id;
  await person.data(ENDPOINTS.recordMaintenance, { params: { id }, body: { note: `note of ${owner}` } });
  const alarm = await query(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     values ($1, 1, $2, 'alarm', 'CA', now(), now()) returning id`,
    [id, owner === 'north' ? 'E1' : 'E2'],
  );
  const place = { params: { id: Number(alarm) } };
  await person.data(ENDPOINTS.commentAlarm, { ...place, body: { comment: `comment of ${owner}` } });
  await query(`insert into device_events (device_id, connector, type, at, code) values ($1, 1, 2, now(), $2)`, [
    id,
    `of ${owner}`,
  ]);
  await query(
    `insert into protocol_frames (device_id, type, at, action, body, bytes) values ($1, 2, now(), 'Heartbeat', $2, 1)`,
    [id, `of ${owner}`],
  );
  await query(
    `insert into transactions (device_id, connector, id_tag, started_at, meter_start, stopped_at, meter_stop)
     values ($1, 1, $2, now(), 0, now(), 1)`,
    [id, `of ${owner}`],
  );
  await query(
    `insert into device_logs (device_id, type, file_name, object_key, size, sha256, requested_by_name, received_at)
     values ($1, 'diagnostics', $2, $3, 1, $4, $2, now())`,
    [id, `of ${owner}`, randomUUID(), 'a'.repeat(64)],
  );
  await query(
    `insert into parameter_history (device_id, key, value, at, source, changed_by) values ($1, 'Key', $2, now(), 'set', $2)`,
    [id, `of ${owner}`],
  );
  const command = await query(
    `insert into commands (kind, control_type, requested_by_name) values ('softReset', 1, $1) returning id`,
    [`of ${owner}`],
  );
  await query(
    `insert into executions (id, command_id, device_id, state, result, queued_at, ended_at, deadline_at)
     values ($1, $2, $3, 'ended', 2, now(), now(), now() + interval '1 hour')`,
    [randomUUID(), command, id],
  );
}

const READS: Record<string, (by: Client) => Promise<unknown>> = {
  maintenances: (by) => by.data(ENDPOINTS.listMaintenances, { params: { id } }),
  alarms: (by) => by.data(ENDPOINTS.listAlarms, { query: { deviceId: id } }),
  events: (by) => by.data(ENDPOINTS.listDeviceEvents, { query: { deviceId: id } }),
  frames: (by) => by.data(ENDPOINTS.listFrames, { params: { id } }),
  transactions: (by) => by.data(ENDPOINTS.listTransactions, { params: { id } }),
  logs: (by) => by.data(ENDPOINTS.listDeviceLogs, { params: { id } }),
  parameters: (by) => by.data(ENDPOINTS.listParameterHistory, { params: { id } }),
  executions: (by) => by.data(ENDPOINTS.listExecutions, { params: { id } }),
  actions: (by) => by.data(ENDPOINTS.listActionLogs, { query: { objectType: 'device', objectId: String(id) } }),
};

describe.each(Object.keys(READS))('%s of a device that moved to another customer', (what) => {
  test('the current owner reads nothing of the previous one: no notes, no names, no sites', async () => {
    const text = JSON.stringify(await READS[what]!(present));
    expect(text).not.toMatch(/north/i);
    expect(text).toMatch(/south|PAST-0001/i);
  });

  test('users who see both customers read all of it', async () => {
    const text = JSON.stringify(await READS[what]!(root));
    expect(text).toMatch(/north/i);
    expect(text).toMatch(/south/i);
  });
});

test('the action log is exported by the same rule', async () => {
  const exported = await present.fetch('/api/auth/sys/log/action/export');
  expect(await exported.text()).not.toMatch(/Site northQuay|of north/);
});

test('the previous owner keeps their alarms and actions, and learns nothing of the current one', async () => {
  const alarms = await former.data(ENDPOINTS.listAlarms, { query: { deviceId: id } });
  expect(alarms.items.map(({ code, deviceName }) => [code, deviceName])).toEqual([['E1', 'PAST-0001']]);
  const log = await former.data(ENDPOINTS.listActionLogs, { query: { objectType: 'device', objectId: String(id) } });
  expect(JSON.stringify(log)).toContain('Site northQuay');
  expect(JSON.stringify(log)).not.toMatch(/south/i);
  expect((await former.call(ENDPOINTS.readDevice, { params: { id } })).code).toBe(CODES.notFound.code);
});

test('an open alarm continues at the new site, without the notes from the previous one', async () => {
  const here = await present.data(ENDPOINTS.listAlarms, { query: { deviceId: id, state: 'open' } });
  expect(here.items.map(({ code, comments }) => [code, comments]).sort()).toEqual([
    ['E1', 0],
    ['E2', 1],
  ]);
  const there = await former.data(ENDPOINTS.listAlarms, { query: { deviceId: id } });
  expect(there.items.map(({ clearedAt, comments }) => [clearedAt !== null, comments])).toEqual([[true, 1]]);
});

test('an SN of another customer is not revealed', async () => {
  const { sites, model } = server.world;
  const body = { sn: 'PAST-0001', name: 'Another', siteId: sites.northQuay, deviceModelId: model };
  expect(await former.call(ENDPOINTS.createDevice, { body })).toMatchObject({
    code: CODES.deviceSnUnavailable.code,
    field: 'sn',
  });
});
