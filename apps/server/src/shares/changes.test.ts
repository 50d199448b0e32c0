import {
  CODES,
  ENDPOINTS,
  type EventsMessage,
  folderEndpoints,
  publicShareEndpoints,
  type ShareRow,
  shareEndpoints,
} from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { linkBox } from '../testing/cases/ground.ts';
import type { Client } from '../testing/client.ts';
import { type EventStream, openStream } from '../testing/event-stream.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { sealPlainShares } from './shares.store.ts';

const { shareFolder, requestUploads, readShare, updateShare, unlockShare, destroyShare } = shareEndpoints;
const { enterShareCode, startSharedUpload } = publicShareEndpoints;

let server: TestServer;
let north: Client;
let reader: Client;
let folderId: number;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  [north, reader] = (await Promise.all([server.as('northAdmin'), server.as('northReader')])) as [Client, Client];
  folderId = (await north.data(folderEndpoints.createFolder, { body: { name: 'Manuals' } })).id;
});
afterAll(() => server.stop());

const create = (who: Client, code = false) =>
  who.data(shareFolder, { params: { id: folderId }, body: { days: 7, code } });
const wrong = ({ code }: ShareRow) => (code === 'AAAA' ? 'BBBB' : 'AAAA');
const guess = (share: ShareRow) =>
  server.anonymous.call(enterShareCode, { body: { s: share.token ?? '', accessCode: wrong(share) } });

/** The next share that a stream announces. */
async function nextShare(stream: EventStream): Promise<number | undefined> {
  for (;;) {
    const { data } = await stream.next();
    const [event] = (data as EventsMessage)['share.changed'] ?? [];
    if (event) return event[0];
  }
}
async function listen(who: Client): Promise<EventStream> {
  const stream = await openStream(who, ENDPOINTS.stream.path);
  await stream.next();
  return stream;
}

test('its owner and administrators learn at once what happens to a share, and no others', async () => {
  const southAdmin = await server.as('southAdmin');
  const [owner, admin, south] = await Promise.all([listen(reader), listen(north), listen(southAdmin)]);
  const both = async (share: ShareRow) =>
    expect([await nextShare(owner), await nextShare(admin)]).toEqual([share.id, share.id]);
  const share = await create(reader, true);
  await both(share);
  await reader.data(updateShare, { params: { id: share.id }, body: { days: 1 } });
  await both(share);
  expect((await guess(share)).code).toBe(CODES.shareCodeWrong.code);
  await both(share);
  await north.data(destroyShare, { params: { id: share.id } });
  await both(share);

  // The next events are about shares that they see: the ones before did not reach them.
  await create(north);
  const own = await create(reader);
  expect(await nextShare(owner)).toBe(own.id);
  const { id } = await southAdmin.data(folderEndpoints.createFolder, { body: { name: 'South' } });
  const other = await southAdmin.data(shareFolder, { params: { id }, body: { days: 7, code: false } });
  expect(await nextShare(south)).toBe(other.id);
  await Promise.all([owner, admin, south].map((stream) => stream.close()));
});

test('uploads of visitors are announced', async () => {
  const stream = await listen(north);
  const request = await north.data(requestUploads, { params: { id: folderId }, body: { days: 7, code: false } });
  expect(await nextShare(stream)).toBe(request.id);
  const s = request.token ?? '';
  const upload = await server.anonymous.data(startSharedUpload, { body: { s, name: 'a.txt', size: 5 } });
  expect(await nextShare(stream)).toBe(request.id);
  await server.anonymous.fetch(`/api/unauth/share/uploads/${upload.id}?s=${s}&offset=0`, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: 'Hello',
  });
  expect(await nextShare(stream)).toBe(request.id);
  const share = await create(north);
  expect(await nextShare(stream)).toBe(share.id);
  await (await server.anonymous.fetch(`/api/unauth/share/archive?s=${share.token}`)).arrayBuffer();
  expect(await nextShare(stream)).toBe(share.id);
  await stream.close();
});

test('the log has the values before and after each change, and the lock by a visitor', async () => {
  const share = await create(north, true);
  const params = { id: share.id };
  await north.data(updateShare, { params, body: { days: null, useLimit: 5 } });
  for (let count = 0; count < 10; count += 1) await guess(share);
  await north.data(unlockShare, { params });
  await north.data(destroyShare, { params });
  const { rows } = await server.database.pool.query(
    `select operation, user_name, address, customer_id, before, after from action_logs
      where object_type = 'share' and object_id = $1 order by id`,
    [String(share.id)],
  );
  const until = share.expiresAt;
  expect(rows).toMatchObject([
    { operation: 'new', before: null, after: { kind: 'download', until, accessCode: true, useLimit: null } },
    { operation: 'edit', before: { until, useLimit: null }, after: { until: null, useLimit: 5 } },
    {
      ...{ operation: 'edit', user_name: '', address: '127.0.0.1', customer_id: server.world.customers.north },
      ...{ before: { locked: false, wrongCodes: 9 }, after: { locked: true, wrongCodes: 10 } },
    },
    { operation: 'edit', before: { locked: true, wrongCodes: 10 }, after: { locked: false } },
    { operation: 'delete', before: { until: null }, after: null },
  ]);
  expect(JSON.stringify(rows)).not.toContain(`"${share.code}"`);
  expect(JSON.stringify(rows)).not.toContain(share.token);
});

test('links and codes are stored encrypted, also those that an earlier version stored as plain text', async () => {
  const { db, pool } = server.database;
  const share = await create(north, true);
  const stored = async () => (await pool.query('select * from shares where id = $1', [share.id])).rows[0];
  const isPlain = async () => {
    const row = JSON.stringify(await stored());
    return row.includes(share.token ?? '') || row.includes(`"${share.code}"`);
  };
  expect(await isPlain()).toBe(false);
  await pool.query('update shares set sealed_token = $2, sealed_code = $3, token_hash = null where id = $1', [
    ...[share.id, share.token, share.code],
  ]);
  await sealPlainShares(db, await linkBox(db));
  expect(await isPlain()).toBe(false);
  expect(await north.data(readShare, { params: { id: share.id } })).toMatchObject({
    ...{ token: share.token, code: share.code },
  });
  const body = { s: share.token ?? '', accessCode: share.code ?? '' };
  expect((await server.anonymous.call(enterShareCode, { body })).code).toBe(0);
});

test('the size limit of a request is changed and removed', async () => {
  const body = { days: 7, code: false, byteLimit: 2_048 } as const;
  const request = await north.data(requestUploads, { params: { id: folderId }, body });
  const begin = async () =>
    (await server.anonymous.call(startSharedUpload, { body: { s: request.token ?? '', name: 'a.txt', size: 3_000 } }))
      .code;
  expect(await begin()).toBe(CODES.shareUploadsFull.code);
  await north.data(updateShare, { params: { id: request.id }, body: { byteLimit: null } });
  expect(await begin()).toBe(0);
});
