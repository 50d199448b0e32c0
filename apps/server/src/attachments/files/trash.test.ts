import { randomUUID } from 'node:crypto';
import { attachmentEndpoints, CODES, ENDPOINTS, folderEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { attachmentsRoom } from '../../testing/rooms/attachments-room.ts';
import type { TestServer } from '../../testing/server.ts';

const { listAttachments, readAttachment, deleteAttachment, restoreAttachment, deleteAttachments, emptyTrash } =
  attachmentEndpoints;
const { deleteFolder, listFolders } = folderEndpoints;
const { start, added, folder, read, levelsOf } = attachmentsRoom();

let server: TestServer;
let north: Client;
let south: Client;
let staff: Client;
beforeAll(async () => {
  ({ server, north, south, staff } = await start());
});
afterAll(() => server.stop());

describe('the trash', () => {
  test('keeps a file until it is restored; without its folder it returns to the top', async () => {
    const folderId = await folder(north, { readLevel: 3 });
    const { id, name } = await added(north, { folderId });
    await north.data(deleteAttachment, { params: { id } });
    await north.data(deleteFolder, { params: { id: folderId } });
    const trash = await north.data(listAttachments, { query: { trash: true, search: name } });
    expect(trash.items).toMatchObject([{ id, deletedBy: 'north_admin' }]);
    expect(await north.data(restoreAttachment, { params: { id }, body: {} })).toEqual({ folderId: null, name });
    expect(await levelsOf(north, id)).toEqual([3, 4, 5]);
  });

  test('gives a restored file a counter when its name was used meanwhile', async () => {
    const folderId = await folder(north);
    const { id } = await added(north, { folderId, name: 'plan.txt' });
    await north.data(deleteAttachment, { params: { id } });
    await added(north, { folderId, name: 'plan.txt' });
    expect((await north.data(restoreAttachment, { params: { id }, body: {} })).name).toBe('plan (2).txt');
  });

  test('is emptied by its user, only of what they may change', async () => {
    const ids = [(await added(south)).id, (await added(south)).id];
    const other = (await added(north)).id;
    await south.data(deleteAttachments, { body: { ids } });
    await north.data(deleteAttachment, { params: { id: other } });
    expect((await south.data(emptyTrash, { body: {} })).files).toBeGreaterThanOrEqual(2);
    expect(await south.call(readAttachment, { params: { id: ids[0]! } })).toMatchObject({ code: CODES.notFound.code });
    // Staff of the vendor, who see every customer, empty only their own trash.
    await staff.data(emptyTrash, { body: {} });
    expect((await read(north, other)).deletedAt).not.toBeNull();
  });
});

describe('the sweep', () => {
  test('deletes files and folders after 30 days in the trash, with their objects', async () => {
    const folderId = await folder(north);
    const old = await added(north, { folderId });
    const fresh = await added(north);
    await north.data(deleteFolder, { params: { id: folderId } });
    await north.data(deleteAttachment, { params: { id: fresh.id } });
    const { rows } = await server.database.pool.query(
      `update attachments set deleted_at = now() - interval '31 days' where id = $1 returning object_key`,
      [old.id],
    );
    await server.database.pool.query(`update folders set deleted_at = now() - interval '31 days' where id = $1`, [
      folderId,
    ]);
    await server.sweep();
    expect(await north.call(readAttachment, { params: { id: old.id } })).toMatchObject({ code: CODES.notFound.code });
    expect((await north.data(listFolders, { query: { trash: true } })).items.map(({ id }) => id)).not.toContain(
      folderId,
    );
    expect((await read(north, fresh.id)).deletedAt).not.toBeNull();
    const objects = await server.database.pool.query('select from stored_objects where key = $1', [rows[0].object_key]);
    expect(objects.rows).toEqual([]);
  });
});

test('a deleted customer takes its folders and files with it, which its log entry tells', async () => {
  const { data: customer } = await staff.call(ENDPOINTS.createCustomer, {
    body: { code: randomUUID().slice(0, 8), name: 'Former' },
  });
  const customerId = customer.id;
  const inner = await folder(staff, { folderId: await folder(staff, { customerId }) });
  const { id, name } = await added(staff, { folderId: inner, bytes: '12345' });
  await staff.data(ENDPOINTS.deleteCustomer, { params: { id: customerId } });
  expect(await staff.call(readAttachment, { params: { id } })).toMatchObject({ code: CODES.notFound.code });
  const { rows } = await server.database.pool.query(
    `select before from action_logs where object_type = 'customer' and object_id = $1 and operation = 'delete'`,
    [String(customerId)],
  );
  expect(rows).toMatchObject([{ before: { files: 1, folders: 2, size: 5, fileNames: [name] } }]);
});
