import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRaw, eventually, startTestbed, type Testbed } from '../../../testing/gateways/gateway-testbed.ts';

let one: Testbed;
let other: Testbed;
beforeAll(async () => {
  one = await startTestbed();
  other = await startTestbed({}, { beside: one });
});
afterAll(async () => {
  await other.stop();
  await one.stop();
});

test('a connection opened on another node replaces the one here; the device is online there, and commands reach it there', async () => {
  const id = await one.addDevice('TWO-NODES');
  const here = await connectRaw(`${one.url}/TWO-NODES`);
  expect(await here.call('Heartbeat', {})).toMatchObject([3, expect.any(String), {}]);
  const there = await connectRaw(`${other.url}/TWO-NODES`);
  expect(await here.closed).toEqual({ code: 1000, reason: 'the device opened a newer connection' });
  expect([one.gateway.connections, other.gateway.connections]).toEqual([0, 1]);

  const states = async () =>
    (await one.pool.query('select connected, node from device_states where device_id = $1', [id])).rows;
  await eventually(states, ([state]) => state?.connected === true && state.node === 'second');
  const closings = async () =>
    (await one.pool.query('select note from protocol_frames where device_id = $1 and type = 1', [id])).rows;
  await eventually(closings, (rows) => rows.some((row) => row.note === 'the device opened a newer connection'));
  expect(await states()).toEqual([{ connected: true, node: 'second' }]);
  const open = await one.pool.query('select from device_events where device_id = $1 and ended_at is null', [id]);
  expect(open.rowCount).toBe(0);

  const executionId = '6b6c1f4e-6a0e-4a55-9a39-0f6f8a5d2c11';
  const call = { executionId, kind: 'softReset', connector: 0, params: {} } as const;
  expect(await one.link.execute(id, call)).toEqual({ outcome: 'sent' });
  expect(await there.next()).toEqual([2, executionId, 'Reset', { type: 'Soft' }]);
  there.socket.terminate();
});
