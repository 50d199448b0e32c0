import { CODES, mailEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { type MailServer, refusal, startMailServer } from '../testing/mails/mail-server.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const { listMails, readMail, sendMailAgain } = mailEndpoints;
const from = { name: '', address: 'no-reply@example.org' };

let post: MailServer;
let keeps: TestServer;
let sends: TestServer;
let root: Client;
beforeAll(async () => {
  post = await startMailServer();
  keeps = await startTestServer({ captcha: false });
  sends = await startTestServer({ captcha: false, smtp: { url: post.url, from } });
  root = await keeps.as('root');
});
afterAll(async () => {
  await keeps.stop();
  await sends.stop();
  await post.stop();
});

/** Adds a mail as a change would. */
async function write(server: TestServer, receiver: string, more: object = {}): Promise<number> {
  const mail = server.database.db.insertInto('outgoing_mails').values({
    ...{ receiver, locale: 'en-US' as const, subject: `For ${receiver}`, body_text: 'Text', body_html: '<p>Text</p>' },
    ...more,
  });
  return (await mail.returning('id').executeTakeFirstOrThrow()).id;
}

describe('without a mail server', () => {
  test('mails are stored, and root reads them as they would have been sent', async () => {
    const id = await write(keeps, 'kept@example.org');
    const list = await root.data(listMails, { query: { search: 'KEPT@' } });
    expect(list).toMatchObject({ total: 1, delivers: false });
    expect(list.items).toMatchObject([
      { id, receiver: 'kept@example.org', state: 'waiting', attempts: 0, nextAttemptAt: null, sentAt: null },
    ]);
    expect(await root.data(readMail, { params: { id } })).toMatchObject({ text: 'Text', secretUntil: null });
  });

  test('lists have pages, the newest first, and filter by receiver and state', async () => {
    for (let number = 0; number < 12; number += 1) await write(keeps, `page${number}@example.org`);
    const first = await root.data(listMails, { query: { search: 'page', pageSize: 10 } });
    expect(first.total).toBe(12);
    expect(first.items[0]?.receiver).toBe('page11@example.org');
    const rest = await root.data(listMails, { query: { search: 'page', pageSize: 10, page: 2 } });
    expect(rest.items.map(({ receiver }) => receiver)).toEqual(['page1@example.org', 'page0@example.org']);
    expect(await root.data(listMails, { query: { search: 'page', status: 'failed' } })).toMatchObject({ total: 0 });
  });

  test('reading a link that still gives access to an account is recorded', async () => {
    const logged = async () => {
      const rows = keeps.database.db.selectFrom('action_logs').selectAll().where('object_type', '=', 'mail');
      return await rows.orderBy('id').execute();
    };
    const before = (await logged()).length;
    const secret = await write(keeps, 'secret@example.org', { secret_until: new Date(Date.now() + 3_600_000) });
    expect(await root.data(readMail, { params: { id: secret } })).toMatchObject({ text: 'Text' });
    expect((await logged()).slice(before)).toMatchObject([
      { user_name: 'root_user', operation: 'control', object_id: String(secret), after: { read: true } },
    ]);
  });

  test('the text of an expired link is not shown, whether it was removed already or not', async () => {
    const id = await write(keeps, 'late@example.org', { secret_until: new Date(Date.now() - 1_000) });
    expect(await root.data(readMail, { params: { id } })).toMatchObject({ text: null });
    expect(await root.call(sendMailAgain, { params: { id } })).toMatchObject({ code: CODES.mailPurged.code });
  });

  test('users of the platform vendor cannot read mails, whatever their menus', async () => {
    const id = await write(keeps, 'root@example.org');
    const staff = await keeps.as('vendorStaff');
    const refused = { code: CODES.noPermission.code, data: null };
    expect(await staff.call(listMails)).toMatchObject(refused);
    expect(await staff.call(readMail, { params: { id } })).toMatchObject(refused);
    expect(await staff.call(sendMailAgain, { params: { id } })).toMatchObject(refused);
  });
});

describe('with a mail server', () => {
  test('root sees sent and failed mails with the reason, and can send them again', async () => {
    const boss = await sends.as('root');
    post.refuse.receiver = refusal(550, 'no such user');
    const id = await write(sends, 'again@example.org');
    const mail = () => boss.data(readMail, { params: { id } });
    await expect.poll(mail, { timeout: 30_000 }).toMatchObject({ state: 'failed', attempts: 1 });
    expect((await mail()).lastError).toContain('no such user');
    expect(await boss.data(listMails, { query: { status: 'failed' } })).toMatchObject({ total: 1, delivers: true });
    post.refuse.receiver = undefined;
    await boss.data(sendMailAgain, { params: { id } });
    await post.newest('again@example.org');
    await expect.poll(mail, { timeout: 30_000 }).toMatchObject({ state: 'sent', lastError: null });
    await boss.data(sendMailAgain, { params: { id } });
    await post.newest('again@example.org', 2);
    const logged = sends.database.db.selectFrom('action_logs').select('after').where('object_type', '=', 'mail');
    expect(await logged.execute()).toEqual([{ after: { sent: 'again' } }, { after: { sent: 'again' } }]);
  });
});
