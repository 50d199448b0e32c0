import { CODES, ENDPOINTS, type NewFirmware } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { embeddedObjects } from '../../platform/objects/embedded/embedded.ts';
import type { ObjectStore } from '../../platform/objects/store.ts';
import type { Client } from '../../testing/client.ts';
import { keyHolder, sha256 } from '../../testing/objects/object-keys.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { addFirmware, uploadFirmware } from '../../testing/transfers/transfers.ts';
import { transferSweep } from '../sweep.ts';

const { listFirmware, registerFirmware, updateFirmware, deleteFirmware, readFirmware, commonFirmware } = ENDPOINTS;
const { firmwareCredentials } = ENDPOINTS;

let server: TestServer;
let staff: Client;
let north: Client;
/** the same folder, requested without credentials */
let store: ObjectStore;
beforeAll(async () => {
  server = await startTestServer({}, { sweeps: true });
  staff = await server.as('vendorStaff');
  north = await server.as('northAdmin');
  const buckets = { main: 'chargehand', firmware: 'chargehand-firmware' };
  const means = { key: Buffer.alloc(32), db: server.database.db, log: null, operator: null };
  store = await embeddedObjects({ dataFolder: server.dataFolder, buckets, region: 'x', ...means });
});
afterAll(() => server.stop());

const CONTENT = Buffer.from('the whole of a firmware file');
const files = async () => {
  const keys: string[] = [];
  for await (const { key } of store.list('chargehand-firmware', 'files/')) keys.push(key);
  return keys;
};
const choices = async (deviceIds: number[], kind: 'software' | 'plc' = 'software') =>
  (await north.data(commonFirmware, { body: { deviceIds, kind } })).items;
const bodyOf = (key: string, more: Partial<NewFirmware> = {}): NewFirmware => ({
  kind: 'software',
  version: '1.2.3',
  fileName: 'pile 1.2.3.bin',
  note: ' for all ',
  deviceModelIds: [server.world.model],
  key,
  size: CONTENT.length,
  sha256: sha256(CONTENT),
  ...more,
});

describe('a file is stored when it is complete', () => {
  test('with its details, and the list finds it by them', async () => {
    const id = await addFirmware(server, staff, { content: CONTENT, version: ' 1.2.3 ', note: ' for all ' });
    const { items } = await north.data(listFirmware, { query: { search: 'for all' } });
    expect(items).toMatchObject([
      {
        ...{ id, kind: 'software', version: '1.2.3', note: 'for all', size: CONTENT.length, sha256: sha256(CONTENT) },
        ...{ uploadedBy: 'vendor_staff', underWay: 0, models: [{ id: server.world.model, name: 'World pile' }] },
      },
    ]);
    const nothing = await north.data(listFirmware, { query: { kind: 'plc' } });
    expect(nothing).toEqual({ items: [], total: 0 });
    const { credential, key, fileName } = await staff.data(readFirmware, { params: { id } });
    expect(fileName).toBe('hs- 1.2.3 .bin');
    const url = `${server.url}/${credential.bucket}/${key}`;
    const file = await keyHolder(credential).fetch(url);
    expect(Buffer.from(await file.arrayBuffer()).equals(CONTENT)).toBe(true);
    // The credentials open only this file, and cannot be used for uploads.
    expect((await keyHolder(credential).fetch(`${url}x`)).status).toBe(403);
    expect((await keyHolder(credential).fetch(url, { method: 'PUT', body: 'x' })).status).toBe(403);
    await staff.data(deleteFirmware, { params: { id } });
    // Credentials without the right to list do not reveal whether an object exists.
    expect((await keyHolder(credential).fetch(url)).status).toBe(403);
  });

  test.each<[string, Partial<NewFirmware>, keyof typeof CODES]>([
    ['an upload that was aborted', { size: CONTENT.length * 2 }, 'firmwareSize'],
    ['a different content', { sha256: sha256('something else') }, 'firmwareChecksum'],
    ['a name without an extension', { fileName: 'firmware' }, 'fileNameless'],
    ['an empty file', { size: 0 }, 'fileEmpty'],
    ['a file that is too large', { size: 500 * 1024 * 1024 }, 'fileTooLarge'],
    ['a model that does not exist', { deviceModelIds: [999_999] }, 'deviceModelUnknown'],
    ['an empty version', { version: '  ' }, 'fieldRequired'],
  ])('and not for %s', async (_, more, code) => {
    const before = await files();
    const key = await uploadFirmware(server, staff, CONTENT);
    const answer = await staff.call(registerFirmware, { body: bodyOf(key, more) });
    expect(answer).toMatchObject({ code: CODES[code].code });
    expect(await files()).toEqual(before);
    expect((await staff.data(listFirmware, { query: { search: '1.2.3' } })).total).toBe(0);
  });

  test('and not for a multipart upload that was never completed', async () => {
    const credential = await staff.data(firmwareCredentials);
    const aws = keyHolder(credential);
    const key = `${credential.prefixes[0]}parts.bin`;
    const url = `${server.url}/${credential.bucket}/${key}`;
    const begun = await (await aws.fetch(`${url}?uploads`, { method: 'POST' })).text();
    const uploadId = /<UploadId>([^<]+)</.exec(begun)?.[1];
    expect((await aws.fetch(`${url}?partNumber=1&uploadId=${uploadId}`, { method: 'PUT', body: CONTENT })).status).toBe(
      200,
    );
    expect(await staff.call(registerFirmware, { body: bodyOf(key) })).toMatchObject({ code: CODES.fileUnknown.code });
  });

  test('and not from the upload folder of another user', async () => {
    const root = await server.as('root');
    const key = await uploadFirmware(server, root, CONTENT);
    expect(await staff.call(registerFirmware, { body: bodyOf(key) })).toMatchObject({ code: CODES.fileUnknown.code });
    for (const stray of ['files/x.bin', 'incoming/u1/../u2/x.bin', '']) {
      const answer = await staff.call(registerFirmware, { body: bodyOf(stray) });
      expect(answer.code, stray).not.toBe(0);
    }
  });
});

test('the details of a file can be changed; the file itself cannot', async () => {
  const id = await addFirmware(server, staff, { content: CONTENT });
  const body = { version: '2.0.0', note: 'new', deviceModelIds: [server.world.model] };
  await staff.data(updateFirmware, { params: { id }, body });
  expect((await staff.data(listFirmware, { query: { search: '2.0.0' } })).items).toMatchObject([{ id, note: 'new' }]);
  const { rows } = await server.database.pool.query(
    `select operation, before, after from action_logs where object_type = 'firmware' and object_id = $1 order by id`,
    [String(id)],
  );
  expect(rows).toMatchObject([
    { operation: 'new' },
    { operation: 'edit', before: { note: '' }, after: { note: 'new' } },
  ]);
  const deviceIds = [server.world.devices.northQuay1.id];
  expect(await choices(deviceIds)).toMatchObject([{ id, version: '2.0.0' }]);
  expect(await choices(deviceIds, 'plc')).toEqual([]);
});

test('a file for a model is also for the models that inherit from it', async () => {
  const { pool } = server.database;
  const { rows } = await pool.query<{ id: number }>(
    `insert into device_models (name, type, parent_id) values ('Child pile', 1, $1) returning id`,
    [server.world.model],
  );
  const deviceId = server.world.devices.northQuay2.id;
  await pool.query('update devices set device_model_id = $1 where id = $2', [rows[0]!.id, deviceId]);
  const id = await addFirmware(server, staff, { version: '3.0.0' });
  expect((await choices([deviceId])).map((one) => one.id)).toContain(id);
  const other = await addFirmware(server, staff, { version: '3.0.1', deviceModelIds: [rows[0]!.id] });
  expect((await choices([server.world.devices.northQuay1.id])).map((one) => one.id)).not.toContain(other);
});

test('unregistered uploads and objects without a row are swept after a day; old logs after their retention', async () => {
  const { database, world } = server;
  const log = createLog('silent');
  const sweep = transferSweep({
    ...{ db: database.db, store, events: { publish: () => undefined }, clock: systemClock, log, logDays: () => 30 },
    sendFor: () => Promise.reject(new Error('not expected')),
  });
  const id = await addFirmware(server, staff, { version: '4.0.0', content: CONTENT });
  const { key: kept } = await staff.data(readFirmware, { params: { id } });
  const waiting = await uploadFirmware(server, staff, CONTENT);
  const firmware = (key: string) => ({ bucket: 'chargehand-firmware', key });
  const details = { contentType: 'application/octet-stream' };
  await store.put(firmware('files/orphan.bin'), CONTENT, details);
  const device = world.devices.northQuay1.id;
  for (const [name, days] of [
    ['old', 31],
    ['young', 1],
  ] as const) {
    await store.put({ bucket: 'chargehand', key: `logs/${device}/${name}` }, CONTENT, details);
    await database.pool.query(
      `insert into device_logs (device_id, type, file_name, object_key, size, sha256, requested_by_name, received_at)
       values ($1, 'diagnostics', $2, $3, 1, '', 'x', now() - make_interval(days => $4))`,
      [device, `${name}.log`, `logs/${device}/${name}`, days],
    );
  }
  const left = async () => [
    (await store.head(firmware(kept))) !== null,
    (await store.head(firmware(waiting))) !== null,
    (await store.head(firmware('files/orphan.bin'))) !== null,
    (await store.head({ bucket: 'chargehand', key: `logs/${device}/old` })) !== null,
    (await store.head({ bucket: 'chargehand', key: `logs/${device}/young` })) !== null,
  ];
  await sweep.clean(new Date());
  expect(await left()).toEqual([true, true, true, true, true]);
  await sweep.clean(new Date(Date.now() + 25 * 60 * 60_000));
  expect(await left()).toEqual([true, false, false, false, true]);
});
