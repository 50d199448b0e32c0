import { randomUUID } from 'node:crypto';
import { BULK_LIMIT, CODES, DEVICE_PICTURES, ENDPOINTS, type StorageCredential } from '@chargehand/contract';
import { AwsClient } from 'aws4fetch';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

let server: TestServer;
let admin: Client;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ publicUrl: 'https://console.example.org' });
  admin = await server.as('northAdmin');
  root = await server.as('root');
});
afterAll(() => server.stop());

const { readDevice, createDevice, listDevices, deleteSite, createSite, updateDevice } = ENDPOINTS;
const { recordMaintenance, beginMaintenance, endMaintenance, listMaintenances, moveDevices } = ENDPOINTS;
const { listDeviceCertificates } = ENDPOINTS;
const { listDeviceImages, addDeviceImage, orderDeviceImages, removeDeviceImage, listDeviceLabels } = ENDPOINTS;

let made = 0;
/** A registered device at the test site. */
async function newDevice(more: object = {}): Promise<number> {
  made += 1;
  const { sites, model } = server.world;
  const body = {
    sn: `CARE-${1000 + made}`,
    name: `Care ${made}`,
    siteId: sites.northQuay,
    deviceModelId: model,
    ...more,
  };
  return (await root.data(createDevice, { body })).id;
}
const set = (id: number, column: string, value: unknown) =>
  server.database.pool.query(`update devices set ${column} = $2 where id = $1`, [id, value]);
const actionsOn = async (id: number) =>
  (
    await server.database.pool.query(
      `select operation, before, after, site_id, customer_id from action_logs
        where object_type = 'device' and object_id = $1 order by id`,
      [String(id)],
    )
  ).rows;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

describe('maintenance', () => {
  test('resets the time since maintenance, and is recorded with the runtime of the device', async () => {
    const id = await newDevice({ maintenanceCycleDays: 30 });
    await set(id, 'maintained_at', daysAgo(45));
    const before = await admin.data(readDevice, { params: { id } });
    expect(before.unmaintainedDays).toBe(45);
    expect(new Date(before.maintenanceDueAt ?? 0).getTime()).toBeLessThan(Date.now());
    await admin.data(recordMaintenance, { params: { id }, body: { note: ' Filters changed ' } });
    const after = await admin.data(readDevice, { params: { id } });
    expect(after.unmaintainedDays).toBe(0);
    expect(new Date(after.maintenanceDueAt ?? 0).getTime()).toBeGreaterThan(Date.now());
    const { items, total } = await admin.data(listMaintenances, { params: { id } });
    expect(total).toBe(1);
    expect(items[0]).toMatchObject({
      ...{ beganBy: 'north_admin', endedBy: 'north_admin', note: 'Filters changed', maintained: true },
      ...{ unmaintainedDays: 45, runtimeSeconds: 0 },
    });
    expect((await actionsOn(id)).at(-1)).toMatchObject({
      operation: 'edit',
      before: { unmaintainedDays: 45 },
      after: { unmaintainedDays: 0, note: 'Filters changed' },
    });
  });

  test.each([
    ['its registration', () => ({}), 10, 10],
    // Formatted at request time: after midnight the date differs.
    ['its installation', () => ({ installDate: daysAgo(20).toISOString().slice(0, 10) }), 300, 20],
  ])('that never took place is counted from %s', async (_, more, created, days) => {
    const id = await newDevice(more());
    await set(id, 'created_at', daysAgo(created));
    expect((await admin.data(readDevice, { params: { id } })).unmaintainedDays).toBe(days);
  });

  test('that is due can be filtered and sorted', async () => {
    const [late, later, never] = [await newDevice(), await newDevice(), await newDevice()];
    await set(late, 'maintenance_cycle_days', 10);
    await set(later, 'maintenance_cycle_days', 10);
    await set(late, 'maintained_at', daysAgo(100));
    await set(later, 'maintained_at', daysAgo(50));
    const query = { search: 'CARE', maintenance: 'due', sort: 'maintenanceDue', pageSize: 100 } as const;
    const due = (await admin.data(listDevices, { query })).items.map(({ id }) => id);
    expect(due).toEqual([late, later]);
    const all = await admin.data(listDevices, { query: { ...query, maintenance: undefined } });
    expect(all.items.slice(0, 2).map(({ id }) => id)).toEqual([late, later]);
    expect(all.items.find(({ id }) => id === never)?.maintenanceDueAt).toBeNull();
    const file = await admin.fetch('/api/auth/sys/devices/export?maintenance=due&sort=-maintenanceDue');
    expect(file.headers.get('content-type')).toContain('spreadsheet');
    await file.arrayBuffer();
  });

  test('that is due after the last supported year does not break the list', async () => {
    const id = await newDevice({ installDate: '9999-12-31', maintenanceCycleDays: 30 });
    expect((await admin.data(readDevice, { params: { id } })).maintenanceDueAt).toBe('9999-12-31T00:00:00.000Z');
    const query = { search: 'CARE', sort: '-maintenanceDue', pageSize: 100 } as const;
    expect((await admin.data(listDevices, { query })).items.map((device) => device.id)).toContain(id);
    await server.database.pool.query('delete from devices where id = $1', [id]);
  });

  test('as work sets the device to maintenance until it ends', async () => {
    const id = await newDevice();
    await set(id, 'maintained_at', daysAgo(7));
    await admin.data(beginMaintenance, { params: { id }, body: { note: 'Pump' } });
    expect((await admin.data(readDevice, { params: { id } })).status).toBe('maintain');
    expect(await admin.call(beginMaintenance, { params: { id }, body: { note: '' } })).toMatchObject({
      code: CODES.maintenanceRuns.code,
    });
    await admin.data(endMaintenance, { params: { id }, body: { note: 'not the pump', maintained: false } });
    expect(await admin.data(readDevice, { params: { id } })).toMatchObject({ status: 'offline', unmaintainedDays: 7 });
    expect(await admin.call(endMaintenance, { params: { id }, body: { note: '', maintained: true } })).toMatchObject({
      code: CODES.maintenanceRunsNot.code,
    });
    await admin.data(beginMaintenance, { params: { id }, body: { note: '' } });
    await admin.data(endMaintenance, { params: { id }, body: { note: '', maintained: true } });
    expect(await admin.data(readDevice, { params: { id } })).toMatchObject({ unmaintainedDays: 0 });
    const { items } = await admin.data(listMaintenances, { params: { id } });
    expect(items).toMatchObject([
      { maintained: true, note: '', unmaintainedDays: 7 },
      { maintained: false, note: 'Pump\nnot the pump', endedBy: 'north_admin' },
    ]);
  });

  test('started by many users at once starts once', async () => {
    const id = await newDevice();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => admin.call(beginMaintenance, { params: { id }, body: { note: '' } })),
    );
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect((await admin.data(listMaintenances, { params: { id } })).total).toBe(1);
    const twice = server.database.pool.query(
      `insert into device_maintenances (device_id, began_by_name) values ($1, 'x')`,
      [id],
    );
    await expect(twice).rejects.toMatchObject({ constraint: 'device_maintenances_running' });
  });

  test('the total runtime includes the current connection', async () => {
    const id = await newDevice();
    await server.database.pool.query(
      `update device_states set connected = true, connected_at = now() - interval '2 hours', total_runtime_seconds = 1000
        where device_id = $1`,
      [id],
    );
    const { totalRuntimeSeconds } = await admin.data(readDevice, { params: { id } });
    expect(totalRuntimeSeconds).toBeGreaterThanOrEqual(8_200);
    expect(totalRuntimeSeconds).toBeLessThan(8_500);
    await admin.data(recordMaintenance, { params: { id }, body: { note: '' } });
    const [done] = (await admin.data(listMaintenances, { params: { id } })).items;
    expect(done?.runtimeSeconds).toBeGreaterThanOrEqual(8_200);
  });
});

describe('certificates', () => {
  test('are listed with the answer of the device, the newest first, a page at a time', async () => {
    const id = await newDevice();
    await server.database.pool.query(
      `insert into device_certificates
         (device_id, serial, fingerprint, subject, not_before, not_after, issued_at, accepted, answered_at)
       select $1, to_char(n, 'FM00'), repeat('ab', 32), 'CN=CARE', told.at, told.at + interval '365 days', told.at,
              n <> 11, told.at
         from generate_series(1, 11) as n, (values (timestamptz '2026-01-02T03:04:05Z')) as told(at)`,
      [id],
    );
    const { items, total } = await admin.data(listDeviceCertificates, { params: { id }, query: { pageSize: 10 } });
    expect(total).toBe(11);
    expect(items.map(({ serial }) => serial)).toEqual(['11', '10', '09', '08', '07', '06', '05', '04', '03', '02']);
    expect(items.map(({ accepted }) => accepted).slice(0, 2)).toEqual([false, true]);
    expect(items[1]).toMatchObject({
      ...{ fingerprint: 'ab'.repeat(32), subject: 'CN=CARE', answeredAt: '2026-01-02T03:04:05.000Z' },
      ...{ notBefore: '2026-01-02T03:04:05.000Z', notAfter: '2027-01-02T03:04:05.000Z' },
    });
    const second = await admin.data(listDeviceCertificates, { params: { id }, query: { pageSize: 10, page: 2 } });
    expect(second.items.map(({ serial }) => serial)).toEqual(['01']);
    expect((await admin.data(listDeviceCertificates, { params: { id: await newDevice() } })).items).toEqual([]);
  });
});

describe('moving', () => {
  /** Moves and returns the code of each device. */
  const move = async (by: Client, siteId: number, ...ids: number[]) =>
    (await by.data(moveDevices, { body: { ids, siteId } })).results.map(({ code }) => code);

  test('changes immediately who sees the device; an open alarm ends there and starts again here', async () => {
    const { world, database } = server;
    const id = await newDevice();
    await database.pool.query(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
       values ($1, 1, 'CARE-ALARM', 'alarm', 'CA', now(), now())`,
      [id],
    );
    await database.pool.query(
      `insert into device_events (device_id, connector, type, at, code) values ($1, 1, 2, now(), 'CARE-ALARM')`,
      [id],
    );
    const south = await server.as('southAdmin');
    expect((await south.call(readDevice, { params: { id } })).code).toBe(CODES.notFound.code);
    expect(await move(root, world.sites.southPark, id)).toEqual([0]);
    expect(await south.data(readDevice, { params: { id } })).toMatchObject({
      siteName: 'Site southPark',
      activeAlarms: 1,
    });
    expect((await admin.call(readDevice, { params: { id } })).code).toBe(CODES.notFound.code);
    const { rows: alarms } = await database.pool.query(
      'select site_id, customer_id, cleared_at is null as open from alarms where device_id = $1 order by id',
      [id],
    );
    expect(alarms).toEqual([
      { site_id: world.sites.northQuay, customer_id: world.customers.north, open: false },
      { site_id: world.sites.southPark, customer_id: world.customers.south, open: true },
    ]);
    const { rows: events } = await database.pool.query(
      'select site_id, ended_at is null as open from device_events where device_id = $1',
      [id],
    );
    expect(events).toEqual([{ site_id: world.sites.northQuay, open: false }]);
    expect((await actionsOn(id)).slice(-2)).toMatchObject([
      {
        ...{ operation: 'edit', site_id: world.sites.northQuay, customer_id: world.customers.north },
        before: { siteId: world.sites.northQuay, site: 'Site northQuay', customerId: world.customers.north },
        after: { siteId: null, site: null },
      },
      {
        ...{ operation: 'edit', site_id: world.sites.southPark, customer_id: world.customers.south },
        before: { siteId: null, site: null },
        after: { siteId: world.sites.southPark, site: 'Site southPark', customerId: world.customers.south },
      },
    ]);
  });

  test('is decided for each device', async () => {
    const { world } = server;
    const [here, there, foreign] = [await newDevice(), await newDevice(), world.devices.southPark1.id];
    await admin.data(updateDevice, { params: { id: there }, body: { siteId: world.sites.northMill } });
    expect(await move(admin, world.sites.northMill, here, there, foreign)).toEqual([
      ...[0, CODES.deviceSameSite.code, CODES.notFound.code],
    ]);
    expect(await move(admin, world.sites.southPark, here)).toEqual([CODES.siteUnknown.code]);
    const reader = await server.as('northReader');
    expect(await move(reader, world.sites.northQuay, here)).toEqual([CODES.noPermission.code]);
    const name = (await root.data(readDevice, { params: { id: foreign } })).name;
    const twin = await newDevice({ name });
    expect(await move(root, world.sites.southPark, twin)).toEqual([CODES.deviceNameExists.code]);
  });

  test('to a site that is deleted at the same moment: exactly one of the two succeeds', async () => {
    const { customers } = server.world;
    for (let round = 0; round < 6; round += 1) {
      const [id, site] = [
        await newDevice(),
        await root.data(createSite, {
          body: { customerId: customers.north, code: `GONE-${round}`, name: `Gone ${round}` },
        }),
      ];
      const [moved, deleted] = await Promise.all([
        move(root, site.id, id),
        root.call(deleteSite, { params: { id: site.id } }),
      ]);
      const outcome = [moved[0], deleted.code];
      expect([
        [0, CODES.siteHasDevices.code],
        [CODES.siteUnknown.code, 0],
      ]).toContainEqual(outcome);
    }
  });
});

describe('labels', () => {
  test('contain their text in the requested order, for devices in scope, with the address of the console', async () => {
    const { devices } = server.world;
    const ids = [devices.northQuay2.id, devices.southPark1.id, devices.northQuay1.id];
    const { items, consoleUrl } = await admin.data(listDeviceLabels, { query: { ids: ids.join(',') } });
    expect(consoleUrl).toBe('https://console.example.org');
    expect(items.map(({ sn }) => sn)).toEqual(['northQuay-2', 'northQuay-1']);
    expect(items[0]).toMatchObject({ siteName: 'Site northQuay', deviceModelName: 'World pile' });
  });

  test('name the connectors that the device has reported, and those of its model', async () => {
    const { northQuay1, northQuay2 } = server.world.devices;
    const { pool } = server.database;
    await pool.query(
      `insert into connectors (device_id, connector, status, since, updated_at)
       select $1, n, 'Available', now(), now() from unnest('{3,0,1,257}'::int[]) n on conflict do nothing`,
      [northQuay1.id],
    );
    await pool.query('delete from connectors where device_id = $1', [northQuay2.id]);
    const model = (count: number | null) =>
      pool.query('update device_models set connector_count = $2 where id = $1', [server.world.model, count]);
    const connectorsOf = async () => {
      const query = { ids: `${northQuay1.id},${northQuay2.id}` };
      return (await admin.data(listDeviceLabels, { query })).items.map(({ connectors }) => connectors);
    };
    await model(2);
    // A device with several connectors on an EVSE has only those that it reports, by EVSE.
    expect(await connectorsOf()).toEqual([
      [1, 257, 3],
      [1, 2],
    ]);
    await pool.query('delete from connectors where device_id = $1 and connector = 257', [northQuay1.id]);
    expect(await connectorsOf()).toEqual([
      [1, 2, 3],
      [1, 2],
    ]);
    await model(null);
    expect(await connectorsOf()).toEqual([[1, 3], []]);
  });

  test.each(['', 'a', '1,,2', '1,-2', '1;2'])('of %j are refused', async (ids) => {
    expect((await admin.call(listDeviceLabels, { query: { ids } })).code).not.toBe(0);
  });

  test('are limited', async () => {
    const ids = Array.from({ length: BULK_LIMIT + 1 }, (_, index) => index + 1).join(',');
    expect(await admin.call(listDeviceLabels, { query: { ids } })).toMatchObject({ code: CODES.fieldItems.code });
  });
});

describe('pictures', () => {
  const PNG = Buffer.from('89504e470d0a1a0a0000000d494844520000000049454e44ae426082', 'hex');
  const holder = ({ accessKeyId, accessKeySecret, securityToken, region }: StorageCredential) =>
    new AwsClient({
      accessKeyId,
      secretAccessKey: accessKeySecret,
      sessionToken: securityToken,
      region,
      service: 's3',
      retries: 0,
    });

  /** Uploads as a browser does and returns the key. */
  async function upload(client: Client, bytes: Uint8Array = PNG): Promise<string> {
    const credential = await client.data(ENDPOINTS.writeCredentials);
    const key = `${credential.prefixes.find((one) => one.startsWith('images/'))}${randomUUID()}.png`;
    await holder(credential).fetch(`${server.url}/chargehand/${key}`, { method: 'PUT', body: bytes });
    return key;
  }
  const add = async (id: number, client = admin) =>
    (await client.data(addDeviceImage, { params: { id }, body: { image: await upload(client) } })).id;
  const fetched = async (client: Client, key: string) => {
    const credential = await client.data(ENDPOINTS.readCredentials, { query: {} });
    return (await holder(credential).fetch(`${server.url}/chargehand/${key}`)).status;
  };
  const listed = async (id: number, client = admin) => (await client.data(listDeviceImages, { params: { id } })).items;

  test('are added, ordered and removed', async () => {
    const id = await newDevice();
    const [first, second, third] = [await add(id), await add(id), await add(id)];
    expect((await listed(id)).map((image) => image.id)).toEqual([first, second, third]);
    expect((await actionsOn(id)).slice(-3)).toEqual(
      Array(3).fill(expect.objectContaining({ operation: 'edit', after: { image: expect.any(String) } })),
    );
    await admin.data(orderDeviceImages, { params: { id }, body: { ids: [third, first, second] } });
    expect((await listed(id)).map((image) => image.id)).toEqual([third, first, second]);
    const [{ key = '' } = {}] = await listed(id);
    expect(await fetched(admin, key)).toBe(200);
    await admin.data(removeDeviceImage, { params: { id: third } });
    expect(await fetched(admin, key)).not.toBe(200);
    expect((await listed(id)).map((image) => image.id)).toEqual([first, second]);
    const stale = await admin.call(orderDeviceImages, { params: { id }, body: { ids: [third, first, second] } });
    expect(stale).toMatchObject({ code: CODES.picturesChanged.code, field: 'ids' });
    expect((await listed(id))[0]).toMatchObject({ addedBy: 'north_admin' });
  });

  test('that are invalid are refused, and so is one too many', async () => {
    const id = await newDevice();
    const fake = { image: await upload(admin, Buffer.from('no picture')) };
    expect(await admin.call(addDeviceImage, { params: { id }, body: fake })).toMatchObject({
      code: CODES.fileContent.code,
      field: 'image',
    });
    const answers = await Promise.all(
      Array.from({ length: DEVICE_PICTURES + 2 }, async () =>
        admin.call(addDeviceImage, { params: { id }, body: { image: await upload(admin) } }),
      ),
    );
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(DEVICE_PICTURES);
    expect(answers.filter(({ code }) => code === CODES.picturesFull.code)).toHaveLength(2);
    expect(await listed(id)).toHaveLength(DEVICE_PICTURES);
  });

  test('move to another customer with the device, and its users see them then', async () => {
    const id = await newDevice();
    await add(id);
    const [{ key: before = '' } = {}] = await listed(id);
    await root.data(moveDevices, { body: { ids: [id], siteId: server.world.sites.southPark } });
    const south = await server.as('southAdmin');
    const [{ key = '' } = {}] = await listed(id, south);
    expect(key).toContain(`images/customers/${server.world.customers.south}/`);
    expect(await fetched(south, key)).toBe(200);
    expect(await fetched(root, before)).not.toBe(200);
  });
});
