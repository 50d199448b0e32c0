import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { get } from 'node:http';
import {
  attachmentEndpoints,
  type BodyOf,
  CODES,
  ENDPOINTS,
  folderEndpoints,
  publicShareEndpoints,
  type ShareRow,
  shareEndpoints,
} from '@chargehand/contract';
import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { namesOfZip } from '../testing/files/zip-names.ts';
import { mailsTo } from '../testing/mails/outbox.ts';
import { writePlannedMails } from '../testing/mails/planned-mails.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { soon } from '../testing/within.ts';

const { shareFile, shareFolder, listShares, readShare, listShareUses, updateShare, unlockShare, destroyShare } =
  shareEndpoints;
const { openShare, enterShareCode, listShared } = publicShareEndpoints;

let server: TestServer;
let north: Client;
let reader: Client;
let south: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false }, { sweeps: false });
  [north, reader, south] = (await Promise.all(
    (['northAdmin', 'northReader', 'southAdmin'] as const).map((one) => server.as(one)),
  )) as [Client, Client, Client];
});
afterAll(() => server.stop());

/** Stores a file as a user does. */
async function file(
  bytes: Uint8Array | string,
  entered: Partial<BodyOf<typeof attachmentEndpoints.registerAttachment>> = {},
): Promise<number> {
  const credential = await north.data(ENDPOINTS.writeCredentials);
  const name = entered.name ?? `${randomUUID()}.txt`;
  const prefix = credential.prefixes.find((one) => one.startsWith('document/'));
  const key = `${prefix}${randomUUID()}.${name.split('.').at(-1)}`;
  const { accessKeyId, accessKeySecret: secretAccessKey, securityToken: sessionToken, region } = credential;
  const aws = new AwsClient({ accessKeyId, secretAccessKey, sessionToken, service: 's3', region });
  const answer = await aws.fetch(`${server.url}/chargehand/${key}`, { method: 'PUT', body: Buffer.from(bytes) });
  expect(answer.status).toBe(200);
  return (await north.data(attachmentEndpoints.registerAttachment, { body: { ...entered, key, name } })).id;
}

async function folder(name: string = randomUUID(), parentId?: number): Promise<number> {
  return (
    await north.data(folderEndpoints.createFolder, { body: { name, ...(parentId ? { folderId: parentId } : {}) } })
  ).id;
}

const NEW = { days: 7, code: false } as const;
const share = (id: number, more: Partial<BodyOf<typeof shareFile>> = {}) =>
  north.data(shareFile, { params: { id }, body: { ...NEW, ...more } });

/** A visitor with their own cookies. */
function visitor() {
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${server.url}${path}`, {
      ...init,
      headers: { 'accept-language': 'en-US', ...init.headers, ...(cookie ? { cookie } : {}) },
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    return response;
  };
  const json = async (path: string, init?: RequestInit) => (await (await send(path, init)).json()) as Answer;
  return {
    send,
    cookies,
    open: ({ token }: ShareRow) => json(`${openShare.path}?s=${token}`),
    enter: ({ token }: ShareRow, accessCode: string) =>
      json(enterShareCode.path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ s: token, accessCode }),
      }),
    entries: ({ token }: ShareRow, folderId?: number) =>
      json(`${listShared.path}?s=${token}${folderId ? `&folderId=${folderId}` : ''}`),
    content: ({ token }: ShareRow, query = '', headers: Record<string, string> = {}) =>
      send(`/api/unauth/share/content?s=${token}${query}`, { headers }),
    archive: ({ token }: ShareRow) => send(`/api/unauth/share/archive?s=${token}`),
  };
}
interface Answer {
  code: number;
  message: string;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of several endpoints
  data: any;
}

const usesOf = async ({ id }: ShareRow) => (await north.data(listShareUses, { params: { id } })).items;
const wrongCodeFor = (code: string | null) => (code === 'AAAA' ? 'BBBB' : 'AAAA');

describe('a shared file', () => {
  test('is shown with its name, size and preview, and downloaded with its name, without an account', async () => {
    const one = await share(await file('Hello visitor.\n', { name: `说明 ${randomUUID()}.txt` }), { note: 'For you' });
    const guest = visitor();
    const opened = await guest.open(one);
    expect(opened).toMatchObject({ code: 0, data: { codeNeeded: false, content: { size: 15, preview: 'text' } } });
    expect(opened.data.content).toMatchObject({ note: 'For you', usesLeft: null, isFolder: false });
    const response = await guest.content(one);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('Hello visitor.\n');
    expect(response.headers.get('content-disposition')).toContain(encodeURIComponent('说明'));
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('x-robots-tag')).toBe('noindex, nofollow');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    await eventually(
      () => usesOf(one),
      ([use]) => use?.state === 'complete',
    );
    expect(await usesOf(one)).toMatchObject([{ kind: 'file', moved: 15, size: 15, address: '127.0.0.1' }]);
    expect(await north.data(readShare, { params: { id: one.id } })).toMatchObject({ uses: 1, state: 'open' });
  });

  test('is downloaded in ranges, which belong to one download', async () => {
    const bytes = randomBytes(300_000).toString('hex');
    const one = await share(await file(bytes), { useLimit: 1 });
    const guest = visitor();
    await guest.open(one);
    const first = await guest.content(one, '', { range: 'bytes=0-99999' });
    expect(first.status).toBe(206);
    expect(first.headers.get('content-range')).toBe('bytes 0-99999/600000');
    const start = await first.text();
    await eventually(
      () => usesOf(one),
      ([use]) => use?.moved === 100_000,
    );
    const rest = await guest.content(one, '', { range: 'bytes=100000-', 'if-range': first.headers.get('etag') ?? '' });
    expect(start + (await rest.text())).toBe(bytes);
    await eventually(
      () => usesOf(one),
      ([use]) => use?.state === 'complete',
    );
    expect(await usesOf(one)).toHaveLength(1);
    expect((await guest.content(one)).status).toBe(404);
    expect((await guest.content(one, '', { range: 'bytes=700000-' })).status).toBe(416);
  });

  test('a limit holds for downloads at the same time', async () => {
    const one = await share(await file('Some text.'), { useLimit: 3 });
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const response = await visitor().content(one);
        await response.arrayBuffer();
        return response.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect(await visitor().open(one)).toMatchObject({ code: CODES.shareUsedUp.code });
  });

  test('ranges at the same time send a file of a limited share three times at most for one download', async () => {
    const size = 20_000_000;
    const one = await share(await file('x'.repeat(size)), { useLimit: 1 });
    const guest = visitor();
    await guest.open(one);
    const leave = new AbortController();
    const ask = (first: number) =>
      guest.send(`/api/unauth/share/content?s=${one.token}`, {
        headers: { range: `bytes=${first}-` },
        signal: leave.signal,
      });
    // Nothing of them is read, so all of them are still running.
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask(1)));
    expect(answers.filter(({ status }) => status === 206)).toHaveLength(3);
    leave.abort();
    // What was not sent is given back, so the download is resumed.
    const givenBack = `select from share_uses where share_id = $1 and granted = moved and ended_at is not null`;
    await eventually(
      () => server.database.pool.query(givenBack, [one.id]),
      ({ rowCount }) => rowCount === 1,
    );
    expect((await guest.content(one, '', { range: `bytes=${size - 10}-` })).status).toBe(206);
  });

  test('asking for the headers counts as no download', async () => {
    const one = await share(await file('Some text.'), { useLimit: 1 });
    const head = await visitor().send(`/api/unauth/share/content?s=${one.token}`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10']);
    expect((await visitor().content(one)).status).toBe(200);
  });

  test('a preview runs nothing and is not given with a limit', async () => {
    const id = await file('<script>alert(1)</script>');
    const shown = await visitor().content(await share(id), '&preview=true');
    expect(shown.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(shown.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(shown.headers.get('x-content-type-options')).toBe('nosniff');
    const limited = await share(id, { useLimit: 1 });
    expect(await (await visitor().content(limited, '&preview=true')).json()).toMatchObject({
      code: CODES.sharePreviewRefused.code,
    });
    expect((await visitor().open(limited)).data.content.preview).toBeNull();
  });
});

describe('an access code', () => {
  test('hides everything until it is right, in any case, and is remembered by the browser', async () => {
    const id = await file('Secret.', { name: `secret-${randomUUID()}.txt` });
    const one = await share(id, { code: true });
    const guest = visitor();
    const closed = await guest.open(one);
    expect(closed.data).toEqual({ codeNeeded: true, content: null });
    expect(JSON.stringify(closed)).not.toContain('secret');
    const refused = await guest.content(one);
    expect(refused.headers.get('content-disposition')).toBeNull();
    expect(await refused.json()).toMatchObject({ code: CODES.shareCodeNeeded.code });
    expect(await guest.enter(one, wrongCodeFor(one.code))).toMatchObject({ code: CODES.shareCodeWrong.code });
    expect(await guest.enter(one, ` ${one.code?.toLowerCase()}`)).toMatchObject({ code: 0 });
    expect(await (await guest.content(one)).text()).toBe('Secret.');
    // Another share has another cookie.
    expect((await guest.open(await share(id, { code: true }))).data.codeNeeded).toBe(true);
    expect((await visitor().open(one)).data.codeNeeded).toBe(true);
  });

  test('ten wrong codes at the same time lock the share, also for the right code, and notify its owner', async () => {
    await server.database.pool.query(`update users set email = 'north@example.org' where id = $1`, [
      server.world.users.northAdmin,
    ]);
    const one = await share(await file('Some text.'), { code: true });
    const early = visitor();
    await early.enter(one, one.code ?? '');
    const answers = await Promise.all(
      Array.from({ length: 15 }, () =>
        visitor()
          .enter(one, wrongCodeFor(one.code))
          .then(({ code }) => code),
      ),
    );
    expect(answers.filter((code) => code === CODES.shareCodeWrong.code)).toHaveLength(9);
    expect(answers.filter((code) => code === CODES.shareLocked.code)).toHaveLength(6);
    expect(await visitor().enter(one, one.code ?? '')).toMatchObject({ code: CODES.shareLocked.code });
    expect((await early.content(one)).status).toBe(404);
    await writePlannedMails(server);
    const mails = await mailsTo(server.database.db, 'north@example.org');
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('Share locked: ')]);
    expect(mails[0]?.body_text).toContain(`/manage/attach/shares?share=${one.id}`);

    const unlocked = await north.data(unlockShare, { params: { id: one.id } });
    expect(unlocked).toMatchObject({ state: 'open', wrongCodes: 0 });
    expect(unlocked.code).not.toBe(one.code);
    expect(await early.open(one)).toMatchObject({ data: { codeNeeded: true } });
    expect(await visitor().enter(one, unlocked.code ?? '')).toMatchObject({ code: 0 });
    expect(await north.call(unlockShare, { params: { id: one.id } })).toMatchObject({
      code: CODES.shareNotLocked.code,
    });
  });

  test('a typing error is not counted as a guess', async () => {
    const one = await share(await file('Some text.'), { code: true });
    for (let count = 0; count < 12; count += 1) {
      expect(await visitor().enter(one, '0O1I')).toMatchObject({ code: CODES.shareCodeWrong.code });
    }
    expect(await visitor().enter(one, one.code ?? '')).toMatchObject({ code: 0 });
  });

  test('a changed cookie opens nothing', async () => {
    const one = await share(await file('Some text.'), { code: true });
    const guest = visitor();
    await guest.enter(one, one.code ?? '');
    const [[name, value = ''] = ['', '']] = [...guest.cookies];
    const [id, until, signature] = value.split('.');
    for (const forged of [`${id}.${Number(until) + 1}.${signature}`, `${id}.${until}.`, `x.${until}.${signature}`]) {
      guest.cookies.set(name, forged);
      expect((await guest.open(one)).data.codeNeeded).toBe(true);
    }
  });
});

describe('a share ends', () => {
  const ended = async (one: ShareRow) => (await visitor().open(one)).code;

  test('when it expires; its validity can be changed', async () => {
    const one = await share(await file('Some text.'));
    await server.database.pool.query(`update shares set expires_at = now() - interval '1 ms' where id = $1`, [one.id]);
    expect(await ended(one)).toBe(CODES.shareExpired.code);
    await north.data(updateShare, { params: { id: one.id }, body: { days: null } });
    expect(await ended(one)).toBe(0);
  });

  test('when its creator is disabled, loses the level or the customer, and when the file is deleted', async () => {
    const id = await file('Some text.');
    const one = await share(id);
    const user = server.world.users.northAdmin;
    const during = async (change: string, undo: string) => {
      await server.database.pool.query(change, [user]);
      const code = await ended(one);
      await server.database.pool.query(undo, [user]);
      expect(await ended(one)).toBe(0);
      return code;
    };
    expect(
      await during('update users set enabled = false where id = $1', 'update users set enabled = true where id = $1'),
    ).toBe(CODES.shareWithdrawn.code);
    const raise = (level: number) =>
      `update attachments set download_level = ${level} where id = ${id} and $1::int is not null`;
    expect(await during(raise(0), raise(5))).toBe(CODES.shareWithdrawn.code);
    const move = (customer: number) =>
      `update attachments set customer_id = ${customer} where id = ${id} and $1::int is not null`;
    const { north: own, south: other } = server.world.customers;
    expect(await during(move(other), move(own))).toBe(CODES.shareWithdrawn.code);
    await north.data(attachmentEndpoints.deleteAttachment, { params: { id } });
    expect(await ended(one)).toBe(CODES.shareWithdrawn.code);
  });

  test('when it is destroyed, within a second and with its running downloads', async () => {
    const one = await share(await file('x'.repeat(30_000_000)));
    const { promise: closed, resolve } = Promise.withResolvers<number>();
    let received = 0;
    const request = get(`${server.url}/api/unauth/share/content?s=${one.token}`, (response) => {
      // A slow visitor: reads a little and waits.
      response.once('data', (chunk: Buffer) => {
        received += chunk.length;
        response.pause();
        void north.data(destroyShare, { params: { id: one.id } }).then(() => {
          const at = performance.now();
          response.on('data', (rest: Buffer) => {
            received += rest.length;
          });
          response.resume();
          response.on('close', () => resolve(performance.now() - at));
        });
      });
      response.on('error', () => undefined);
    });
    request.on('error', () => undefined);
    expect(await soon('the end of the download', closed)).toBeLessThan(1_000);
    expect(received).toBeLessThan(30_000_000);
    expect(await ended(one)).toBe(CODES.shareDestroyed.code);
    await eventually(
      () => usesOf(one),
      ([use]) => use?.state === 'brokenOff',
    );
    expect(await north.call(updateShare, { params: { id: one.id }, body: { days: 1 } })).toMatchObject({
      code: CODES.shareOver.code,
    });
  });

  test('running downloads end when the creator is disabled, without any message', async () => {
    const one = await share(await file('y'.repeat(30_000_000)));
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const request = get(`${server.url}/api/unauth/share/content?s=${one.token}`, (response) => {
      response.once('data', () => {
        response.pause();
        void (async () => {
          const user = [server.world.users.northAdmin];
          await server.database.pool.query('update users set enabled = false where id = $1', user);
          await server.sweep();
          await server.database.pool.query('update users set enabled = true where id = $1', user);
          response.on('close', () => resolve()).on('data', () => undefined);
          response.resume();
        })();
      });
      response.on('error', () => undefined);
    });
    request.on('error', () => undefined);
    await soon('the end of the download', closed);
    // The sweep has also ended the sessions of the disabled user.
    north = await server.as('northAdmin');
    await eventually(
      () => usesOf(one),
      ([use]) => use?.state === 'brokenOff',
    );
  });

  test('an unknown link says so', async () => {
    const one = await share(await file('Some text.'));
    expect((await visitor().open({ ...one, token: 'no-such-link' })).code).toBe(CODES.shareUnknown.code);
  });
});

describe('a shared folder', () => {
  test('gives its files one by one and as an archive, without those that its creator may not download', async () => {
    const top = await folder('Photos');
    const inner = await folder('Inner', top);
    const outside = await file('outside');
    const first = await file('first', { name: 'a.txt', folderId: top });
    const second = await file('second', { name: 'a.txt', folderId: inner });
    const hidden = await file('hidden', { name: 'hidden.txt', folderId: top });
    await server.database.pool.query('update attachments set download_level = 0 where id = $1', [hidden]);
    const one = await north.data(shareFolder, { params: { id: top }, body: NEW });
    const guest = visitor();
    await guest.open(one);
    expect((await guest.entries(one)).data).toMatchObject({
      path: [{ id: top }],
      items: [
        { kind: 'folder', id: inner, name: 'Inner' },
        { kind: 'file', id: first, name: 'a.txt', size: 5 },
      ],
    });
    expect((await guest.entries(one, inner)).data).toMatchObject({ path: [{ id: top }, { id: inner }] });
    expect(await (await guest.content(one, `&fileId=${second}`)).text()).toBe('second');
    for (const id of [outside, hidden]) expect((await guest.content(one, `&fileId=${id}`)).status).toBe(404);
    expect((await guest.entries(one, await folder())).code).toBe(CODES.shareFileGone.code);
    const archive = await guest.archive(one);
    const bytes = Buffer.from(await archive.arrayBuffer());
    expect(archive.headers.get('content-length')).toBe(String(bytes.length));
    expect(await namesOfZip(bytes)).toEqual({ 'Inner/a.txt': 'second', 'a.txt': 'first' });
    await eventually(
      () => usesOf(one),
      (uses) => uses.some(({ kind, state }) => kind === 'archive' && state === 'complete'),
    );
  });
});

describe('who may share', () => {
  test('nobody shares what they may not download or see', async () => {
    const id = await file('Some text.');
    await server.database.pool.query('update attachments set download_level = 4 where id = $1', [id]);
    expect(await reader.call(shareFile, { params: { id }, body: NEW })).toMatchObject({
      code: CODES.noPermission.code,
    });
    expect(await south.call(shareFile, { params: { id }, body: NEW })).toMatchObject({ code: CODES.notFound.code });
  });

  test('users see their own shares, administrators all of their customers, and only creators the link and code', async () => {
    const id = await file('Some text.');
    const own = await reader.data(shareFile, { params: { id }, body: { days: 1, code: true, recipient: 'Ms Li' } });
    expect(own).toMatchObject({ own: true, token: expect.any(String), code: expect.any(String) });
    const listed = async (one: Client) =>
      (await one.data(listShares, { query: { attachmentId: id } })).items.map((row) => row);
    expect(await listed(reader)).toMatchObject([{ id: own.id, token: own.token }]);
    expect(await listed(north)).toMatchObject([
      { id: own.id, own: false, token: null, code: null, recipient: 'Ms Li' },
    ]);
    expect(await listed(south)).toEqual([]);
    // A share may be of any site.
    const assigned = await server.as('northAssigned');
    expect(await listed(assigned)).toEqual([]);
    expect(await assigned.call(destroyShare, { params: { id: own.id } })).toMatchObject({ code: CODES.notFound.code });
    const other = await share(id);
    expect((await listed(reader)).map((row) => row.id)).toEqual([own.id]);
    expect(await reader.call(destroyShare, { params: { id: other.id } })).toMatchObject({ code: CODES.notFound.code });
    await north.data(destroyShare, { params: { id: own.id } });
    expect((await listed(reader)).map((row) => row.id)).toEqual([]);
    expect(await reader.data(listShares, { query: { ended: true, attachmentId: id } })).toMatchObject({
      items: [{ id: own.id, state: 'destroyed' }],
    });
  });

  test('tokens are long and not stored in the log', async () => {
    const one = await share(await file('Some text.'), { code: true });
    expect(Buffer.from(one.token ?? '', 'base64url').length).toBeGreaterThanOrEqual(16);
    const { rows } = await server.database.pool.query('select * from action_logs where object_type = $1', ['share']);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(one.token);
  });
});

test('a download that was broken by a restart of the server is resumed and counts once', async () => {
  const bytes = randomBytes(2_000_000).toString('hex');
  const one = await share(await file(bytes), { useLimit: 1 });
  const guest = visitor();
  await guest.open(one);
  const partial = await guest.content(one);
  const source = partial.body?.getReader();
  const first = Buffer.from((await source?.read())?.value ?? []);
  await server.restart();
  await source?.cancel().catch(() => undefined);
  const rest = await guest.content(one, '', { range: `bytes=${first.length}-` });
  expect(rest.status).toBe(206);
  const whole = Buffer.concat([first, Buffer.from(await rest.arrayBuffer())]);
  expect(createHash('sha256').update(whole).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
  expect(await usesOf(one)).toHaveLength(1);
});
