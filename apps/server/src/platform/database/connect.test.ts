import { expect, inject, test } from 'vitest';
import { connectDatabase } from './connect.ts';

test('closing ends connections with statements that do not use the query builder', async () => {
  const { url } = inject('postgres');
  const { pool, close } = connectDatabase(url, { max: 1 });
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  await close();
  const other = connectDatabase(url, { max: 1 });
  const lives = async () =>
    (await other.pool.query('select from pg_stat_activity where pid = $1', [rows[0]?.pid])).rowCount;
  await expect.poll(lives).toBe(0);
  await other.close();
});
