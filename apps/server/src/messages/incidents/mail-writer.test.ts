import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { sweepMessages } from '../../testing/messages/sweep-messages.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await sweepMessages(server);
  await rows(
    `truncate alarms, notices, incidents, incident_members, messages, message_mails, message_sends, outgoing_mails cascade`,
  );
  await rows(`update users set email = 'admin@example.org' where id = $1`, [server.world.users.northAdmin]);
  await rows(`update roles set email_alarm = true where id = (select role_id from users where id = $1)`, [
    server.world.users.northAdmin,
  ]);
});

const WAIT = { timeout: 30_000 };
const rows = async (text: string, values: unknown[] = []) => (await server.database.pool.query(text, values)).rows;
const raise = (device: 'northQuay1' | 'northMill1', code: string, level = 'CA') =>
  rows(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     values ($1, 1, $2, 'fault', $3, now(), now())`,
    [server.world.devices[device].id, code, level],
  );
const incidents = () => rows('select cause from incidents order by id');

/** Starts to write the planned mails, and stops in the middle of the transaction. Returns how to go on. */
async function writeSlowly(): Promise<() => Promise<void>> {
  const holder = await server.database.pool.connect();
  onTestFinished(() => holder.release(true));
  await holder.query(
    'begin; set local idle_in_transaction_session_timeout = 0; lock table outgoing_mails in share row exclusive mode',
  );
  await rows(`update message_mails set due_at = now() - interval '1 ms' where written_at is null`);
  const writing = sweepMessages(server);
  await expect.poll(() => waiting('insert into outgoing_mails'), WAIT).toBe(1);
  return async () => {
    await holder.query('rollback');
    await writing;
  };
}
/** How many statements that contain a text wait for a lock. */
const waiting = async (text: string) =>
  (
    await rows(
      `select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%' || $1 || '%'`,
      [text],
    )
  ).length;

test('while mails are written, later notices become incidents', async () => {
  await raise('northQuay1', 'GroundFailure');
  await sweepMessages(server);
  const goOn = await writeSlowly();
  await raise('northMill1', 'PowerLoss');
  await expect.poll(incidents, WAIT).toEqual([{ cause: 'GroundFailure' }, { cause: 'PowerLoss' }]);
  expect(await rows('select from outgoing_mails')).toEqual([]);
  await goOn();
  expect(await rows('select receiver from outgoing_mails')).toEqual([{ receiver: 'admin@example.org' }]);
});

test('the next mail about a site waits for the pause, although it was planned while a mail was written', async () => {
  await raise('northQuay1', 'GroundFailure');
  await sweepMessages(server);
  const goOn = await writeSlowly();
  await raise('northQuay1', 'PowerLoss', 'MA');
  await expect.poll(() => waiting('message_mails'), WAIT).toBe(1);
  await goOn();
  await expect.poll(incidents, WAIT).toHaveLength(2);
  const [next] = await rows('select due_at from message_mails where written_at is null');
  expect(next?.due_at.getTime()).toBeGreaterThan(Date.now() + 4 * 60_000);
});

test('a mail that cannot be built is left out, and a long subject is cut: other mails are written', async () => {
  const { northAdmin } = server.world.users;
  await rows(`update users set email = 'no address' where id = $1`, [northAdmin]);
  await raise('northQuay1', 'GroundFailure');
  await sweepMessages(server);
  await rows(`update message_mails set due_at = now() - interval '1 ms'`);
  await sweepMessages(server);
  const written = `select written_at is not null as written, mail_id from message_mails order by id`;
  expect(await rows(written)).toEqual([{ written: true, mail_id: null }]);

  await rows(`update users set email = 'admin@example.org' where id = $1`, [northAdmin]);
  const site = server.world.sites.northMill;
  const [before] = await rows('select name from sites where id = $1', [site]);
  await rows(`update sites set name = repeat('🔌', 150) where id = $1`, [site]);
  onTestFinished(async () => {
    await rows('update sites set name = $2 where id = $1', [site, before.name]);
  });
  await raise('northMill1', 'PowerLoss');
  await sweepMessages(server);
  await rows(`update message_mails set due_at = now() - interval '1 ms' where written_at is null`);
  await sweepMessages(server);
  expect(await rows('select char_length(subject)::int as length from outgoing_mails')).toEqual([{ length: 160 }]);
});
