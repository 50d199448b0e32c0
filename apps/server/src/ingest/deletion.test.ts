import { systemEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { manualClock } from '../testing/clock.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { createPastPartitions } from './index.ts';

const { readSystem } = systemEndpoints;
const DAY_MS = 86_400_000;
/** Older than any retention. */
const PAST_DAYS = 2_000;
const FACTS = {
  protocol_frames: 'insert into protocol_frames (device_id, at, type) values (1, $1, 2)',
  readings: `insert into readings (device_id, connector, at, received_at, layout_id, analog, counters)
    values (1, 1, $1, $1, 1, '{1}', '{}')`,
  action_logs: `insert into action_logs (at, user_name, operation, object_type, object_id, object_name, address)
    values ($1, 'past', 'edit', 'site', '1', 'x', '')`,
  login_logs: `insert into login_logs (at, type, succeeded, user_name, address, user_agent)
    values ($1, 0, true, 'past', '', '')`,
  outgoing_mails: `insert into outgoing_mails (receiver, locale, subject, body_text, body_html, created_at)
    values ('a@example.org', 'en-US', 'Past', 'x', 'x', $1)`,
  server_gaps: `insert into server_gaps (began_at, ended_at) values ($1::timestamptz - interval '1 hour', $1)`,
};

/** Jobs move old frames and readings into batches. */
const READINGS = '(select at from readings union all select at from reading_batches) readings';
const FRAMES = '(select at from protocol_frames union all select at from frame_batches) frames';

/** How far the clock of the server is ahead of the clock of the database. */
let aheadMs = 0;
let server: TestServer;
beforeAll(async () => {
  const clock = { ...manualClock(), now: () => new Date(Date.now() + aheadMs) };
  server = await startTestServer({}, { clock });
  await addFacts(3);
});
afterAll(() => server.stop());

/** A row of each kind, so many days old. */
async function addFacts(days: number): Promise<void> {
  const { pool } = server.database;
  const at = new Date(Date.now() - days * DAY_MS);
  await createPastPartitions(pool, at, at);
  for (const insert of Object.values(FACTS)) await pool.query(insert, [at]);
}

async function countFacts(): Promise<number[]> {
  const counts = Object.keys(FACTS).map(async (table) => {
    const { rows } = await server.database.pool.query<{ n: number }>(
      `select count(*)::int as n from ${table === 'protocol_frames' ? FRAMES : table === 'readings' ? READINGS : table}`,
    );
    return rows[0]!.n;
  });
  return await Promise.all(counts);
}

/** Lets the server start and do all its work while its clock is so many days ahead. */
async function startAhead(days: number): Promise<void> {
  aheadMs = days * DAY_MS;
  await server.restart();
  await server.sweep();
}

async function problems(): Promise<string[]> {
  const root = await server.as('root');
  return (await root.data(readSystem, {})).problems.map(({ kind }) => kind);
}

test.each([40, 500, PAST_DAYS, -40])(
  'a start with the clock %s days ahead of the database deletes nothing',
  async (days) => {
    const before = await countFacts();
    await startAhead(days);
    // With a clock that is ahead, every session has expired.
    if (days < 0) expect(await problems()).toContain('deletionStopped');
    // At least as many, because the server writes logs.
    for (const [index, count] of (await countFacts()).entries()) expect(count).toBeGreaterThanOrEqual(before[index]!);
  },
);

test('a start with both clocks 500 days ahead counts ages from the newest stored data', async () => {
  const { pool } = server.database;
  // What the clocks being ahead comes to: everything stored is as much older.
  await pool.query(`
    create function beat_before() returns trigger language plpgsql as
      $$ begin new.at := new.at - interval '500 days'; return new; end $$;
    create trigger beat_before before insert or update on server_beats for each row execute function beat_before();
    update action_logs set at = at - interval '500 days';
    update login_logs set at = at - interval '500 days'`);
  await addFacts(501);
  const before = await countFacts();
  await startAhead(0);
  expect(await problems()).toContain('deletionBehind');
  for (const [index, count] of (await countFacts()).entries()) expect(count).toBeGreaterThanOrEqual(before[index]!);
  await pool.query('drop trigger beat_before on server_beats');
});

test('what is too old is deleted, a partition only a day after it was detached, and the dashboard shows it', async () => {
  const { pool } = server.database;
  await addFacts(PAST_DAYS);
  const before = await countFacts();
  await startAhead(0);
  const after = await countFacts();
  expect(after.map((count, index) => count < before[index]!)).toEqual(before.map(() => true));
  const kept = async () => (await pool.query('select from detached_partitions')).rowCount ?? 0;
  expect(await kept()).toBeGreaterThan(0);
  const root = await server.as('root');
  const shown = async () => (await root.data(readSystem, {})).deletions.map(({ kind }) => kind);
  const logs = ['actionLog', 'signInLog', 'mails', 'statuses'];
  expect(await shown()).toEqual(expect.arrayContaining(logs));
  expect(await shown()).not.toContain('readings');
  await pool.query(`update detached_partitions set detached_at = detached_at - interval '1 day'`);
  await server.sweep();
  expect(await shown()).toEqual(expect.arrayContaining([...logs, 'frames', 'readings']));
  expect(await kept()).toBe(0);
});
