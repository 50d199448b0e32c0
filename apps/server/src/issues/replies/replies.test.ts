import { issueEndpoints } from '@chargehand/contract';
import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newIssue } from '../../testing/cases/issues/issues.ts';
import { freePort } from '../../testing/free-port.ts';
import { startMailServer } from '../../testing/mails/mail-server.ts';
import { writePlannedMails } from '../../testing/mails/planned-mails.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { trustedCertificate } from '../../testing/trusted-certificate.ts';
import { type ReplyAddresses, replyAddresses } from './reply-address.ts';

const DOMAIN = 'mail.example.org';
const PORT = await freePort();
const TLS_PORT = await freePort();
let server: TestServer;
let addresses: ReplyAddresses;
beforeAll(async () => {
  server = await startTestServer({ inboundMail: { port: PORT, domain: DOMAIN } });
  const [secret] = await query<{ value: string }>(`select value from server_secrets where name = 'reply-key'`);
  await query(`update users set email = 'User-' || id || '@example.org'`);
  addresses = replyAddresses({ key: secret?.value ?? '', domain: DOMAIN });
});
afterAll(() => server.stop());

const query = async <T extends object>(words: string, values: unknown[] = []) =>
  (await server.database.pool.query<T>(words, values)).rows;
const issue = () => newIssue({ world: server.world, db: server.database.db }, 'northMill');
const addressOf = (userId: number, issueId: number) => addresses.addressFor({ userId, issueId }, new Date());
const comments = async (id: number) => {
  const root = await server.as('root');
  const { items } = await root.data(issueEndpoints.listIssueEntries, { params: { id } });
  return items.filter(({ event }) => event === null);
};

interface Sent {
  text?: string;
  html?: string;
  from?: string;
  messageId?: string;
  headers?: Record<string, string>;
  attachments?: { filename: string; content: Buffer | string }[];
}
/** Sends a mail with a real client. Returns the code of the answer, 250 for an accepted mail. */
async function send(to: string, mail: Sent = {}): Promise<number> {
  const transport = createTransport({ host: '127.0.0.1', port: PORT, secure: false, ignoreTLS: true });
  const user = addresses.read(to, new Date())?.userId ?? 0;
  const message = { from: `user-${user}@example.org`, subject: 'Re: Issue', text: 'Fuse replaced.', ...mail };
  try {
    const { response } = await transport.sendMail({ ...message, to });
    return Number(response.slice(0, 3));
  } catch (error) {
    return (error as { responseCode?: number }).responseCode ?? 0;
  } finally {
    transport.close();
  }
}

describe('a reply', () => {
  test('becomes an internal comment of its user, and once', async () => {
    const { users } = server.world;
    const id = await issue();
    const to = addressOf(users.northAdmin, id);
    const text = 'Fuse replaced.\n\nOn Mon, 2 Nov 2026, Chargehand <a@example.org> wrote:\n> Old';
    const mail = { text, messageId: '<one@elsewhere.example>' };
    // The answer to the first may have been lost, and two servers may send it at the same time.
    expect(await Promise.all([send(to, mail), send(to, mail)])).toEqual([250, 250]);
    await server.restart();
    expect(await send(to.toUpperCase(), mail)).toBe(250);
    const all = await comments(id);
    expect(all).toHaveLength(1);
    expect(all[0]).toMatchObject({
      ...{ internal: true, userId: users.northAdmin },
      body: { content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Fuse replaced.' }] }] },
    });
    const [log] = await query<{ count: number }>(
      `select count(*)::int as count from action_logs where user_id = $1 and after ->> 'byMail' = 'true'`,
      [users.northAdmin],
    );
    expect(log?.count).toBe(1);
  });

  test('that comes from another address is kept as of an unknown sender', async () => {
    const { users } = server.world;
    const id = await issue();
    const to = addressOf(users.northAdmin, id);
    const mail = {
      from: 'Mallory <mallory@elsewhere.example>',
      messageId: '<forwarded@elsewhere.example>',
      attachments: [{ filename: 'notes.txt', content: 'relay stuck' }],
    };
    expect([await send(to, mail), await send(to, mail)]).toEqual([250, 250]);
    const all = await comments(id);
    expect(all).toMatchObject([
      { internal: true, userId: null, userName: '', unknownSender: 'mallory@elsewhere.example', data: {} },
    ]);
    expect(JSON.stringify(all[0]?.body)).toContain('The attachment notes.txt of this mail was not accepted.');
    const [row] = await query<{ response: number | null; files: number }>(
      `select response_ms as response,
              (select count(*)::int from attachment_uses where kind = 'issue' and object_id = $1) as files
         from issues where id = $1`,
      [id],
    );
    expect(row).toEqual({ response: null, files: 0 });
  });

  test('brings its files, and says which ones were not accepted', async () => {
    const { users } = server.world;
    const id = await issue();
    const png = Buffer.concat([
      Buffer.from('89504e470d0a1a0a', 'hex'),
      Buffer.alloc(300, 1),
      Buffer.from('0000000049454e44ae426082', 'hex'),
    ]);
    const attachments = [
      { filename: 'notes.txt', content: 'relay stuck' },
      { filename: 'evil.jpg', content: '<html><script>alert(1)</script>' },
      { filename: 'run.exe', content: 'MZ' },
      { filename: 'photo.png', content: png },
    ];
    expect(await send(addressOf(users.northAdmin, id), { attachments })).toBe(250);
    const [comment] = await comments(id);
    const text = JSON.stringify(comment?.body);
    expect(text).toContain('"name":"notes.txt"');
    for (const name of ['evil.jpg', 'run.exe']) expect(text).toContain(`The attachment ${name} of this mail`);
    const uses = await query(`select from attachment_uses where kind = 'issue' and object_id = $1`, [id]);
    expect(uses.length).toBeGreaterThanOrEqual(1);
  });

  test('that a program wrote is ignored, and an empty one too', async () => {
    const id = await issue();
    const to = addressOf(server.world.users.northAdmin, id);
    const automatic = [
      ['Auto-Submitted', 'auto-replied'],
      ['Precedence', 'bulk'],
      ['X-Autoreply', 'yes'],
    ] as const;
    for (const [name, value] of automatic) {
      expect(await send(to, { headers: { [name]: value } })).toBe(250);
    }
    expect(await send(to, { text: '> only a quote' })).toBe(250);
    expect(await comments(id)).toEqual([]);
  });

  test('of an issue that was merged goes to the other one', async () => {
    const [id, issueId] = [await issue(), await issue()];
    const root = await server.as('root');
    await root.data(issueEndpoints.mergeIssue, { params: { id }, body: { issueId } });
    expect(await send(addressOf(server.world.users.northAdmin, id))).toBe(250);
    expect(await comments(issueId)).toHaveLength(1);
  });
});

describe('refused', () => {
  test('is a mail of very many parts, while others are answered', async () => {
    const id = await issue();
    const to = addressOf(server.world.users.northAdmin, id);
    const parts = send(to, { text: '--a\n'.repeat(500_000) });
    await server.anonymous.fetch('/health');
    expect(await parts).toBe(550);
    expect(await send(to, { text: `Replaced.\n${'--\n'.repeat(100)}` })).toBe(250);
    expect(await comments(id)).toHaveLength(1);
  });

  test('are other addresses, all alike, and other domains', async () => {
    const id = await issue();
    const to = addressOf(server.world.users.northAdmin, id);
    const old = addresses.addressFor(
      { userId: server.world.users.northAdmin, issueId: id },
      new Date(Date.now() - 100 * 86_400_000),
    );
    const others = [
      to.replace(/.@/, to.includes('0@') ? '1@' : '0@'),
      to.replace(DOMAIN, 'example.com'),
      `root@${DOMAIN}`,
      old,
    ];
    expect(await Promise.all(others.map((one) => send(one)))).toEqual(others.map(() => 550));
    expect(await comments(id)).toEqual([]);
  });

  test('are users who may not comment now', async () => {
    const { users } = server.world;
    const id = await issue();
    const southern = addressOf(users.southAdmin, id);
    expect(await send(southern)).toBe(550);
    const to = addressOf(users.northReader, id);
    expect(await send(to)).toBe(250);
    await query('update users set enabled = false where id = $1', [users.northReader]);
    expect(await send(to, { messageId: '<two@elsewhere.example>' })).toBe(550);
    await query('update users set enabled = true where id = $1', [users.northReader]);
    await query('delete from issue_entries where issue_id = $1', [id]);
    await query('delete from issues where id = $1', [id]);
    expect(await send(to, { messageId: '<three@elsewhere.example>' })).toBe(550);
  });

  test('are mails that are too large and further recipients', async () => {
    const id = await issue();
    const to = addressOf(server.world.users.northAdmin, id);
    expect(await send(to, { attachments: [{ filename: 'a.txt', content: Buffer.alloc(16 * 1024 * 1024, 65) }] })).toBe(
      552,
    );
    const transport = createTransport({ host: '127.0.0.1', port: PORT, secure: false, ignoreTLS: true });
    const { accepted, rejected } = await transport.sendMail({
      ...{ from: 'a@b.example', subject: 'x', text: 'Both', to: [to, addressOf(server.world.users.root, id)] },
    });
    transport.close();
    expect([accepted.length, rejected.length]).toEqual([1, 1]);
    expect(await comments(id)).toHaveLength(1);
  });
});

test('a mail about an issue arrives with the address that takes its reply, which another server sends with TLS', async () => {
  const post = await startMailServer();
  const inbound = { port: TLS_PORT, domain: DOMAIN };
  const { cert, key } = await trustedCertificate();
  const from = { name: 'Chargehand', address: 'no-reply@example.org' };
  const settings = { inboundMail: inbound, smtp: { url: post.url, from } };
  const own = await startTestServer(settings, { certificate: { cert, key, selfSigned: false } });
  try {
    const { northAdmin } = own.world.users;
    await own.database.pool.query(`update users set email = 'admin@example.org' where id = $1`, [northAdmin]);
    await own.database.pool.query(
      `insert into message_settings (user_id, type, in_app, email, push, delayed)
       values ($1, 'issueAssigned', true, true, true, false)`,
      [northAdmin],
    );
    const root = await own.as('root');
    const id = await newIssue({ world: own.world, db: own.database.db }, 'northMill');
    const { revision } = await root.data(issueEndpoints.readIssue, { params: { id } });
    await root.data(issueEndpoints.updateIssue, { params: { id }, body: { assigneeId: northAdmin, revision } });
    await writePlannedMails(own);
    const { email } = await post.newest('admin@example.org');
    const to = email.replyTo?.[0]?.address ?? '';
    expect(to).toMatch(new RegExp(`^reply\\+.*@${DOMAIN}$`));

    const transport = createTransport({ host: '127.0.0.1', port: inbound.port, requireTLS: true });
    const { response } = await transport.sendMail({
      ...{ from: 'admin@example.org', to, subject: `Re: ${email.subject}`, inReplyTo: email.messageId },
      text: 'On my way.',
    });
    transport.close();
    expect(response).toMatch(/^250 /);
    const { items } = await root.data(issueEndpoints.listIssueEntries, { params: { id } });
    expect(items.filter(({ event }) => event === null)).toMatchObject([{ userId: northAdmin, internal: true }]);
  } finally {
    await own.stop();
    await post.stop();
  }
});
