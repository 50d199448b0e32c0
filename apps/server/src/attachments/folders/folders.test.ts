import { randomUUID } from 'node:crypto';
import { attachmentEndpoints, CODES, folderEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { attachmentsRoom } from '../../testing/rooms/attachments-room.ts';
import type { TestServer } from '../../testing/server.ts';

const { deleteAttachment } = attachmentEndpoints;
const { createFolder, moveFolder, deleteFolder, restoreFolder, listFolders } = folderEndpoints;
const { start, added, folder, read, content } = attachmentsRoom();

let server: TestServer;
let north: Client;
let south: Client;
let staff: Client;
beforeAll(async () => {
  ({ server, north, south, staff } = await start());
});
afterAll(() => server.stop());

describe('folders', () => {
  test('cannot be moved into themselves, or below each other at the same time', async () => {
    const a = await folder(north);
    const b = await folder(north, { folderId: a });
    const move = (id: number, folderId: number | null) =>
      north.call(moveFolder, { params: { id }, body: { folderId } });
    const refused = { code: CODES.attachmentFolderBelowItself.code, field: 'folderId' };
    expect(await move(a, a)).toMatchObject(refused);
    expect(await move(a, b)).toMatchObject(refused);
    await move(b, null);
    const codes = (await Promise.all([move(a, b), move(b, a)])).map(({ code }) => code).sort();
    expect(codes).toEqual([0, CODES.attachmentFolderBelowItself.code]);
  });

  test('have different names in a place', async () => {
    const name = randomUUID();
    await folder(north, { name });
    expect(await north.call(createFolder, { body: { name: name.toUpperCase() } })).toMatchObject({
      ...{ code: CODES.attachmentNameTaken.code, field: 'name' },
    });
  });

  test('go to the trash and come back with everything that went with them', async () => {
    const top = await folder(north);
    const inner = await folder(north, { folderId: top });
    const kept = await added(north, { folderId: inner });
    const before = await added(north, { folderId: inner });
    await north.data(deleteAttachment, { params: { id: before.id } });
    await north.data(deleteFolder, { params: { id: top } });
    expect(await (await content(north, kept.id)).json()).toMatchObject({ code: CODES.notFound.code });
    expect((await north.data(listFolders)).items.map(({ id }) => id)).not.toContain(inner);
    await north.data(restoreFolder, { params: { id: top } });
    expect((await read(north, kept.id)).path.map(({ id }) => id)).toEqual([top, inner]);
    expect((await read(north, kept.id)).deletedAt).toBeNull();
    expect((await read(north, before.id)).deletedAt).not.toBeNull();
  });

  test('are not restored deeper than folders may be, or when there are too many', async () => {
    const chain = async (length: number, folderId: number | null) => {
      const ids: number[] = [];
      for (let count = 0; count < length; count += 1) {
        ids.push(await folder(south, { folderId: ids.at(-1) ?? folderId }));
      }
      return ids;
    };
    const [parent] = await chain(1, null);
    const [deleted] = await chain(6, parent!);
    const deep = await chain(10, null);
    await south.data(deleteFolder, { params: { id: deleted! } });
    // Their place is deeper now: 10 + 1 + 6 levels.
    await south.data(moveFolder, { params: { id: parent! }, body: { folderId: deep.at(-1)! } });
    const restore = () => south.call(restoreFolder, { params: { id: deleted! } });
    expect(await restore()).toMatchObject({ code: CODES.attachmentFolderDeep.code });
    await south.data(moveFolder, { params: { id: parent! }, body: { folderId: deep.at(-2)! } });
    // With the six that are restored there would be 2,001.
    const { rows } = await server.database.pool.query<{ id: number }>(
      `insert into folders (parent_id, customer_id, name, name_key, read_level, write_level, download_level,
                            created_by_name)
       select null, $1::int, 'Many ' || n, 'many ' || n, 5, 4, 5, 'case'
         from generate_series(1, 1995 - (select count(*)::int from folders where customer_id = $1 and deleted_at is null)) n
       returning id`,
      [server.world.customers.south],
    );
    expect(await restore()).toMatchObject({ code: CODES.attachmentFolderMany.code });
    await server.database.pool.query('delete from folders where id = $1', [rows[0]!.id]);
    expect(await restore()).toMatchObject({ code: 0 });
    await server.database.pool.query('delete from folders where id = any($1)', [rows.map(({ id }) => id)]);
  });

  test('are not deleted or moved with files that the user may not change', async () => {
    const strict = await folder(staff, { customerId: server.world.customers.north });
    await added(staff, { folderId: strict, writeLevel: 1 });
    await server.database.pool.query('update attachments set write_level = 0 where folder_id = $1', [strict]);
    const refused = { code: CODES.attachmentFolderProtected.code };
    expect(await north.call(deleteFolder, { params: { id: strict } })).toMatchObject(refused);
    const body = { folderId: await folder(north) };
    expect(await north.call(moveFolder, { params: { id: strict }, body })).toMatchObject(refused);
  });
});
