import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { type DatabaseWay, openDatabaseWay } from '../../testing/faults/database-way.ts';
import { connectDatabase, type DatabaseConnection } from '../database/connect.ts';
import { Problem } from '../http/problem.ts';
import { createLog } from '../log.ts';
import { type KeyedRequest, type RequestsOnce, requestsOnce } from './once.ts';
import { removeOldKeys } from './requests.store.ts';

let database: TestDatabase;
let way: DatabaseWay;
let connection: DatabaseConnection;
let requests: RequestsOnce;
beforeEach(async () => {
  database = await createTestDatabase();
  await sql`create table facts (id bigint generated always as identity primary key, name text not null)`.execute(
    database.db,
  );
  way = await openDatabaseWay(database.url);
  connection = connectDatabase(way.url);
  requests = requestsOnce({ db: connection.db, log: createLog('silent') });
});
afterEach(async () => {
  await connection.close();
  await way.close();
  await database.drop();
});

const request = (more: Partial<KeyedRequest> = {}): KeyedRequest => ({
  caller: { userId: 1, applicationId: null },
  ...{ key: randomUUID(), endpointId: 'facts.create', inputs: { name: 'one', at: 1 } },
  ...more,
});

/** A use case that stores a fact and returns its ID. */
const store = (name = 'one') =>
  connection.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: number }>`insert into facts (name) values (${name}) returning id`.execute(trx);
    return { id: rows[0]!.id };
  });

async function facts(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from facts`.execute(database.db);
  return rows[0]!.count;
}

test('a repeated request gets the answer of the first and changes nothing', async () => {
  const one = request();
  expect(await requests.once(one, () => store())).toEqual({ data: { id: 1 }, repeated: false });
  const again = { ...one, inputs: { at: 1, name: 'one' } };
  expect(await requests.once(again, () => store())).toEqual({ data: { id: 1 }, repeated: true });
  expect(await facts()).toBe(1);
});

test('requests with the same key at the same time store one fact', async () => {
  const one = request();
  const answers = await Promise.all([1, 2, 3, 4].map(() => requests.once(one, () => store())));
  expect(answers.map(({ data }) => data)).toEqual(Array.from({ length: 4 }, () => answers[0]!.data));
  expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
  expect(await facts()).toBe(1);
});

test('a key belongs to a user, an application and one change', async () => {
  const one = request();
  await requests.once(one, () => store());
  await requests.once({ ...one, caller: { userId: 2, applicationId: null } }, () => store());
  await requests.once({ ...one, caller: { userId: 1, applicationId: 7 } }, () => store());
  expect(await facts()).toBe(3);
  for (const other of [{ inputs: { name: 'two' } }, { endpointId: 'facts.delete' }]) {
    await expect(requests.once({ ...one, ...other }, () => store())).rejects.toMatchObject({
      code: 'idempotencyKeyUsed',
      status: 409,
    });
  }
});

test('a refused request may be sent again with the same key', async () => {
  const one = request();
  const refuse = async () => {
    await store();
    throw new Problem('notFound');
  };
  await expect(requests.once(one, refuse)).rejects.toMatchObject({ code: 'notFound' });
  expect(await requests.once(one, () => store())).toMatchObject({ repeated: false });
});

test('a request that failed after its change is not executed again', async () => {
  const one = request();
  const fail = async () => {
    await store();
    throw new Error('the answer could not be read');
  };
  await expect(requests.once(one, fail)).rejects.toThrow('could not be read');
  await expect(requests.once(one, () => store())).rejects.toMatchObject({ code: 'requestDone' });
  expect(await facts()).toBe(1);
});

test.each(['keyed', 'unkeyed'])('when the answer of COMMIT is lost, a %s request gets the truth', async (kind) => {
  const run = (handler: () => Promise<unknown>) =>
    kind === 'unkeyed' ? requests.unkeyed(handler) : requests.once(request(), handler).then(({ data }) => data);
  way.loseNextAnswer('commit');
  expect(await run(() => store())).toEqual({ id: 1 });
  expect(await facts()).toBe(1);
  way.loseNextRequest('commit');
  await expect(run(() => store('two'))).rejects.toThrow(/Connection terminated|ECONNRESET|is not queryable/);
  expect(await facts()).toBe(1);
});

test('answers are unreadable without their key, and keys are removed after a day', async () => {
  const one = request();
  await requests.once(one, async () => ({ secret: 'correct horse', ...(await store()) }));
  const { rows } = await sql<{
    all: string;
  }>`select string_agg(request_keys::text, '') as all from request_keys`.execute(database.db);
  expect(rows[0]!.all).not.toMatch(/correct horse/);
  expect(rows[0]!.all).not.toContain(one.key);
  expect(await removeOldKeys(database.db)).toBe(0);
  await sql`update request_keys set created_at = now() - interval '25 hours'`.execute(database.db);
  expect(await removeOldKeys(database.db)).toBe(1);
});
