import { randomUUID } from 'node:crypto';
import { attachmentEndpoints, type BodyOf, CODES, folderEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { incomingArea } from '../testing/files/incoming.ts';
import { attachmentsRoom } from '../testing/rooms/attachments-room.ts';
import type { TestServer } from '../testing/server.ts';

const {
  listAttachments,
  readAttachment,
  registerAttachment,
  registerAttachments,
  updateAttachment,
  moveAttachment,
  copyAttachment,
  deleteAttachment,
  deleteAttachments,
  readQuota,
  setQuota,
  selectAttachments,
} = attachmentEndpoints;
const { updateFolder, listFolders } = folderEndpoints;
const { start, upload, added, folder, read, levelsOf, content } = attachmentsRoom();

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

describe('an upload', () => {
  test('becomes a file with its name, size, uploader and content', async () => {
    const { id } = await added(north, { name: '手册 v2.txt', bytes: 'Grüße', description: 'A manual' });
    expect(await read(north, id)).toMatchObject({
      ...{ name: '手册 v2.txt', size: 7, mediaType: 'text/plain; charset=utf-8', type: 'normal', folderId: null },
      ...{ customerId: server.world.customers.north, uploadedBy: 'north_admin', description: 'A manual' },
      ...{ scan: 'unscanned', uses: 0, usedBy: [], path: [], may: { write: true, download: true } },
    });
    const answer = await content(north, id, '?download=true');
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="__ v2.txt"; filename*=UTF-8''${encodeURIComponent('手册 v2.txt')}`,
    );
    expect(await answer.text()).toBe('Grüße');
  });

  test('is registered once: the same call again, also at the same time, answers the same file', async () => {
    const folderId = await folder(north);
    const body = { key: await upload(north, 'once'), name: 'once.txt', folderId };
    const call = () => north.data(registerAttachment, { body });
    const all = await Promise.all([call(), call(), call()]);
    all.push(await call());
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
    expect(new Set(all.map(({ name }) => name))).toEqual(new Set(['once.txt']));
    expect((await north.data(listAttachments, { query: { folderId } })).total).toBe(1);
    const logged = await server.database.pool.query(
      `select from action_logs where object_type = 'attachment' and object_id = $1`,
      [String(all[0]!.id)],
    );
    expect(logged.rows).toHaveLength(1);
    const { rows } = await server.database.pool.query('select from stored_objects where key = $1', [body.key]);
    expect(rows).toEqual([]);
  });

  test('is registered with others at once: each has its own result and its entry in the log', async () => {
    const folderId = await folder(north);
    const files = [
      { key: await upload(north, 'one'), name: 'one.txt' },
      { key: 'document/incoming/u1/missing.txt', name: 'missing.txt' },
      { key: await upload(north, 'two'), name: 'one.txt' },
    ];
    const { results } = await north.data(registerAttachments, { body: { folderId, files } });
    expect(results).toEqual([
      { code: 0, message: '', name: 'one.txt' },
      { code: CODES.fileUnknown.code, message: expect.any(String), name: 'missing.txt' },
      { code: 0, message: '', name: 'one (2).txt' },
    ]);
    const { items } = await north.data(listAttachments, { query: { folderId } });
    expect(items.map(({ name }) => name).sort()).toEqual(['one (2).txt', 'one.txt']);
    const logged = await server.database.pool.query(
      `select from action_logs where object_type = 'attachment' and object_id = any($1)`,
      [items.map(({ id }) => String(id))],
    );
    expect(logged.rows).toHaveLength(2);
    const elsewhere = await south.call(registerAttachments, { body: { folderId, files } });
    expect(elsewhere.code).not.toBe(0);
  });

  test('with the key of an earlier one is another file', async () => {
    const { s3, key, address } = await incomingArea(server.url, north);
    const put = (body: string) => s3.fetch(address, { method: 'PUT', body });
    await put('first');
    const first = await added(north, { key, name: 'first.txt' });
    await put('second');
    const second = await added(north, { key, name: 'second.txt' });
    expect(await (await content(north, first.id)).text()).toBe('first');
    expect(await (await content(north, second.id)).text()).toBe('second');
    expect(second.id).not.toBe(first.id);
  });

  test('that was moved by a killed registration is registered by the next one', async () => {
    const key = await upload(north, 'moved');
    const { pool } = server.database;
    // The state after a kill between the move and the row: registered, and then without its row.
    const killed = await added(north, { key, name: 'moved.txt' });
    await pool.query('update attachment_arrivals set attachment_id = null where upload_key = $1', [key]);
    await pool.query('delete from attachments where id = $1', [killed.id]);
    await pool.query(
      `update stored_objects o set modified_at = now() - interval '25 hours'
         from attachment_arrivals r where r.upload_key = $1 and o.key = r.object_key`,
      [key],
    );
    await server.sweep();
    const { id } = await added(north, { key, name: 'moved.txt' });
    expect(await (await content(north, id)).text()).toBe('moved');
  });

  test('that is never registered again leaves nothing', async () => {
    const key = await upload(north, 'left');
    const { pool } = server.database;
    const { id } = await added(north, { key });
    const { rows } = await pool.query(
      `update attachment_arrivals set attachment_id = null, created_at = now() - interval '25 hours'
        where upload_key = $1 returning object_key`,
      [key],
    );
    await pool.query('delete from attachments where id = $1', [id]);
    await pool.query(`update stored_objects set modified_at = now() - interval '25 hours' where key = $1`, [
      rows[0].object_key,
    ]);
    await server.sweep();
    expect((await pool.query('select from stored_objects where key = $1', [rows[0].object_key])).rows).toEqual([]);
    expect((await pool.query('select from attachment_arrivals where upload_key = $1', [key])).rows).toEqual([]);
    expect(await north.call(registerAttachment, { body: { key, name: 'left.txt' } })).toMatchObject({
      code: CODES.fileUnknown.code,
    });
  });

  test.each([
    ['of another user', async () => upload(south)],
    ['outside the incoming area', async () => 'attachments/a.txt'],
    [
      'with dots out of the incoming area',
      async () => {
        const key = await upload(north);
        return key.replace(/[^/]+$/, '../../../attachments/x.txt');
      },
    ],
    ['that does not exist', async () => `document/incoming/u${server.world.users.northAdmin}/none.txt`],
  ])('%s is refused', async (_, keyOf) => {
    const answer = await north.call(registerAttachment, { body: { key: await keyOf(), name: 'a.txt' } });
    expect(answer).toMatchObject({ code: CODES.fileUnknown.code, field: 'key' });
  });

  test.each([
    ['../../etc/passwd.txt', 'attachmentName'],
    ['a\\b.txt', 'attachmentName'],
    ['photo\u202Etxt.png', 'attachmentName'],
    ['..', 'attachmentName'],
    ['noextension', 'fileNameless'],
    [`${'名'.repeat(90)}.txt`, 'attachmentNameLong'],
    ['script.html', 'fileType'],
    ['drawing.svg', 'fileType'],
    ['program.exe', 'fileType'],
  ] as const)('named %j is refused with %s', async (name, code) => {
    const answer = await north.call(registerAttachment, { body: { key: await upload(north), name } });
    // Marks of the writing direction are refused in every input.
    expect([CODES[code].code, CODES.fieldCharacters.code]).toContain(answer.code);
  });

  test.each([
    ['HTML in a picture', 'x.png', '<html><script>alert(1)</script>'],
    ['SVG in a picture', 'x.jpg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['a program in a text', 'x.txt', Buffer.from('4d5a90000300000004000000ffff0000', 'hex')],
    ['a picture in a PDF', 'x.pdf', PNG],
  ])('with %s is refused', async (_, name, bytes) => {
    const answer = await north.call(registerAttachment, { body: { key: await upload(north, bytes), name } });
    expect(answer).toMatchObject({ code: CODES.fileContent.code });
  });

  test('of names that exist gets a counter, whatever the case and the form of the letters', async () => {
    const folderId = await folder(north);
    const names = ['Énergie.pdf', 'E\u0301nergie.pdf', 'éNERGIE.PDF', 'Énergie (2).pdf'];
    const given: string[] = [];
    for (const name of names)
      given.push((await added(north, { folderId, name, bytes: '%PDF-1.7\nstartxref\n0\n%%EOF' })).name);
    expect(given).toEqual(['Énergie.pdf', 'Énergie (2).pdf', 'éNERGIE (3).PDF', 'Énergie (2) (2).pdf']);
  });

  test('at the same time with the same name all get different names', async () => {
    const folderId = await folder(north);
    const all = await Promise.all(Array.from({ length: 8 }, () => added(north, { folderId, name: 'same.txt' })));
    expect(new Set(all.map(({ name }) => name)).size).toBe(8);
  });

  test('beyond the space of the customer is refused', async () => {
    const { south: customerId } = server.world.customers;
    await added(south, { bytes: 'x'.repeat(1_000) });
    const { used } = await south.data(readQuota);
    await staff.data(setQuota, { body: { customerId, bytes: used + 1_500 } });
    // Each of the two fits alone.
    const keys = await Promise.all(['x', 'y'].map((letter) => upload(south, letter.repeat(1_000))));
    const answers = await Promise.all(
      keys.map((key) => south.call(registerAttachment, { body: { key, name: 'a.txt' } })),
    );
    expect(answers.map(({ code }) => code).sort((one, other) => one - other)).toEqual([0, CODES.attachmentQuota.code]);
    expect(answers.find(({ code }) => code !== 0)?.message).toMatch(/1,000 Bytes needed, but only 500 Bytes/);
    expect(await south.data(readQuota)).toMatchObject({ used: used + 1_000, limit: used + 1_500 });
  });
});

test('the space of the platform has its own files, and is read by its vendor only', async () => {
  const before = await staff.data(readQuota, { query: { platform: true } });
  expect(before).toMatchObject({ customerId: null });
  await added(staff, { bytes: 'x'.repeat(1_000), customerId: null });
  await added(staff, { bytes: 'x'.repeat(500) });
  expect(await staff.data(readQuota, { query: { platform: true } })).toEqual({
    ...before,
    ...{ files: before.files + 1, used: before.used + 1_000 },
  });
  expect(await north.call(readQuota, { query: { platform: true } })).toMatchObject({ code: CODES.noPermission.code });
});

describe('levels', () => {
  test("of a file are at least its folder's, also after a move and never lower again", async () => {
    const strict = await folder(north, { readLevel: 2, writeLevel: 2, downloadLevel: 1 });
    const { id } = await added(north, { name: 'levels.txt' });
    expect(await levelsOf(north, id)).toEqual([5, 4, 5]);
    await north.data(moveAttachment, { params: { id }, body: { folderId: strict } });
    expect(await levelsOf(north, id)).toEqual([2, 2, 1]);
    await north.data(moveAttachment, { params: { id }, body: { folderId: null } });
    expect(await levelsOf(north, id)).toEqual([2, 2, 1]);
  });

  test("cannot be set lower than the folder's, or to one that the user does not hold", async () => {
    const strict = await folder(north, { readLevel: 2 });
    const { id } = await added(north, { folderId: strict });
    const update = (body: BodyOf<typeof updateAttachment>) => north.call(updateAttachment, { params: { id }, body });
    const below = CODES.attachmentLevelBelowFolder.code;
    expect(await update({ readLevel: 3 })).toMatchObject({ code: below, field: 'readLevel' });
    expect(await update({ readLevel: 0 })).toMatchObject({
      code: CODES.attachmentLevelExceeds.code,
      field: 'readLevel',
    });
    expect(await update({ readLevel: 1 })).toMatchObject({ code: 0 });
    const key = await upload(north);
    const body = { key, name: 'a.txt', folderId: strict, readLevel: 5 } as const;
    expect(await north.call(registerAttachment, { body })).toMatchObject({ code: below });
  });

  test('of a folder that become higher are applied to everything in it', async () => {
    const top = await folder(north);
    const inner = await folder(north, { folderId: top });
    const { id } = await added(north, { folderId: inner });
    await north.data(updateFolder, { params: { id: top }, body: { readLevel: 3, downloadLevel: 2 } });
    expect(await levelsOf(north, id)).toEqual([3, 4, 2]);
  });

  test('hide a file from users with a lower one, in the list and by id', async () => {
    const { id, name } = await added(north, { readLevel: 4 });
    const list = (client: Client) => client.data(listAttachments, { query: { search: name } });
    expect((await list(north)).total).toBe(1);
    expect((await list(reader)).total).toBe(0);
    expect(await reader.call(readAttachment, { params: { id } })).toMatchObject({ code: CODES.notFound.code });
    expect(await (await content(reader, id)).json()).toMatchObject({ code: CODES.notFound.code });
  });

  test('of a copy are at least those of the file', async () => {
    const { id } = await added(north, { readLevel: 2, downloadLevel: 2 });
    const open = await folder(north);
    const copy = await north.data(copyAttachment, { params: { id }, body: { folderId: open } });
    expect(await levelsOf(north, copy.id)).toEqual([2, 4, 2]);
    expect(await (await content(north, copy.id)).text()).toBe('Some text.\n');
  });

  test('separate displaying from downloading', async () => {
    const { id } = await added(north, { downloadLevel: 1 });
    expect((await content(reader, id)).headers.get('content-disposition')).toMatch(/^inline/);
    expect(await (await content(reader, id, '?download=true')).json()).toMatchObject({ code: CODES.noPermission.code });
    const zip = await added(north, { name: 'a.zip', bytes: `PK\u0005\u0006${'\0'.repeat(18)}`, downloadLevel: 1 });
    expect(await (await content(reader, zip.id)).json()).toMatchObject({ code: CODES.noPermission.code });
  });
});

describe('a customer', () => {
  test('never sees the files and folders of another one', async () => {
    const folderId = await folder(north);
    const { id, name } = await added(north, { folderId });
    expect((await south.data(listAttachments, { query: { search: name, below: true } })).total).toBe(0);
    expect((await south.data(listFolders)).items.map((one) => one.id)).not.toContain(folderId);
    const missing = { code: CODES.notFound.code };
    expect(await south.call(readAttachment, { params: { id } })).toMatchObject(missing);
    expect(await south.call(deleteAttachment, { params: { id } })).toMatchObject(missing);
    expect(await (await content(south, id)).json()).toMatchObject(missing);
    const key = await upload(south);
    expect(await south.call(registerAttachment, { body: { key, name: 'a.txt', folderId } })).toMatchObject(missing);
    const own = await added(south, { bytes: '' + 'a' });
    const moved = await south.call(moveAttachment, { params: { id: own.id }, body: { folderId } });
    expect(moved).toMatchObject({ code: CODES.attachmentFolderUnknown.code });
    const { north: customerId } = server.world.customers;
    expect(await south.call(registerAttachment, { body: { key, name: 'a.txt', customerId } })).toMatchObject({
      code: CODES.noPermission.code,
    });
  });

  test('cannot change files of the platform, which everyone reads', async () => {
    const { id } = await added(staff, { customerId: null });
    expect((await content(south, id)).status).toBe(200);
    expect((await read(south, id)).may.write).toBe(false);
    expect(await south.call(deleteAttachment, { params: { id } })).toMatchObject({ code: CODES.noPermission.code });
    const body = { key: await upload(south), name: 'a.txt', customerId: null };
    expect(await south.call(registerAttachment, { body })).toMatchObject({ code: CODES.noPermission.code });
  });

  test('does not find the pictures of documents of the platform among its files', async () => {
    const { id, name } = await added(staff, { customerId: null });
    const total = async (client: Client) =>
      (await client.data(listAttachments, { query: { search: name, below: true } })).total;
    expect(await total(south)).toBe(1);
    await server.database.pool.query(
      `insert into attachment_uses (attachment_id, kind, object_id) values ($1, 'document', 1)`,
      [id],
    );
    expect([await total(south), await total(staff)]).toEqual([0, 1]);
  });

  test('that is read-only: its users may not change its files', async () => {
    const readOnly = await server.as('readOnlyAdmin');
    const name = `${randomUUID()}.txt`;
    const { id } = await added(staff, { name, customerId: server.world.customers.readOnly });
    expect((await read(readOnly, id)).may).toEqual({ write: false, download: true });
    expect((await readOnly.data(selectAttachments, { query: { search: name } })).items).toEqual([]);
    expect((await staff.data(selectAttachments, { query: { search: name } })).items).toEqual([{ id, name }]);
  });

  test('keeps its files when they are moved: another customer gets a copy', async () => {
    const theirs = await folder(staff, { customerId: server.world.customers.south });
    const { id } = await added(north);
    const move = await staff.call(moveAttachment, { params: { id }, body: { folderId: theirs } });
    expect(move).toMatchObject({ code: CODES.attachmentOtherCustomer.code });
  });
});

test('all matching files that the caller may change are selected, with their names', async () => {
  const names = async (client: Client, query: object) =>
    (await client.data(selectAttachments, { query })).items.map(({ name }) => name);
  const folderId = await folder(north);
  const inside = await folder(north, { folderId });
  const mine = await added(north, { folderId, name: 'chosen 1.txt' });
  const deeper = await added(north, { folderId: inside, name: 'chosen 2.txt' });
  await added(north, { folderId, name: 'chosen 3.txt', writeLevel: 1 });
  await added(north, { name: 'chosen 4.txt' });
  await added(south, { name: 'chosen 5.txt' });
  await added(staff, { name: 'chosen 6.txt', customerId: null });
  await server.database.pool.query(
    `insert into device_logs (device_id, type, file_name, object_key, size, sha256, requested_by_name)
     values ($1, 'diagnostics', 'chosen 7.log', $2, 4, $3, 'somebody')`,
    [server.world.devices.northQuay1.id, `logs/${randomUUID()}`, '0'.repeat(64)],
  );
  const search = 'chosen';
  expect(await names(north, { folderId })).toEqual(['chosen 1.txt', 'chosen 3.txt']);
  expect(await names(north, { folderId, below: true })).toEqual([1, 2, 3].map((number) => `chosen ${number}.txt`));
  expect(await names(north, { below: true, search })).toEqual([1, 2, 3, 4].map((number) => `chosen ${number}.txt`));
  expect(await names(south, { below: true, search })).toEqual(['chosen 5.txt']);
  expect(await names(reader, { below: true, search })).toEqual([]);
  await north.data(deleteAttachments, { body: { ids: [mine.id, deeper.id] } });
  expect(await names(north, { trash: true, search })).toEqual(['chosen 1.txt', 'chosen 2.txt']);
  expect(await names(north, { below: true, search })).toEqual(['chosen 3.txt', 'chosen 4.txt']);
  await server.database.pool.query(`delete from device_logs where file_name = 'chosen 7.log'`);
});

test('device logs and firmware are in the list, and are changed on their own pages', async () => {
  const { devices } = server.world;
  const log = (site: 'northQuay1' | 'northMill1', name: string) =>
    server.database.pool.query(
      `insert into device_logs (device_id, type, file_name, object_key, size, sha256, requested_by_name)
       values ($1, 'diagnostics', $2, $3, 4, $4, 'somebody')`,
      [devices[site].id, name, `logs/${randomUUID()}`, '0'.repeat(64)],
    );
  await log('northQuay1', 'quay.log');
  await log('northMill1', 'mill.log');
  const list = async (client: Client) =>
    (await client.data(listAttachments, { query: { type: 'log', below: true } })).items;
  expect((await list(north)).map(({ name }) => name)).toEqual(['mill.log', 'quay.log']);
  expect((await list(assigned)).map(({ name }) => name)).toEqual(['quay.log']);
  expect(await list(south)).toEqual([]);
  const [{ id, managedBy, may }] = (await list(assigned)) as [Awaited<ReturnType<typeof list>>[number]];
  expect([managedBy, may.write]).toEqual(['deviceLog', false]);
  expect(await north.call(deleteAttachment, { params: { id } })).toMatchObject({ code: CODES.attachmentManaged.code });
  await server.database.pool.query('delete from device_logs where file_name = $1', ['quay.log']);
  expect(await list(assigned)).toEqual([]);
});
