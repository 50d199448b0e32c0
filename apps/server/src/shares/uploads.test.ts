import { randomBytes, randomUUID } from 'node:crypto';
import {
  attachmentEndpoints,
  type BodyOf,
  CODES,
  folderEndpoints,
  publicShareEndpoints,
  type SharedUpload,
  type ShareRow,
  shareEndpoints,
} from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { mailsTo } from '../testing/mails/outbox.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const { requestUploads, readShare, destroyShare, listShareUses } = shareEndpoints;
const { startSharedUpload, readSharedUpload, openShare } = publicShareEndpoints;

let server: TestServer;
let north: Client;
let folderId: number;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  north = await server.as('northAdmin');
  folderId = (await north.data(folderEndpoints.createFolder, { body: { name: 'Photos of installers' } })).id;
  await server.database.pool.query(`update users set email = 'north@example.org' where id = $1`, [
    server.world.users.northAdmin,
  ]);
});
afterAll(() => server.stop());

const request = (more: Partial<BodyOf<typeof requestUploads>> = {}) =>
  north.data(requestUploads, { params: { id: folderId }, body: { days: 7, code: false, ...more } });
const begin = ({ token }: ShareRow, name: string, size: number, uploader = 'Li Wei') =>
  server.anonymous.call(startSharedUpload, { body: { s: token ?? '', name, size, uploader } });

/** Sends a part and returns the envelope. */
async function send({ token }: ShareRow, id: string, offset: number, bytes: Uint8Array) {
  const response = await server.anonymous.fetch(`/api/unauth/share/uploads/${id}?s=${token}&offset=${offset}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: Buffer.from(bytes),
  });
  return (await response.json()) as { code: number; data: SharedUpload };
}

test('a visitor uploads a file in parts, across a restart, and the folder has it with their name', async () => {
  const share = await request();
  const text = Buffer.from(randomBytes(300_000).toString('hex'));
  const { data: upload } = await begin(share, '照片 1.txt', text.length);
  expect(await send(share, upload.id, 0, text.subarray(0, 250_000))).toMatchObject({ data: { received: 250_000 } });
  expect(await send(share, upload.id, 0, text.subarray(0, 100))).toMatchObject({ code: CODES.shareUploadPart.code });
  await server.restart();
  const query = { s: share.token ?? '' };
  expect(await server.anonymous.data(readSharedUpload, { params: { id: upload.id }, query })).toMatchObject({
    received: 250_000,
    done: false,
  });
  expect(await send(share, upload.id, 250_000, text.subarray(250_000))).toMatchObject({
    code: 0,
    data: { done: true },
  });
  const { items } = await north.data(attachmentEndpoints.listAttachments, { query: { folderId } });
  const [file] = items.filter(({ name }) => name === '照片 1.txt');
  expect(file).toMatchObject({ size: text.length, uploadedBy: 'Li Wei' });
  const content = await north.fetch(`/api/auth/sys/attachments/${file?.id}/content?download=true`);
  expect(Buffer.from(await content.arrayBuffer()).equals(text)).toBe(true);
  const [use] = (await north.data(listShareUses, { params: { id: share.id } })).items;
  expect(use).toMatchObject({ kind: 'upload', state: 'complete', moved: text.length });
  const mails = await mailsTo(server.database.db, 'north@example.org');
  expect(mails[0]?.body_text).toContain('照片 1.txt');
  const left = await server.database.pool.query(`select key from stored_objects where key like 'document/shares/%'`);
  expect(left.rows).toEqual([]);
});

test('the page of an upload request shows no files, and gives none', async () => {
  const share = await request({ note: 'Please send photos.' });
  const opened = await server.anonymous.data(openShare, { query: { s: share.token ?? '' } });
  expect(opened.content).toMatchObject({ kind: 'upload', note: 'Please send photos.', preview: null });
  const listed = await server.anonymous.fetch(`/api/unauth/share/entries?s=${share.token}`);
  expect(await listed.json()).toMatchObject({ code: CODES.shareUploadOnly.code });
});

test('the numbers and sizes of files are limited, also for uploads at the same time', async () => {
  const few = await request({ useLimit: 2 });
  const codes = await Promise.all(Array.from({ length: 6 }, async () => (await begin(few, 'a.txt', 10)).code));
  expect(codes.filter((code) => code === 0)).toHaveLength(2);
  const small = await request({ byteLimit: 2_000 });
  expect((await begin(small, 'a.txt', 1_500)).code).toBe(0);
  expect(await begin(small, 'a.txt', 600)).toMatchObject({ code: CODES.shareUploadsFull.code });
  expect((await north.data(readShare, { params: { id: small.id } })).bytes).toBe(1_500);
});

test.each([
  ['page.html', '<html>', CODES.fileType.code],
  ['no extension', 'x', CODES.fileNameless.code],
  ['empty.txt', '', CODES.fileEmpty.code],
  ['a/b.txt', 'x', CODES.attachmentName.code],
])('the file %j is refused before it is sent', async (name, content, code) => {
  const share = await request();
  expect(await begin(share, name, content.length)).toMatchObject({ code });
  expect((await north.data(readShare, { params: { id: share.id } })).uses).toBe(0);
});

test('a file with other content than its name says is refused, and does not count', async () => {
  const share = await request();
  const { data: upload } = await begin(share, 'photo.png', 20);
  expect(await send(share, upload.id, 0, Buffer.from('<script>alert(1)</sc'))).toMatchObject({
    code: CODES.fileContent.code,
  });
  expect((await north.data(readShare, { params: { id: share.id } })).uses).toBe(0);
});

test.each([
  ['before its object is moved', 'insert on attachment_arrivals for each row'],
  ['before its row is stored', 'update on share_uploads for each row when (new.done)'],
])('a complete upload that is interrupted %s is continued, and leaves nothing behind', async (_, event) => {
  const { pool } = server.database;
  const share = await request();
  const objects = async () => (await pool.query(`select key from stored_objects`)).rows;
  const before = await objects();
  const name = `${randomUUID()}.txt`;
  const { data: upload } = await begin(share, name, 10);
  await pool.query(`
    create function interrupt() returns trigger language plpgsql as $$ begin raise 'interrupted'; end $$;
    create trigger interrupt before ${event} execute function interrupt()`);
  expect((await send(share, upload.id, 0, Buffer.from('0123456789'))).code).not.toBe(0);
  await pool.query('drop function interrupt cascade');
  await server.restart();
  // The visitor's browser reads how much has arrived, and asks for the end of the upload.
  const query = { s: share.token ?? '' };
  const params = { id: upload.id };
  expect(await server.anonymous.data(readSharedUpload, { params, query })).toMatchObject({ received: 10, done: false });
  expect(await send(share, upload.id, 10, Buffer.alloc(0))).toMatchObject({ code: 0, data: { done: true } });
  const { items } = await north.data(attachmentEndpoints.listAttachments, { query: { folderId, search: name } });
  expect(items.map((file) => file.name)).toEqual([name]);
  expect(await objects()).toHaveLength(before.length + 1);
});

test('a file without space is refused before it is sent, and of two that fit alone only one is announced', async () => {
  const staff = await server.as('vendorStaff');
  const { north: customerId } = server.world.customers;
  const { used, limit } = await north.data(attachmentEndpoints.readQuota);
  const setQuota = (bytes: number) => staff.data(attachmentEndpoints.setQuota, { body: { customerId, bytes } });
  await setQuota(used + 1_500);
  // Announced by other tests.
  await server.database.pool.query('delete from share_uploads where not done');
  const share = await request();
  const refused = await begin(share, 'large.txt', 2_000);
  expect(refused.code).toBe(CODES.shareSpaceFull.code);
  expect(refused.message).toContain(formatSize(2_000));
  expect(refused.message).toContain(formatSize(1_500));
  const two = await Promise.all(['a', 'b'].map((name) => begin(share, `${randomUUID()} ${name}.txt`, 1_000)));
  expect(two.map(({ code }) => code).sort((one, other) => one - other)).toEqual([0, CODES.shareSpaceFull.code]);
  const { data: announced } = two.find(({ code }) => code === 0)!;
  expect((await send(share, announced.id, 0, Buffer.alloc(1_000, 'x'))).code).toBe(0);
  expect((await north.data(attachmentEndpoints.readQuota)).used).toBe(used + 1_000);
  expect((await north.data(readShare, { params: { id: share.id } })).uses).toBe(1);
  await setQuota(limit);
});

test('an upload ends with its request, and another request does not continue it', async () => {
  const share = await request();
  const { data: upload } = await begin(share, 'a.txt', 10);
  expect((await send(await request(), upload.id, 0, Buffer.from('12345'))).code).toBe(CODES.notFound.code);
  await north.data(destroyShare, { params: { id: share.id } });
  expect((await send(share, upload.id, 0, Buffer.from('12345'))).code).toBe(CODES.shareDestroyed.code);
});

test('uploads that were not continued for a day are removed and no longer count', async () => {
  const share = await request();
  const { data: upload } = await begin(share, `${randomUUID()}.txt`, 10);
  await send(share, upload.id, 0, Buffer.from('12345'));
  await server.database.pool.query(`update share_uploads set active_at = now() - interval '25 hours'`);
  await server.sweep();
  expect((await north.data(readShare, { params: { id: share.id } })).uses).toBe(0);
  const left = await server.database.pool.query(`select key from stored_objects where key like 'document/shares/%'`);
  expect(left.rows).toEqual([]);
});

test('an upload that is not started gives its space back after minutes, one that was started does not', async () => {
  const share = await request();
  const [idle, started] = [
    await begin(share, `${randomUUID()}.txt`, 10),
    await begin(share, `${randomUUID()}.txt`, 10),
  ];
  await send(share, started.data.id, 0, Buffer.from('12345'));
  const isThere = async ({ data: { id } }: typeof idle) =>
    (await server.anonymous.call(readSharedUpload, { params: { id }, query: { s: share.token ?? '' } })).code === 0;
  const silent = (minutes: number) =>
    server.database.pool.query('update share_uploads set active_at = now() - make_interval(mins => $1)', [minutes]);
  await silent(9);
  await server.sweep();
  expect([await isThere(idle), await isThere(started)]).toEqual([true, true]);
  await silent(11);
  await server.sweep();
  expect([await isThere(idle), await isThere(started)]).toEqual([false, true]);
  expect((await north.data(readShare, { params: { id: share.id } })).uses).toBe(1);
});
