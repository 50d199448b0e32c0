import { randomUUID } from 'node:crypto';
import { attachmentEndpoints, CODES, ENDPOINTS, issueEndpoints } from '@chargehand/contract';
import { filesOf, ISSUE_TEXT_FILES } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { embeddedObjects } from '../platform/objects/embedded/embedded.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import { fresh, newDevice } from '../testing/cases/ground.ts';
import type { Client } from '../testing/client.ts';
import { uploadIncoming } from '../testing/files/incoming.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { DEVICE_LOGS, unusedLogKeys } from '../transfers/index.ts';

const { createDeviceIssue, createSiteIssue, commentIssue, editIssueComment, listIssueEntries } = issueEndpoints;
const { readIssue, readIssueEvidence } = issueEndpoints;
const { registerAttachment, deleteAttachment, readAttachment, setQuota, readQuota } = attachmentEndpoints;

let server: TestServer;
let north: Client;
let assigned: Client;
let reader: Client;
let south: Client;
let staff: Client;
let store: ObjectStore;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  [north, assigned, reader, south, staff] = (await Promise.all(
    (['northAdmin', 'northAssigned', 'northReader', 'southAdmin', 'vendorStaff'] as const).map((one) => server.as(one)),
  )) as [Client, Client, Client, Client, Client];
  const buckets = { main: 'chargehand', firmware: 'chargehand-firmware' };
  const means = { key: Buffer.alloc(32), db: server.database.db, log: null, operator: null };
  store = await embeddedObjects({ dataFolder: server.dataFolder, buckets, region: 'x', ...means });
});
afterAll(() => server.stop());

const naming = (...ids: number[]) => ({
  type: 'doc' as const,
  content: ids.map((id) => ({ type: 'attachment', attrs: { file: String(id), name: 'a.txt', size: 1 } })),
});
const query = async <T extends object>(words: string, values: unknown[] = []) =>
  (await server.database.pool.query<T>(words, values)).rows;

async function issue(body?: object, client = north): Promise<number> {
  const entered = { title: fresh('Issue'), type: 1, ...(body && { body }) } as never;
  const params = { id: server.world.sites.northQuay };
  return (await client.data(createSiteIssue, { params, body: entered })).id;
}
async function file(client: Client, more: object = {}, bytes = 'Evidence'): Promise<number> {
  const key = await uploadIncoming(server.url, client, bytes);
  return (await client.data(registerAttachment, { body: { key, name: `${randomUUID()}.txt`, ...more } as never })).id;
}
/** The files that the newest comment names. */
async function commented(id: number): Promise<number[]> {
  const { items } = await north.data(listIssueEntries, { params: { id } });
  const [newest] = items.filter(({ event }) => event === null);
  return newest?.body ? filesOf(newest.body as never) : [];
}
const contentOf = (client: Client, id: number) =>
  client.fetch(`/api/auth/sys/attachments/${id}/content?download=true`).then((answer) => answer.text());
const comment = (id: number, body: object, client = north) =>
  client.call(commentIssue, { params: { id }, body: { body } as never });

/** A log that a device has uploaded. */
async function log(deviceId = server.world.devices.northQuay1.id, bytes = 'Evidence'): Promise<number> {
  const key = `${DEVICE_LOGS}${randomUUID()}`;
  await store.put({ bucket: 'chargehand', key }, Buffer.from(bytes), { contentType: 'text/plain' });
  const [row] = await query<{ id: number }>(
    `insert into device_logs (device_id, type, file_name, object_key, size, sha256, requested_by_name)
     values ($1, 'diagnostics', 'boot.log', $2, $3, '', 'case') returning id`,
    [deviceId, key, bytes.length],
  );
  const [attachment] = await query<{ id: number }>('select id from attachments where device_log_id = $1', [row!.id]);
  return attachment!.id;
}

describe('a file of the library', () => {
  test('that a comment names is copied to the issue, and stays when the original is deleted', async () => {
    const [id, original] = [await issue(), await file(north)];
    expect(await comment(id, naming(original))).toMatchObject({ code: 0 });
    const [copy] = await commented(id);
    expect(copy).not.toBe(original);
    const [row] = await query('select type, customer_id, site_id from attachments where id = $1', [copy]);
    const { sites, customers } = server.world;
    expect(row).toEqual({ type: 'issue', customer_id: customers.north, site_id: sites.northQuay });
    await north.data(deleteAttachment, { params: { id: original } });
    expect(await contentOf(assigned, copy!)).toBe('Evidence');
    const logged = await query(
      `select operation, after from action_logs where object_type = 'attachment' and object_id = $1`,
      [String(copy)],
    );
    expect(logged).toMatchObject([{ operation: 'new', after: { copyOf: expect.stringContaining('.txt') } }]);
    // Naming the copy again, and changing the comment, copies nothing.
    const { items } = await north.data(listIssueEntries, { params: { id } });
    const entryId = items.find(({ event }) => event === null)!.id;
    await north.data(editIssueComment, { params: { id, entryId }, body: { body: naming(copy!, copy!) } });
    expect(await commented(id)).toEqual([copy]);
    expect(await query(`select 1 from attachment_uses where kind = 'issue' and object_id = $1`, [id])).toHaveLength(1);
  });

  test('that the author may not download stays where it is', async () => {
    const id = await issue();
    const [hidden, foreign] = [await file(north), await file(south)];
    await query('update attachments set download_level = 0 where id = $1', [hidden]);
    expect(await comment(id, naming(hidden, foreign))).toMatchObject({ code: 0 });
    expect(await commented(id)).toEqual([hidden, foreign]);
    expect(await query(`select 1 from attachment_uses where object_id = $1 and kind = 'issue'`, [id])).toEqual([]);
  });

  test('is not added when it has a virus, when there are too many, or without space', async () => {
    const [id, infected] = [await issue(), await file(north)];
    await query(`update attachments set scan_state = 'infected', virus = 'Eicar' where id = $1`, [infected]);
    expect(await comment(id, naming(infected))).toMatchObject({ code: CODES.attachmentInfected.code });
    const [one] = [await file(north)];
    const many = await query<{ id: number }>(
      `insert into attachments (customer_id, name, name_key, size, media_type, type, bucket, object_key, etag,
                                read_level, write_level, download_level, uploaded_by_name)
       select customer_id, n || name, n || name_key, size, media_type, type, bucket, object_key, etag, read_level,
              write_level, download_level, '' from attachments, generate_series(1, $2::int) n where id = $1 returning id`,
      [one, ISSUE_TEXT_FILES + 1],
    );
    const ids = many.map((row) => row.id);
    expect(await comment(id, naming(...ids))).toMatchObject({ code: CODES.issueFiles.code });
    const customerId = server.world.customers.north;
    const { used, limit } = await north.data(readQuota);
    await staff.data(setQuota, { body: { customerId, bytes: used } });
    expect(await comment(id, naming(one))).toMatchObject({ code: CODES.attachmentQuota.code });
    await staff.data(setQuota, { body: { customerId, bytes: limit } });
    expect(await commented(id)).toEqual([]);
  });
});

test('a file of an issue is only for users who may read issues', async () => {
  const [id, original] = [await issue(), await file(north)];
  await comment(id, naming(original));
  const [copy] = await commented(id);
  await query('update attachments set read_level = 0 where id = $1', [copy]);
  expect(await contentOf(reader, copy!)).toBe('Evidence');
  const role = [server.world.users.northReader];
  await query(
    `delete from role_menus where menu_key = 'auth_issue_detail' and role_id = (select role_id from users where id = $1)`,
    role,
  );
  expect(JSON.parse(await contentOf(reader, copy!))).toMatchObject({ code: CODES.notFound.code });
  await query(
    `insert into role_menus (role_id, menu_key) select role_id, 'auth_issue_detail' from users where id = $1`,
    role,
  );
});

describe('the log of a device', () => {
  test('is copied, and stays with its content when the log and the device are deleted', async () => {
    const [id, original] = [await issue(), await log()];
    expect(await comment(id, naming(original))).toMatchObject({ code: 0 });
    const [copy] = await commented(id);
    const [stored] = await query<{ key: string; log: number }>(
      'select object_key as key, device_log_id as log from attachments where id = $1',
      [original],
    );
    await query('delete from device_logs where id = $1', [stored!.log]);
    expect(await query('select name, device_log_id from attachments where id = $1', [copy])).toEqual([
      { name: 'boot.log', device_log_id: null },
    ]);
    expect(await unusedLogKeys(server.database.db, [stored!.key, 'device-logs/other'])).toEqual(['device-logs/other']);
  });

  test('stays where it is for users who may not download logs', async () => {
    const [id, original] = [await issue(), await log()];
    expect(await comment(id, naming(original), reader)).toMatchObject({ code: 0 });
    expect(await commented(id)).toEqual([original]);
  });
});

test('a deleted device leaves the copy of its log and the evidence', async () => {
  const device = await newDevice({ world: server.world, db: server.database.db }, 'northQuay');
  const body = { title: fresh('Issue'), type: 1 } as const;
  const { id } = await north.data(createDeviceIssue, { params: { id: device }, body });
  const original = await log(device, 'Boot failed');
  expect(await comment(id, naming(original))).toMatchObject({ code: 0 });
  const [copy] = await commented(id);
  await north.data(ENDPOINTS.deleteDevice, { params: { id: device } });
  // Objects that nothing uses any more are removed after a day.
  await query(`update stored_objects set modified_at = now() - interval '25 hours'`);
  await server.sweep();
  expect((await north.call(readAttachment, { params: { id: original } })).code).toBe(CODES.notFound.code);
  expect(await contentOf(assigned, copy!)).toBe('Boot failed');
  const { usedBy } = await north.data(readAttachment, { params: { id: copy! } });
  expect(usedBy).toMatchObject([{ kind: 'issue', id }]);
  const { evidence } = await north.data(readIssueEvidence, { params: { id } });
  const { deviceName, deviceSn } = await north.data(readIssue, { params: { id } });
  expect(evidence?.device).toMatchObject({ name: deviceName, sn: deviceSn });
  expect(deviceName).not.toBeNull();
});

describe('a new issue', () => {
  test('gets the drafts of its author, also those of another customer, and nobody else does', async () => {
    const { customers } = server.world;
    const draft = await file(staff, { draft: true });
    expect(await query('select customer_id from attachments where id = $1', [draft])).toEqual([
      { customer_id: customers.vendor },
    ]);
    const id = await issue(naming(draft), staff);
    const { body } = await north.data(readIssue, { params: { id } });
    expect(filesOf(body as never)).toEqual([draft]);
    expect(await query('select customer_id from attachments where id = $1', [draft])).toEqual([
      { customer_id: customers.north },
    ]);
    expect(await contentOf(assigned, draft)).toBe('Evidence');
    const colleagues = await file(north, { draft: true });
    const other = await issue(naming(colleagues), assigned);
    const named = await north.data(readIssue, { params: { id: other } });
    expect(filesOf(named.body as never)).not.toEqual([colleagues]);
  });

  test('has the files of the library that its description names as copies', async () => {
    const original = await file(north);
    const id = await issue(naming(original));
    const { body } = await north.data(readIssue, { params: { id } });
    const [copy] = filesOf(body as never);
    expect(copy).not.toBe(original);
    const other = await south.call(readAttachment, { params: { id: copy! } });
    expect(other.code).toBe(CODES.notFound.code);
    expect((await north.data(readAttachment, { params: { id: copy! } })).usedBy).toMatchObject([{ kind: 'issue', id }]);
  });
});

test('files of an issue are listed for it', async () => {
  const [id, original] = [await issue(), await file(north)];
  await comment(id, naming(original));
  const { items } = await north.data(ENDPOINTS.listAttachments, { query: { issueId: id } });
  expect(items).toMatchObject([{ type: 'issue' }]);
});

test('a file that another author named is not taken by saving the text, and a removed one is closed again', async () => {
  const secret = await file(staff, { readLevel: 1, downloadLevel: 1 });
  const id = await issue(naming(secret));
  const edit = async (client: Client, body: object) => {
    const { revision } = await client.data(readIssue, { params: { id } });
    await client.data(issueEndpoints.updateIssue, { params: { id }, body: { revision, body } as never });
    return filesOf((await client.data(readIssue, { params: { id } })).body as never);
  };
  const added = await file(staff, { readLevel: 1, downloadLevel: 1 }, 'Added');
  const [planted, copy] = await edit(staff, naming(secret, added));
  expect([planted, copy === added]).toEqual([secret, false]);
  expect(await contentOf(reader, secret)).not.toBe('Evidence');
  expect(await contentOf(reader, copy!)).toBe('Added');
  await edit(north, naming(secret));
  expect(await contentOf(reader, copy!)).not.toBe('Added');
});
