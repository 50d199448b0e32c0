import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { localBus } from '../platform/bus/local-bus.ts';
import { connectRaw, eventually } from '../testing/gateways/gateway-testbed.ts';
import { connectDevice, type MqttTestbed, PASSWORD, startMqttTestbed } from '../testing/gateways/mqtt-testbed.ts';
import { isNewer, publishOpened, subscribeOpened } from './opened.ts';

let bed: MqttTestbed;
beforeAll(async () => {
  bed = await startMqttTestbed();
});
afterAll(() => bed.stop());

const connection = (openedAt: number, connectionId: string) => ({ openedAt, connectionId });

test.each([
  [connection(2, 'a'), connection(1, 'b'), true],
  [connection(1, 'b'), connection(2, 'a'), false],
  [connection(1, 'b'), connection(1, 'a'), true],
  [connection(1, 'a'), connection(1, 'b'), false],
  [connection(1, 'a'), connection(1, 'a'), false],
])('%j is newer than %j: %s', (one, other, newer) => {
  expect(isNewer(one, other)).toBe(newer);
});

test.each([
  ['ahead', -5_000],
  ['behind', 5_000],
])('with a clock that is %s, the newer connection of another process replaces the one here', async (_, offset) => {
  const shared = localBus(expect.fail);
  const replaced: string[] = [];
  // The connection here opened at 1,000 of the shared clock.
  const own = connection(1_000 - offset, 'own');
  subscribeOpened(
    { ...shared, offsetMs: () => offset },
    () => own,
    ({ connectionId }) => replaced.push(connectionId),
  );
  publishOpened(shared, 1, connection(900, 'older'));
  publishOpened(shared, 1, connection(1_100, 'newer'));
  await vi.waitFor(() => expect(replaced).toEqual(['own']));
});

test('a device has one connection over all protocols: the newer one ends the older one and receives the commands', async () => {
  const id = await bed.addDevice('BOTH-1');
  const state = async () =>
    (
      await bed.pool.query<{ connected: boolean; protocol: string; reason: string | null }>(
        'select connected, protocol, disconnect_reason as reason from device_states where device_id = $1',
        [id],
      )
    ).rows[0];
  const speaks = (protocol: string) => eventually(state, (row) => row?.connected === true && row.protocol === protocol);
  const call = (executionId: string) =>
    bed.link.execute(id, { executionId, kind: 'softReset', connector: 0, params: {} });

  const pile = await connectRaw(`${bed.url}/BOTH-1`, { password: PASSWORD });
  await pile.call('Heartbeat', {});
  await speaks('ocpp1.6');

  const unit = await connectDevice(bed.mqttUrl, 'BOTH-1');
  expect(await pile.closed).toEqual({ code: 1000, reason: 'the device opened a newer connection' });
  await unit.client.subscribeAsync('chargehand/BOTH-1/command');
  await speaks('mqtt3.1.1');
  expect(bed.gateway.connections).toBe(0);
  expect(await call('11111111-1111-4111-8111-111111111111')).toEqual({ outcome: 'sent' });
  expect(JSON.parse(String((await unit.next()).payload))).toMatchObject({ command: 'softReset' });

  const again = await connectRaw(`${bed.url}/BOTH-1`, { password: PASSWORD });
  await unit.closed;
  await speaks('ocpp1.6');
  expect(await call('22222222-2222-4222-8222-222222222222')).toEqual({ outcome: 'sent' });
  expect(await again.next()).toMatchObject([2, '22222222-2222-4222-8222-222222222222', 'Reset', { type: 'Soft' }]);

  // The device was never offline.
  const closings = async () =>
    (
      await bed.pool.query<{ note: string }>(
        'select note from protocol_frames where device_id = $1 and type = 1 order by id',
        [id],
      )
    ).rows;
  expect(await eventually(closings, (rows) => rows.length === 2)).toEqual(
    Array(2).fill({ note: 'the device opened a newer connection' }),
  );
  const away = await bed.pool.query('select from device_events where device_id = $1 and type = 0', [id]);
  expect(away.rowCount).toBe(0);
  again.socket.terminate();
});
