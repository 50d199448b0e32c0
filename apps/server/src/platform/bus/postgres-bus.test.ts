import { afterAll, beforeAll, expect, test } from 'vitest';
import { busContract } from '../../testing/cluster/bus-contract.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { type DatabaseWay, openDatabaseWay } from '../../testing/faults/database-way.ts';
import { createLog } from '../log.ts';
import { postgresBus } from './postgres-bus.ts';

const log = createLog('silent');

let database: TestDatabase;
const ways: DatabaseWay[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const way of ways) await way.close();
  await database.drop();
});

busContract(
  'PostgreSQL',
  async (onError) => {
    const way = await openDatabaseWay(database.url);
    ways.push(way);
    const one = await postgresBus({ url: database.url, log, onError });
    const other = await postgresBus({ url: way.url, log, onError });
    return {
      ...{ one, other },
      // Subscriptions are known within the processes only.
      settled: async () => undefined,
      async close() {
        await Promise.all([one.close(), other.close()]);
        await way.close();
      },
      faults: {
        async loseOther() {
          way.breakAll();
        },
        async killOther() {
          await way.close();
          await expect.poll(async () => (await connected()) === 1).toBe(true);
        },
        freezeOther() {
          way.freeze();
          return way.thaw;
        },
      },
    };
  },
  { hasFaults: true },
);

/** The processes that PostgreSQL knows to be on the bus. */
async function connected(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where application_name = 'chargehand bus' and datname = current_database()`,
  );
  return rows[0]!.count;
}

test('while a node is alone it sends nothing, and the next one learns that messages are missing', async () => {
  const onError = (error: unknown) => expect.unreachable(String(error));
  let alone = true;
  const first = await postgresBus({ url: database.url, log, onError, alone: () => alone });
  const second = await postgresBus({ url: database.url, log, onError });
  const received: unknown[] = [];
  const next = Promise.withResolvers<void>();
  const gap = Promise.withResolvers<void>();
  second.subscribe('test.alone', (message) => {
    received.push(message);
    next.resolve();
  });
  second.onGap(gap.resolve);
  first.publish('test.alone', 'before');
  alone = false;
  first.publish('test.alone', 'after');
  await Promise.all([gap.promise, next.promise]);
  expect(received).toEqual(['after']);
  await Promise.all([first.close(), second.close()]);
});
