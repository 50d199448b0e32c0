import { afterAll, beforeAll, expect, test } from 'vitest';
import { clockAt } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { seedWorld } from '../../testing/world.ts';
import { partitions } from '../index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const careOn = async (day: string) => {
  const care = partitions({
    pool: database.pool,
    log: createLog('silent'),
    protocolLogDays: 2,
    readingDays: { raw: 30, rollups: { fiveMinutes: 60, hour: 90, day: 800 } },
    clock: clockAt(() => new Date(`${day}T10:00:00Z`)),
  });
  await care.start();
  await care.stop();
};
const addFrame = (at: string) =>
  database.pool.query('insert into protocol_frames (device_id, at, type) values (1, $1, 2)', [at]);
const places = async () =>
  (
    await database.pool.query<{ place: string; at: Date }>(
      'select tableoid::regclass::text as place, at from protocol_frames order by id',
    )
  ).rows.map((row) => row.place);

test('partitions are created ahead, take over rows of the default partition, and are dropped after their retention', async () => {
  await addFrame('2026-03-01T12:00:00Z');
  expect(await places()).toEqual(['protocol_frames_default']);
  await careOn('2026-03-01');
  expect(await places()).toEqual(['protocol_frames_20260301']);
  await addFrame('2026-03-04T23:59:59.999Z');
  await addFrame('2026-02-01T00:00:00Z');
  expect(await places()).toEqual(['protocol_frames_20260301', 'protocol_frames_20260304', 'protocol_frames_default']);
  await careOn('2026-03-01');
  await careOn('2026-03-04');
  expect(await places()).toEqual(['protocol_frames_20260304', 'protocol_frames_default']);
  const ids = await database.pool.query('select count(distinct id)::int as n from protocol_frames');
  expect(ids.rows).toEqual([{ n: 2 }]);
});

test('a detached partition is attached again when the clock was wrong, with what arrived meanwhile', async () => {
  await careOn('2026-03-05');
  await addFrame('2026-03-04T12:00:00Z');
  const before = await places();
  await careOn('2026-05-01');
  expect(await places()).not.toContain('protocol_frames_20260304');
  await addFrame('2026-03-04T13:00:00Z');
  await careOn('2026-03-05');
  expect((await places()).filter((place) => place === 'protocol_frames_20260304')).toHaveLength(
    before.filter((place) => place === 'protocol_frames_20260304').length + 1,
  );
  const { rows } = await database.pool.query('select name from detached_partitions where name like $1', ['%20260304']);
  expect(rows).toEqual([]);
});

const partitionsOf = async (table: string) =>
  (
    await database.pool.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass order by 1`,
      [table],
    )
  ).rows.map(({ name }) => name);
const addRollup = (table: string, at: string) =>
  database.pool.query(`insert into ${table} values (1, 1, 1, $1, 1, $1, $1, '{1}', '{1}', '{1}', '{}', '{}', '{}')`, [
    at,
  ]);

test('rollups are stored per month and year, each for its retention, and no day is removed early', async () => {
  await careOn('2027-01-30');
  expect(await partitionsOf('readings_5m')).toEqual(
    expect.arrayContaining(['readings_5m_20270101', 'readings_5m_20270201']),
  );
  expect(await partitionsOf('readings_1d')).toContain('readings_1d_20270101');
  await addRollup('readings_5m', '2027-01-31T23:55:00Z');
  await addRollup('readings_1h', '2027-01-31T23:00:00Z');
  await addRollup('readings_1d', '2026-12-31T16:00:00Z');
  const kept = async () =>
    Object.fromEntries(
      await Promise.all(
        ['readings_5m', 'readings_1h', 'readings_1d'].map(async (table) => [
          table,
          (await database.pool.query(`select from ${table}`)).rowCount,
        ]),
      ),
    );
  // 60 days before now is 2027-02-01: all of January is past its retention.
  await careOn('2027-04-01');
  expect(await kept()).toEqual({ readings_5m: 1, readings_1h: 1, readings_1d: 1 });
  await careOn('2027-04-02');
  expect(await kept()).toEqual({ readings_5m: 0, readings_1h: 1, readings_1d: 1 });
  await careOn('2027-05-02');
  expect(await kept()).toEqual({ readings_5m: 0, readings_1h: 0, readings_1d: 1 });
});

test('late readings of a time past the retention are removed with the next run', async () => {
  await careOn('2027-05-02');
  const add = (at: string) =>
    database.pool.query(
      `insert into readings (device_id, connector, at, received_at, layout_id, analog, counters) values (9, 1, $1, now(), 1, '{1}', '{}')`,
      [at],
    );
  await add('2027-04-01T23:59:00Z');
  await add('2027-04-02T00:00:00Z');
  await careOn('2027-05-02');
  const { rows } = await database.pool.query('select at from readings where device_id = 9');
  expect(rows).toEqual([{ at: new Date('2027-04-02T00:00:00Z') }]);
});

test('faults of messages are deleted with the protocol frames, and of each device the newest kinds are kept', async () => {
  const { pool } = database;
  const { id } = (await seedWorld(database.db)).devices.northQuay1;
  const add = (action: string, at: string) =>
    pool.query(
      `insert into device_message_faults (device_id, outcome, action, reason, count, first_at, last_at)
       values ($1, 'rejected', $2, '', 1, $3, $3)`,
      [id, action, at],
    );
  await add('Old', '2026-06-01T09:00:00Z');
  for (let index = 0; index < 52; index += 1)
    await add(`Kind${index}`, `2026-06-03T09:00:${String(index).padStart(2, '0')}Z`);
  await careOn('2026-06-03');
  const { rows } = await pool.query('select action from device_message_faults order by last_at');
  expect(rows.map(({ action }) => action)).toEqual(Array.from({ length: 50 }, (_, index) => `Kind${index + 2}`));
});
