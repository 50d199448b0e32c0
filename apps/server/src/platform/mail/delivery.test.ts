import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { type MailServer, refusal, startMailServer } from '../../testing/mails/mail-server.ts';
import { mailsTo } from '../../testing/mails/outbox.ts';
import { soon } from '../../testing/within.ts';
import { systemClock } from '../clock.ts';
import { connectDatabase } from '../database/connect.ts';
import { createLog } from '../log.ts';
import { type Mail, type Mailer, mailer } from './mailer.ts';
import { claimMails } from './outbox.store.ts';
import { CONNECTIONS } from './transport.ts';

const log = createLog('silent');
const from = { name: 'Chargehand 运维', address: 'no-reply@example.org' };

let database: TestDatabase;
let post: MailServer;
let nodes: Mailer[];
let counter = 0;
let receiver: string;

beforeAll(async () => {
  database = await createTestDatabase({ max: 8 });
  post = await startMailServer();
  nodes = [0, 1].map(() => node());
  for (const one of nodes) one.start();
});
afterAll(async () => {
  for (const one of nodes) await one.stop();
  await post.stop();
  await database.drop();
});
beforeEach(() => {
  counter += 1;
  receiver = `reader${counter}@example.org`;
  post.refuse.receiver = undefined;
  post.refuse.text = undefined;
  post.hold = null;
});

function node(smtp: { url: string; from: typeof from } | undefined = { url: post.url, from }): Mailer {
  const { db, pool } = database;
  return mailer({ db, pool, clock: systemClock, log, smtp, publicUrl: () => 'https://console.example.org' });
}

const mail = (more: Partial<Mail> = {}): Mail => ({
  receiver,
  locale: 'en-US',
  subject: 'A word',
  paragraphs: ['Hello.'],
  signature: 'Chargehand',
  ...more,
});

const queue = (more: Partial<Mail> = {}) =>
  database.db.transaction().execute((trx) => nodes[0]!.queue(trx, mail(more)));
const stored = async () => (await mailsTo(database.db, receiver))[0]!;

describe('a mail', () => {
  test('arrives as it was written, as plain text and HTML, in Chinese and in English', async () => {
    await queue({
      locale: 'zh-CN',
      subject: '重置您的密码',
      paragraphs: ['您好 <Ada>：'],
      link: { label: '设置新密码', url: nodes[0]!.urlOf('/find-password/reset#token') },
    });
    const { email, receivers, sender } = await post.newest(receiver);
    expect({ receivers, sender }).toEqual({ receivers: [receiver], sender: from.address });
    expect(email).toMatchObject({ subject: '重置您的密码', from, to: [{ address: receiver }] });
    expect(email.text).toContain('设置新密码：\nhttps://console.example.org/find-password/reset#token');
    expect(email.html).toContain('您好 &lt;Ada&gt;：');
    expect(email.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated');
    await expect.poll(stored, { timeout: 30_000 }).toMatchObject({ state: 'sent', attempts: 1, last_error: null });
    expect(email.messageId).toBe(`<${(await stored()).message_id}@example.org>`);
  });

  test('in a transaction that is rolled back is never sent', async () => {
    const rolledBack = database.db.transaction().execute(async (trx) => {
      await nodes[0]!.queue(trx, mail());
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await mailsTo(database.db, receiver)).toEqual([]);
  });

  test('is claimed by one node at a time, and no node waits for a concurrent claim', async () => {
    const own = await createTestDatabase();
    const holder = await own.pool.connect();
    try {
      await own.pool.query(
        `insert into outgoing_mails (receiver, locale, subject, body_text, body_html)
         select 'many' || n || '@example.org', 'en-US', 'S', 'T', 'T' from generate_series(1, 4) n`,
      );
      // A node in the middle of its claim holds the first two.
      await holder.query('begin');
      const held = await holder.query<{ id: number }>(
        'select id::int from outgoing_mails order by next_attempt_at, id limit 2 for update',
      );
      const others = await soon('a claim beside another one', claimMails(own.db, 4, 60));
      expect(others).toHaveLength(2);
      const taken = new Set(others.map(({ id }) => Number(id)));
      expect(held.rows.some(({ id }) => taken.has(id))).toBe(false);
      await holder.query('commit');
      expect(await claimMails(own.db, 4, 60)).toHaveLength(2);
      expect(await claimMails(own.db, 4, 60)).toEqual([]);
    } finally {
      await holder.query('rollback');
      holder.release();
      await own.drop();
    }
  });

  test('is sent once, on any number of nodes, over a few connections', async () => {
    const { opened } = post.connections;
    await database.db.transaction().execute(async (trx) => {
      for (let index = 0; index < 40; index += 1) {
        await nodes[0]!.queue(trx, mail({ receiver: `many${index}@example.org` }));
      }
    });
    const many = () => post.mails.flatMap(({ receivers }) => receivers).filter((one) => one.startsWith('many'));
    await expect
      .poll(
        async () => {
          const rows = await database.db
            .selectFrom('outgoing_mails')
            .select('state')
            .where('receiver', 'like', 'many%');
          return (await rows.execute()).filter(({ state }) => state === 'sent').length;
        },
        { timeout: 30_000 },
      )
      .toBe(40);
    expect(new Set(many()).size).toBe(40);
    expect(many()).toHaveLength(40);
    expect(post.connections.opened - opened).toBeLessThanOrEqual(nodes.length * CONNECTIONS);
  });

  test('that the mail server does not answer delays no other', async () => {
    const held = Promise.withResolvers<void>();
    post.hold = held.promise;
    const { texts } = post;
    await queue({ receiver: `slow${counter}@example.org` });
    await expect.poll(() => post.texts, { timeout: 30_000 }).toBe(texts + 1);
    post.hold = null;
    for (let index = 0; index < 5; index += 1) await queue();
    await post.newest(receiver, 5);
    expect(post.mails.some(({ receivers }) => receivers.includes(`slow${counter}@example.org`))).toBe(false);
    held.resolve();
    await post.newest(`slow${counter}@example.org`);
  });
});

test('no connection is left when the delivery has stopped', async () => {
  const own = await createTestDatabase();
  const server = await startMailServer();
  const { db, pool } = own;
  const lonely = mailer({
    ...{ db, pool, clock: systemClock, log, publicUrl: () => 'http://localhost' },
    smtp: { url: server.url, from },
  });
  lonely.start();
  await db.transaction().execute((trx) => lonely.queue(trx, mail()));
  await server.newest(receiver);
  expect(server.connections.open).toBe(1);
  await lonely.stop();
  await expect.poll(() => server.connections.open, { timeout: 5_000 }).toBe(0);
  await server.stop();
  await own.drop();
});

test('a connection that the mail server closed is replaced', async () => {
  await queue();
  await post.newest(receiver);
  await expect.poll(stored, { timeout: 30_000 }).toMatchObject({ state: 'sent' });
  post.disconnect();
  await queue();
  await post.newest(receiver, 2);
});

describe('a mail that is refused', () => {
  test('is tried again later, and records the reason', async () => {
    post.refuse.receiver = refusal(451, 'try again later');
    await queue();
    await expect.poll(stored, { timeout: 30_000 }).toMatchObject({ state: 'waiting', attempts: 1 });
    await expect.poll(async () => (await stored()).last_error, { timeout: 30_000 }).toContain('try again later');
    expect((await stored()).next_attempt_at!.getTime()).toBeGreaterThan(Date.now());
    post.refuse.receiver = undefined;
    await makeDue();
    const { email } = await post.newest(receiver);
    await expect.poll(stored, { timeout: 30_000 }).toMatchObject({ state: 'sent', attempts: 2, last_error: null });
    expect(email.messageId).toContain((await stored()).message_id);
  });

  test('with an unknown receiver is given up', async () => {
    post.refuse.receiver = refusal(550, 'no such user');
    await queue();
    await expect.poll(stored, { timeout: 30_000 }).toMatchObject({ state: 'failed', attempts: 1, sent_at: null });
    expect((await stored()).last_error).toContain('no such user');
  });

  test('waits while the mail server cannot be reached', async () => {
    const apart = await createTestDatabase();
    const lonely = mailer({
      ...{ db: apart.db, pool: apart.pool, clock: systemClock, log, publicUrl: () => 'http://localhost' },
      smtp: { url: 'smtp://127.0.0.1:9', from },
    });
    lonely.start();
    await apart.db.transaction().execute((trx) => lonely.queue(trx, mail()));
    const row = async () => (await mailsTo(apart.db, receiver))[0]!;
    await expect.poll(async () => (await row()).last_error, { timeout: 30_000 }).toContain('ECONNREFUSED');
    expect(await row()).toMatchObject({ state: 'waiting', sent_at: null });
    await lonely.stop();
    await apart.drop();
  });
});

describe('a mail with a secret link', () => {
  test('loses its text when the link has expired', async () => {
    await queue({ secretUntil: new Date(Date.now() + 3_600_000), subject: 'Secret' });
    await post.newest(receiver);
    await expect.poll(stored, { timeout: 30_000 }).toMatchObject({ state: 'sent' });
    expect((await stored()).body_text).toContain('Hello.');
    await database.pool.query(`update outgoing_mails set secret_until = now() where receiver = $1`, [receiver]);
    await wake();
    await expect.poll(stored, { timeout: 30_000 }).toMatchObject({ state: 'sent', body_text: null, body_html: null });
  });

  test('is not sent any more when the link has expired', async () => {
    await queue({ secretUntil: new Date(Date.now() - 1_000) });
    await expect.poll(stored, { timeout: 30_000 }).toMatchObject({ state: 'expired', body_text: null, attempts: 0 });
    expect(post.mails.filter(({ receivers }) => receivers.includes(receiver))).toEqual([]);
  });
});

describe('mails are protected against header injection', () => {
  test.each([
    ['a second receiver', { receiver: 'ada@example.org, eve@example.org' }],
    ['a header after the receiver', { receiver: 'ada@example.org\r\nBcc: eve@example.org' }],
    ['a header after the subject', { subject: 'Hello\r\nBcc: eve@example.org' }],
    ['a line feed in the subject', { subject: 'Hello\nBcc: eve@example.org' }],
    ['no subject', { subject: '' }],
  ])('%s', async (_title, more) => {
    await expect(queue(more)).rejects.toThrow(/A mail needs|The subject of a mail/);
  });

  test.each([
    ['receiver', `'ada@example.org' || chr(13) || chr(10) || 'Bcc: eve@example.org'`, `'Hello'`],
    ['receiver', `'ada@example.org,eve@example.org'`, `'Hello'`],
    ['subject', `'ada@example.org'`, `'Hello' || chr(10) || 'Bcc: eve@example.org'`],
  ])('the database refuses such a %s too', async (_field, to, subject) => {
    const insert = `insert into outgoing_mails (receiver, locale, subject) values (${to}, 'en-US', ${subject})`;
    await expect(database.pool.query(insert)).rejects.toThrow(/violates check constraint/);
  });

  test('headers in a text remain text', async () => {
    await queue({ paragraphs: ['Hello\r\nBcc: eve@example.org\r\n\r\n.\r\nMAIL FROM:<eve@example.org>'] });
    const { email, receivers } = await post.newest(receiver);
    expect(receivers).toEqual([receiver]);
    expect(email.bcc ?? []).toEqual([]);
    expect(email.text).toContain('Bcc: eve@example.org');
  });
});

test('a lost connection is opened again, and mails written meanwhile are sent', async () => {
  const { db } = database;
  const rows = await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
  );
  expect(rows.rowCount).toBeGreaterThan(0);
  await db.transaction().execute((trx) => nodes[0]!.queue(trx, mail()));
  await post.newest(receiver);
});

test('when a node ends while it sends, another one sends the mail after the lease', async () => {
  const own = connectDatabase(database.url, { max: 2 });
  await database.pool.query(
    `insert into outgoing_mails (receiver, locale, subject, body_text, body_html, attempts, next_attempt_at)
     values ($1, 'en-US', 'Left', 'Left', 'Left', 1, now() + interval '1 hour')`,
    [receiver],
  );
  await own.close();
  await makeDue();
  await post.newest(receiver);
  await expect.poll(stored, { timeout: 30_000 }).toMatchObject({ state: 'sent', attempts: 2 });
});

/** Moves the times of this test's mails into the past. */
async function makeDue(): Promise<void> {
  await database.pool.query(`update outgoing_mails set next_attempt_at = now() - interval '1 ms' where receiver = $1`, [
    receiver,
  ]);
  await wake();
}

async function wake(): Promise<void> {
  await database.pool.query(`select pg_notify('outgoing_mails', '')`);
}
