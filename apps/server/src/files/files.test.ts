import { randomUUID } from 'node:crypto';
import { CODES, ENDPOINTS, type StorageCredential } from '@chargehand/contract';
import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { createLog } from '../platform/log.ts';
import { embeddedObjects } from '../platform/objects/embedded/embedded.ts';
import type { ObjectStore } from '../platform/objects/store.ts';
import type { Client } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { fileSweep } from './sweep.ts';

const { readCredentials, writeCredentials, readCredentialsAnonymous, writeCredentialsAnonymous } = ENDPOINTS;
const { readCustomer, updateCustomer, createCustomer, updateSite, readSite, updateUser, readUser, setOwnAvatar } =
  ENDPOINTS;
const { createDeviceModel, readDeviceModel, updateDeviceModel, copyDeviceModel } = ENDPOINTS;

let server: TestServer;
let staff: Client;
let north: Client;
let south: Client;
let assigned: Client;
/** the same folder, requested without credentials */
let store: ObjectStore;
beforeAll(async () => {
  server = await startTestServer();
  staff = await server.as('vendorStaff');
  north = await server.as('northAdmin');
  south = await server.as('southAdmin');
  assigned = await server.as('northAssigned');
  const buckets = { main: 'chargehand', firmware: 'chargehand-firmware' };
  const means = { key: Buffer.alloc(32), db: server.database.db, log: null, operator: null };
  store = await embeddedObjects({ dataFolder: server.dataFolder, buckets, region: 'x', ...means });
});
afterAll(() => server.stop());

const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000049454e44ae426082', 'hex');
const objectUrl = (key: string, bucket = 'chargehand') => `${server.url}/${bucket}/${key}`;
const exists = async (key: string | null) => key !== null && (await store.head({ bucket: 'chargehand', key })) !== null;

function holder(credential: StorageCredential): AwsClient {
  const { accessKeyId, accessKeySecret, securityToken, region } = credential;
  const keys = { accessKeyId, secretAccessKey: accessKeySecret, sessionToken: securityToken };
  return new AwsClient({ ...keys, region, service: 's3', retries: 0 });
}

/** Uploads as a browser does and returns the key. */
async function upload(client: Client, bytes: Uint8Array = PNG, ending = 'png', folder = 'images'): Promise<string> {
  const credential = await client.data(writeCredentials);
  const prefix = credential.prefixes.find((one) => one.startsWith(`${folder}/`));
  const key = `${prefix}${randomUUID()}.${ending}`;
  const answer = await holder(credential).fetch(objectUrl(key), { method: 'PUT', body: bytes });
  expect(answer.status).toBe(200);
  return key;
}

/** The status with which a user downloads an object. */
async function fetched(client: Client, key: string | null, query: { customerId?: number } = {}): Promise<number> {
  const credential = await client.data(readCredentials, { query });
  return (await holder(credential).fetch(objectUrl(key ?? ''))).status;
}

describe('credentials for the store', () => {
  test('contain their bucket, region, prefixes and expiry', async () => {
    const { customers, users } = server.world;
    const credential = await north.data(readCredentials);
    expect(credential).toMatchObject({
      bucket: 'chargehand',
      region: 'oss-cn-hongkong',
      endpoint: '',
      prefixes: [`images/customers/${customers.north}/`, 'images/platform/'],
    });
    const left = new Date(credential.expiration).getTime() - Date.now();
    expect(left).toBeGreaterThan(55 * 60_000);
    expect(left).toBeLessThanOrEqual(3_600_000);
    expect((await staff.data(readCredentials)).prefixes).toEqual(['images/customers/', 'images/platform/']);
    expect((await assigned.data(readCredentials)).prefixes).toEqual([
      `images/customers/${customers.north}/`,
      'images/platform/',
    ]);
    expect((await north.data(writeCredentials)).prefixes).toEqual([
      `images/incoming/u${users.northAdmin}/`,
      `document/incoming/u${users.northAdmin}/`,
    ]);
  });

  test('give access to pictures of the customers in scope, and of no other', async () => {
    const id = server.world.customers.north;
    await north.data(updateCustomer, { params: { id }, body: { logo: await upload(north) } });
    const { logo } = await north.data(readCustomer, { params: { id } });
    expect(await fetched(north, logo)).toBe(200);
    expect(await fetched(staff, logo)).toBe(200);
    expect(await fetched(staff, logo, { customerId: id })).toBe(200);
    expect(await fetched(assigned, logo)).toBe(200);
    expect(await fetched(south, logo)).toBe(403);
    expect(await fetched(staff, logo, { customerId: server.world.customers.south })).toBe(403);
    expect(await south.call(readCredentials, { query: { customerId: id } })).toMatchObject({
      code: CODES.notFound.code,
    });
    expect((await fetch(objectUrl(logo ?? ''))).status).toBe(403);
  });

  test('for writing allow uploads only to the folder of their user, and cannot read, list or replace anything', async () => {
    const id = server.world.customers.north;
    await north.data(updateCustomer, { params: { id }, body: { logo: await upload(north) } });
    const logo = (await north.data(readCustomer, { params: { id } })).logo ?? '';
    const [own, theirs] = [await upload(north), await upload(south)];
    const writer = holder(await north.data(writeCredentials));
    const put = (key: string, bucket?: string) => writer.fetch(objectUrl(key, bucket), { method: 'PUT', body: 'x' });
    for (const key of [logo, theirs, 'public/x.png', 'images/x.png', 'images/quarantine/x/y.png', `${own}/../../x`])
      expect((await put(key)).status, key).toBe(403);
    expect((await put(own, 'chargehand-firmware')).status).toBe(403);
    expect((await writer.fetch(objectUrl(own))).status).toBe(403);
    expect((await writer.fetch(objectUrl(own), { method: 'DELETE' })).status).toBe(403);
    expect((await writer.fetch(`${server.url}/chargehand?list-type=2`)).status).toBe(403);
    expect(await fetched(north, own)).toBe(403);
    expect(await fetched(staff, own)).toBe(403);
  });

  test('without an account give access to a separate quarantine folder, and to public objects', async () => {
    const [one, other] = [
      await server.anonymous.data(writeCredentialsAnonymous),
      await server.anonymous.data(writeCredentialsAnonymous),
    ];
    expect(one.prefixes[0]).toMatch(/^images\/quarantine\/[0-9a-f]{32}\/$/);
    const put = (prefix: string | undefined, name: string, bytes = PNG) =>
      holder(one).fetch(objectUrl(`${prefix}${name}`), { method: 'PUT', body: bytes });
    expect((await put(one.prefixes[0], 'a.png')).status).toBe(200);
    expect((await put(other.prefixes[0], 'a.png')).status).toBe(403);
    expect((await put('images/incoming/u1/', 'a.png')).status).toBe(403);
    for (let index = 0; index < 4; index += 1) expect((await put(one.prefixes[0], `${index}.png`)).status).toBe(200);
    expect((await put(one.prefixes[0], 'sixth.png')).status).toBe(403);

    await store.put({ bucket: 'chargehand', key: 'public/a.txt' }, Buffer.from('public'), {
      contentType: 'text/plain',
    });
    const reader = holder(await server.anonymous.data(readCredentialsAnonymous));
    expect((await reader.fetch(objectUrl('public/a.txt'))).status).toBe(200);
    expect((await reader.fetch(objectUrl(`${one.prefixes[0]}a.png`))).status).toBe(403);
    expect((await reader.fetch(objectUrl('public/b.txt'), { method: 'PUT', body: 'x' })).status).toBe(403);
  });

  test('without an account are limited to a few per hour for one address', async () => {
    await server.database.pool.query('delete from anonymous_uploads');
    for (let count = 0; count < 20; count += 1) await server.anonymous.data(writeCredentialsAnonymous);
    const refused = await server.anonymous.fetch(writeCredentialsAnonymous.path);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ code: CODES.tooManyRequests.code, data: null });
    await server.database.pool.query('delete from anonymous_uploads');
  });
});

describe('the picture of a row', () => {
  test('is a copy in a place of the server; the upload and the previous copy are removed', async () => {
    const params = { id: server.world.sites.northQuay };
    const first = await upload(north);
    await north.data(updateSite, { params, body: { image: first } });
    const one = (await north.data(readSite, { params })).image;
    expect(one).toMatch(new RegExp(`^images/customers/${server.world.customers.north}/[0-9a-f-]{36}-\\d+\\.png$`));
    expect([await exists(first), await exists(one)]).toEqual([false, true]);
    // A form sends back the value that it received.
    await north.data(updateSite, { params, body: { image: one, contact: 'Ada' } });
    await north.data(updateSite, { params, body: { image: await upload(north) } });
    const two = (await north.data(readSite, { params })).image;
    expect([await exists(one), await exists(two)]).toEqual([false, true]);
    await north.data(updateSite, { params, body: { image: null } });
    expect((await north.data(readSite, { params })).image).toBeNull();
    expect(await exists(two)).toBe(false);
    const { rows } = await server.database.pool.query(
      `select before, after from action_logs where object_type = 'site' and object_id = $1 order by id`,
      [String(params.id)],
    );
    expect(rows.at(-1)).toEqual({ before: { image: two }, after: { image: null } });
  });

  test.each([
    ['a text with the type of a picture', Buffer.from('hello'), 'png', 'fileContent'],
    ['a picture of an unsupported type', PNG, 'jpg', 'fileContent'],
    ['markup', Buffer.from('<svg onload=alert(1)>'), 'svg', 'fileType'],
    ['nothing', Buffer.alloc(0), 'png', 'fileEmpty'],
    ['21 MB', Buffer.concat([PNG, Buffer.alloc(21 * 1024 * 1024)]), 'png', 'fileTooLarge'],
  ] as const)('is refused with its field and removed when it is %s', async (_, bytes, ending, code) => {
    const params = { id: server.world.sites.northQuay };
    const before = (await north.data(readSite, { params })).image;
    const key = await upload(north, bytes, ending);
    const answer = await north.call(updateSite, { params, body: { image: key, contact: 'Nobody' } });
    expect(answer).toMatchObject({ code: CODES[code].code, field: 'image', data: null });
    expect(await exists(key)).toBe(false);
    expect(await north.data(readSite, { params })).toMatchObject({ image: before });
    const chinese = await server.as('northAdmin', 'zh-CN');
    const again = await chinese.call(updateSite, { params, body: { image: key } });
    expect(again).toMatchObject({ code: CODES.fileUnknown.code, message: '图片：上传的文件已不存在，请重新上传。' });
  });

  test('of a model is visible to every signed-in user; its icon has at most 500 kB', async () => {
    const { id } = await staff.data(createDeviceModel, { body: { name: 'Seen', type: 1, parentId: null, vendor: '' } });
    const read = async () => {
      const model = await staff.data(readDeviceModel, { params: { id } });
      const { name, type, parentId, vendor, sshSupport, webSupport, tolerant, imageKey, iconKey, version, own } = model;
      const { parameterReadLevel, parameterWriteLevel, controlLevel } = model;
      return {
        ...{ version, name, type, parentId, vendor, sshSupport, webSupport, tolerant, imageKey, iconKey },
        ...{ parameterReadLevel, parameterWriteLevel, controlLevel, ...own },
      };
    };
    const large = Buffer.concat([PNG, Buffer.alloc(500 * 1024)]);
    const refused = { ...(await read()), iconKey: await upload(staff, large) };
    expect(await staff.call(updateDeviceModel, { params: { id }, body: refused })).toMatchObject({
      code: CODES.fileTooLarge.code,
      field: 'iconKey',
    });
    const body = { ...(await read()), iconKey: await upload(staff), imageKey: await upload(staff) };
    await staff.data(updateDeviceModel, { params: { id }, body });
    const { iconKey, imageKey } = await read();
    expect([iconKey, imageKey]).toEqual(Array(2).fill(expect.stringMatching(/^images\/platform\/.+\.png$/)));
    expect(await fetched(assigned, iconKey)).toBe(200);
    const { id: copy } = await staff.data(copyDeviceModel, { params: { id }, body: { name: 'Seen too' } });
    expect((await staff.data(readDeviceModel, { params: { id: copy } })).iconKey).toBeNull();
    await staff.data(updateDeviceModel, { params: { id }, body: { ...(await read()), iconKey: null } });
    expect([await exists(iconKey!), await exists(imageKey!)]).toEqual([false, true]);
  });

  test("cannot be another user's upload or picture", async () => {
    const params = { id: server.world.customers.south };
    const theirs = await upload(north);
    const { logo } = await north.data(readCustomer, { params: { id: server.world.customers.north } });
    for (const key of [
      theirs,
      logo,
      'images/none.png',
      `images/incoming/u${server.world.users.southAdmin}/none.png`,
      '../x.png',
    ]) {
      const answer = await south.call(updateCustomer, { params, body: { logo: key } });
      expect(answer, String(key)).toMatchObject({ code: CODES.fileUnknown.code, field: 'logo' });
    }
    expect(await exists(theirs)).toBe(true);
  });

  test('can be added with a new row; of two rows with the same upload one gets it', async () => {
    const key = await upload(staff);
    const create = (name: string) => staff.call(createCustomer, { body: { code: name, name, logo: key } });
    const answers = await Promise.all([create('Twin-1'), create('Twin-2')]);
    const made = answers.flatMap(({ data }) => (data ? [data.id] : []));
    expect(made.length).toBeGreaterThanOrEqual(1);
    const logos = await Promise.all(made.map((id) => staff.data(readCustomer, { params: { id } })));
    expect(new Set(logos.map(({ logo }) => logo)).size).toBe(made.length);
    for (const { logo } of logos) expect(await exists(logo)).toBe(true);
    expect(await exists(key)).toBe(false);
  });

  test('moves with a user to another customer, whose users see it then', async () => {
    const { users, customers } = server.world;
    const params = { id: users.northReader };
    await staff.data(updateUser, { params, body: { avatar: await upload(staff) } });
    const before = (await staff.data(readUser, { params })).avatar;
    await staff.data(updateUser, { params, body: { customerId: customers.south } });
    const { avatar } = await staff.data(readUser, { params });
    expect(avatar).toContain(`images/customers/${customers.south}/`);
    expect(await fetched(south, avatar)).toBe(200);
    expect([await exists(before), await exists(avatar)]).toEqual([false, true]);
    await staff.data(updateUser, { params, body: { customerId: customers.north } });
  });

  test('can be chosen by every user for themselves', async () => {
    const { avatar } = await assigned.data(setOwnAvatar, { body: { avatar: await upload(assigned) } });
    const info = await assigned.data(ENDPOINTS.info, { body: {} });
    expect(info.user.avatar).toBe(avatar);
    expect(await fetched(assigned, avatar)).toBe(200);
    expect(await assigned.data(setOwnAvatar, { body: { avatar: null } })).toEqual({ avatar: null });
    expect(await exists(avatar)).toBe(false);
  });
});

test('unused uploads and objects without a row are swept after a day, and nothing else', async () => {
  const { db } = server.database;
  const sweep = fileSweep({
    db,
    store,
    limits: { count: async () => undefined, forgetExpired: async () => undefined },
    clock: systemClock,
    log: createLog('silent'),
    others: [],
  });
  const params = { id: server.world.sites.northMill };
  await north.data(updateSite, { params, body: { image: await upload(north) } });
  const { image } = await north.data(readSite, { params });
  const orphan = `images/customers/${server.world.customers.north}/${randomUUID()}.png`;
  await store.put({ bucket: 'chargehand', key: orphan }, PNG, { contentType: 'image/png' });
  const abandoned = [
    await upload(north),
    await upload(north, Buffer.from('%PDF-1.7\nstartxref\n0\n%%EOF'), 'pdf', 'document'),
  ];
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

  await sweep.round(inHours(23));
  for (const key of [image, orphan, ...abandoned]) expect(await exists(key), String(key)).toBe(true);
  await sweep.round(inHours(25));
  for (const key of [orphan, ...abandoned]) expect(await exists(key), key).toBe(false);
  expect(await exists(image)).toBe(true);
  expect(await exists('public/a.txt')).toBe(true);
});
