import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectRaw, type RawPoint, startTestbed, type Testbed } from '../../testing/gateways/gateway-testbed.ts';

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed();
});
afterAll(() => bed.stop());

const status = (point: RawPoint, connectorId: number) =>
  point.call('StatusNotification', { connectorId, errorCode: 'NoError', status: 'Available' });

async function connectorsOf(id: number): Promise<number> {
  const { rows } = await bed.pool.query('select count(*)::int as n from connectors where device_id = $1', [id]);
  return rows[0].n;
}

test('a device may report 128 connectors over any number of connections; the protocol log records refused ones', async () => {
  const id = await bed.addDevice('MANY-1');
  let point = await connectRaw(`${bed.url}/MANY-1`);
  for (let connector = 0; connector <= 100; connector += 1) expect((await status(point, connector))[0]).toBe(3);
  point.socket.terminate();
  point = await connectRaw(`${bed.url}/MANY-1`);
  for (let connector = 101; connector <= 128; connector += 1) expect((await status(point, connector))[0]).toBe(3);
  const refused = await status(point, 129);
  expect(refused).toMatchObject([4, expect.any(String), 'PropertyConstraintViolation', expect.any(String), {}]);
  const value = { timestamp: new Date().toISOString(), sampledValue: [{ value: '1' }] };
  expect((await point.call('MeterValues', { connectorId: 200, meterValue: [value] }))[0]).toBe(4);
  // Connectors that are known remain known.
  expect((await status(point, 128))[0]).toBe(3);
  expect(await connectorsOf(id)).toBe(129);
  const { rows } = await bed.pool.query(
    `select note from protocol_frames where device_id = $1 and type = 2 and note is not null order by id limit 1`,
    [id],
  );
  expect(rows).toEqual([{ note: 'connector 129 exceeds the limit: a device may have 128 at most' }]);
});

test('when the device model defines the number of connectors, no more are accepted', async () => {
  await bed.pool.query('update device_models set connector_count = 2 where id = $1', [bed.site.tolerantModelId]);
  const id = await bed.addDevice('TWO-201', { tolerant: true });
  const point = await connectRaw(`${bed.url}/TWO-201`, { protocols: ['ocpp2.0.1'] });
  const timestamp = new Date().toISOString();
  const connect = (evseId: number) =>
    point.call('StatusNotification', { timestamp, connectorStatus: 'Available', evseId, connectorId: 1 });
  expect((await connect(1))[0]).toBe(3);
  expect((await connect(7))[0]).toBe(3);
  expect((await connect(2))[3]).toBe('connector 2 exceeds the limit: its model says that it has 2 at most');
  expect(await connectorsOf(id)).toBe(2);
});
