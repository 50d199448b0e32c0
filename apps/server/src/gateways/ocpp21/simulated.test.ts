import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFleet } from '../../../../simulator/src/index.ts';
import { eventually, startTestbed, type Testbed } from '../../testing/gateways/gateway-testbed.ts';

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed();
});
afterAll(() => bed.stop());

test('a simulated charge point of OCPP 2.1 boots and charges', async () => {
  const id = await bed.addDevice('SIM2100001');
  const fleet = await startFleet({ url: bed.url, devices: 1, prefix: 'SIM21', ocpp21: 1, meterInterval: 0 });
  await fleet.whenAccepted();
  const [pile] = fleet.devices;
  pile?.plugIn(1, 'CARD');
  const state = async () => {
    const { rows } = await bed.pool.query<{ protocol: string; running: number }>(
      `select s.protocol, (select count(*)::int from transactions t where t.device_id = $1) as running
       from device_states s where s.device_id = $1`,
      [id],
    );
    return rows[0];
  };
  expect(await eventually(state, (row) => row?.running === 1)).toEqual({ protocol: 'ocpp2.1', running: 1 });
  await fleet.stop();
  const { rows: errors } = await bed.pool.query(
    `select body from protocol_frames where device_id = $1 and (body like '[4,%' or body like '[5,%')`,
    [id],
  );
  expect(errors).toEqual([]);
});
