import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENDPOINTS, issueEndpoints } from '@chargehand/contract';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replyAddresses } from '../issues/index.ts';
import { newIssue } from '../testing/cases/issues/issues.ts';
import { client, openSession } from '../testing/client.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { type MailServer, startMailServer } from '../testing/mails/mail-server.ts';
import { type Program, startProgram } from '../testing/program.ts';
import { seedWorld, type World } from '../testing/world.ts';

/** Below the range of ephemeral ports, so that no client socket takes it. */
const PORT = 19_711;
const SMTP_PORT = 19_712;
const DOMAIN = 'reply.example.org';
const RECEIVER = 'admin@example.org';
const WAIT = { timeout: 60_000 };

let database: TestDatabase;
let dataFolder: string;
let post: MailServer;
let program: Program;
let world: World;
const start = () =>
  startProgram({
    PORT: String(PORT),
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    CHARGEHAND_DATA: dataFolder,
    CHARGEHAND_CAPTCHA: 'off',
    CHARGEHAND_SMTP_PORT: String(SMTP_PORT),
    CHARGEHAND_SMTP_DOMAIN: DOMAIN,
    SMTP_URL: post.url,
    MAIL_FROM: 'Chargehand <no-reply@example.org>',
  });

beforeAll(async () => {
  database = await createTestDatabase({ max: 4 });
  dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-message-'));
  post = await startMailServer();
  world = await seedWorld(database.db);
  await database.db.updateTable('users').set({ email: RECEIVER }).where('id', '=', world.users.northAdmin).execute();
  await query(
    `insert into message_settings (user_id, type, in_app, email, push, delayed) values ($1, 'fault', true, true, true, false)`,
    [world.users.northAdmin],
  );
});
afterAll(async () => {
  await program.stop();
  await post.stop();
  await database.drop();
  await rm(dataFolder, { recursive: true, force: true });
});

const query = async <T extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<T>(text, values)).rows;
const count = async (text: string) => (await query<{ n: number }>(`select count(*)::int as n from ${text}`))[0]?.n;

/** Takes a lock that the program needs for a step, so that it waits there. Returns how to release it. */
async function hold(lock: string): Promise<() => Promise<void>> {
  const holder = await database.pool.connect();
  await holder.query(`begin; set local idle_in_transaction_session_timeout = 0; ${lock}`);
  return async () => {
    await holder.query('rollback');
    holder.release();
  };
}
/** Waits until a query of the program about a table waits for the lock, and kills the program there. */
async function killAt(table: string, release: () => Promise<void>): Promise<void> {
  const waiting = () =>
    count(`pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
             and query like '%${table}%'`);
  await expect.poll(waiting, WAIT).toBeGreaterThan(0);
  await program.kill();
  await release();
}

test('a message survives a kill at each step from the alarm to the mail', async () => {
  program = await start();

  // The alarm is stored, and becomes an incident.
  let release = await hold('lock table incidents in exclusive mode');
  await query(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     values ($1, 1, 'GroundFailure', 'fault', 'CA', now(), now())`,
    [world.devices.northQuay1.id],
  );
  await killAt('incidents', release);
  expect(await count('incidents')).toBe(0);

  // The messages exist, and their mail is written to the outbox together with the send log.
  release = await hold(`select from customers where id = ${world.customers.north} for update`);
  program = await start();
  await killAt('message_sends', release);
  expect(await count('message_mails where written_at is null')).toBe(1);
  expect(await count('outgoing_mails')).toBe(0);

  // The mail server accepts the text, and its answer is lost.
  const held = Promise.withResolvers<void>();
  post.hold = held.promise;
  program = await start();
  await expect.poll(() => post.texts, WAIT).toBe(1);
  await program.kill();
  post.hold = null;
  held.resolve();
  await expect.poll(() => post.mails.length, WAIT).toBe(1);
  expect(await query('select state, attempts from outgoing_mails')).toEqual([{ state: 'waiting', attempts: 1 }]);

  program = await start();
  // Ends the lock of the killed process on the mail now instead of after two minutes.
  await query(`update outgoing_mails set next_attempt_at = now()`);
  await query(`select pg_notify('outgoing_mails', '')`);
  await post.newest(RECEIVER, 2);
  await expect
    .poll(() => query('select state, attempts from outgoing_mails'), WAIT)
    .toEqual([{ state: 'sent', attempts: 2 }]);
  expect(new Set(post.mails.map(({ email }) => email.messageId)).size).toBe(1);

  const admin = client(program.url, await openSession(database.db, world.users.northAdmin));
  expect((await admin.data(ENDPOINTS.listInbox, { query: {} })).items).toMatchObject([{ type: 'fault', events: 1 }]);
  expect((await admin.data(ENDPOINTS.listSends, { query: {} })).items).toMatchObject([
    { channel: 'email', state: 'sent', receiver: RECEIVER, attempts: [{ status: 250 }] },
  ]);
}, 240_000);

test('a reply by mail is received once, although the program is killed while it stores it', async () => {
  const [secret] = await query<{ value: string }>(`select value from server_secrets where name = 'reply-key'`);
  const issueId = await newIssue({ world, db: database.db }, 'northMill');
  const addresses = replyAddresses({ key: secret?.value ?? '', domain: DOMAIN });
  const to = addresses.addressFor({ userId: world.users.northAdmin, issueId }, new Date());
  const send = async () => {
    const transport = createTransport({ host: '127.0.0.1', port: SMTP_PORT, secure: false, ignoreTLS: true });
    const mail = { from: 'a@elsewhere.example', subject: 'Re: Issue', text: 'Fuse replaced.', to };
    try {
      await transport.sendMail({ ...mail, messageId: '<reply@elsewhere.example>' });
      return 'accepted';
    } catch {
      return 'not accepted';
    } finally {
      transport.close();
    }
  };
  const release = await hold('lock table issue_entries in exclusive mode');
  const first = send();
  await killAt('issue_entries', release);
  // Its server keeps the mail, because it was not accepted.
  expect(await first).toBe('not accepted');
  program = await start();
  expect(await send()).toBe('accepted');
  // The answer was lost on the way, so the server sends the mail again.
  expect(await send()).toBe('accepted');
  const root = client(program.url, await openSession(database.db, world.users.root));
  const { items } = await root.data(issueEndpoints.listIssueEntries, { params: { id: issueId } });
  expect(items.filter(({ event }) => event === null)).toMatchObject([
    { userId: world.users.northAdmin, internal: true },
  ]);
}, 240_000);
