import { randomUUID } from 'node:crypto';
import { attachmentEndpoints, CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { attachmentsRoom } from '../../testing/rooms/attachments-room.ts';
import type { TestServer } from '../../testing/server.ts';

const { readAttachment, registerAttachment, updateAttachment } = attachmentEndpoints;
const { start, upload, added, read, levelsOf, content } = attachmentsRoom();

const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000049454e44ae426082', 'hex');

let server: TestServer;
let north: Client;
let assigned: Client;
let reader: Client;
let south: Client;
let staff: Client;
beforeAll(async () => {
  ({ server, north, assigned, reader, south, staff } = await start());
});
afterAll(() => server.stop());

describe('the content', () => {
  test('is answered in ranges, with an entity tag and without anything that can run', async () => {
    const { id } = await added(north, { bytes: '0123456789' });
    const part = await content(north, id, '', { range: 'bytes=2-4' });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
    const whole = await content(north, id);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      ...{ 'content-type': 'text/plain; charset=utf-8', 'content-length': '10', 'x-content-type-options': 'nosniff' },
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
    });
    expect((await content(north, id, '', { range: 'bytes=10-' })).status).toBe(416);
    const tag = whole.headers.get('etag')!;
    expect((await content(north, id, '', { 'if-none-match': tag })).status).toBe(304);
    const stale = await content(north, id, '', { range: 'bytes=2-4', 'if-range': '"other"' });
    expect([stale.status, await stale.text()]).toEqual([200, '0123456789']);
  });

  test('cannot be read without a session, or directly from the store', async () => {
    const { id } = await added(north);
    const { rows } = await server.database.pool.query('select object_key from attachments where id = $1', [id]);
    const answer = await server.anonymous.fetch(`/api/auth/sys/attachments/${id}/content`);
    expect(await answer.json()).toMatchObject({ code: CODES.notSignedIn.code });
    expect((await fetch(`${server.url}/chargehand/${rows[0].object_key}`)).status).toBe(403);
  });
});

/** Users without a menu that shows files or texts do not read any file. */
async function withoutMenus(id: number): Promise<void> {
  const client = await server.as('northNoMenus');
  await server.database.pool.query('update attachments set read_level = 0 where id = $1', [id]);
  expect(await (await content(client, id)).json()).toMatchObject({ code: CODES.noPermission.code });
  await server.database.pool.query('update attachments set read_level = 1 where id = $1', [id]);
}

describe('a file of a document', () => {
  const category = async () => {
    const names = { nameEn: randomUUID(), nameZh: randomUUID() };
    return (await staff.data(ENDPOINTS.createCategory, { body: { parentId: null, ...names } })).id;
  };
  const document = async (readLevel: 2 | 5) => {
    const body = { name: randomUUID(), type: null, categoryId: await category(), readLevel, writeLevel: 3 } as const;
    return (await staff.data(ENDPOINTS.createDocument, { body: { ...body, locale: 'en-US', title: 'Title' } })).id;
  };
  test('is read by the readers of the document, also when its own level is higher', async () => {
    const documentId = await document(5);
    const { id } = await added(staff, { documentId });
    await staff.data(updateAttachment, { params: { id }, body: { readLevel: 1, downloadLevel: 1 } });
    expect(await reader.call(readAttachment, { params: { id } })).toMatchObject({ code: CODES.notFound.code });
    expect(await (await content(reader, id)).text()).toBe('Some text.\n');
    expect(await (await content(reader, id, '?download=true')).text()).toBe('Some text.\n');
    await withoutMenus(id);
    expect((await read(staff, id)).usedBy).toEqual([{ kind: 'document', id: documentId, name: 'Title' }]);
    await staff.data(ENDPOINTS.disableDocument, { params: { id: documentId }, body: {} });
    expect(await (await content(reader, id)).json()).toMatchObject({ code: CODES.notFound.code });
  });

  test('has the levels of the document and is added only by its authors', async () => {
    const documentId = await document(2);
    const { id } = await added(staff, { documentId });
    expect(await levelsOf(staff, id)).toEqual([2, 3, 2]);
    expect(await (await content(reader, id)).json()).toMatchObject({ code: CODES.notFound.code });
    const body = { key: await upload(reader), name: 'a.txt', documentId };
    expect(await reader.call(registerAttachment, { body })).toMatchObject({ code: CODES.notFound.code });
  });

  test('has a type and size that documents allow: images up to 20 MB, no logs', async () => {
    const documentId = await document(5);
    const image = Buffer.concat([PNG, Buffer.alloc(20 * 1024 * 1024 + 1), PNG]);
    const large = { key: await upload(staff, image, 'png'), name: 'large.png' };
    const refused = await staff.call(registerAttachment, { body: { ...large, documentId } });
    expect(refused).toMatchObject({ code: CODES.fileTooLarge.code });
    expect(refused.message).toContain('20 MB');
    const log = { key: await upload(staff, 'Some text.', 'log'), name: 'a.log' };
    const other = await staff.call(registerAttachment, { body: { ...log, documentId } });
    expect(other).toMatchObject({ code: CODES.fileType.code, field: 'name' });
    // In the list of attachments both are allowed.
    for (const body of [large, log]) expect((await added(staff, body)).name).toBe(body.name);
    expect((await added(staff, { name: 'small.png', bytes: PNG, documentId })).name).toBe('small.png');
  });

  describe('in a text', () => {
    const locale = 'en-US' as const;
    const southDocument = async () => {
      const body = {
        name: randomUUID(),
        type: null,
        categoryId: await category(),
        readLevel: 5,
        writeLevel: 3,
      } as const;
      const customerId = server.world.customers.south;
      return (await staff.data(ENDPOINTS.createDocument, { body: { ...body, customerId, locale, title: 'Title' } })).id;
    };
    const save = async (client: Client, id: number, baseVersion: number, files: number[], title = 'Title') => {
      const content = files.map((file) => ({ type: 'attachment', attrs: { file: String(file), name: 'a.txt' } }));
      const body = { title, description: '', baseVersion, body: { type: 'doc' as const, content } };
      const answer = await client.data(ENDPOINTS.saveText, { params: { id, locale }, body });
      return 'files' in answer ? answer.files : null;
    };
    const opens = async (client: Client, id: number) => (await (await content(client, id)).text()) === 'Some text.\n';
    const restore = async (client: Client, id: number, version: number) =>
      (await client.data(ENDPOINTS.restoreVersion, { params: { id, locale, version }, body: {} })).files;

    test('that names it without a right to it does not publish it, even if another person saves or restores the text later', async () => {
      const secret = await added(north, { readLevel: 1 });
      const planted = await southDocument();
      expect(await save(south, planted, 1, [secret.id])).toMatchObject({ opened: [], withheld: 1 });
      expect(await save(staff, planted, 2, [secret.id], 'Corrected')).toMatchObject({ opened: [], withheld: 1 });
      expect(await save(staff, planted, 3, [])).toMatchObject({ withheld: 0, ended: 0 });
      expect(await restore(staff, planted, 2)).toMatchObject({ opened: [], withheld: 1 });
      expect(await opens(south, secret.id)).toBe(false);
    });

    test('is given by the author who adds it, and closed again with the reference and with the document', async () => {
      const file = await added(staff, { name: 'plan.txt', readLevel: 1 });
      const id = await southDocument();
      expect(await save(staff, id, 1, [file.id])).toEqual({ opened: [file.name], withheld: 0, ended: 0 });
      expect(await opens(south, file.id)).toBe(true);
      expect(await opens(north, file.id)).toBe(false);
      await staff.data(ENDPOINTS.disableDocument, { params: { id }, body: {} });
      expect(await opens(south, file.id)).toBe(false);
      await staff.data(ENDPOINTS.enableDocument, { params: { id }, body: {} });
      expect(await opens(south, file.id)).toBe(true);
      expect(await save(south, id, 2, [])).toEqual({ opened: [], withheld: 0, ended: 1 });
      expect(await opens(south, file.id)).toBe(false);
      expect(await restore(south, id, 2)).toEqual({ opened: [], withheld: 1, ended: 0 });
      expect(await opens(south, file.id)).toBe(false);
      expect(await restore(staff, id, 2)).toEqual({ opened: [file.name], withheld: 0, ended: 0 });
      expect(await opens(south, file.id)).toBe(true);
    });
  });

  test('is no longer linked when the document was deleted', async () => {
    const documentId = await document(5);
    const { id } = await added(staff, { documentId });
    await staff.data(ENDPOINTS.deleteDocument, { params: { id: documentId } });
    await server.sweep();
    expect((await read(staff, id)).uses).toBe(0);
  });
});

test('a file has a random ID, and addresses with the number that it had before open it for its readers', async () => {
  const { id } = await added(north);
  expect(id).toBeGreaterThan(2 ** 52);
  const { pool } = server.database;
  const { rows } = await pool.query('select added from attachments where id = $1', [id]);
  const number = rows[0].added;
  const refused = { code: CODES.notFound.code };
  expect(await (await content(north, number)).json()).toMatchObject(refused);
  await pool.query('update attachments set numbered = true where id = $1', [id]);
  expect(await (await content(north, number)).text()).toBe('Some text.\n');
  expect((await read(north, number)).id).toBe(id);
  expect(await (await content(south, number)).json()).toMatchObject(refused);
});

test('a file of a device is read by everyone who sees the device, at its present place', async () => {
  const { devices } = server.world;
  const { id } = await added(north, { deviceId: devices.northMill1.id, readLevel: 1, downloadLevel: 1 });
  expect(await reader.call(readAttachment, { params: { id } })).toMatchObject({ code: CODES.notFound.code });
  expect(await (await content(reader, id)).text()).toBe('Some text.\n');
  await withoutMenus(id);
  for (const other of [assigned, south])
    expect(await (await content(other, id)).json()).toMatchObject({ code: CODES.notFound.code });
  expect((await read(north, id)).usedBy).toMatchObject([{ kind: 'device', id: devices.northMill1.id }]);
  const body = { key: await upload(south), name: 'a.txt', deviceId: devices.northMill1.id };
  expect(await south.call(registerAttachment, { body })).toMatchObject({ code: CODES.notFound.code });
});
