import { once } from 'node:events';
import { get, type IncomingMessage, request as startRequest } from 'node:http';
import {
  attachmentEndpoints,
  folderEndpoints,
  publicShareEndpoints,
  type SharedUpload,
  type ShareRow,
  shareEndpoints,
} from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, client, openSession } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { type Killable, killable } from '../testing/faults/killable.ts';
import { freePort } from '../testing/free-port.ts';
import type { Program } from '../testing/program.ts';

const PORT = await freePort();
const { startSharedUpload, readSharedUpload } = publicShareEndpoints;
const { requestUploads, shareFile, readShare, listShareUses } = shareEndpoints;

/** More than the buffers of two sockets, so that a reader that pauses stops the server. */
const CONTENT = Buffer.from(Array.from({ length: 2_000_000 }, (_, line) => `line ${line}\n`).join(''));
/** What the visitor had uploaded when the server was killed: parts that were acknowledged. */
const FIRST = CONTENT.subarray(0, 8_000_000);
/** The largest part. */
const PART = 8 * 1_024 ** 2;

let ground: Killable;
let program: Program;
let admin: Client;
let visitor: Client;
let folderId: number;

beforeAll(async () => {
  ground = await killable(PORT);
  const { database, world } = ground;
  program = await ground.start();
  admin = client(program.url, await openSession(database.db, world.users.northAdmin));
  visitor = client(program.url);
  folderId = (await admin.data(folderEndpoints.createFolder, { body: { name: 'Logs' } })).id;
});
afterAll(async () => {
  await ground.end();
});

const partPath = ({ token }: ShareRow, id: string, offset: number) =>
  `/api/unauth/share/uploads/${id}?s=${token}&offset=${offset}`;
/** The server recognizes visitors without a cookie by their browser. */
const BROWSER = { 'user-agent': 'Browser' };
const PART_HEADERS = { 'content-type': 'application/octet-stream' };

async function sendPart(share: ShareRow, id: string, offset: number, body: Buffer): Promise<SharedUpload> {
  const init = { method: 'PUT', headers: PART_HEADERS, body };
  const response = await visitor.fetch(partPath(share, id, offset), init);
  return ((await response.json()) as { data: SharedUpload }).data;
}

/** Sends the start of a part and leaves the rest out. */
function sendHalf(share: ShareRow, id: string, offset: number, body: Buffer): void {
  const sending = startRequest(`${program.url}${partPath(share, id, offset)}`, {
    method: 'PUT',
    headers: { ...PART_HEADERS, 'content-length': body.length },
  });
  sending.on('error', () => undefined);
  sending.write(body.subarray(0, body.length / 2));
}

/** Reads the start of the download of a share, and then nothing more, but does not close it. */
async function readStart({ token }: ShareRow, bytes: number): Promise<Buffer> {
  const download = get(`${program.url}/api/unauth/share/content?s=${token}`, { headers: BROWSER });
  const [response] = (await once(download, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  let begun = Buffer.alloc(0);
  response.on('data', (chunk: Buffer) => {
    begun = Buffer.concat([begun, chunk]);
    if (begun.length < bytes) return;
    response.pause();
    resolve(begun);
  });
  return await promise;
}

const usesOf = async ({ id }: ShareRow) => (await admin.data(listShareUses, { params: { id } })).items;

test('visitors continue an upload and a download after the server was killed, and the log is right', async () => {
  const body = { days: 7, code: false } as const;
  const request = await admin.data(requestUploads, { params: { id: folderId }, body: { ...body, useLimit: 1 } });
  const { id } = await visitor.data(startSharedUpload, {
    body: { s: request.token ?? '', name: 'pile.log', size: CONTENT.length },
  });
  expect(await sendPart(request, id, 0, FIRST)).toMatchObject({ received: FIRST.length });
  sendHalf(request, id, FIRST.length, CONTENT.subarray(FIRST.length, FIRST.length + PART));
  await program.kill();
  program = await ground.start();

  const query = { s: request.token ?? '' };
  let upload = await visitor.data(readSharedUpload, { params: { id }, query });
  // Exactly what was acknowledged.
  expect(upload).toMatchObject({ received: FIRST.length, done: false });
  expect(await usesOf(request)).toMatchObject([{ state: 'brokenOff', moved: FIRST.length }]);
  while (!upload.done) {
    upload = await sendPart(request, id, upload.received, CONTENT.subarray(upload.received, upload.received + PART));
  }
  expect(await admin.data(readShare, { params: { id: request.id } })).toMatchObject({ uses: 1, bytes: CONTENT.length });
  expect(await usesOf(request)).toMatchObject([{ state: 'complete', moved: CONTENT.length }]);
  const { items } = await admin.data(attachmentEndpoints.listAttachments, { query: { folderId } });
  expect(items).toMatchObject([{ name: 'pile.log', size: CONTENT.length }]);

  const params = { id: items[0]?.id ?? 0 };
  const share = await admin.data(shareFile, { params, body: { ...body, useLimit: 1 } });
  const begun = await readStart(share, 1_000_000);
  await program.kill();
  program = await ground.start();

  expect(await usesOf(share)).toMatchObject([{ state: 'brokenOff' }]);
  const rest = await visitor.fetch(`/api/unauth/share/content?s=${share.token}`, {
    headers: { ...BROWSER, range: `bytes=${begun.length}-` },
  });
  expect(rest.status).toBe(206);
  expect(Buffer.concat([begun, Buffer.from(await rest.arrayBuffer())]).equals(CONTENT)).toBe(true);
  await eventually(
    () => usesOf(share),
    ([use]) => use?.state === 'complete',
  );
  expect(await usesOf(share)).toHaveLength(1);
  expect(await admin.data(readShare, { params: { id: share.id } })).toMatchObject({ uses: 1, state: 'usedUp' });
});
