import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database/database.ts';
import { createLog } from '../../log.ts';
import { claimDatabase } from './only-server.ts';

const log = createLog('silent');
const unexpected = () => expect.unreachable('the claim was lost');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a second server is refused with a message that says where the first one runs', async () => {
  const { url } = database;
  const first = await claimDatabase(url, { log, onLost: unexpected });
  await expect(claimDatabase(url, { log, onLost: unexpected, waitMs: 0 })).rejects.toThrow(
    /^Another Chargehand server uses this database \(from \S.*, since \d{4}-\d\d-\d\dT.*\)\. Stop it first/,
  );
  await first.release();
  const second = await claimDatabase(url, { log, onLost: unexpected, waitMs: 0 });
  await second.release();
});

test('a server that starts while the previous one stops waits for it', async () => {
  const { url } = database;
  const first = await claimDatabase(url, { log, onLost: unexpected });
  const second = claimDatabase(url, { log, onLost: unexpected });
  await first.release();
  await (await second).release();
});

test('a lock whose connection is lost is renewed', async () => {
  const { url, pool } = database;
  const first = await claimDatabase(url, { log, onLost: unexpected });
  await endClaims(pool);
  await expect.poll(() => holders(pool)).toBe(1);
  await first.release();
});

test('a lock that another server took meanwhile is reported as lost', async () => {
  const { url, pool } = database;
  const lost = Promise.withResolvers<void>();
  const first = await claimDatabase(url, { log, onLost: lost.resolve });
  const thief = new pg.Client({ connectionString: url });
  await thief.connect();
  // It waits for the lock, so it gets it before the first server can try again.
  const taken = thief.query('select pg_advisory_lock($1, $2)', [0x43_48_47_48, 1]);
  await expect.poll(() => waiters(pool)).toBe(1);
  await endClaims(pool);
  await taken;
  await lost.promise;
  await thief.end();
  await first.release();
});

const NAMED = `pid in (select pid from pg_stat_activity where application_name = 'chargehand server' and datname = current_database())`;
const endClaims = (pool: pg.Pool) =>
  pool.query(`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted and ${NAMED}`);
const count = async (pool: pg.Pool, where: string) =>
  Number(
    (
      await pool.query(
        `select count(*) as n from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and d.datname = current_database() and ${where}`,
      )
    ).rows[0].n,
  );
const holders = (pool: pg.Pool) => count(pool, 'l.granted');
const waiters = (pool: pg.Pool) => count(pool, 'not l.granted');
