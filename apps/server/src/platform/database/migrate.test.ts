import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase();
  await database.pool.query('DROP TABLE IF EXISTS migrations');
  folder = await mkdtemp(join(tmpdir(), 'chargehand-migrations-'));
  await writeFile(join(folder, '001_first.sql'), 'CREATE TABLE first_thing (id int);');
});

afterEach(async () => {
  await database.drop();
  await rm(folder, { recursive: true });
});

test('migrations are applied once, in order, even when many processes start at once', async () => {
  await writeFile(join(folder, '002_second.sql'), 'ALTER TABLE first_thing ADD name text;');
  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.pool, { folder })));
  expect(runs.flat()).toEqual(['001_first.sql', '002_second.sql']);
});

test('a migration that fails leaves nothing behind and is retried', async () => {
  await writeFile(join(folder, '002_second.sql'), 'CREATE TABLE half (id int); SELECT 1 / 0;');
  await expect(migrate(database.pool, { folder })).rejects.toThrow('Migration 002_second.sql failed: division by zero');
  const { rows } = await database.pool.query(`SELECT to_regclass('half') AS half`);
  expect(rows).toEqual([{ half: null }]);
  await writeFile(join(folder, '002_second.sql'), 'CREATE TABLE half (id int);');
  expect(await migrate(database.pool, { folder })).toEqual(['002_second.sql']);
});

test('a migration changed after it was applied is refused', async () => {
  await migrate(database.pool, { folder });
  await writeFile(join(folder, '001_first.sql'), 'CREATE TABLE first_thing (id bigint);');
  await expect(migrate(database.pool, { folder })).rejects.toThrow('001_first.sql was changed after it was applied');
});

test('a database of a newer version is refused', async () => {
  await migrate(database.pool, { folder });
  await rm(join(folder, '001_first.sql'));
  await expect(migrate(database.pool, { folder })).rejects.toThrow('a newer version has used it');
});

test('a new migration with an old number is refused', async () => {
  await migrate(database.pool, { folder });
  await writeFile(join(folder, '000_late.sql'), 'SELECT 1;');
  await expect(migrate(database.pool, { folder })).rejects.toThrow('Give it the next number');
});
