import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Query } from '../../platform/database/statement.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { seedWorld, type World } from '../../testing/world.ts';
import { updateDeviceStatuses } from './device-status.ts';

let database: TestDatabase;
let world: World;
beforeAll(async () => {
  database = await createTestDatabase();
  world = await seedWorld(database.db);
});
afterAll(() => database.drop());

test('a status that another writer changes between reading and writing is derived again', async () => {
  const { pool } = database;
  const device = world.devices.northQuay1.id;
  await pool.query('delete from device_states where device_id = $1', [device]);
  await pool.query(`update devices set status = 'idle' where id = $1`, [device]);
  let changed = 0;
  /** The pool, on which another writer is faster once. */
  const slow: Query = {
    query: (async (statement: { name?: string }) => {
      if (statement.name === 'ingest_device_statuses' && changed === 0) {
        changed += 1;
        await pool.query(`update devices set status = 'working' where id = $1`, [device]);
      }
      return await pool.query(statement as never);
    }) as Query['query'],
  };
  expect(await updateDeviceStatuses(slow, [device])).toMatchObject({ changed: [device] });
  expect(changed).toBe(1);
  const { rows } = await pool.query('select status from devices where id = $1', [device]);
  expect(rows).toEqual([{ status: 'offline' }]);
});

test('a change of the status writes no index of devices, and the narrow table and the key figures follow', async () => {
  const { pool } = database;
  const rows = async (text: string, values: unknown[] = []) => (await pool.query(text, values)).rows;
  // An update is HOT only if no index has one of its columns, also as a condition.
  expect(
    await rows(`select indexrelid::regclass::text as name from pg_index where indrelid = 'devices'::regclass
                   and pg_get_indexdef(indexrelid) ~ '\\mstatus(_since)?\\M'`),
  ).toEqual([]);
  const { northQuay1, northMill1 } = world.devices;
  const { northMill } = world.sites;
  const ids = [northQuay1.id, northMill1.id];
  await pool.query(`update devices set status = 'idle' where id = any($1::int[])`, [ids]);
  await pool.query('delete from figure_changes');
  await pool.query(`update devices set status = 'working', status_since = now() where id = any($1::int[])`, [ids]);
  await pool.query('update devices set site_id = $2 where id = $1', [northQuay1.id, northMill]);
  // Two devices of one site that change alike are one change of its figures.
  await pool.query(`update devices set status = 'idle', status_since = now() where id = any($1::int[])`, [ids]);
  expect(
    await rows('select status, sum(change)::int as change from figure_changes group by status order by status'),
  ).toEqual([
    { status: 'idle', change: 0 },
    { status: 'working', change: 0 },
  ]);
  expect(await rows('select status, change from figure_changes order by id desc limit 2')).toEqual(
    expect.arrayContaining([
      { status: 'working', change: -2 },
      { status: 'idle', change: 2 },
    ]),
  );
  expect(
    await rows(`select d.id from devices d full join device_status s on s.device_id = d.id
                  and (s.customer_id, s.site_id, s.status, s.since) = (d.customer_id, d.site_id, d.status, d.status_since)
                 where s.device_id is null or d.id is null`),
  ).toEqual([]);
});
