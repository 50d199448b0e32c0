import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { announce, type Notice } from '../../ports/notices.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import '../tables.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => database.pool.query('truncate notices'));

const notice = (change: Partial<Notice> = {}): Notice => ({
  type: 'issueAssigned',
  key: '7',
  subject: { kind: 'issue', id: 7 },
  customerId: 1,
  siteId: null,
  deviceId: null,
  data: { title: "O'Hara \\ 充电枪" },
  ...change,
});

const stored = async () =>
  (await database.db.selectFrom('notices').selectAll().orderBy('id').execute()).map(({ id: _, at: __, ...row }) => row);

test('notices are stored as they were announced, many in one statement', async () => {
  await database.db
    .transaction()
    .execute((trx) =>
      announce(trx, [
        notice({ actorId: 3, userIds: [4, 5] }),
        notice({ type: 'alarmCA', key: '9', level: 'CA', ended: true, siteId: 2, deviceId: 6, data: {} }),
      ]),
    );
  const place = { customer_id: 1, subject_kind: 'issue', subject_id: '7', not_before: null };
  expect(await stored()).toEqual([
    {
      ...{ ...place, type: 'issueAssigned', key: '7', ended: false, site_id: null, device_id: null, level: null },
      ...{ actor_id: 3, user_ids: [4, 5], data: { title: "O'Hara \\ 充电枪" } },
    },
    {
      ...{ ...place, type: 'alarmCA', key: '9', ended: true, site_id: 2, device_id: 6, level: 'CA' },
      ...{ actor_id: null, user_ids: null, data: {} },
    },
  ]);
});

test('a notice of a transaction that is rolled back does not exist', async () => {
  const rolledBack = database.db.transaction().execute(async (trx) => {
    await announce(trx, notice());
    throw new Error('no');
  });
  await expect(rolledBack).rejects.toThrow('no');
  expect(await stored()).toEqual([]);
});

test('no notices are no statement', async () => {
  await announce(database.db, []);
  expect(await stored()).toEqual([]);
});
