import { operationsEndpoints } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { ExecutionProgress } from '../../ports/uplink.ts';
import {
  executionOnce,
  type OperationsTest,
  openConnection,
  startOperationsTest,
} from '../../testing/operations-room.ts';
import { storeProgress } from '../index.ts';

let room: OperationsTest;
beforeAll(async () => {
  room = await startOperationsTest();
});
afterAll(() => room.stop());
afterEach(() => room.reset());

/** Stores a gateway's report, as the ingest does. */
async function store(report: Omit<ExecutionProgress, 'at'>): Promise<void> {
  const client = await room.database.pool.connect();
  try {
    await client.query('begin');
    await storeProgress(client, [{ ...report, at: new Date() }]);
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function sent() {
  const { id } = room.world.devices.northQuay1;
  const admin = await room.as('northAdmin');
  const connection = await openConnection(room, id);
  const execution = await admin.data(operationsEndpoints.sendCommand, {
    params: { id },
    body: { kind: 'refreshConfiguration' },
  });
  await connection.call(1);
  return { id, admin, connection, executionId: execution.id };
}

/** Seconds until the deadline of an execution. */
async function secondsLeft(executionId: string): Promise<number> {
  const { rows } = await room.database.pool.query<{ left: number }>(
    'select extract(epoch from deadline_at - now())::float8 as left from executions where id = $1',
    [executionId],
  );
  return rows[0]!.left;
}

test('a device that is working on it has the same time again, and other commands are sent meanwhile', async () => {
  const { id, admin, connection, executionId } = await sent();
  await room.database.pool.query(`update executions set deadline_at = now() + interval '20 s' where id = $1`, [
    executionId,
  ]);
  await store({ executionId, deviceId: id + 1, state: 'working', detail: null });
  expect(await secondsLeft(executionId)).toBeLessThan(21);
  await store({ executionId, deviceId: id, state: 'working', detail: null });
  expect(await secondsLeft(executionId)).toBeGreaterThan(40);
  const { reason } = await executionOnce(admin, id, executionId, ({ state }) => state === 'accepted');
  expect(reason).toBe('reporting');
  await admin.data(operationsEndpoints.sendCommand, { params: { id }, body: { kind: 'clearCache' } });
  expect(await connection.call(2)).toMatchObject({ kind: 'clearCache' });
});

test.each(['noAnswer', 'connectionLost'] as const)('%s ends it as a timeout with the cause, once', async (reason) => {
  const { id, admin, executionId } = await sent();
  await store({ executionId, deviceId: id, state: reason, detail: 'the last part of the report did not arrive' });
  const ended = await executionOnce(admin, id, executionId, ({ state }) => state === 'ended');
  const expected = { result: 4, reason, detail: 'the last part of the report did not arrive' };
  expect(ended).toMatchObject(expected);
  await store({ executionId, deviceId: id, state: 'connectionLost', detail: 'later' });
  expect(await executionOnce(admin, id, executionId, () => true)).toMatchObject(expected);
});
