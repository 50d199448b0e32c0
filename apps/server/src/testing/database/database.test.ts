import { expect, test } from 'vitest';
import { createTestDatabase } from './database.ts';

test('every test has its own database: changes in one are not visible in another', async () => {
  const [one, other] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  await one.pool.query('CREATE TABLE note (body text)');
  const { rows } = await other.pool.query(`SELECT to_regclass('note') AS found`);
  expect(rows).toEqual([{ found: null }]);
  await Promise.all([one.drop(), other.drop()]);
});

test('the database sorts by code point and supports Chinese letters', async () => {
  const { pool, drop } = await createTestDatabase();
  await pool.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
  const { rows } = await pool.query(
    `SELECT array_length(show_trgm('充电桩'), 1) AS trigrams, 'ß' ~ '[[:alpha:]]' AS letter`,
  );
  expect(rows).toEqual([{ trigrams: 4, letter: true }]);
  await drop();
});
