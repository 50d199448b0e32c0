import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  attachmentEndpoints,
  CODES,
  folderEndpoints,
  type OpenedShare,
  publicShareEndpoints,
  type SharedFolder,
  type ShareRow,
  shareEndpoints,
} from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathOfKey } from '../../platform/objects/embedded/disk-names.ts';
import type { Client } from '../../testing/client.ts';
import { uploadIncoming } from '../../testing/files/incoming.ts';
import { namesOfZip } from '../../testing/files/zip-names.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { shareFile, shareFolder, readShare } = shareEndpoints;
const { listShared, openShare } = publicShareEndpoints;

let server: TestServer;
let north: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  north = await server.as('northAdmin');
});
afterAll(() => server.stop());

const newFolder = async (name: string, folderId: number | null = null) =>
  (await north.data(folderEndpoints.createFolder, { body: { name, folderId } })).id;

async function newFile(name: string, content: string, folderId: number | null = null): Promise<number> {
  const key = await uploadIncoming(server.url, north, content, name.split('.').at(-1));
  return (await north.data(attachmentEndpoints.registerAttachment, { body: { key, name, folderId } })).id;
}

const NEW = { days: 7, code: false } as const;
const set = (table: 'attachments' | 'folders', id: number, values: string) =>
  server.database.pool.query(`update ${table} set ${values} where id = $1`, [id]);

/** Calls the server without an account. */
const get = (path: string, { token }: ShareRow, query = '') => fetch(`${server.url}${path}?s=${token}${query}`);
const content = (share: ShareRow, query = '') => get('/api/unauth/share/content', share, query);

async function entries(share: ShareRow, folderId?: number): Promise<{ code: number; data: SharedFolder }> {
  const response = await get(listShared.path, share, folderId === undefined ? '' : `&folderId=${folderId}`);
  return (await response.json()) as { code: number; data: SharedFolder };
}

const listed = async (share: ShareRow) => (await entries(share)).data.items.map(({ name }) => name);

/** The files of the archive of a shared folder, or the code of the error. */
async function archive(share: ShareRow, folderId?: number): Promise<object | number> {
  const query = folderId === undefined ? '' : `&folderId=${folderId}`;
  const response = await get('/api/unauth/share/archive', share, query);
  if (response.status !== 200) return ((await response.json()) as { code: number }).code;
  return await namesOfZip(Buffer.from(await response.arrayBuffer()));
}

/** The code of the error that a download answers with; 0 when it gives the file. */
async function codeOf(response: Response): Promise<number> {
  if (response.status === 200) return response.text().then(() => 0);
  return ((await response.json()) as { code: number }).code;
}

describe('a shared folder gives nothing that its creator cannot see', () => {
  const GONE = CODES.shareFileGone.code;
  let top: number;
  let inner: number;
  let [open, secret, deep] = [0, 0, 0];
  let share: ShareRow;
  beforeAll(async () => {
    top = await newFolder('Top');
    inner = await newFolder('Inner', top);
    open = await newFile('open.txt', 'open', top);
    secret = await newFile('secret.txt', 'secret', top);
    deep = await newFile('deep.txt', 'deep', inner);
    share = await north.data(shareFolder, { params: { id: top }, body: NEW });
  });

  test('a file whose read level was raised after the share was made', async () => {
    expect(await listed(share)).toEqual(['Inner', 'open.txt', 'secret.txt']);
    await set('attachments', secret, 'read_level = 0');
    expect(await listed(share)).toEqual(['Inner', 'open.txt']);
    for (const query of [`&fileId=${secret}`, `&fileId=${secret}&preview=true`]) {
      expect(await codeOf(await content(share, query))).toBe(GONE);
    }
    expect(await codeOf(await content(share, `&fileId=${open}&preview=true`))).toBe(0);
    expect(await archive(share)).toEqual({ 'open.txt': 'open', 'Inner/deep.txt': 'deep' });
    // It is given again as soon as its creator sees it.
    await set('attachments', secret, 'read_level = 5');
    expect(await codeOf(await content(share, `&fileId=${secret}`))).toBe(0);
  });

  test('a folder with everything below it', async () => {
    await set('folders', inner, 'read_level = 0');
    expect(await listed(share)).toEqual(['open.txt', 'secret.txt']);
    expect((await entries(share, inner)).code).toBe(GONE);
    expect(await codeOf(await content(share, `&fileId=${deep}`))).toBe(GONE);
    expect(await codeOf(await content(share, `&fileId=${deep}&preview=true`))).toBe(GONE);
    expect(await archive(share, inner)).toBe(GONE);
    expect(await archive(share)).toEqual({ 'open.txt': 'open', 'secret.txt': 'secret' });
    await set('folders', inner, 'read_level = 5');
  });

  test('a file of a site that is not assigned to its creator', async () => {
    const { sites } = server.world;
    const assigned = await server.as('northAssigned');
    const one = await assigned.data(shareFolder, { params: { id: top }, body: NEW });
    expect(await listed(one)).toContain('secret.txt');
    const other = Object.values(sites).find((site) => site !== sites.northQuay);
    await set('attachments', secret, `site_id = ${other}`);
    expect(await listed(one)).not.toContain('secret.txt');
    expect(await codeOf(await content(one, `&fileId=${secret}`))).toBe(GONE);
    await set('attachments', secret, `site_id = ${sites.northQuay}`);
    expect(await codeOf(await content(one, `&fileId=${secret}`))).toBe(0);
    await set('attachments', secret, 'site_id = null');
  });
});

test('an archive leaves out files with a virus or before their scan, and the list says so', async () => {
  const top = await newFolder('Scanned');
  const clean = await newFile('clean.txt', 'clean', top);
  const infected = await newFile('infected.txt', 'infected', top);
  const waiting = await newFile('waiting.txt', 'waiting', top);
  await set('attachments', infected, `scan_state = 'infected', virus = 'Eicar'`);
  await set('attachments', waiting, `scan_state = 'waiting'`);
  const share = await north.data(shareFolder, { params: { id: top }, body: NEW });
  expect((await entries(share)).data.items).toMatchObject([
    { id: clean, preview: 'text', unavailable: null },
    { id: infected, preview: null, unavailable: 'infected' },
    { id: waiting, preview: null, unavailable: 'waiting' },
  ]);
  expect(await archive(share)).toEqual({ 'clean.txt': 'clean' });
  expect(await codeOf(await content(share, `&fileId=${infected}`))).toBe(CODES.attachmentInfected.code);
  await set('attachments', clean, `scan_state = 'waiting'`);
  expect(await archive(share)).toBe(CODES.shareArchiveEmpty.code);
});

test('the page of a shared file says why it cannot be downloaded now', async () => {
  const id = await newFile('late.txt', 'late');
  const share = await north.data(shareFile, { params: { id }, body: NEW });
  const opened = async () => ((await (await get(openShare.path, share)).json()) as { data: OpenedShare }).data.content;
  expect(await opened()).toMatchObject({ preview: 'text', unavailable: null });
  await set('attachments', id, `scan_state = 'waiting'`);
  expect(await opened()).toMatchObject({ name: 'late.txt', size: 4, preview: null, unavailable: 'waiting' });
  await set('attachments', id, `scan_state = 'infected', virus = 'Eicar'`);
  expect(await opened()).toMatchObject({ name: 'late.txt', preview: null, unavailable: 'infected' });
});

describe('an archive of files whose content is missing', () => {
  /** Removes the file of an object, as a broken disk or an incomplete backup does. */
  async function loseContent(id: number): Promise<void> {
    const { rows } = await server.database.pool.query('select object_key as key from attachments where id = $1', [id]);
    const path = pathOfKey(rows[0].key) ?? '';
    const stored = await readdir(server.dataFolder, { recursive: true });
    await rm(join(server.dataFolder, stored.find((one) => one.endsWith(path)) ?? 'no such object'));
  }
  const archiveIn = async (share: ShareRow, locale: string) => {
    const headers = { 'accept-language': locale };
    const answer = await fetch(`${server.url}/api/unauth/share/archive?s=${share.token}`, { headers });
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect([answer.status, Number(answer.headers.get('content-length'))]).toEqual([200, bytes.length]);
    return await namesOfZip(bytes);
  };

  test('is complete without them, and names them', async () => {
    const top = await newFolder('Incomplete');
    const inner = await newFolder('内部', top);
    await newFile('kept.txt', 'kept', top);
    await newFile('left-out.txt', 'a file of this name', top);
    const lost = await newFile('丢失.txt', 'lost', inner);
    const share = await north.data(shareFolder, { params: { id: top }, body: NEW });
    await loseContent(lost);
    const kept = { 'kept.txt': 'kept', 'left-out.txt': 'a file of this name' };
    expect(await archiveIn(share, 'en-US')).toEqual({
      ...kept,
      'left-out (2).txt': expect.stringMatching(/^These files are not in the archive.+\r\n\r\n内部\/丢失\.txt\r\n$/),
    });
    expect(await archiveIn(share, 'zh-CN')).toEqual({
      ...kept,
      'left-out (2).txt': expect.stringMatching(/^以下文件.+\r\n\r\n内部\/丢失\.txt\r\n$/),
    });
  });

  test('also when it is all of them, or the content is shorter than it was', async () => {
    const top = await newFolder('Lost');
    const gone = await newFile('gone.txt', 'gone', top);
    const short = await newFile('short.txt', 'short', top);
    const share = await north.data(shareFolder, { params: { id: top }, body: NEW });
    await loseContent(gone);
    await set('attachments', short, 'size = size + 1');
    expect(await archiveIn(share, 'en-US')).toEqual({
      'left-out.txt': expect.stringMatching(/\r\ngone\.txt\r\nshort\.txt\r\n$/),
    });
  });
});

describe('a refused download does not count', () => {
  const usesOf = async ({ id }: ShareRow) => (await north.data(readShare, { params: { id } })).uses;

  test.each([
    ['waits for its scan', `scan_state = 'waiting'`, `scan_state = 'clean'`, CODES.attachmentWaiting.code],
    ['has a virus', `scan_state = 'infected', virus = 'Eicar'`, `scan_state = 'clean'`, CODES.attachmentInfected.code],
    ['is gone', `object_key = object_key || '-'`, `object_key = rtrim(object_key, '-')`, CODES.attachmentGone.code],
  ])('when the file %s', async (_, change, undo, code) => {
    const id = await newFile(`${randomUUID()}.txt`, 'Some text.');
    const share = await north.data(shareFile, { params: { id }, body: { ...NEW, useLimit: 1 } });
    await set('attachments', id, change);
    expect(await codeOf(await content(share))).toBe(code);
    expect(await usesOf(share)).toBe(0);
    await set('attachments', id, undo);
    expect(await codeOf(await content(share))).toBe(0);
    // What is used up is answered as an error, not as the file.
    const refused = await content(share);
    expect(refused.headers.get('content-disposition')).toBeNull();
    expect(await codeOf(refused)).toBe(CODES.shareUsedUp.code);
    expect(await usesOf(share)).toBe(1);
  });

  test('and a used up share shows no files', async () => {
    const folderId = await newFolder('Once');
    const id = await newFile('once.txt', 'once', folderId);
    const share = await north.data(shareFolder, { params: { id: folderId }, body: { ...NEW, useLimit: 1 } });
    expect(await listed(share)).toEqual(['once.txt']);
    expect(await codeOf(await content(share, `&fileId=${id}`))).toBe(0);
    expect(await entries(share)).toMatchObject({ code: CODES.shareUsedUp.code, data: null });
  });

  test('when too many downloads of the share are running', async () => {
    const folderId = await newFolder('Busy');
    await newFile('large.txt', 'x'.repeat(20_000_000), folderId);
    const share = await north.data(shareFolder, { params: { id: folderId }, body: { ...NEW, useLimit: 31 } });
    const address = `${server.url}/api/unauth/share/archive?s=${share.token}`;
    const leave = new AbortController();
    const running = await Promise.all(Array.from({ length: 30 }, () => fetch(address, { signal: leave.signal })));
    expect(running.every(({ status }) => status === 200)).toBe(true);
    const refused = await fetch(address);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('content-disposition')).toBeNull();
    expect(await refused.json()).toMatchObject({ code: CODES.shareBusy.code });
    expect(await usesOf(share)).toBe(30);
    leave.abort();
  });
});
