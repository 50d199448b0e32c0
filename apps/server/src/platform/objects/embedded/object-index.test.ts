import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database/database.ts';
import { type EmbeddedOptions, embeddedObjects } from './embedded.ts';

const BUCKET = 'chargehand';
let database: TestDatabase;
let options: EmbeddedOptions;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-index-'));
  const buckets = { main: BUCKET, firmware: 'chargehand-firmware' };
  options = { dataFolder, buckets, region: 'x', key: Buffer.alloc(32), operator: null, db: database.db, log: null };
  await database.db.deleteFrom('stored_objects').execute();
  return () => rm(dataFolder, { recursive: true });
});

const place = (key: string) => ({ bucket: BUCKET, key });
type Store = Awaited<ReturnType<typeof embeddedObjects>>;
const put = (store: Store, ...keys: string[]) =>
  Promise.all(keys.map((key) => store.put(place(key), Buffer.from(key), { contentType: 'text/plain' })));
const listed = async (store: Store) => {
  const found: [string, number][] = [];
  for await (const { key, size } of store.list(BUCKET, '')) found.push([key, size]);
  return found;
};
const rows = () => database.db.selectFrom('stored_objects').select(['key', 'size', 'pending']).orderBy('key').execute();
const KEYS = ['a', 'b/c', '充电/🔋.png', 'ص'.repeat(300), 'x/'.repeat(400)];
const ALL = KEYS.map((key): [string, number] => [key, Buffer.byteLength(key)]).toSorted(([a], [b]) =>
  Buffer.compare(Buffer.from(a), Buffer.from(b)),
);

test('files of an earlier version are in the index after the first start', async () => {
  await put(await embeddedObjects(options), ...KEYS);
  await database.db.deleteFrom('stored_objects').execute();
  expect(await listed(await embeddedObjects(options))).toEqual(ALL);
});

test('a change that a killed process had started is settled by the files', async () => {
  const store = await embeddedObjects(options);
  await put(store, 'kept', 'overwritten');
  // Started and killed before the file changed: a new object, a removal, and a replacement of an existing object.
  const begun = { bucket: BUCKET, pending: true };
  await database.db
    .insertInto('stored_objects')
    .values({ ...begun, key: 'folder/new' })
    .execute();
  await database.db
    .insertInto('stored_objects')
    .values({ ...begun, key: 'removed' })
    .execute();
  await database.db.updateTable('stored_objects').set({ pending: true, size: 99 }).where('key', '=', 'kept').execute();
  const expected = [
    ['kept', 4],
    ['overwritten', 11],
  ];
  expect(await listed(store)).toEqual(expected);
  expect(await listed(await embeddedObjects(options))).toEqual(expected);
  expect(await rows()).toEqual(expected.map(([key, size]) => ({ key, size, pending: false })));
});

test('after a restored backup the index is updated from the files', async () => {
  await put(await embeddedObjects(options), ...KEYS);
  // A database that is older than the files, and one that is newer: a row is missing, and one has no file.
  await database.db.deleteFrom('stored_objects').where('key', '=', 'a').execute();
  const lost = { bucket: BUCKET, key: 'lost', size: 1, etag: 'e', pending: false };
  await database.db.insertInto('stored_objects').values(lost).execute();
  const store = await embeddedObjects(options);
  const app = fastify();
  await store.routes(app);
  await app.ready();
  try {
    await expect.poll(() => listed(store)).toEqual(ALL);
  } finally {
    await app.close();
  }
});
