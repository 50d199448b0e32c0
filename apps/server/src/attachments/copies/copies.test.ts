import { randomUUID } from 'node:crypto';
import { attachmentEndpoints, type BodyOf, CODES, folderEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { uploadIncoming } from '../../testing/files/incoming.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { copyAttachment, deleteAttachment, emptyTrash, listAttachments, readAttachment, readQuota, registerAttachment } =
  attachmentEndpoints;
const { setQuota, updateAttachment } = attachmentEndpoints;
const { copyFolder, createFolder, listFolders, updateFolder } = folderEndpoints;

let server: TestServer;
let north: Client;
let south: Client;
let staff: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  [north, south, staff] = (await Promise.all(
    (['northAdmin', 'southAdmin', 'vendorStaff'] as const).map((one) => server.as(one)),
  )) as [Client, Client, Client];
});
afterAll(() => server.stop());

async function added(
  client: Client,
  { bytes, ...entered }: Partial<BodyOf<typeof registerAttachment>> & { bytes?: string } = {},
): Promise<number> {
  const key = await uploadIncoming(server.url, client, bytes);
  const body = { key, name: `${randomUUID()}.txt`, ...entered };
  return (await client.data(registerAttachment, { body })).id;
}

async function folder(client: Client, entered: Partial<BodyOf<typeof createFolder>> = {}): Promise<number> {
  return (await client.data(createFolder, { body: { name: randomUUID(), ...entered } })).id;
}

const copyOf = (client: Client, id: number, folderId: number | null) =>
  client.call(copyFolder, { params: { id }, body: { folderId } });
const filesIn = async (client: Client, folderId: number) =>
  (await client.data(listAttachments, { query: { folderId, below: true } })).items;
const textOf = async (client: Client, id: number) =>
  await (await client.fetch(`/api/auth/sys/attachments/${id}/content`)).text();

describe('a copy of a folder', () => {
  test('has its folders and files at every depth, with their content', async () => {
    const source = await folder(north, { name: 'Manuals', description: 'All of them' });
    const inner = await folder(north, { name: 'Inner', folderId: source });
    const twin = await folder(north, { name: 'Other', folderId: source });
    const deep = await folder(north, { name: 'Deep', folderId: inner });
    await folder(north, { name: 'Deep', folderId: twin });
    await added(north, { folderId: source, name: 'top.txt', bytes: 'top' });
    await added(north, { folderId: deep, name: 'deep.txt', bytes: 'deep' });
    const target = await folder(north);
    const { data } = await copyOf(north, source, target);
    expect(data).toMatchObject({ name: 'Manuals', folders: 5, files: 2, skipped: 0 });
    const all = (await north.data(listFolders)).items;
    const pathOf = (id: number | null): string => {
      const found = all.find((one) => one.id === id);
      return found && found.id !== target ? `${pathOf(found.parentId)}/${found.name}` : '';
    };
    const paths = all.map(({ id }) => id).filter((id) => pathOf(id).startsWith('/Manuals'));
    const copied = paths.filter((id) => all.some((one) => one.id === id && (one.id === data.id || one.id > data.id)));
    expect(copied.map(pathOf).sort()).toEqual([
      '/Manuals',
      '/Manuals/Inner',
      '/Manuals/Inner/Deep',
      '/Manuals/Other',
      '/Manuals/Other/Deep',
    ]);
    const files = await filesIn(north, data.id);
    const shown = files.map(({ name, folderId }) => `${pathOf(folderId)}/${name}`);
    expect(shown).toEqual(['/Manuals/Inner/Deep/deep.txt', '/Manuals/top.txt']);
    expect(await Promise.all(files.map(({ id }) => textOf(north, id)))).toEqual(['deep', 'top']);
  });

  test('has levels that are never lower than those of the original and of the target', async () => {
    const source = await folder(north, { readLevel: 4 });
    await added(north, { folderId: source, downloadLevel: 2 });
    await folder(north, { name: 'Inner', folderId: source });
    const target = await folder(north, { readLevel: 3, writeLevel: 2 });
    const { data } = await copyOf(north, source, target);
    const levels = { readLevel: 3, writeLevel: 2 };
    expect(await filesIn(north, data.id)).toMatchObject([{ ...levels, downloadLevel: 2 }]);
    const copies = (await north.data(listFolders)).items.filter(
      ({ id, parentId }) => id === data.id || parentId === data.id,
    );
    expect(copies).toMatchObject([levels, levels]);
  });

  test('has only what the user may download, and says how much it leaves out of what they see', async () => {
    const source = await folder(north);
    await added(north, { folderId: source, name: 'open.txt' });
    const hidden = await added(north, { folderId: source });
    const locked = await added(north, { folderId: source });
    const infected = await added(north, { folderId: source });
    const closed = await folder(north, { folderId: source });
    await added(north, { folderId: closed });
    const { pool } = server.database;
    // Nobody of the customer holds level 0.
    await pool.query('update attachments set read_level = 0 where id = $1', [hidden]);
    await pool.query('update attachments set download_level = 0 where id = $1', [locked]);
    await pool.query('update folders set download_level = 0 where id = $1', [closed]);
    await pool.query(`update attachments set scan_state = 'infected' where id = $1`, [infected]);
    const { data } = await copyOf(north, source, null);
    expect(data).toMatchObject({ folders: 1, files: 1, skipped: 3 });
    expect((await filesIn(north, data.id)).map(({ name }) => name)).toEqual(['open.txt']);
    await pool.query('update folders set download_level = 0 where id = $1', [source]);
    expect(await copyOf(north, source, null)).toMatchObject({ code: CODES.noPermission.code });
  });

  test('gets a counter when its name exists, and may be below its original', async () => {
    const source = await folder(north, { name: 'Again' });
    await added(north, { folderId: source });
    const target = await folder(north);
    const names: string[] = [];
    for (const folderId of [target, target, source]) names.push((await copyOf(north, source, folderId)).data.name);
    expect(names).toEqual(['Again', 'Again (2)', 'Again']);
    expect(await filesIn(north, source)).toHaveLength(2);
  });

  test('may belong to another customer, and is refused where the user may not write', async () => {
    const source = await folder(staff, { customerId: server.world.customers.north });
    await added(staff, { folderId: source, name: 'for south.txt' });
    const theirs = await folder(staff, { customerId: server.world.customers.south });
    const { data } = await copyOf(staff, source, theirs);
    expect((await filesIn(south, data.id)).map(({ name }) => name)).toEqual(['for south.txt']);
    expect(await copyOf(north, source, theirs)).toMatchObject({ code: CODES.attachmentFolderUnknown.code });
    expect(await copyOf(south, source, null)).toMatchObject({ code: CODES.notFound.code });
    const protectedFolder = await folder(north, { writeLevel: 1 });
    await server.database.pool.query('update folders set write_level = 0 where id = $1', [protectedFolder]);
    expect(await copyOf(north, source, protectedFolder)).toMatchObject({ code: CODES.noPermission.code });
  });

  test('needs space, and is made completely or not at all', async () => {
    const { south: customerId } = server.world.customers;
    const source = await folder(south);
    for (const bytes of ['a'.repeat(600), 'b'.repeat(600)]) await added(south, { folderId: source, bytes });
    const { used, files } = await south.data(readQuota);
    await staff.data(setQuota, { body: { customerId, bytes: used + 1_000 } });
    const before = (await south.data(listFolders)).items.length;
    expect(await copyOf(south, source, null)).toMatchObject({ code: CODES.attachmentQuota.code });
    expect((await south.data(listFolders)).items).toHaveLength(before);
    await staff.data(setQuota, { body: { customerId, bytes: used + 1_200 } });
    expect(await copyOf(south, source, null)).toMatchObject({ code: 0 });
    expect(await south.data(readQuota)).toMatchObject({ used: used + 1_200, files: files + 2 });
  });

  test('is limited in depth and number', async () => {
    let bottom: number | null = null;
    for (let depth = 1; depth <= 15; depth += 1) bottom = await folder(north, { folderId: bottom });
    const source = await folder(north);
    await folder(north, { folderId: source });
    expect(await copyOf(north, source, bottom)).toMatchObject({ code: CODES.attachmentFolderDeep.code });
    await server.database.pool.query(
      `insert into attachments (folder_id, customer_id, name, name_key, size, media_type, type, bucket, object_key, etag,
                                read_level, write_level, download_level, uploaded_by_name)
       select $1, $2, n || '.txt', n || '.txt', 0, 'text/plain', 'normal', 'main', 'attachments/' || n, '', 5, 4, 5, ''
         from generate_series(1, 10001) n`,
      [source, server.world.customers.north],
    );
    const most = await copyOf(north, source, null);
    expect(most).toMatchObject({ code: CODES.attachmentCopyMany.code, message: expect.stringContaining('10001') });
    await server.database.pool.query(`delete from attachments where folder_id = $1 and name = '1.txt'`, [source]);
    expect((await copyOf(north, source, null)).data.files).toBe(10_000);
  });

  test('is recorded with what was copied', async () => {
    const source = await folder(north, { name: 'Recorded' });
    await added(north, { folderId: source, bytes: '12345' });
    const { data } = await copyOf(north, source, source);
    const { rows } = await server.database.pool.query(
      `select operation, object_name, after from action_logs where object_type = 'folder' and object_id = $1`,
      [String(data.id)],
    );
    expect(rows).toMatchObject([
      {
        operation: 'new',
        object_name: 'Recorded',
        after: { folderId: source, copyOf: 'Recorded', folders: 1, files: 1, size: 5 },
      },
    ]);
  });

  test('of a folder in the trash is refused', async () => {
    const source = await folder(north);
    await north.data(folderEndpoints.deleteFolder, { params: { id: source } });
    expect(await copyOf(north, source, null)).toMatchObject({ code: CODES.attachmentDeleted.code });
  });
});

describe('the object of a file', () => {
  const objectsOf = async (id: number) => {
    const { rows } = await server.database.pool.query<{ objectKey: string; objects: number }>(
      `select a.object_key as "objectKey",
              (select count(*)::int from stored_objects o where o.key = a.object_key) as objects
         from attachments a where a.id = $1`,
      [id],
    );
    return rows[0]!;
  };

  test('is shared by its copies and removed with the last of them', async () => {
    const id = await added(north, { bytes: 'shared' });
    const copy = await north.data(copyAttachment, { params: { id }, body: { folderId: null } });
    const { objectKey } = await objectsOf(id);
    expect((await objectsOf(copy.id)).objectKey).toBe(objectKey);
    await north.data(updateAttachment, { params: { id }, body: { description: 'Changed' } });
    await north.data(deleteAttachment, { params: { id } });
    await north.data(emptyTrash, { body: {} });
    expect(await north.call(readAttachment, { params: { id } })).toMatchObject({ code: CODES.notFound.code });
    expect(await textOf(north, copy.id)).toBe('shared');
    await north.data(deleteAttachment, { params: { id: copy.id } });
    await north.data(emptyTrash, { body: {} });
    const { rows } = await server.database.pool.query('select from stored_objects where key = $1', [objectKey]);
    expect(rows).toEqual([]);
  });

  test('is kept for a copy that is made while the file is deleted for good', async () => {
    const source = await folder(north);
    const id = await added(north, { folderId: source, bytes: 'kept' });
    const { pool } = server.database;
    const copying = await pool.connect();
    try {
      await copying.query('begin');
      await copying.query('select from attachments where id = $1 for key share', [id]);
      await north.data(deleteAttachment, { params: { id } });
      const emptied = north.data(emptyTrash, { body: {} });
      await copying.query(
        `insert into attachments (customer_id, name, name_key, size, media_type, type, bucket, object_key, etag,
                                  read_level, write_level, download_level, uploaded_by_name)
         select customer_id, 'kept copy.txt', 'kept copy.txt', size, media_type, type, bucket, object_key, etag, 5, 4, 5,
                '' from attachments where id = $1`,
        [id],
      );
      await copying.query('commit');
      await emptied;
    } finally {
      copying.release(true);
    }
    const { rows } = await pool.query(`select id from attachments where name = 'kept copy.txt'`);
    expect(await textOf(north, rows[0].id)).toBe('kept');
  });

  test('is kept when the levels of its folder change', async () => {
    const source = await folder(north);
    const id = await added(north, { folderId: source, bytes: 'level' });
    const { data } = await copyOf(north, source, null);
    await north.data(updateFolder, { params: { id: source }, body: { readLevel: 2 } });
    expect((await filesIn(north, data.id)).map(({ readLevel }) => readLevel)).toEqual([5]);
    expect(await textOf(north, id)).toBe('level');
  });
});
