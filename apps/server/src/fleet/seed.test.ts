import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MIGRATIONS_FOLDER } from '../platform/database/migrate.ts';
import { createTestDatabase, emptyTables, type TestDatabase } from '../testing/database/database.ts';
import { eventually } from '../testing/eventually.ts';
import { SEED_LOCK } from './seed.store.ts';
import { ensureDemoFleet, seedFleet } from './seed.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const count = async (table: 'device_models' | 'customers' | 'sites' | 'devices' | 'device_states') =>
  (await database.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n;

test('the generic device models and a first site exist after any number of starts', async () => {
  await database.pool.query(
    `insert into customers (code, name, platform_vendor) values ('platform', 'Platform', true)`,
  );
  await seedFleet(database.db);
  await seedFleet(database.db);
  expect([await count('device_models'), await count('sites')]).toEqual([2, 1]);
  await database.pool.query('truncate sites, customers cascade');
});

test('the demo fleet is registered once, grows when configured, and keeps the changes of users', async () => {
  await ensureDemoFleet(database.db, { devices: 6, snPrefix: 'SIM', ocpp201Every: 4 });
  const supported = `select from device_models where ssh_support and web_support`;
  expect((await database.pool.query(supported)).rowCount).toBe(2);
  await database.pool.query(`update devices set name = 'Mine' where sn = 'SIM00001'`);
  await Promise.all(
    [1, 2, 3].map(() => ensureDemoFleet(database.db, { devices: 10, snPrefix: 'SIM', ocpp201Every: 4 })),
  );
  expect([
    await count('customers'),
    await count('sites'),
    await count('devices'),
    await count('device_states'),
  ]).toEqual([3, 8, 10, 10]);
  const { rows } = await database.pool.query(`select sn, name from devices order by sn limit 2`);
  expect(rows[0]).toEqual({ sn: 'SIM00001', name: 'Mine' });
  expect(rows[1].sn).toBe('SIM00002');
  await database.pool.query('update device_models set ssh_support = false, web_support = false');
  await ensureDemoFleet(database.db, { devices: 10, snPrefix: 'SIM', ocpp201Every: 4 });
  expect((await database.pool.query(supported)).rowCount).toBe(0);
  const newer = await database.pool.query(
    `select d.sn from devices d join device_models m on m.id = d.device_model_id where m.name = 'Generic OCPP 2.0.1 pile' order by d.sn`,
  );
  expect(newer.rows.map(({ sn }) => sn)).toEqual(['SIM00004', 'SIM00008']);
});

test('the update of an earlier demo gives SSH and web pages to models that only the demo uses', async () => {
  const update = await readFile(join(MIGRATIONS_FOLDER, '477_demo_links.sql'), 'utf8');
  const { pool } = database;
  await ensureDemoFleet(database.db, { devices: 10, snPrefix: 'SIM', ocpp201Every: 4 });
  const newer = `(select id from device_models where name = 'Generic OCPP 2.0.1 pile')`;
  await pool.query(`insert into device_models (name, type, vendor) values ('Mine', 1, 'Generic')`);
  await pool.query('update device_models set ssh_support = false, web_support = false');
  await pool.query(
    `insert into devices (sn, name, site_id, customer_id, device_model_id)
     select 'REAL-1', 'Real', site_id, customer_id, ${newer} from devices where sn = 'SIM00001'`,
  );
  const supported = async () => {
    await pool.query(update);
    const { rows } = await pool.query('select name from device_models where ssh_support and web_support order by name');
    return rows.map(({ name }) => name);
  };
  expect(await supported()).toEqual(['Generic OCPP 1.6 pile']);
  await pool.query(`delete from devices where sn = 'REAL-1'`);
  expect(await supported()).toEqual(['Generic OCPP 1.6 pile', 'Generic OCPP 2.0.1 pile']);
});

test('a server that seeds at the same time as another one waits for it and uses the models that it added', async () => {
  const other = await database.pool.connect();
  let seeding: Promise<void>;
  try {
    await emptyTables(database.pool, 'devices', 'device_models');
    await other.query('begin');
    await other.query(`select pg_advisory_xact_lock(${SEED_LOCK})`);
    await other.query(
      `insert into device_models (name, type, vendor, tolerant) values ('Generic OCPP 1.6 pile', 1, 'Generic', false)`,
    );
    seeding = seedFleet(database.db);
    seeding.catch(() => undefined);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await eventually(
      async () => (await database.pool.query(waiting)).rowCount,
      (rows) => rows === 1,
      { what: 'the second server to wait for the lock' },
    );
    await other.query('commit');
  } finally {
    other.release();
  }
  await seeding;
  expect(await count('device_models')).toBe(2);
});
