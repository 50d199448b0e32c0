import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { watchWrites } from './write-watch.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

test('every kind of write is recorded once, with its table, until it is read', async () => {
  const { pool } = database;
  const writes = await watchWrites(pool);
  await pool.query(`insert into customers (code, name) values ('A', 'A'), ('B', 'B')`);
  expect(await writes.take()).toEqual(['insert customers']);
  expect(await writes.take()).toEqual([]);
  await pool.query(`update customers set name = 'C' where code = 'A'`);
  expect(await writes.take()).toEqual(['update customers']);
  await pool.query(`delete from customers where code = 'A'`);
  expect(await writes.take()).toEqual(['delete customers']);
  await pool.query('truncate customers cascade');
  expect(await writes.take()).toContain('truncate customers');
});

test('a row that is changed back counts, an update that changes nothing does not', async () => {
  const { pool } = database;
  await pool.query(`insert into customers (code, name) values ('A', 'A')`);
  const writes = await watchWrites(pool);
  await pool.query(`update customers set name = 'A'`);
  expect(await writes.take()).toEqual([]);
  await pool.query(`update customers set name = 'B'`);
  await pool.query(`update customers set name = 'A'`);
  expect(await writes.take()).toEqual(['update customers']);
});

test('rolled back writes and excluded tables are not recorded; rows of partitions are', async () => {
  const { pool } = database;
  const writes = await watchWrites(pool, ['customers']);
  await pool.query(`insert into customers (code, name) values ('A', 'A')`);
  await pool.query('begin; insert into menus (key, name_en, sort) values ($$k$$, $$n$$, 1); rollback');
  expect(await writes.take()).toEqual([]);
  await pool.query(`insert into protocol_frames (device_id, at, type) values (1, '2001-01-01', 1)`);
  expect((await writes.take())[0]).toContain('insert protocol_frames');
  await expect(watchWrites(pool, ['no_such'])).rejects.toThrow('no_such');
});
