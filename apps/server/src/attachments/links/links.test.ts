import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { attachmentEndpoints, CODES } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { uploadIncoming } from '../../testing/files/incoming.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { linkTokens } from './link-tokens.ts';

const { linkAttachment, registerAttachment, deleteAttachment, restoreAttachment } = attachmentEndpoints;

let server: TestServer;
let north: Client;
let reader: Client;
let south: Client;
let tokens: ReturnType<typeof linkTokens>;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  [north, reader, south] = (await Promise.all(
    (['northAdmin', 'northReader', 'southAdmin'] as const).map((one) => server.as(one)),
  )) as [Client, Client, Client];
  const { rows } = await query(`select value from server_secrets where name = 'download-link-key'`);
  tokens = linkTokens(rows[0].value);
});
afterAll(() => server.stop());

const query = (text: string, values: unknown[] = []) => server.database.pool.query(text, values);

async function newFile(name = `${randomUUID()}.txt`, content: string = 'Some text.'): Promise<number> {
  const key = await uploadIncoming(server.url, north, content, name.split('.').at(-1));
  return (await north.data(registerAttachment, { body: { key, name } })).id;
}

const linkTo = (client: Client, id: number) => client.data(linkAttachment, { params: { id } });
/** Follows a link without a session, as a download program does. */
const follow = (url: string, init: RequestInit = {}) => fetch(`${server.url}${url}`, init);
const withToken = (token: string) => `${attachmentEndpoints.linkedContent.path}?token=${token}`;
const refusal = async (url: string) => {
  const answer = await follow(url);
  return [answer.status, ((await answer.json()) as { code: number }).code, answer.headers.get('content-disposition')];
};
const INVALID = [404, CODES.attachmentLinkInvalid.code, null];
const EXPIRED = [404, CODES.attachmentLinkExpired.code, null];
const ENDED = [404, CODES.attachmentLinkEnded.code, null];

describe('a link', () => {
  test('downloads one file without a session, with its name, and tells when it ends', async () => {
    const before = Date.now();
    const { url, expiresAt } = await linkTo(north, await newFile('手册 v2.txt', 'Grüße'));
    const seconds = (Date.parse(expiresAt) - before) / 1_000;
    expect(seconds).toBeLessThanOrEqual(3_600 + (Date.now() - before) / 1_000);
    expect(seconds).toBeGreaterThan(3_590);
    const answer = await follow(url);
    expect(await answer.text()).toBe('Grüße');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-disposition': `attachment; filename="__ v2.txt"; filename*=UTF-8''${encodeURIComponent('手册 v2.txt')}`,
      'content-length': '7',
      'content-type': 'application/octet-stream',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
    });
  });

  test('resumes a download, if the file is the same', async () => {
    const { url } = await linkTo(north, await newFile('digits.txt', '0123456789'));
    const part = await follow(url, { headers: { range: 'bytes=4-' } });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([
      206,
      '456789',
      'bytes 4-9/10',
    ]);
    const etag = part.headers.get('etag') ?? '';
    const same = await follow(url, { headers: { range: 'bytes=4-', 'if-range': etag } });
    expect([same.status, await same.text()]).toEqual([206, '456789']);
    const other = await follow(url, { headers: { range: 'bytes=4-', 'if-range': '"other"' } });
    expect([other.status, await other.text()]).toEqual([200, '0123456789']);
    const head = await follow(url, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
    expect((await follow(url, { headers: { range: 'bytes=10-' } })).status).toBe(416);
  });

  test('is made for less than an hour, and never for more', async () => {
    const id = await newFile();
    const { expiresAt } = await north.data(linkAttachment, { params: { id }, query: { seconds: 60 } });
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(60_000);
    const longer = await north.call(linkAttachment, { params: { id }, query: { seconds: 3_601 } });
    expect(longer).toMatchObject({ code: expect.any(Number), data: null });
  });

  test('works after a restart of the server', async () => {
    const bytes = randomBytes(1_000_000).toString('hex');
    const { url } = await linkTo(north, await newFile('large.txt', bytes));
    const start = Buffer.from(await (await follow(url, { headers: { range: 'bytes=0-999999' } })).arrayBuffer());
    await server.restart();
    const rest = Buffer.from(await (await follow(url, { headers: { range: 'bytes=1000000-' } })).arrayBuffer());
    const hash = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
    expect(hash(Buffer.concat([start, rest]))).toBe(hash(bytes));
  });

  test('is given only to those who may download the file', async () => {
    const id = await newFile();
    await query('update attachments set download_level = 4 where id = $1', [id]);
    expect(await reader.call(linkAttachment, { params: { id } })).toMatchObject({ code: CODES.noPermission.code });
    expect(await south.call(linkAttachment, { params: { id } })).toMatchObject({ code: CODES.notFound.code });
    await query('update attachments set read_level = 4 where id = $1', [id]);
    expect(await reader.call(linkAttachment, { params: { id } })).toMatchObject({ code: CODES.notFound.code });
    for (const [change, code] of [
      [`scan_state = 'waiting'`, CODES.attachmentWaiting.code],
      [`scan_state = 'infected', virus = 'Eicar'`, CODES.attachmentInfected.code],
      [`scan_state = 'clean', deleted_at = now()`, CODES.notFound.code],
    ] as const) {
      await query(`update attachments set ${change} where id = $1`, [id]);
      expect(await north.call(linkAttachment, { params: { id } })).toMatchObject({ code });
    }
  });
});

describe('a forged link gives nothing', () => {
  test('with another file, user or time, or without the signature', async () => {
    const [id, other] = [await newFile(), await newFile()];
    const { url } = await linkTo(reader, id);
    const [fileId = '', userId = '', until = '', signature = ''] = (url.split('token=')[1] ?? '').split('.');
    const { northAdmin } = server.world.users;
    const later = (Number.parseInt(until, 36) + 60).toString(36);
    for (const parts of [
      [other.toString(36), userId, until, signature],
      [fileId, northAdmin.toString(36), until, signature],
      [fileId, userId, later, signature],
      [fileId, userId, until, signature.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))],
      [fileId, userId, until, ''],
      [fileId, userId, until],
    ]) {
      expect(await refusal(withToken(parts.join('.')))).toEqual(INVALID);
    }
    expect(await (await follow(url)).text()).toBe('Some text.');
  });

  test('signed with the key of another installation', async () => {
    const claim = {
      fileId: await newFile(),
      userId: server.world.users.northAdmin,
      until: new Date(Date.now() + 9_000),
    };
    expect(await refusal(withToken(linkTokens('another key').make(claim)))).toEqual(INVALID);
    expect((await follow(withToken(tokens.make(claim)))).status).toBe(200);
  });

  test('after its time, and for a user without rights on the file', async () => {
    const fileId = await newFile();
    const { northAdmin, southAdmin, northDisabled } = server.world.users;
    const token = (userId: number, ms: number) => tokens.make({ fileId, userId, until: new Date(Date.now() + ms) });
    expect(await refusal(withToken(token(northAdmin, -1_000)))).toEqual(EXPIRED);
    // An expired link says nothing about the file or the user.
    expect(await refusal(withToken(token(southAdmin, -1_000)))).toEqual(EXPIRED);
    expect(await refusal(withToken(token(northAdmin, 3_700_000)))).toEqual(EXPIRED);
    for (const user of [southAdmin, northDisabled, 2_000_000_000]) {
      expect(await refusal(withToken(token(user, 60_000)))).toEqual(ENDED);
    }
  });
});

describe('a link ends with the right to download', () => {
  /** What a link answers during a change, and that it works again without it. */
  async function during(url: string, change: string, undo: string, values: unknown[]) {
    await query(change, values);
    const found = await refusal(url);
    await query(undo, values);
    expect((await follow(url)).status).toBe(200);
    return found;
  }

  test('when the levels are raised, the file leaves the customer, or the scan finds a virus', async () => {
    const id = await newFile();
    const { url } = await linkTo(reader, id);
    const set = (values: string) => `update attachments set ${values} where id = $1`;
    const { north: own, south: other } = server.world.customers;
    expect(await during(url, set('download_level = 4'), set('download_level = 5'), [id])).toEqual(ENDED);
    expect(await during(url, set('read_level = 4'), set('read_level = 5'), [id])).toEqual(ENDED);
    expect(await during(url, set(`customer_id = ${other}`), set(`customer_id = ${own}`), [id])).toEqual(ENDED);
    const infected = set(`scan_state = 'infected', virus = 'Eicar'`);
    expect(await during(url, infected, set(`scan_state = 'clean'`), [id])).toEqual([
      ...[404, CODES.attachmentInfected.code, null],
    ]);
  });

  test('when its user or their customer is disabled, and not when they sign out', async () => {
    const { url } = await linkTo(reader, await newFile());
    const user = [server.world.users.northReader];
    const set = (enabled: boolean) => `update users set enabled = ${enabled} where id = $1`;
    expect(await during(url, set(false), set(true), user)).toEqual(ENDED);
    const ofCustomer = (enabled: boolean) => `update customers set enabled = ${enabled} where id = $1`;
    const customer = [server.world.customers.north];
    expect(await during(url, ofCustomer(false), ofCustomer(true), customer)).toEqual(ENDED);
    await query('delete from sessions where user_id = $1', user);
    expect((await follow(url)).status).toBe(200);
  });

  test('when the file goes to the trash', async () => {
    const id = await newFile();
    const { url } = await linkTo(north, id);
    await north.data(deleteAttachment, { params: { id } });
    expect(await refusal(url)).toEqual(ENDED);
    await north.data(restoreAttachment, { params: { id }, body: {} });
    expect((await follow(url)).status).toBe(200);
  });
});
