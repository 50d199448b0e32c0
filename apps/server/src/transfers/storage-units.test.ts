import { ENDPOINTS, type NewCommand } from '@chargehand/contract';
import { type StorageFleet, startStorageFleet } from '@chargehand/simulator';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hashDevicePassword } from '../ports/devices/device-password.ts';
import type { Client } from '../testing/client.ts';
import { describeModel } from '../testing/operations-room.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { addFirmware, transferOnce } from '../testing/transfers/transfers.ts';

const { sendCommand, readDevice, listDeviceLogs, previewDeviceLog } = ENDPOINTS;

const PASSWORD = 'storage-units-password';
let server: TestServer;
let north: Client;
let fleet: StorageFleet;
let ids: number[];
beforeAll(async () => {
  const ftp = { port: 0, required: true, passivePorts: { first: 0, last: 0 }, address: undefined };
  server = await startTestServer({ ftp }, { sweeps: true });
  north = await server.as('northAdmin');
  const { database, world, mqttUrl } = server;
  const { rows } = await database.pool.query<{ id: number }>(
    `with added as (
       insert into devices (sn, name, site_id, customer_id, device_model_id, gateway_password_hash)
       select 'UNIT' || lpad(n::text, 5, '0'), 'Unit ' || n, $1, $2, $3, $4 from generate_series(1, 2) n
       returning id, sn
     ), states as (insert into device_states (device_id) select id from added)
     select id::int from added order by sn`,
    [world.sites.northQuay, world.customers.north, world.model, hashDevicePassword(PASSWORD)],
  );
  ids = rows.map(({ id }) => id);
  fleet = startStorageFleet({ url: mqttUrl!, units: 2, prefix: 'UNIT', password: PASSWORD, reportInterval: 1 });
  await vi.waitFor(() => expect(fleet.summary().connected).toBe(2), { timeout: 30_000 });
});
afterAll(async () => {
  await fleet?.stop();
  await server.stop();
});

const send = (id: number, body: NewCommand) => north.data(sendCommand, { params: { id }, body });
const ends = ({ endedAt }: { endedAt: string | null }) => endedAt !== null;

test.each([
  ['http', '1.5.0'],
  ['ftp', '1.6.0'],
] as const)(
  'a storage unit downloads its firmware over %s, and the transfer succeeds when the unit runs it',
  async (transport, version) => {
    const [id] = ids as [number];
    const content = Buffer.alloc(100_000, 'x');
    const firmwareId = await addFirmware(server, await server.as('vendorStaff'), { version, content });
    await send(id, { kind: 'upgradeSoftware', firmwareId, transport });
    const transfer = await transferOnce(north, id, (one) => one.transport === transport && ends(one));
    expect(transfer).toMatchObject({ kind: 'software', state: 'verified', version, bytes: content.length });
    expect((await north.data(readDevice, { params: { id } })).softVersion).toBe(version);
  },
);

test.each(['http', 'ftp'] as const)('a storage unit uploads its log over %s', async (transport) => {
  const id = ids[1]!;
  await send(id, { kind: 'uploadLog', logType: 'diagnostics', transport });
  const log = await transferOnce(north, id, (one) => one.transport === transport && ends(one));
  expect(log).toMatchObject({ kind: 'log', state: 'stored', reason: null });
  const { items } = await north.data(listDeviceLogs, { params: { id } });
  const [kept] = items as [(typeof items)[number]];
  const { text } = await north.data(previewDeviceLog, { params: { id, logId: kept.id } });
  expect(text).toContain(fleet.units[1]!.sn);
});

test('a storage unit updates its PLC, and the transfer succeeds when the unit reports the version', async () => {
  const id = ids[1]!;
  await describeModel(server, { controls: [{ type: 10, reading: 'updatePlcFirmware' }] });
  const firmwareId = await addFirmware(server, await server.as('vendorStaff'), { kind: 'plc', version: '3.2.0' });
  await send(id, { kind: 'updatePlcFirmware', firmwareId });
  expect(await transferOnce(north, id, ends)).toMatchObject({ kind: 'plc', state: 'verified', version: '3.2.0' });
});
