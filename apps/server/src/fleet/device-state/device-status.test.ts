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
