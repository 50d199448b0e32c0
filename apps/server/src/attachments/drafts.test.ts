import { randomUUID } from 'node:crypto';
import { attachmentEndpoints, CODES, folderEndpoints, issueEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../platform/log.ts';
import { embeddedObjects } from '../platform/objects/embedded/embedded.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import { fresh } from '../testing/cases/ground.ts';
import type { Client } from '../testing/client.ts';
import { steppedClock } from '../testing/clock.ts';
import { uploadIncoming } from '../testing/files/incoming.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { contentsOf } from './files/contents.ts';
import { attachmentSweep } from './sweep.ts';

const { registerAttachment, listAttachments, moveAttachment, readAttachment } = attachmentEndpoints;
const { createSiteIssue } = issueEndpoints;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

let server: TestServer;
let north: Client;
let store: ObjectStore;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  north = await server.as('northAdmin');
  const buckets = { main: 'chargehand', firmware: 'chargehand-firmware' };
  const means = { key: Buffer.alloc(32), db: server.database.db, log: null, operator: null };
  store = await embeddedObjects({ dataFolder: server.dataFolder, buckets, region: 'x', ...means });
});
afterAll(() => server.stop());

/** A file that was uploaded into the form of a new issue. */
async function draft(client = north): Promise<{ id: number; key: string; name: string }> {
  const key = await uploadIncoming(server.url, client, 'Smoke');
  const name = `${randomUUID()}.txt`;
  const { id } = await client.data(registerAttachment, { body: { key, name, draft: true } });
  const { rows } = await server.database.pool.query('select object_key as key from attachments where id = $1', [id]);
  return { id, name, key: rows[0].key };
}

/** A new issue whose description shows a file. */
function reporting({ id, name }: { id: number; name: string }) {
  const content = [{ type: 'attachment', attrs: { file: String(id), name, size: 5 } }];
  const body = { title: fresh('Issue'), type: 1, body: { type: 'doc', content } } as const;
  return { params: { id: server.world.sites.northQuay }, body };
}

/** Runs the scheduled work of attachments as of a time from now. */
async function at(ms: number): Promise<void> {
  const { db } = server.database;
  const [clock, log] = [steppedClock(), createLog('silent')];
  const sweep = attachmentSweep({ db, store, contents: contentsOf({ db, store, log }), clock, log });
  await sweep.start();
  await clock.skip(ms);
  await sweep.stop();
}

const exists = async ({ id, key }: { id: number; key: string }) => {
  const { rowCount } = await server.database.pool.query('select from attachments where id = $1', [id]);
  return { row: rowCount === 1, object: (await store.head({ bucket: 'chargehand', key })) !== null };
};

describe('a file of the form of a new issue', () => {
  test('that is not sent is deleted after two weeks, with its object', async () => {
    const file = await draft();
    await at(14 * DAY - HOUR);
    expect(await exists(file)).toEqual({ row: true, object: true });
    await at(14 * DAY + HOUR);
    expect(await exists(file)).toEqual({ row: false, object: false });
  });

  test('is in the issue when the form was open for days, and is asked for again when it is gone', async () => {
    const [kept, gone] = [await draft(), await draft()];
    await at(3 * DAY);
    const { id } = await north.data(createSiteIssue, reporting(kept));
    expect(await north.data(readAttachment, { params: { id: kept.id } })).toMatchObject({ usedBy: [{ id }] });
    await at(14 * DAY + HOUR);
    expect(await north.call(createSiteIssue, reporting(gone))).toMatchObject({
      ...{ code: CODES.fileUnknown.code, field: 'body' },
    });
  });

  test('stays when the issue is created, or when somebody moves it into a folder', async () => {
    const [sent, moved] = [await draft(), await draft()];
    await north.data(createSiteIssue, reporting(sent));
    const { id: folderId } = await north.data(folderEndpoints.createFolder, { body: { name: fresh('Folder') } });
    await north.data(moveAttachment, { params: { id: moved.id }, body: { folderId } });
    await at(15 * DAY);
    expect(await exists(sent)).toEqual({ row: true, object: true });
    expect(await exists(moved)).toEqual({ row: true, object: true });
  });

  test('is not listed in the library, and its author can read it', async () => {
    const { id, name } = await draft();
    const listed = await north.data(listAttachments, { query: { search: name, below: true } });
    expect(listed).toMatchObject({ total: 0, items: [] });
    expect(await north.data(readAttachment, { params: { id } })).toMatchObject({ name, type: 'issue' });
  });

  test('needs the right to report issues', async () => {
    const reader = await server.as('northReader');
    await server.database.pool.query(
      `delete from role_menus where menu_key = 'auth_issue_add' and role_id = (select role_id from users where id = $1)`,
      [server.world.users.northReader],
    );
    const body = { key: await uploadIncoming(server.url, reader, 'Smoke'), name: 'smoke.txt', draft: true };
    expect((await reader.call(registerAttachment, { body })).code).toBe(CODES.noPermission.code);
  });
});

test('a file of the type issue that was added to the library is not deleted', async () => {
  const key = await uploadIncoming(server.url, north, 'Kept');
  const body = { key, name: `${randomUUID()}.txt`, folderId: null, type: 'issue' } as const;
  const { id } = await north.data(registerAttachment, { body });
  await at(15 * DAY);
  expect(await north.data(readAttachment, { params: { id } })).toMatchObject({ name: body.name });
});
