import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { closeTransaction, listTransactions, listActionLogs } = ENDPOINTS;
let server: TestServer;
let id: number;
beforeAll(async () => {
  server = await startTestServer();
  id = server.world.devices.northQuay1.id;
});
afterAll(() => server.stop());

async function openSession(deviceId = id): Promise<number> {
  const { rows } = await server.database.pool.query<{ id: number }>(
    `insert into transactions (device_id, connector, id_tag, meter_start, started_at)
     values ($1, 2, 'TAG', 10, now() - interval '1 hour') returning id`,
    [deviceId],
  );
  return rows[0]!.id;
}

test('an engineer closes a session with a comment: the list shows who and why, and the action log records it', async () => {
  const admin = await server.as('northAdmin');
  const transactionId = await openSession();
  const call = { params: { id, transactionId }, body: { comment: ' The pile lost power. ' } };
  await admin.data(closeTransaction, call);
  const { items } = await admin.data(listTransactions, { params: { id }, query: {} });
  expect(items[0]).toMatchObject({
    ...{ id: transactionId, stopReason: 'NotReported', stopCause: 'closedByUser', stoppedAt: expect.any(String) },
    ...{ closedBy: expect.any(String), closeComment: 'The pile lost power.', meterStop: null, impossibleTimes: false },
  });
  const { items: logs } = await admin.data(listActionLogs, { query: {} });
  expect(logs[0]).toMatchObject({
    ...{ operation: 'edit', objectType: 'device', objectId: String(id) },
    after: { transactionId, connector: 2, comment: 'The pile lost power.' },
  });
  expect(await admin.call(closeTransaction, call)).toMatchObject({ code: CODES.transactionEnded.code });
});

test('an empty comment, a session of another device and an unknown session are refused', async () => {
  const admin = await server.as('northAdmin');
  const transactionId = await openSession();
  const blank = { params: { id, transactionId }, body: { comment: '   ' } };
  expect(await admin.call(closeTransaction, blank)).toMatchObject({ code: CODES.fieldRequired.code, field: 'comment' });
  const body = { comment: 'Gone' };
  const other = { id: server.world.devices.northQuay2.id, transactionId };
  expect(await admin.call(closeTransaction, { params: other, body })).toMatchObject({ code: CODES.notFound.code });
  const none = { id, transactionId: 999_999 };
  expect(await admin.call(closeTransaction, { params: none, body })).toMatchObject({ code: CODES.notFound.code });
});

test('impossible times are marked', async () => {
  const admin = await server.as('northAdmin');
  const transactionId = await openSession();
  await server.database.pool.query(
    `update transactions set stopped_at = started_at - interval '1 day', stop_reason = 'Local' where id = $1`,
    [transactionId],
  );
  const { items } = await admin.data(listTransactions, { params: { id }, query: {} });
  expect(items.find((item) => item.id === transactionId)).toMatchObject({ impossibleTimes: true });
});

test('of a moved device: a session of the previous customer is not found, one with a wrong clock is', async () => {
  const { pool } = server.database;
  await pool.query(
    `update device_stays set began_at = now() - interval '1 year' where device_id = $1 and ended_at = 'infinity'`,
    [id],
  );
  const admin = await server.as('northAdmin');
  const former = await openSession();
  await pool.query(`update transactions set started_at = now() - interval '2 years' where id = $1`, [former]);
  const wrong = await openSession();
  await pool.query(`update transactions set started_at = '1970-01-01', clock_fault = true where id = $1`, [wrong]);
  const shown = (await admin.data(listTransactions, { params: { id }, query: { pageSize: 100 } })).items;
  const ids = shown.map((item) => item.id);
  expect([ids.includes(former), ids.includes(wrong)]).toEqual([false, true]);
  const close = (transactionId: number) =>
    admin.call(closeTransaction, { params: { id, transactionId }, body: { comment: 'Gone' } });
  expect(await close(former)).toMatchObject({ code: CODES.notFound.code });
  expect(await close(wrong)).toMatchObject({ code: 0 });
});
