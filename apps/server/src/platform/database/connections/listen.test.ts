import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database/database.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createLog } from '../../log.ts';
import { listenTo } from './listen.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const log = createLog('silent');

/** Counts the notifications of a channel. */
function counter(channel: string) {
  let count = 0;
  const listening = listenTo(database.pool, channel, {
    log,
    onNotification() {
      count += 1;
    },
  });
  return {
    ...listening,
    count: () => count,
    reaches: (wanted: number) =>
      eventually(
        () => count,
        (now) => now >= wanted,
        { what: `${wanted} notifications of ${channel}` },
      ),
  };
}

/** The connections that listen, as the database sees them. */
async function listeners(): Promise<number[]> {
  const { rows } = await database.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query like 'listen %' and state = 'idle'`,
  );
  return rows.map(({ pid }) => pid);
}

const none = () => eventually(listeners, (pids) => pids.length === 0, { what: 'no connection to listen' });

test('channels share one connection, and each notification reaches its channel only', async () => {
  const [one, two] = [counter('one'), counter('two')];
  await Promise.all([one.reaches(1), two.reaches(1)]);
  const three = counter('three');
  const again = counter('one');
  await Promise.all([three.reaches(1), again.reaches(1)]);
  expect(await listeners()).toHaveLength(1);
  await database.pool.query(`select pg_notify('one', ''), pg_notify('three', '')`);
  await Promise.all([one.reaches(2), again.reaches(2), three.reaches(2)]);
  expect(two.count()).toBe(1);

  await Promise.all([one, two, again].map((each) => each.stop()));
  await database.pool.query(`select pg_notify('one', ''), pg_notify('three', '')`);
  await three.reaches(3);
  expect(one.count()).toBe(2);
  await three.stop();
  await none();
});

test('after a lost connection, every channel is notified, because notifications may be missing', async () => {
  const [one, two] = [counter('one'), counter('two')];
  await Promise.all([one.reaches(1), two.reaches(1)]);
  const [pid] = await listeners();
  await database.pool.query('select pg_terminate_backend($1)', [pid]);
  await Promise.all([one.reaches(2), two.reaches(2)]);
  await database.pool.query(`select pg_notify('two', '')`);
  await two.reaches(3);
  expect(await listeners()).not.toContain(pid);
  await Promise.all([one.stop(), two.stop()]);
});

test('listening that stops before its connection is open leaves no connection behind', async () => {
  const one = counter('one');
  await one.stop();
  await none();
  const two = counter('two');
  await two.reaches(1);
  await two.stop();
});
