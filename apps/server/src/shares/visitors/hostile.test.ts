import {
  attachmentEndpoints,
  CODES,
  folderEndpoints,
  publicShareEndpoints,
  type SharedUpload,
  type ShareRow,
  shareEndpoints,
} from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { namesOfZip } from '../../testing/files/zip-names.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { shareFolder, shareFile, requestUploads, updateShare, destroyShare, readShare } = shareEndpoints;
const { openShare, enterShareCode, startSharedUpload } = publicShareEndpoints;

let server: TestServer;
let north: Client;
let folderId: number;
let request: ShareRow;
beforeAll(async () => {
  // Visitors come through a proxy, so that a test can have several addresses.
  server = await startTestServer({ captcha: false, trustedProxies: ['127.0.0.1'] });
  north = await server.as('northAdmin');
  folderId = await newFolder('From outside');
  request = await north.data(requestUploads, { params: { id: folderId }, body: { days: 7, code: false } });
});
afterAll(() => server.stop());

const newFolder = async (name: string, parentId?: number) =>
  (await north.data(folderEndpoints.createFolder, { body: { name, ...(parentId && { folderId: parentId }) } })).id;

let addresses = 0;
/** Calls the server from an address of its own, unless one is given. */
function from(path: string, init: RequestInit = {}, address?: string): Promise<Response> {
  addresses += 1;
  const forwarded = address ?? `2001:db8:${addresses.toString(16)}::1`;
  return fetch(`${server.url}${path}`, { ...init, headers: { ...init.headers, 'x-forwarded-for': forwarded } });
}
const post = (path: string, body: object, address?: string) =>
  from(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }, address);
const open = ({ token }: Pick<ShareRow, 'token'>, address?: string) =>
  from(`${openShare.path}?s=${token}`, {}, address);
const guess = (share: ShareRow, accessCode: string) => post(enterShareCode.path, { s: share.token, accessCode });

/** Uploads a file as a visitor. Returns the code of the answer that ended the upload, and the stored file. */
async function upload(name: string, content: Uint8Array | string): Promise<{ code: number; id: number; name: string }> {
  const bytes = Buffer.from(content);
  const s = request.token;
  const begun = (await (await post(startSharedUpload.path, { s, name, size: bytes.length })).json()) as {
    code: number;
    data: SharedUpload;
  };
  if (begun.code !== 0) return { code: begun.code, id: 0, name: '' };
  const response = await from(`/api/unauth/share/uploads/${begun.data.id}?s=${s}&offset=0`, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: bytes,
  });
  const { code } = (await response.json()) as { code: number };
  const query = { folderId, sort: '-createdAt', pageSize: 10 } as const;
  const [newest] = (await north.data(attachmentEndpoints.listAttachments, { query })).items;
  return { code, id: newest?.id ?? 0, name: newest?.name ?? '' };
}
const share = (id: number) => north.data(shareFile, { params: { id }, body: { days: 7, code: false } });

describe('guessing', () => {
  test('from many addresses locks the share after ten codes', async () => {
    const one = await north.data(shareFolder, { params: { id: folderId }, body: { days: 7, code: true } });
    const codes: number[] = [];
    for (const last of 'ABCDEFGHJKM') {
      const tried = `ZZZ${last}`;
      if (tried === one.code) continue;
      codes.push(((await (await guess(one, tried)).json()) as { code: number }).code);
    }
    expect(codes.slice(0, 10)).toEqual([...Array(9).fill(CODES.shareCodeWrong.code), CODES.shareLocked.code]);
    expect(await north.data(readShare, { params: { id: one.id } })).toMatchObject({ state: 'locked', wrongCodes: 10 });
  });

  test('links from one address is limited, other addresses are not affected', async () => {
    const address = '203.0.113.5';
    const statuses: number[] = [];
    for (let count = 0; count < 301; count += 1) statuses.push((await open({ token: 'x' }, address)).status);
    expect(statuses.slice(0, 300).every((status) => status === 200)).toBe(true);
    expect(statuses.at(-1)).toBe(429);
    expect((await open({ token: 'x' }, '203.0.113.6')).status).toBe(200);
  });

  test('learns nothing from headers, and nothing about a share before its code', async () => {
    const body = { days: 7, code: true, note: 'For Ms Li', recipient: 'Ms Li' } as const;
    const protect = () => north.data(shareFolder, { params: { id: folderId }, body });
    const [closed, ended, over] = [await protect(), await protect(), await protect()];
    await north.data(destroyShare, { params: { id: ended.id } });
    await server.database.pool.query(`update shares set expires_at = now() - interval '1 ms' where id = $1`, [over.id]);
    await north.data(updateShare, { params: { id: closed.id }, body: { useLimit: 3 } });
    const answers = await Promise.all(
      [{ token: 'no-such-link' }, closed, ended, over].map(async (one) => {
        const response = await open(one);
        const names = [...response.headers.keys()].filter((name) => !name.startsWith('x-ratelimit')).sort();
        return { status: response.status, names, text: await response.text() };
      }),
    );
    const [unknown] = answers;
    for (const { status, names, text } of answers) {
      expect([status, names]).toEqual([200, unknown?.names]);
      expect(names).not.toContain('set-cookie');
      for (const secret of ['From outside', 'Ms Li', 'north', closed.code ?? '']) expect(text).not.toContain(secret);
    }
    // What cannot be a code is answered like a wrong one.
    const [typo, wrong] = await Promise.all(
      ['0O1I', closed.code === 'AAAA' ? 'BBBB' : 'AAAA'].map((c) => guess(closed, c)),
    );
    expect(await typo?.text()).toBe(await wrong?.text());
  });
});

describe('names of files', () => {
  test.each([
    ['照片 充电桩①号.txt'],
    ['фото зарядки.txt'],
    ['صورة الشاحن.txt'],
    ['תמונה.txt'],
    ['चार्जर की फोटो.txt'],
    ['ภาพถ่าย.txt'],
    ['충전기 사진.txt'],
    ['🔋👩🏽‍🔧.txt'],
    [`quote " and ; and %41 and '.txt`],
    [`${'充'.repeat(83)}x.txt`],
  ])('%s is stored, offered and packed with its name', async (name) => {
    const file = await upload(name, `content of ${name}`);
    expect(file).toMatchObject({ code: 0, name });
    const one = await share(file.id);
    const response = await from(`/api/unauth/share/content?s=${one.token}`);
    const disposition = response.headers.get('content-disposition') ?? '';
    expect(decodeURIComponent(/filename\*=UTF-8''(\S+)$/.exec(disposition)?.[1] ?? '')).toBe(name);
    expect(await response.text()).toBe(`content of ${name}`);
    const all = await north.data(shareFolder, { params: { id: folderId }, body: { days: 7, code: false } });
    const archive = await from(`/api/unauth/share/archive?s=${all.token}`);
    const packed = await namesOfZip(Buffer.from(await archive.arrayBuffer()));
    expect(Object.values(packed)).toContain(`content of ${name}`);
    for (const path of Object.keys(packed)) expect(path).not.toMatch(/[:*?"<>|\\]|(^|\/)\.\.?(\/|$)/);
  });

  test.each([
    ['a mark that reverses the text', 'photo\u202egnp.txt'],
    ['an isolate', 'photo\u2066gnp.txt'],
    ['a line break', 'a\r\nContent-Type: text/html.txt'],
    ['a path', '../../etc/passwd.txt'],
    ['a Windows path', '..\\..\\boot.txt'],
    ['too many bytes', `${'充'.repeat(84)}.txt`],
  ])('with %s are refused', async (_, name) => {
    expect([CODES.attachmentName.code, CODES.attachmentNameLong.code, CODES.fieldCharacters.code]).toContain(
      (await upload(name, 'x')).code,
    );
  });

  test('in the database that point out of their folder stay in the archive', async () => {
    const top = await newFolder('Top');
    const inner = await newFolder('Inner', top);
    const file = await upload('passwd.txt', 'harmless');
    const { pool } = server.database;
    await pool.query(`update folders set name = '..' where id = $1`, [inner]);
    await pool.query(`update attachments set folder_id = $1, name = '../../x.txt' where id = $2`, [inner, file.id]);
    const one = await north.data(shareFolder, { params: { id: top }, body: { days: 7, code: false } });
    const archive = await from(`/api/unauth/share/archive?s=${one.token}`);
    expect(await namesOfZip(Buffer.from(await archive.arrayBuffer()))).toEqual({ '_/.._.._x.txt': 'harmless' });
  });
});

describe('content that is something else as well', () => {
  const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const IEND = Buffer.from('0000000049454e44ae426082', 'hex');
  const SCRIPT = '<html><script>top.broken = 1</script></html>';

  test.each([
    ['page.html', SCRIPT],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['page.xhtml', SCRIPT],
    ['page.HTML', SCRIPT],
    ['photo.png', SCRIPT],
    ['photo.png', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
  ])('%s is refused', async (name, content) => {
    const { code } = await upload(name, content);
    expect([CODES.fileType.code, CODES.fileContent.code]).toContain(code);
  });

  test.each([
    ['photo.png', Buffer.concat([PNG, Buffer.from(SCRIPT), IEND]), 'image/png'],
    ['notes.txt', Buffer.from(SCRIPT), 'text/plain; charset=utf-8'],
    ['data.json', Buffer.from(`{"a":"${SCRIPT}"}`), 'text/plain; charset=utf-8'],
    ['manual.pdf', Buffer.from(`%PDF-1.4\n${SCRIPT}\nstartxref\n0\n%%EOF`), 'application/pdf'],
  ])('%s is only ever shown as what it is, to staff and to visitors', async (name, content, type) => {
    const { id, code } = await upload(name, content);
    expect(code).toBe(0);
    const one = await share(id);
    const staff = await north.fetch(`/api/auth/sys/attachments/${id}/content`);
    const preview = await from(`/api/unauth/share/content?s=${one.token}&preview=true`);
    for (const { headers } of [staff, preview]) {
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      // The viewers of browsers for PDF do not run in a sandbox; they have one of their own.
      if (type === 'application/pdf')
        expect(headers.get('content-security-policy')).toContain("frame-ancestors 'self'");
      else expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
    }
    const download = await from(`/api/unauth/share/content?s=${one.token}`);
    const { headers } = download;
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    await Promise.all([staff, preview, download].map((response) => response.arrayBuffer()));
  });
});
