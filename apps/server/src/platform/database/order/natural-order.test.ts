import { compareNaturally } from '@chargehand/domain';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database/database.ts';
import { naturally, naturalOrderWarning, refreshNaturalOrder } from './natural-order.ts';

const NAMES = [
  ...['Pile 10', 'Pile 2', 'pile 3', 'PILE 02', 'Pile-2', 'Pile_2', 'Pile.2', 'Pile 2 (north)', 'Pile2', 'Café 1'],
  ...['CN0000000010', 'CN0000000009', 'cn0000000009', '10', '9', '9a', 'A', 'a', 'b', 'B', 'é', 'z', '#1', '1-10'],
  ...['北京2号站', '北京10号站', '上海', '中山', '广州Pile 2', '广州Pile 10', '深圳', '安徽', '一号', '二号'],
];

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

test('the database sorts names in the same order as the console', async () => {
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${NAMES}::text[]) as n (name) order by ${naturally(sql`name`)}`.execute(database.db);
  expect(rows.map(({ name }) => name)).toEqual([...NAMES].sort(compareNaturally));
});

test('indexes are rebuilt when the Unicode library of the database server has changed', async () => {
  const { pool } = database;
  expect(await refreshNaturalOrder(pool)).toBe(0);
  await pool.query(`update pg_collation set collversion = '1' where collname = 'natural_sort'`);
  expect(await refreshNaturalOrder(pool)).toBeGreaterThan(5);
  expect(await refreshNaturalOrder(pool)).toBe(0);
});

test('a database server without ICU causes a warning', async () => {
  const { pool } = database;
  expect(await naturalOrderWarning(pool)).toBeNull();
  await pool.query('drop collation natural_sort cascade; create collation natural_sort from "C"');
  expect(await naturalOrderWarning(pool)).toContain('without ICU');
  expect(await refreshNaturalOrder(pool)).toBe(0);
});
