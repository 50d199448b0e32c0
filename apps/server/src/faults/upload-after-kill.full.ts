import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { attachmentEndpoints } from '@chargehand/contract';
import type { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Client, client, openSession } from '../testing/client.ts';
import type { TestDatabase } from '../testing/database/database.ts';
import { eventually } from '../testing/eventually.ts';
import { type Killable, killable } from '../testing/faults/killable.ts';
import { incomingArea } from '../testing/files/incoming.ts';
import { freePort } from '../testing/free-port.ts';
import type { Program } from '../testing/program.ts';
import type { World } from '../testing/world.ts';

const { listAttachments, registerAttachment } = attachmentEndpoints;

const PORT = await freePort();
const PART = 5 * 1024 * 1024;
/** The first key of the lock of a customer's files. */
const OWNER_LOCK = 250;

let ground: Killable;
let database: TestDatabase;
let world: World;
let program: Program;
let user: Client;

beforeAll(async () => {
  ground = await killable(PORT, { connections: 3 });
  ({ database, world } = ground);
  program = await ground.start();
  user = client(program.url, await openSession(database.db, world.users.northAdmin));
});
afterAll(async () => {
  await ground.end();
});

test('an upload that a kill breaks off is continued, and registered once', async () => {
  const content = Buffer.concat([
    Buffer.from('PK\u0003\u0004'),
    randomBytes(2 * PART + 1_000),
    Buffer.from(`504b0506${'00'.repeat(18)}`, 'hex'),
  ]);
  const parts = [content.subarray(0, PART), content.subarray(PART, 2 * PART), content.subarray(2 * PART)];
  const { s3, key, address } = await incomingArea(program.url, user, 'zip');
  const begun = await (await s3.fetch(`${address}?uploads`, { method: 'POST' })).text();
  const uploadId = /<UploadId>(.+)<\/UploadId>/.exec(begun)![1]!;
  const partAddress = (number: number) => `${address}?partNumber=${number}&uploadId=${uploadId}`;
  const send = async (number: number) => {
    const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
    const answer = await s3.fetch(partAddress(number), { method: 'PUT', body: parts[number - 1]!, headers });
    expect(answer.status).toBe(200);
    return answer.headers.get('etag')!;
  };

  const tags = [await send(1)];
  await sendHalf(s3, partAddress(2), parts[1]!);
  await program.kill();
  program = await ground.start();
  expect(await readdir(join(ground.dataFolder, 'objects', '.incoming'))).toEqual([]);
  for (const number of [2, 3]) tags.push(await send(number));
  const list = tags.map((tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`);
  const body = `<CompleteMultipartUpload>${list.join('')}</CompleteMultipartUpload>`;
  expect((await s3.fetch(`${address}?uploadId=${uploadId}`, { method: 'POST', body })).status).toBe(200);

  // Killed after the object was moved and before the file exists.
  const registered = { key, name: 'continued.zip' };
  const lock = await database.pool.connect();
  try {
    await lock.query('select pg_advisory_lock($1, $2)', [OWNER_LOCK, world.customers.north]);
    const lost = user.call(registerAttachment, { body: registered }).catch(() => 'lost');
    await eventually(
      () => places(key),
      ({ incoming, moved }) => incoming === 0 && moved === 1,
      { what: 'the upload to be moved' },
    );
    await program.kill();
    expect(await lost).toBe('lost');
  } finally {
    lock.release(true);
  }
  program = await ground.start();
  expect((await user.data(listAttachments, { query: { search: 'continued' } })).total).toBe(0);

  const { id, name } = await user.data(registerAttachment, { body: registered });
  expect(name).toBe('continued.zip');
  await program.kill();
  program = await ground.start();
  expect(await user.data(registerAttachment, { body: registered })).toEqual({ id, name });
  expect((await user.data(listAttachments, { query: { search: 'continued' } })).total).toBe(1);
  const stored = await user.fetch(`/api/auth/sys/attachments/${id}/content?download=true`);
  expect(content.equals(Buffer.from(await stored.arrayBuffer()))).toBe(true);
});

/** Sends half of a part, until the server has written some of it. */
async function sendHalf(s3: AwsClient, url: string, body: Buffer): Promise<void> {
  const signed = await s3.sign(url, { method: 'PUT', headers: { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } });
  const headers = { ...Object.fromEntries(signed.headers), 'content-length': body.length };
  const sending = request(url, { method: 'PUT', headers });
  sending.on('error', () => undefined);
  sending.write(body.subarray(0, body.length / 2));
  await once(sending, 'socket');
  const folder = join(ground.dataFolder, 'objects', '.incoming');
  const written = async () => {
    const [draft] = await readdir(folder);
    return draft === undefined ? 0 : (await stat(join(folder, draft))).size;
  };
  await eventually(written, (bytes) => bytes > 0, { what: 'bytes of the part on the disk' });
}

/** How many objects an upload has in the incoming area, and where it is moved to. */
async function places(key: string): Promise<{ incoming: number; moved: number }> {
  const { rows } = await database.pool.query<{ incoming: number; moved: number }>(
    `select count(*) filter (where o.key = $1)::int as incoming,
            count(*) filter (where o.key = r.object_key)::int as moved
       from attachment_arrivals r join stored_objects o on o.key in (r.upload_key, r.object_key) and not o.pending
      where r.upload_key = $1`,
    [key],
  );
  return rows[0]!;
}
