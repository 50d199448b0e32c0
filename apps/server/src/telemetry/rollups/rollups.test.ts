import { bucketStart, merged, type Rollup, type Summary, summaryOf } from '@chargehand/domain';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { uplinkSink } from '../../ingest/index.ts';
import { type Clock, clockAt, systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { unpackReadings } from '../../ports/readings/packed-readings.ts';
import type { ReadingEvent, UplinkSink } from '../../ports/uplink.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { seeded } from '../../testing/faults/random.ts';
import { readingPacker } from '../packing/packer.ts';
import { countMarks, ROLLUP_TABLES } from './rollups.store.ts';
import { rollups } from './rollups.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Before midnight of the fleet's time zone, so that the test reaches the next day soon. */
const START = Date.UTC(2026, 2, 1, 13);
const log = createLog('silent');

let database: TestDatabase;
let sink: UplinkSink & { stop(): Promise<void> };
let devices: number[];

beforeAll(async () => {
  database = await createTestDatabase({ max: 8 });
  sink = uplinkSink({
    pool: database.pool,
    clock: systemClock,
    log,
    events: { publish: () => undefined },
    onAnswer: async () => [],
  });
});
afterAll(async () => {
  await sink.stop();
  await database.drop();
});
beforeEach(async () => {
  await database.pool.query(
    'truncate readings, reading_batches, readings_5m, readings_1h, readings_1d, reading_marks, rollup_marks',
  );
  const { rows } = await database.pool.query<{ id: number }>(
    `with c as (insert into customers (code, name) select md5(random()::text), md5(random()::text) returning id),
       s as (insert into sites (customer_id, code, name) select id, md5(random()::text), 'Site' from c returning id, customer_id),
       m as (insert into device_models (name, type) select md5(random()::text), 1 returning id)
     insert into devices (sn, name, site_id, customer_id, device_model_id)
     select md5(random()::text), md5(random()::text), s.id, s.customer_id, m.id from s, m, generate_series(1, 3) returning id`,
  );
  devices = rows.map(({ id }) => id);
});

interface Sent {
  deviceId: number;
  connector: number;
  at: number;
  /** the time of receipt; `at` unless it is late */
  receivedAt?: number;
  power: number;
  energy: number | null;
}

function eventOf({ connector, at, receivedAt = at, power, energy }: Sent): ReadingEvent {
  const values: ReadingEvent['values'] = [{ key: 'Power', unit: 'W', counter: false, value: power }];
  if (energy !== null) values.push({ key: 'Energy', unit: 'Wh', counter: true, value: energy });
  return {
    kind: 'reading',
    connector,
    at: new Date(at),
    receivedAt: new Date(receivedAt),
    transactionId: null,
    values,
  };
}

const send = (readings: readonly Sent[]) =>
  Promise.all(readings.map((reading) => sink.submit(reading.deviceId, [eventOf(reading)])));
const workAt = (at: number) => rollups({ pool: database.pool, log, clock: clockAt(() => new Date(at)) }).rollUp();

/** Packs readings as at a time, without the pauses. */
async function packAt(at: number): Promise<void> {
  const clock: Clock = {
    ...clockAt(() => new Date(at)),
    after(_, work) {
      work();
      return () => undefined;
    },
  };
  const packer = readingPacker({ db: database.db, clock, log });
  await packer.start();
  await packer.stop();
}

/** Every stored reading, packed or not: device, connector, time and values. */
async function stored(): Promise<string[]> {
  const text = (device: number, connector: number, at: number, values: readonly number[]) =>
    `${device} ${connector} ${at} ${values}`;
  const { rows } = await database.pool.query(
    'select device_id, connector, extract(epoch from at)::float8 * 1000 as at, analog || counters::real[] as values from readings',
  );
  const { rows: batches } = await database.pool.query('select device_id, data from reading_batches');
  const packed = batches.map(async ({ device_id, data }) =>
    (await unpackReadings(data)).map(({ connector, at, analog, counters }) =>
      text(device_id, connector, at / 1_000, [...analog, ...counters]),
    ),
  );
  const unpacked = rows.map(({ device_id, connector, at, values }) => text(device_id, connector, at, values));
  return [...unpacked, ...(await Promise.all(packed)).flat()].sort();
}

const sent = (readings: readonly Sent[]) =>
  readings
    .map(
      ({ deviceId, connector, at, power, energy }) =>
        `${deviceId} ${connector} ${at} ${energy === null ? [power] : [power, energy]}`,
    )
    .sort();

/**
 * Readings of all devices at random times over some hours, some with a counter. No two readings of a device have the
 * same time.
 */
function course(seed: number, count: number, hours: number): Sent[] {
  const random = seeded(seed);
  return Array.from({ length: count }, (_, n) => ({
    deviceId: devices[n % devices.length]!,
    connector: 1 + random.below(2),
    at: START + random.below((hours * HOUR) / count) + n * Math.floor((hours * HOUR) / count),
    power: random.below(20_000) - 5_000,
    energy: random.below(3) === 0 ? null : n * 10 + random.below(10),
  }));
}

/** The expected rollups: the readings of each bucket, summarized by the rule of the domain. */
function expected(readings: readonly Sent[], rollup: Rollup) {
  const groups = Map.groupBy(
    readings,
    ({ deviceId, connector, at, energy }) =>
      `${deviceId} ${connector} ${energy === null ? 1 : 2} ${new Date(bucketStart(rollup, at)).toISOString()}`,
  );
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, group]) => ({ name, ...sums(group) }));
}

function sums(group: readonly Sent[]) {
  const power: Summary = group.map(({ at, power }) => summaryOf(at, power)).reduce(merged);
  const energies = group.flatMap(({ at, energy }) => (energy === null ? [] : [summaryOf(at, energy)]));
  const energy = energies.length > 0 ? energies.reduce(merged) : null;
  return {
    readings: power.readings,
    first: power.first,
    last: power.last,
    low: [power.low],
    high: [power.high],
    mean: [power.mean],
    counter: energy ? [energy.begin, energy.end, energy.high] : [],
  };
}

async function kept(rollup: Rollup) {
  const { rows } = await database.pool.query(
    `select device_id || ' ' || connector || ' ' || jsonb_array_length(items) as name, k.*
       from ${ROLLUP_TABLES[rollup]} k join reading_layouts l on l.id = layout_id`,
  );
  return rows
    .map((row) => ({
      name: `${row.name} ${row.at.toISOString()}`,
      readings: row.readings,
      first: row.first_at.getTime(),
      last: row.last_at.getTime(),
      low: row.low,
      high: row.high,
      mean: row.mean,
      counter: [...row.counter_first, ...row.counter_last, ...row.counter_high],
    }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

async function expectRolledUp(readings: readonly Sent[]): Promise<void> {
  expect(await countMarks(database.pool)).toBe(0);
  for (const rollup of ['fiveMinutes', 'hour', 'day'] as const) {
    const wanted = expected(readings, rollup);
    const found = await kept(rollup);
    expect(found.map((row) => ({ ...row, mean: [] }))).toEqual(wanted.map((row) => ({ ...row, mean: [] })));
    // A mean is stored in single precision.
    for (const [index, { mean }] of wanted.entries()) {
      const wrong = Math.abs((found[index]?.mean[0] ?? Number.NaN) - (mean[0] ?? 0));
      expect(wrong).toBeLessThan(0.01);
    }
  }
}

test.each([1, 2, 3])('rollups match their readings in any order of delivery (run %i)', async (seed) => {
  const random = seeded(seed * 77);
  const readings = course(seed, 400, 30);
  // In time, repeated, late and out of order, with the worker running at any time in between.
  const late = new Set(readings.filter(() => random.below(4) === 0));
  const inTime = readings.filter((reading) => !late.has(reading));
  const again = readings.filter(() => random.below(6) === 0);
  const arriving = [...late].map((reading) => ({ ...reading, receivedAt: reading.at + random.below(2 * DAY) }));
  const waves = [inTime.slice(0, 150), inTime.slice(150), again, arriving.toReversed(), again];
  for (const wave of waves) {
    await send(wave);
    await workAt(START + random.below(40) * HOUR);
    // Packed readings are moved back when late ones are rolled up with them.
    await packAt(START + random.below(80) * HOUR);
  }
  await workAt(START + 3 * DAY);
  await expectRolledUp(readings);
  await packAt(START + 9 * DAY);
  expect(await stored()).toEqual(sent(readings));
  expect((await database.pool.query('select from readings')).rowCount).toBe(0);
});

test('a bucket is not rolled up before it ends, and an unchanged one is not computed again', async () => {
  const readings = course(9, 30, 1);
  await send(readings);
  await workAt(START + 30_000);
  expect(await kept('fiveMinutes')).toEqual([]);
  await workAt(START + 36 * MINUTE);
  expect((await kept('fiveMinutes')).length).toBeGreaterThan(0);
  expect(await kept('hour')).toEqual([]);
  await workAt(START + 3 * DAY);
  await database.pool.query(`update readings_5m set readings = readings + 1000`);
  await workAt(START + 3 * DAY);
  expect((await kept('fiveMinutes')).every((row) => row.readings > 1000)).toBe(true);
});

test('readings delivered two days late correct the rollups of their time', async () => {
  const readings = course(11, 200, 6);
  const late = readings.filter(({ at }) => at > START + 2 * HOUR && at < START + 3 * HOUR);
  await send(readings.filter((reading) => !late.includes(reading)));
  await workAt(START + 2 * DAY);
  await send(late.map((reading) => ({ ...reading, receivedAt: START + 2 * DAY })));
  await workAt(START + 2 * DAY + MINUTE);
  await expectRolledUp(readings);
});

test('a reading whose neighbours are past their retention changes no rollup, and one of an unknown time is kept', async () => {
  const readings = course(13, 100, 6).map((reading) => ({
    ...reading,
    deviceId: devices[0]!,
    connector: 1,
    energy: 1,
  }));
  await send(readings);
  await workAt(START + 2 * DAY);
  const before = await kept('hour');
  await database.pool.query('delete from readings');
  const late = { ...readings[50]!, at: readings[50]!.at + 1, receivedAt: START + 2 * DAY, power: 99_999 };
  await send([late, { ...late, at: START - 40 * DAY }]);
  await workAt(START + 3 * DAY);
  const after = await kept('hour');
  expect(after.filter(({ first }) => first >= START)).toEqual(before);
  expect(after).toHaveLength(before.length + 1);
  expect(await countMarks(database.pool)).toBe(0);
});

test('a worker that is killed in the middle of its work loses nothing', async () => {
  const readings = course(17, 300, 8);
  await send(readings);
  await workAt(START + HOUR);
  // A lock on a row that the worker writes stops it in the middle of its transaction.
  const holder = await database.pool.connect();
  await send(readings.map((reading) => ({ ...reading, at: reading.at + 1 })));
  await holder.query('begin');
  await holder.query('select from readings_5m for update');
  const killed = workAt(START + 3 * DAY).then(
    () => 'done',
    () => 'killed',
  );
  await expect
    .poll(
      async () =>
        (
          await database.pool.query(
            `select pg_terminate_backend(pid) from pg_stat_activity
              where datname = current_database() and wait_event_type = 'Lock' and query like '%with source as materialized%'`,
          )
        ).rowCount,
      { timeout: 30_000 },
    )
    .toBe(1);
  expect(await killed).toBe('killed');
  await holder.query('rollback');
  holder.release();
  expect(await countMarks(database.pool)).toBeGreaterThan(0);
  await workAt(START + 3 * DAY);
  await expectRolledUp(readings.flatMap((reading) => [reading, { ...reading, at: reading.at + 1 }]));
});

test('a packing that ends in the middle changes nothing, and readings that are not rolled up or just arrived wait', async () => {
  const readings = course(29, 60, 2).map((reading) => ({ ...reading, deviceId: devices[0]! }));
  await send(readings);
  const unpacked = async () => (await database.pool.query('select from readings')).rowCount;
  await packAt(START + 6 * HOUR);
  expect(await unpacked()).toBe(60);
  await workAt(START + 6 * HOUR);
  // The first hour ended less than an hour ago.
  await packAt(START + 2 * HOUR - 1);
  expect(await unpacked()).toBe(60);
  await database.pool.query(`update readings set received_at = $1 where at = (select max(at) from readings)`, [
    new Date(START + 6 * HOUR),
  ]);
  await database.pool.query('alter table reading_batches add constraint refused check (readings < 0)');
  await packAt(START + 6 * HOUR);
  expect(await stored()).toEqual(sent(readings));
  expect(await unpacked()).toBe(60);
  await database.pool.query('alter table reading_batches drop constraint refused');
  await packAt(START + 6 * HOUR);
  const left = await unpacked();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(60);
  await Promise.all([1, 2, 3].map(() => packAt(START + 7 * HOUR)));
  expect(await unpacked()).toBe(0);
  expect(await stored()).toEqual(sent(readings));
});

test('several workers take turns while readings arrive', async () => {
  const readings = course(23, 600, 10);
  const work = () => workAt(START + 3 * DAY);
  for (let from = 0; from < readings.length; from += 100) {
    await Promise.all([send(readings.slice(from, from + 100)), work(), work(), work()]);
  }
  await work();
  await expectRolledUp(readings);
});

test('a batch makes one mark for each five minutes of a device, and does not wait for the worker', async () => {
  const [deviceId] = devices as [number];
  const readings = Array.from({ length: 20 }, (_, n) => ({
    deviceId,
    connector: 1,
    at: START + n * 30_000,
    power: n,
    energy: null,
  }));
  const worker = await database.pool.connect();
  await worker.query('begin');
  await sink.submit(deviceId, readings.map(eventOf));
  await worker.query('delete from reading_marks');
  await sink.submit(
    deviceId,
    readings.map((reading) => eventOf({ ...reading, at: reading.at + 1 })),
  );
  await worker.query('commit');
  worker.release();
  expect(await countMarks(database.pool)).toBe(2);
});

test.each([
  ['the smallest', [1.2e-38, -1.2e-38, 1.3e-38, -1.3e-38, 1.2e-38, 0, 0]],
  ['the largest', [3.4e38, 3.4e38, 3.4e38, -3.4e38, 3.4e38]],
])('%s existing values do not stop the worker', async (_, values) => {
  const [deviceId] = devices as [number];
  await send(
    values.map((power, n) => ({
      deviceId,
      connector: 1,
      at: START + n * 1_000,
      power,
      energy: power > 1 ? 1.7e308 : -1.7e308,
    })),
  );
  await workAt(START + 3 * DAY);
  expect(await countMarks(database.pool)).toBe(0);
  expect((await kept('day')).map(({ readings }) => readings)).toEqual([values.length]);
});
