import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { rollups } from '../telemetry/index.ts';
import { TEST_DEVICES } from '../testing/faults/test-devices.ts';
import { type MqttTestbed, startMqttTestbed } from '../testing/gateways/mqtt-testbed.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** The start of an hour two days ago, so that all of it is in one bucket of every rollup. */
const THEN = Math.floor((Date.now() - 2 * DAY) / (60 * MINUTE)) * 60 * MINUTE;

let bed: MqttTestbed;
beforeAll(async () => {
  bed = await startMqttTestbed();
});
afterAll(() => bed.stop());

/** Rolls up everything that has ended. */
const rollUp = () => rollups({ pool: bed.pool, log: createLog('silent'), clock: systemClock }).rollUp();

test.each(Object.entries(TEST_DEVICES))(
  'data that a device with %s delivers two days late corrects the rollups of its time, and does not count as current',
  async (protocol, speak) => {
    const sn = `LATE-${Object.keys(TEST_DEVICES).indexOf(protocol)}`;
    const id = await bed.addDevice(sn);
    const device = await speak(bed, sn);
    const of = async (table: string) => {
      const { rows } = await bed.pool.query<{ n: number; low: number; high: number }>(
        `select sum(readings)::int as n, min(low[1]) as low, max(high[1]) as high from ${table}
          where device_id = $1 and at >= $2 and at < $3`,
        [id, new Date(THEN - DAY), new Date(THEN + DAY)],
      );
      return rows[0];
    };
    await device.status(new Date());
    await device.power(3_000, new Date(THEN));
    await device.power(5_000, new Date(THEN + 20 * MINUTE));
    await device.power(4_000, new Date());
    await rollUp();
    for (const table of TABLES) expect(await of(table)).toEqual({ n: 2, low: 3_000, high: 5_000 });

    // The rest of that hour arrives when it has been rolled up already: once, and again over a new connection.
    const late = [7_000, 1_000, 6_000];
    const deliver = async (to: typeof device) => {
      for (const [turn, watts] of late.entries()) await to.power(watts, new Date(THEN + (5 + turn) * MINUTE));
    };
    await deliver(device);
    device.cut();
    const again = await speak(bed, sn);
    await again.status(new Date());
    await deliver(again);
    await rollUp();
    for (const table of TABLES) expect(await of(table)).toEqual({ n: 5, low: 1_000, high: 7_000 });

    const { rows: stored } = await bed.pool.query(
      'select count(*)::int as n from readings where device_id = $1 and at < $2',
      [id, new Date(THEN + DAY)],
    );
    expect(stored).toEqual([{ n: 5 }]);
    const { rows: latest } = await bed.pool.query<{ at: Date }>(
      'select at from latest_readings where device_id = $1 order by at desc limit 1',
      [id],
    );
    expect(latest[0]!.at.getTime()).toBeGreaterThan(THEN + DAY);
    again.cut();
  },
);

const TABLES = ['readings_5m', 'readings_1h', 'readings_1d'];
