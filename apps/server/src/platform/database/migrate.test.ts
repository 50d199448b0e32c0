import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { MIGRATIONS_FOLDER, migrate, readMigrations } from './migrate.ts';

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

test('files get random IDs, which everything that names them has afterwards', async () => {
  const { pool } = database;
  await pool.query('drop schema public cascade; create schema public');
  const last = '646_random_file_ids.sql';
  await rm(join(folder, '001_first.sql'));
  for (const { name } of await readMigrations())
    if (name < last) await cp(join(MIGRATIONS_FOLDER, name), join(folder, name));
  await migrate(pool, { folder });
  const text = (file: unknown) =>
    JSON.stringify({ type: 'doc', content: [{ type: 'image', attrs: { file, alt: 'like "file": "1"' } }] });
  await pool.query(`
    insert into attachments (name, name_key, size, media_type, type, bucket, object_key, etag, read_level, write_level,
                             download_level, uploaded_by_name)
    select n || '.png', n || '.png', 1, 'image/png', 'normal', 'main', n::text, '', 5, 5, 5, '' from generate_series(1, 12) n;
    insert into customers (code, name) values ('c', 'C');
    insert into issues (customer_id, number, title, type, priority, body, occurred_at, created_by_name,
                        customer_name)
    values (1, 1, 'One', 1, 1, '${text('1')}', now(), '', ''), (1, 2, 'Twelve', 1, 1, '${text('12')}', now(), '', '');
    insert into attachment_uses (attachment_id, kind, object_id) values (1, 'issue', 1), (12, 'issue', 2)`);
  await cp(join(MIGRATIONS_FOLDER, last), join(folder, last));
  await migrate(pool, { folder });
  const { rows } = await pool.query(`
    select a.name, a.added, a.id = u.attachment_id as used, a.id > 4503599627370495 as random, i.body
      from issues i join attachment_uses u on u.kind = 'issue' and u.object_id = i.id
      join attachments a on a.id = u.attachment_id order by i.id`);
  const ids = await pool.query(`select id from attachments where added in (1, 12) order by added`);
  expect(rows).toEqual(
    [1, 12].map((added, index) => ({
      ...{ name: `${added}.png`, added, used: true, random: true },
      body: JSON.parse(text(String(ids.rows[index].id))),
    })),
  );
});
