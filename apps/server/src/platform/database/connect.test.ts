import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { createTestDatabase } from '../../testing/database/database.ts';
import { openDatabaseWay } from '../../testing/faults/database-way.ts';
import { createLog } from '../log.ts';
import { connectDatabase, connectionLimitWarning, requireSupportedServer } from './connect.ts';
import { watchDatabase } from './connections/watch.ts';

const silent = createLog('silent');

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

test('while the database does not answer, the pool opens no connections', async () => {
  const { url } = inject('postgres');
  const way = await openDatabaseWay(url);
  const { pool, close } = connectDatabase(way.url, { max: 2 });
  const watch = watchDatabase({ url: way.url, pool, log: silent });
  await pool.query('select 1');
  way.freeze();
  // The statement of the idle connection ends when the watch finds the silence.
  await expect(pool.query('select 1')).rejects.toThrow();
  await expect.poll(() => pool.isSilent).toBe(true);
  await expect(pool.connect()).rejects.toThrow('timeout: the database does not answer');
  way.thaw();
  await expect.poll(() => pool.isSilent).toBe(false);
  expect((await pool.query('select 1')).rowCount).toBe(1);
  await watch.stop();
  await close();
  await way.close();
}, 60_000);

test('at the connection limit of the account, requests wait for a connection that is in use', async () => {
  const database = await createTestDatabase();
  const role = `limited_${randomBytes(4).toString('hex')}`;
  await database.pool.query(`create role ${role} login password 'limited' connection limit 3`);
  const url = new URL(database.url);
  url.username = role;
  url.password = 'limited';
  const { pool, close } = connectDatabase(url.href, { max: 20, connectTimeout: 60_000 });
  try {
    const requests = Array.from({ length: 40 }, async (_, index) => {
      const { rows } = await pool.query<{ n: number }>('select $1::integer as n, pg_sleep(0.02)', [index]);
      return rows[0]!.n;
    });
    expect(await Promise.all(requests)).toEqual(Array.from({ length: 40 }, (_, index) => index));
    expect(pool.totalCount).toBeLessThanOrEqual(3);
    const warning = 'The database server allows 3 connections, and this server may use 26: requests will wait';
    expect(await connectionLimitWarning(pool, 20)).toContain(warning);
    expect(await connectionLimitWarning(database.pool, 20)).toBeNull();
  } finally {
    await close();
    await database.pool.query(`drop role ${role}`);
    await database.drop();
  }
});

test('a start waits for a database that cannot be reached yet', async () => {
  const { url } = inject('postgres');
  const former = await openDatabaseWay(url);
  const { port } = new URL(former.url);
  await former.close();
  const { pool, close } = connectDatabase(former.url, { max: 1 });
  const waiting = Promise.withResolvers<string>();
  const log = pino(
    new Writable({
      write(line, _encoding, done) {
        waiting.resolve(String(line));
        done();
      },
    }),
  );
  const ready = requireSupportedServer(pool, { log, waitMs: 60_000 });
  expect(await waiting.promise).toContain('the database cannot be reached yet; waiting');
  const way = await openDatabaseWay(url, Number(port));
  await ready;
  await close();
  await way.close();
});

test('a start does not wait for a database that rejects the account', async () => {
  const url = new URL(inject('postgres').url);
  url.pathname = '/no_such_database';
  const { pool, close } = connectDatabase(url.href, { max: 1 });
  await expect(requireSupportedServer(pool, { log: silent, waitMs: 600_000 })).rejects.toThrow(
    /^The database cannot be reached: database "no_such_database" does not exist/,
  );
  await close();
});
