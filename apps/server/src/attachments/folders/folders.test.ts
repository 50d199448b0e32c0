import { randomUUID } from 'node:crypto';
import { attachmentEndpoints, CODES, folderEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { attachmentsRoom } from '../../testing/rooms/attachments-room.ts';
import type { TestServer } from '../../testing/server.ts';

const { deleteAttachment, listAttachments, moveAttachment, updateAttachment, copyAttachment, emptyTrash } =
  attachmentEndpoints;
const { createFolder, updateFolder, copyFolder, moveFolder, deleteFolder, restoreFolder, listFolders } =
  folderEndpoints;
const { start, added, folder, read, content } = attachmentsRoom();

let server: TestServer;
let north: Client;
let assigned: Client;
let south: Client;
let staff: Client;
beforeAll(async () => {
  ({ server, north, assigned, south, staff } = await start());
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

describe('a site', () => {
  const site = (name: 'northQuay' | 'northMill' | 'southPark') => server.world.sites[name];
  const siteOf = async (id: number) => (await read(north, id)).siteId;
  const refused = (
    name: 'attachmentOtherSite' | 'attachmentSiteNeeded' | 'attachmentSiteUnknown' | 'noPermission',
  ) => ({
    code: CODES[name].code,
  });

  test('of a folder decides who sees everything in it, and deletes it', async () => {
    const quay = await folder(north, { siteId: site('northQuay') });
    const inner = await folder(north, { folderId: quay });
    const mill = await folder(north, { siteId: site('northMill') });
    const shared = await folder(north);
    const files = { quay: inner, mill, shared };
    const ids = {} as Record<keyof typeof files, number>;
    for (const [name, folderId] of Object.entries(files) as [keyof typeof files, number][])
      ids[name] = (await added(north, { folderId })).id;
    expect([await siteOf(ids.quay), await siteOf(ids.shared)]).toEqual([site('northQuay'), null]);

    const folders = (await assigned.data(listFolders)).items;
    expect(
      folders
        .map(({ id }) => id)
        .filter((id) => [quay, inner, mill, shared].includes(id))
        .sort(),
    ).toEqual([quay, inner, shared].sort());
    expect(folders.find(({ id }) => id === inner)).toMatchObject({ site: 'Site northQuay', may: { write: true } });
    expect(folders.find(({ id }) => id === shared)).toMatchObject({ site: null, may: { write: false } });
    const list = await assigned.data(listAttachments, { query: { below: true } });
    const listed = list.items.filter(({ id }) => Object.values(ids).includes(id));
    expect(new Map(listed.map(({ id, may }) => [id, may.write]))).toEqual(
      new Map([
        [ids.quay, true],
        [ids.shared, false],
      ]),
    );

    const statuses = await Promise.all([ids.mill, ids.shared].map((id) => content(assigned, id)));
    const [hidden, open] = await Promise.all(statuses.map((answer) => answer.text()));
    expect(hidden).toContain(String(CODES.notFound.code));
    expect(open).not.toContain(String(CODES.notFound.code));
    const remove = async (id: number) => (await assigned.call(deleteAttachment, { params: { id } })).code;
    expect([await remove(ids.mill), await remove(ids.shared), await remove(ids.quay)]).toEqual([
      CODES.notFound.code,
      CODES.noPermission.code,
      0,
    ]);
    // Emptying the trash deletes nothing that they may not change either.
    await north.data(deleteAttachment, { params: { id: ids.shared } });
    await north.data(deleteFolder, { params: { id: mill } });
    await assigned.data(emptyTrash, { body: {} });
    expect((await read(north, ids.shared)).deletedAt).not.toBeNull();
    expect((await read(north, ids.mill)).deletedAt).not.toBeNull();
    expect(await north.call(attachmentEndpoints.readAttachment, { params: { id: ids.quay } })).toMatchObject({
      code: CODES.notFound.code,
    });
  });

  test('is needed where users with assigned sites add something', async () => {
    const add = (siteId?: number | null) =>
      assigned.call(createFolder, { body: { name: randomUUID(), ...(siteId !== undefined && { siteId }) } });
    expect(await add()).toMatchObject(refused('attachmentSiteNeeded'));
    expect(await add(site('northMill'))).toMatchObject(refused('noPermission'));
    const mine = (await add(site('northQuay'))).data.id;
    const { id } = await added(assigned, { folderId: mine });
    expect(await siteOf(id)).toBe(site('northQuay'));
    expect(await assigned.call(updateFolder, { params: { id: mine }, body: { siteId: null } })).toMatchObject(
      refused('attachmentSiteNeeded'),
    );
    expect(await assigned.call(updateAttachment, { params: { id }, body: { siteId: null } })).toMatchObject(
      refused('attachmentOtherSite'),
    );
    expect(await north.call(createFolder, { body: { name: randomUUID(), siteId: site('southPark') } })).toMatchObject(
      refused('attachmentSiteUnknown'),
    );
  });

  test('of a folder is applied to what is in it, and never to files of another site', async () => {
    const top = await folder(north);
    const inner = await folder(north, { folderId: top });
    const plain = await added(north, { folderId: inner });
    const ofDevice = await added(north, { folderId: inner, deviceId: server.world.devices.northQuay1.id });
    const change = (siteId: number | null) => north.call(updateFolder, { params: { id: top }, body: { siteId } });
    expect(await change(site('northMill'))).toMatchObject(refused('attachmentOtherSite'));
    expect(await change(site('northQuay'))).toMatchObject({ code: 0 });
    expect([await siteOf(plain.id), await siteOf(ofDevice.id)]).toEqual([site('northQuay'), site('northQuay')]);
    expect((await north.data(listFolders)).items.find(({ id }) => id === inner)?.siteId).toBe(site('northQuay'));
    expect(await change(null)).toMatchObject({ code: 0 });
    expect([await siteOf(plain.id), await siteOf(ofDevice.id)]).toEqual([null, site('northQuay')]);
    expect(
      await north.call(updateAttachment, { params: { id: ofDevice.id }, body: { siteId: site('northMill') } }),
    ).toMatchObject({ code: CODES.attachmentSiteOfDevice.code });
  });

  test('is kept by what is moved or copied out of it, and another one is refused', async () => {
    const quay = await folder(north, { siteId: site('northQuay') });
    const mill = await folder(north, { siteId: site('northMill') });
    const { id } = await added(north, { folderId: quay });
    const move = (folderId: number | null) => north.call(moveAttachment, { params: { id }, body: { folderId } });
    expect(await move(mill)).toMatchObject(refused('attachmentOtherSite'));
    expect(await north.call(moveFolder, { params: { id: quay }, body: { folderId: mill } })).toMatchObject(
      refused('attachmentOtherSite'),
    );
    const copyOf = await north.data(copyAttachment, { params: { id }, body: { folderId: mill } });
    expect(await siteOf(copyOf.id)).toBe(site('northMill'));
    const copied = await north.data(copyFolder, { params: { id: quay }, body: { folderId: null } });
    expect((await north.data(listFolders)).items.find((one) => one.id === copied.id)?.siteId).toBe(site('northQuay'));
    expect(await move(null)).toMatchObject({ code: 0 });
    expect(await siteOf(id)).toBe(site('northQuay'));
    await north.data(updateAttachment, { params: { id }, body: { siteId: null } });
    expect(await siteOf(id)).toBeNull();
    expect(await move(mill)).toMatchObject({ code: 0 });
    expect(await siteOf(id)).toBe(site('northMill'));
  });
});
