import { afterAll, beforeAll, expect, test } from 'vitest';
import { TEST_DEVICES } from '../testing/faults/test-devices.ts';
import { eventually } from '../testing/gateways/gateway-testbed.ts';
import { type MqttTestbed, startMqttTestbed } from '../testing/gateways/mqtt-testbed.ts';

const HOUR = 3_600_000;
/** More than a busy machine needs for one case. */
const SLACK_MS = 60_000;

/** The alarm rules and settings of the model of all devices here. */
const TOO_MUCH = {
  ...{ code: 'TOO_MUCH', removed: false, enabled: true, kind: 'alarm', level: 'MA', connector: null, unit: 'W' },
  ...{ name: { en: 'Too much', zh: '过载' }, key: 'Power.Active.Import', itemName: { en: 'Power', zh: '功率' } },
  ...{ condition: 'above', low: null, high: 50_000, values: [], hysteresis: 0, durationSeconds: 0 },
};

let bed: MqttTestbed;
beforeAll(async () => {
  bed = await startMqttTestbed();
  await bed.pool.query(
    `with next as (update device_models set version = version + 1 where id = $1 returning version)
     insert into device_model_versions (device_model_id, version, changed_by, description)
     select $1, version, 'test', $2::jsonb from next`,
    [bed.site.modelId, JSON.stringify({ configs: [], parameters: [], controls: [], rules: [TOO_MUCH] })],
  );
});
afterAll(() => bed.stop());

const CASES = Object.entries(TEST_DEVICES).flatMap(([protocol, speak]) => [
  { protocol, speak, clock: 'an hour ahead', skewMs: HOUR },
  { protocol, speak, clock: 'an hour behind', skewMs: -HOUR },
]);

test.each(CASES)(
  'a device that uses $protocol with its clock $clock: readings with an impossible time are refused, nothing else is lost, no alarm exists twice, and rules use the real time',
  async ({ protocol, speak, skewMs }) => {
    const sn = `SKEW-${CASES.findIndex((one) => one.protocol === protocol && one.skewMs === skewMs)}`;
    const id = await bed.addDevice(sn);
    const begun = Date.now();
    const device = await speak(bed, sn);
    const its = () => new Date(Date.now() + skewMs);
    const first = async <T extends object>(text: string): Promise<T | undefined> =>
      (await bed.pool.query<T>(text, [id])).rows[0];

    await device.status(its());
    const state = await eventually(
      () => first<{ skew: number | null }>('select clock_skew_ms as skew from device_states where device_id = $1'),
      (row) => typeof row?.skew === 'number' && row.skew !== 0,
    );
    expect(Math.abs(state!.skew! - skewMs)).toBeLessThan(SLACK_MS);

    await device.power(60_000, its());
    await device.power(61_000, its());
    const { rows: readings } = await bed.pool.query<{ at: Date; watts: number }>(
      `select at, analog[1] as watts from readings where device_id = $1 and analog[1] > 50000 order by analog[1]`,
      [id],
    );
    // A value from the future has no place on a time axis. A past time may be from a stored message, and is kept.
    const refused = skewMs > 0;
    expect(readings.map(({ watts }) => watts)).toEqual(refused ? [] : [60_000, 61_000]);
    for (const { at } of readings) expect(Math.abs(at.getTime() - begun - skewMs)).toBeLessThan(SLACK_MS);
    const alarms = async () =>
      (
        await bed.pool.query<{ code: string; raised: Date; cleared: Date | null }>(
          'select code, raised_at as raised, cleared_at as cleared from alarms where device_id = $1 order by code',
          [id],
        )
      ).rows;
    const byRule = await alarms();
    expect(byRule).toMatchObject(refused ? [] : [{ code: 'TOO_MUCH', cleared: null }]);
    for (const { raised } of byRule) expect(Math.abs(raised.getTime() - begun)).toBeLessThan(SLACK_MS);
    await device.power(1_000, its());
    expect((await alarms()).map(({ cleared }) => cleared === null)).toEqual(byRule.map(() => false));

    for (let times = 0; times < 3; times += 1) await device.alarm(true, its());
    expect((await alarms()).map(({ code, cleared }) => [code, cleared === null])).toEqual([
      ['E7', true],
      ...byRule.map(({ code }) => [code, false]),
    ]);
    // The device has set its clock. An alarm never ends before its start, whatever the clock of the device.
    await device.alarm(false, new Date());
    const ended = await alarms();
    expect(ended.map(({ code, cleared }) => [code, cleared !== null])).toEqual([
      ['E7', true],
      ...byRule.map(({ code }) => [code, true]),
    ]);
    for (const { raised, cleared } of ended) expect(cleared!.getTime()).toBeGreaterThanOrEqual(raised.getTime());
    device.cut();
  },
);
