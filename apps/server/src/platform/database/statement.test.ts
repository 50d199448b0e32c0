import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { numberArray, textArray, timeArray } from './statement.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('PostgreSQL reads back the values that were written as arrays', async () => {
  const texts = [
    '',
    'null',
    'NULL',
    null,
    '{a,b}',
    'a "quoted" \\ word',
    ' blank ',
    '[2,"id","Heartbeat",{}]\n',
    '充电桩',
  ];
  const numbers = [0, -1, null, 2 ** 31 - 1];
  const times = [new Date(0), new Date('2026-05-01T12:00:00.123Z'), new Date('2099-12-31T23:59:59.999Z')];
  const { rows } = await database.pool.query(
    `select $1::text[] as texts, $2::int[] as numbers, array(select to_timestamp(t / 1000) from unnest($3::float8[]) t) as times`,
    [textArray(texts), numberArray(numbers), timeArray(times)],
  );
  expect(rows).toEqual([{ texts, numbers, times }]);
});
