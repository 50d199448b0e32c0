import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../platform/log.ts';
import { connectRaw, eventually, startTestbed, type Testbed } from '../testing/gateways/gateway-testbed.ts';
import { trafficMeter } from './index.ts';

let bed: Testbed;
beforeAll(async () => {
  bed = await startTestbed();
});
afterAll(() => bed.stop());
beforeEach(() => bed.pool.query('delete from traffic_hours'));

const HOUR_MS = 3_600_000;
const stored = async (device: number) => {
  const { rows } = await bed.pool.query(
    'select coalesce(sum(received), 0)::int as received, coalesce(sum(sent), 0)::int as sent from traffic_hours where device_id = $1',
    [device],
  );
  return rows[0] as { received: number; sent: number };
};

test('every byte of every frame of connecting and disconnecting charge points is counted once, in each direction', async () => {
  const piles = await Promise.all(
    Array.from({ length: 6 }, async (_, n) => {
      const sn = `METER-${n}`;
      const device = await bed.addDevice(sn);
      const counted = { device, received: 0, sent: 0 };
      for (let connection = 0; connection < 2; connection += 1) {
        const point = await connectRaw(`${bed.url}/${sn}`);
        point.socket.on('message', (data) => {
          counted.sent += (data as Buffer).length;
        });
        const say = async (frame: unknown) => {
          const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
          counted.received += Buffer.byteLength(text);
          point.send(text);
          return await point.next();
        };
        await say([2, 'a', 'BootNotification', { chargePointVendor: 'Größe 充电', chargePointModel: `M${n}` }]);
        for (let storeHeartbeat = 0; storeHeartbeat < 5 + n; storeHeartbeat += 1)
          await say([2, `b${storeHeartbeat}`, 'Heartbeat', {}]);
        // Invalid frames are also traffic, and so are their answers.
        await say([2, 'c', 'Nonsense', { text: '✓' }]);
        point.socket.close(1000);
        await point.closed;
      }
      return counted;
    }),
  );
  await bed.flushTraffic();
  for (const { device, received, sent } of piles) expect(await stored(device)).toEqual({ received, sent });
  await bed.flushTraffic();
  for (const { device, received, sent } of piles) expect(await stored(device)).toEqual({ received, sent });
});

test('the end of a connection stores its traffic automatically', async () => {
  const device = await bed.addDevice('METER-END');
  const point = await connectRaw(`${bed.url}/METER-END`);
  await point.call('Heartbeat', {});
  point.socket.terminate();
  await eventually(
    () => stored(device),
    ({ received }) => received > 0,
  );
});

test('bytes belong to the hour of their transmission, and to the site of the device', async () => {
  const device = await bed.addDevice('METER-HOUR');
  let now = Date.parse('2026-03-01T10:59:59.999Z');
  const meter = trafficMeter({ pool: bed.pool, log: createLog('silent'), now: () => now });
  meter.received(device, 10);
  now += 1;
  meter.received(device, 20);
  meter.sent(device, 5);
  await meter.flush();
  meter.sent(device, 7);
  now += HOUR_MS;
  meter.received(2_000_000_000, 99);
  await meter.stop();
  const { rows } = await bed.pool.query(
    'select at, site_id, received, sent from traffic_hours where device_id = $1 order by at',
    [device],
  );
  const { siteId } = bed.site;
  expect(rows).toEqual([
    { at: new Date('2026-03-01T10:00:00Z'), site_id: siteId, received: 10, sent: 0 },
    { at: new Date('2026-03-01T11:00:00Z'), site_id: siteId, received: 20, sent: 12 },
  ]);
});

test('when the database does not confirm a batch, the batch counts once', async () => {
  const device = await bed.addDevice('METER-UNSURE');
  let broken = 2;
  const unreliable = new Proxy(bed.pool, {
    get(pool, key) {
      if (key !== 'query') return Reflect.get(pool, key);
      return async (config: never) => {
        if (broken === 2) {
          broken -= 1;
          throw new Error('Connection terminated unexpectedly');
        }
        const answer = await pool.query(config);
        if (broken === 1) {
          broken -= 1;
          throw new Error('Connection terminated unexpectedly');
        }
        return answer;
      };
    },
  });
  const meter = trafficMeter({ pool: unreliable, log: createLog('silent') });
  meter.received(device, 100);
  await meter.flush();
  meter.received(device, 11);
  await meter.flush();
  await meter.flush();
  expect(await stored(device)).toEqual({ received: 111, sent: 0 });
  await meter.stop();
});

test('two nodes that count the same device add up', async () => {
  const device = await bed.addDevice('METER-TWO');
  const meters = Array.from({ length: 4 }, () => trafficMeter({ pool: bed.pool, log: createLog('silent') }));
  for (let round = 0; round < 10; round += 1) {
    for (const meter of meters) meter.received(device, 1);
    await Promise.all(meters.map((meter) => meter.flush()));
  }
  await Promise.all(meters.map((meter) => meter.stop()));
  expect((await stored(device)).received).toBe(40);
});
