import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import { createLog } from '../../../platform/log.ts';
import { databaseBefore } from '../../../testing/database/before-migration.ts';
import { emptyTables } from '../../../testing/database/database.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { listFramesAfter } from '../frames.store.ts';
import { packDevice } from './packer.store.ts';
import { framePacker } from './packer.ts';

const EVERYTHING = { customers: 'all', sites: 'all' } as const;
const NOW = new Date();
/** All frames are old enough then. */
const LATER = new Date(NOW.getTime() + 24 * 3_600_000);
/** Frames of the tests are within one day. */
const NOON = new Date(Math.floor(NOW.getTime() / 86_400_000) * 86_400_000 - 43_200_000);

let server: TestServer;
let device: number;
beforeAll(async () => {
  server = await startTestServer();
  device = server.world.devices.northQuay1.id;
});
beforeEach(() => emptyTables(server.database.pool, 'protocol_frames', 'frame_batches'));
afterAll(() => server.stop());

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.pool.query<Row>(text, values)).rows;
/** Adds frames whose IDs are also their texts. */
const add = (ids: readonly number[], at = NOON, of = device) =>
  query(
    `insert into protocol_frames (id, device_id, at, type, action, message_id, body, bytes) overriding system value
     select id, $1, $2, 2, 'Heartbeat', 'm' || id, id::text, 1 from unnest($3::bigint[]) as id`,
    [of, at, ids],
  );
const pack = (now = LATER) => packDevice(server.database.db, device, now);
const shown = async () =>
  (await listFramesAfter(EVERYTHING, server.database.db, device, {}, 0, 10_000)).map(({ body }) => Number(body));
/** The sizes of the batches in their order; no two overlap. */
const batches = async () => {
  const rows = await query<{ device_id: number; first_id: number; last_id: number; frames: number }>(
    'select device_id, first_id, last_id, frames from frame_batches order by last_id',
  );
  const overlaps = rows.filter((row, index) =>
    rows.slice(0, index).some((one) => one.device_id === row.device_id && one.last_id >= row.first_id),
  );
  expect(overlaps).toEqual([]);
  return rows.map(({ frames }) => frames);
};
const unpacked = async () => (await query('select id from protocol_frames')).length;
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

test('full batches are packed at once, the rest when it is old', async () => {
  await add(numbers(1, 600), NOW);
  expect(await pack(NOW)).toBe(512);
  expect([await batches(), await unpacked()]).toEqual([[256, 256], 88]);
  expect(await pack(NOW)).toBe(0);
  expect(await pack()).toBe(88);
  expect([await batches(), await unpacked()]).toEqual([[256, 256, 88], 0]);
  expect(await pack()).toBe(0);
  expect(await shown()).toEqual(numbers(1, 600));
});

test('a small batch takes the next frames of its day, and none of another', async () => {
  await add(numbers(1, 10));
  await pack();
  await add(numbers(11, 20));
  await pack();
  expect(await batches()).toEqual([20]);
  await add(numbers(21, 25), new Date(NOON.getTime() + 86_400_000));
  await pack();
  expect(await batches()).toEqual([20, 5]);
  expect(await shown()).toEqual(numbers(1, 25));
});

test('frames that were stored late get to their place', async () => {
  await add(numbers(1, 400).filter((id) => id !== 7 && id !== 300));
  await pack();
  await add([7, 300]);
  expect(await shown()).toEqual(numbers(1, 400));
  expect(await pack()).toBe(2);
  expect(await batches()).toEqual([256, 144]);
  expect(await shown()).toEqual(numbers(1, 400));
});

test('several processes pack each frame once', async () => {
  await add(numbers(1, 300));
  const counts = await Promise.all([pack(), pack(), pack(), pack()]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(300);
  expect([await shown(), await unpacked()]).toEqual([numbers(1, 300), 0]);
});

test('a packing that ends in the middle changes nothing', async () => {
  await add(numbers(1, 100));
  await pack();
  await add(numbers(101, 200));
  const holder = await server.database.pool.connect();
  await holder.query('begin');
  await holder.query('select from protocol_frames where device_id = $1 for update', [device]);
  const packing = pack();
  packing.catch(() => undefined);
  // It waits for the rows that it deletes last, when the batches are written.
  const blocked = await vi.waitFor(
    async () => {
      const [one] = await query<{ pid: number }>(
        `select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from protocol_frames%'`,
      );
      return one!.pid;
    },
    { timeout: 30_000 },
  );
  expect(await shown()).toEqual(numbers(1, 200));
  await query('select pg_terminate_backend($1)', [blocked]);
  await expect(packing).rejects.toThrow();
  await holder.query('rollback');
  holder.release();
  expect([await batches(), await unpacked()]).toEqual([[100], 100]);
  expect(await shown()).toEqual(numbers(1, 200));
  expect(await pack()).toBe(100);
  expect(await shown()).toEqual(numbers(1, 200));
});

test('the server packs frames repeatedly, also after a device whose frames it cannot pack', async () => {
  const ids = Object.values(server.world.devices).map(({ id }) => id);
  const [first, last] = [Math.min(...ids), Math.max(...ids)];
  await add(numbers(1, 3), NOON, first);
  await add(numbers(4, 4), NOON, last);
  await query(`alter table frame_batches add constraint refused check (device_id <> ${first})`);
  await server.sweep();
  expect([await batches(), await unpacked()]).toEqual([[1], 3]);
  await query('alter table frame_batches drop constraint refused');
  await server.sweep();
  expect([await batches(), await unpacked()]).toEqual([[3, 1], 0]);
});

test('packing pauses longer while messages wait to be stored', async () => {
  await add(numbers(1, 3));
  const pauses: number[] = [];
  const clock: Clock = {
    ...systemClock,
    now: () => LATER,
    after(ms, work) {
      pauses.push(ms);
      work();
      return () => undefined;
    },
  };
  const packer = framePacker({ db: server.database.db, clock, log: createLog('silent'), isLate: () => true });
  await packer.start();
  await packer.stop();
  expect(await batches()).toEqual([3]);
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(10_000);
});

test('the frames of a removed device are removed', async () => {
  await add(numbers(1, 3));
  await pack();
  await query('insert into removed_devices (device_id) values ($1)', [device]);
  await server.sweep();
  expect(await batches()).toEqual([]);
});

test('frames from before the upgrade are packed into partitions of their days', async () => {
  const { database, migrate } = await databaseBefore('470_frame_batches.sql');
  await database.pool.query(
    `create table protocol_frames_20260301 partition of protocol_frames
       for values from ('2026-03-01T00:00:00Z') to ('2026-03-02T00:00:00Z')`,
  );
  await database.pool.query(
    `insert into protocol_frames (device_id, at, type, body)
     select 7, '2026-03-01T23:59:59.999500Z', 2, n::text from generate_series(1, 3) as n`,
  );
  await migrate();
  expect(await packDevice(database.db, 7, LATER)).toBe(3);
  const { rows } = await database.pool.query(
    'select tableoid::regclass::text as place, frames, last_at as "lastAt" from frame_batches',
  );
  expect(rows).toEqual([{ place: 'frame_batches_20260301', frames: 3, lastAt: new Date('2026-03-01T23:59:59.999Z') }]);
  await database.drop();
});
