import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { partitions } from './index.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const careOn = async (day: string) => {
  const care = await partitions({
    pool: database.pool,
    log: createLog('silent'),
    protocolLogDays: 2,
    readingDays: 400,
    now: () => new Date(`${day}T10:00:00Z`),
  });
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

test('days are prepared ahead, take over what the default partition held, and go when they are past their retention', async () => {
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
