import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMigrations } from '../../platform/database/migrate.ts';
import { createTestDatabase } from './database.ts';
import { hashOfSources } from './prepared-cluster.ts';

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

test('the templates have all migrations of the sources, also those from the cache', async () => {
  const { pool, drop } = await createTestDatabase();
  const { rows } = await pool.query<{ name: string; checksum: string }>('select name, checksum from migrations');
  const checksums = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  expect(checksums).toEqual(new Map((await readMigrations()).map(({ name, checksum }) => [name, checksum])));
  await drop();
});

test('a changed, new or renamed source needs new templates; a changed test does not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-sources-'));
  const hash = async (name: string, content: string) => {
    await writeFile(join(folder, name), content);
    return await hashOfSources(folder, ['.']);
  };
  const hashes = [await hash('1.sql', 'a'), await hash('1.sql', 'b'), await hash('2.sql', 'b')];
  await rename(join(folder, '2.sql'), join(folder, '3.sql'));
  hashes.push(await hashOfSources(folder, ['.']));
  expect(new Set(hashes).size).toBe(4);
  expect(await hash('a.test.ts', 'c')).toBe(hashes.at(-1));
  await rm(folder, { recursive: true });
});
