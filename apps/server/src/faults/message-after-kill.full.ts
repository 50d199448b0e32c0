import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ENDPOINTS, issueEndpoints } from '@chargehand/contract';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { replyAddresses } from '../issues/index.ts';
import { newIssue } from '../testing/cases/issues/issues.ts';
import { client, openSession } from '../testing/client.ts';
import type { TestDatabase } from '../testing/database/database.ts';
import { hold, killAt } from '../testing/faults/kill-at.ts';
import { type Killable, killable } from '../testing/faults/killable.ts';
import { freePort } from '../testing/free-port.ts';
import { type MailServer, startMailServer } from '../testing/mails/mail-server.ts';
import type { Program } from '../testing/program.ts';
import type { World } from '../testing/world.ts';

const PORT = await freePort();
const SMTP_PORT = await freePort();
const DOMAIN = 'reply.example.org';
const RECEIVER = 'admin@example.org';
const WAIT = { timeout: 60_000 };

let ground: Killable;
let database: TestDatabase;
let post: MailServer;
let program: Program;
let world: World;

beforeAll(async () => {
  post = await startMailServer();
  ground = await killable(PORT, {
    settings: {
      CHARGEHAND_CAPTCHA: 'off',
      CHARGEHAND_SMTP_PORT: String(SMTP_PORT),
      CHARGEHAND_SMTP_DOMAIN: DOMAIN,
      CHARGEHAND_WEBHOOK_PRIVATE: 'on',
      SMTP_URL: post.url,
      MAIL_FROM: 'Chargehand <no-reply@example.org>',
    },
    connections: 4,
  });
  ({ database, world } = ground);
  await database.db.updateTable('users').set({ email: RECEIVER }).where('id', '=', world.users.northAdmin).execute();
  await query(
    `insert into message_settings (user_id, type, in_app, email, push, delayed) values ($1, 'fault', true, true, true, false)`,
    [world.users.northAdmin],
  );
});
afterAll(async () => {
  await ground.end();
  await post.stop();
});

const query = async <T extends object>(text: string, values: unknown[] = []) =>
  (await database.pool.query<T>(text, values)).rows;
const raise = (deviceId: number, code: string) =>
  query(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     values ($1, 1, $2, 'fault', 'CA', now(), now())`,
    [deviceId, code],
  );
const count = async (text: string) => (await query<{ n: number }>(`select count(*)::int as n from ${text}`))[0]?.n;

test('a message survives a kill at each step from the alarm to the mail', async () => {
  program = await ground.start();

  // The alarm is stored, and becomes an incident.
  let release = await hold(database, 'lock table incidents in exclusive mode');
  await raise(world.devices.northQuay1.id, 'GroundFailure');
  await killAt(database, program, 'incidents', release);
  expect(await count('incidents')).toBe(0);

  // The messages exist, and their mail is written to the outbox together with the send log.
  release = await hold(database, `select from customers where id = ${world.customers.north} for update`);
  program = await ground.start();
  await killAt(database, program, 'message_sends', release);
  expect(await count('message_mails where written_at is null')).toBe(1);
  expect(await count('outgoing_mails')).toBe(0);

  // The mail server accepts the text, and its answer is lost.
  const held = Promise.withResolvers<void>();
  post.hold = held.promise;
  program = await ground.start();
  await expect.poll(() => post.texts, WAIT).toBe(1);
  await program.kill();
  post.hold = null;
  held.resolve();
  await expect.poll(() => post.mails.length, WAIT).toBe(1);
  expect(await query('select state, attempts from outgoing_mails')).toEqual([{ state: 'waiting', attempts: 1 }]);

  program = await ground.start();
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
    const mail = { from: RECEIVER, subject: 'Re: Issue', text: 'Fuse replaced.', to };
    try {
      await transport.sendMail({ ...mail, messageId: '<reply@elsewhere.example>' });
      return 'accepted';
    } catch {
      return 'not accepted';
    } finally {
      transport.close();
    }
  };
  const release = await hold(database, 'lock table issue_entries in exclusive mode');
  const first = send();
  await killAt(database, program, 'issue_entries', release);
  // Its server keeps the mail, because it was not accepted.
  expect(await first).toBe('not accepted');
  program = await ground.start();
  expect(await send()).toBe('accepted');
  // The answer was lost on the way, so the server sends the mail again.
  expect(await send()).toBe('accepted');
  const root = client(program.url, await openSession(database.db, world.users.root));
  const { items } = await root.data(issueEndpoints.listIssueEntries, { params: { id: issueId } });
  expect(items.filter(({ event }) => event === null)).toMatchObject([
    { userId: world.users.northAdmin, internal: true },
  ]);
}, 240_000);

test('a webhook whose answer was lost is sent again with the same ID and text', async () => {
  const received: { id: unknown; body: string }[] = [];
  const hook = createServer((request, response) => {
    void text(request).then((body) => {
      received.push({ id: request.headers['webhook-id'], body });
      // It accepts the first one, but the program is killed before it reads so.
      if (received.length > 1) response.writeHead(204).end();
    });
  });
  await new Promise<void>((ready) => hook.listen(0, '127.0.0.1', ready));
  const { port } = hook.address() as AddressInfo;
  const admin = client(program.url, await openSession(database.db, world.users.northAdmin));
  await admin.data(ENDPOINTS.createWebhook, {
    body: {
      ...{ customerId: world.customers.north, name: 'Duty', webhookUrl: `http://127.0.0.1:${port}/`, siteIds: [] },
      ...{ format: 'standard', types: [], locale: 'en-US', enabled: true },
    },
  });
  await raise(world.devices.northMill1.id, 'FanFailure');
  await expect.poll(() => received.length, WAIT).toBe(1);
  await program.kill();
  const sends = () => query(`select state, attempts from message_sends where channel = 'webhook'`);
  expect(await sends()).toEqual([{ state: 'waiting', attempts: 1 }]);

  program = await ground.start();
  // Ends the lease of the killed process now instead of after a minute.
  await query(`update message_sends set next_attempt_at = now() where channel = 'webhook'`);
  await query(`select pg_notify('message_sends', '')`);
  await expect.poll(sends, WAIT).toEqual([{ state: 'sent', attempts: 2 }]);
  expect(received).toHaveLength(2);
  expect(received[1]).toEqual(received[0]);
  expect(received[0]?.id).toMatch(/^\S+$/);
  hook.close();
  hook.closeAllConnections();
}, 240_000);

test('a recovery is mailed once, although the program is killed before and while its mail is written', async () => {
  const receiver = 'south@example.org';
  await query('update users set email = $2 where id = $1', [world.users.southAdmin, receiver]);
  await query(
    `insert into message_settings (user_id, type, in_app, email, push, delayed)
     values ($1, 'fault', true, true, true, false), ($1, 'recovery', true, true, true, false)`,
    [world.users.southAdmin],
  );
  await raise(world.devices.southPark1.id, 'GroundFailure');
  const { email: fault } = await post.newest(receiver);
  const mails = () => query('select state from outgoing_mails where receiver = $1', [receiver]);
  await expect.poll(mails, WAIT).toEqual([{ state: 'sent' }]);

  // The recovery is stored, and not noted in the incident.
  let release = await hold(database, 'lock table incidents in exclusive mode');
  await query('update alarms set cleared_at = now() where device_id = $1', [world.devices.southPark1.id]);
  await killAt(database, program, 'incidents', release);
  const incident = async () =>
    (
      await query<{ recovered: boolean; closed: boolean }>(
        `select recovered_at is not null as recovered, closed_at is not null as closed from incidents
        where customer_id = ${world.customers.south}`,
      )
    )[0];
  expect(await incident()).toEqual({ recovered: false, closed: false });
  program = await ground.start();
  await expect.poll(incident, WAIT).toEqual({ recovered: true, closed: false });

  // It is certain after five minutes, and its mail is planned.
  release = await hold(database, 'lock table message_mails in exclusive mode');
  await query(`update incidents set recovered_at = now() - interval '6 minutes' where recovered_at is not null`);
  await query(`select pg_notify('notices', '')`);
  await killAt(database, program, 'select from message_mails', release);
  expect(await incident()).toEqual({ recovered: true, closed: false });
  program = await ground.start();
  await expect.poll(incident, WAIT).toEqual({ recovered: true, closed: true });

  // It is written to the outbox, after the pause between two mails.
  await program.kill();
  release = await hold(database, `select from customers where id = ${world.customers.south} for update`);
  await query(`update message_mails set due_at = now() where written_at is null and user_id = $1`, [
    world.users.southAdmin,
  ]);
  program = await ground.start();
  await killAt(database, program, 'message_sends', release);
  program = await ground.start();
  const { email } = await post.newest(receiver, 2);
  expect(email.subject).toBe(`Over: ${fault.subject?.replace('CA · ', '')}`);
  await expect.poll(mails, WAIT).toEqual([{ state: 'sent' }, { state: 'sent' }]);
  expect(post.mails.filter(({ receivers }) => receivers.includes(receiver))).toHaveLength(2);
}, 240_000);
