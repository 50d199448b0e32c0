import { type BatchExecutionRow, type BatchRow, CODES, ENDPOINTS, type NewBatch } from '@chargehand/contract';
import type { ChargePoint, Fleet } from '@chargehand/simulator';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { connectTransferDevice, type TransferDevice } from '../../testing/gateways/transfer-device.ts';
import { describeModel } from '../../testing/operations-room.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { addFirmware, connectDevices, transferOnce } from '../../testing/transfers/transfers.ts';

const { createBatch, readBatch, listBatchExecutions, cancelBatch, rerunBatch, listCommonControls } = ENDPOINTS;
const { commonFirmware, listDeviceLogs, readDevice, listTransfers } = ENDPOINTS;

let server: TestServer;
let staff: Client;
let north: Client;
let fleet: Fleet | undefined;
/** Simulated charge points, which really transfer files. */
let piles: { id: number; pile: ChargePoint }[];
/** Devices that the test controls, new for each test that needs them. */
let raw: TransferDevice[] = [];
beforeAll(async () => {
  const ftp = { port: 0, required: true, passivePorts: { first: 0, last: 0 }, address: undefined };
  server = await startTestServer({ ftp }, { sweeps: true });
  staff = await server.as('vendorStaff');
  north = await server.as('northAdmin');
  ({ fleet, devices: piles } = await connectDevices(server, { prefix: 'BT', devices: 5, speed: 200, connectors: 1 }));
});
afterAll(async () => {
  await fleet?.stop();
  await server.stop();
});
afterEach(async () => {
  for (const device of raw) await device.close();
  raw = [];
});

const pileIds = () => piles.map(({ id }) => id);
const ask = (body: NewBatch, person = north) => person.call(createBatch, { body });
const given = (body: NewBatch) => north.data(createBatch, { body });
const again = (id: number) => north.data(rerunBatch, { params: { id }, body: {} });
const read = (id: number) => north.data(readBatch, { params: { id } });
const until = (id: number, met: (batch: BatchRow) => boolean): Promise<BatchRow> =>
  vi.waitFor(
    async () => {
      const batch = await read(id);
      if (!met(batch)) throw new Error(`the batch is ${JSON.stringify(batch)}`);
      return batch;
    },
    { timeout: 60_000, interval: 50 },
  );
const over = (id: number) => until(id, ({ endedAt }) => endedAt !== null);
const rowsOf = async (id: number): Promise<BatchExecutionRow[]> =>
  (await north.data(listBatchExecutions, { params: { id }, query: { pageSize: 100 } })).items;
const connectRaws = async (count: number): Promise<number[]> => {
  // One after the other, so that commands are sent in this order.
  for (let n = 0; n < count; n += 1) raw.push(await connectTransferDevice(server, north));
  return raw.map(({ id }) => id);
};
const batchState = async (id: number) =>
  (await rowsOf(id)).map(({ deviceId, state, outcome, transfer }) => [
    ...[raw.findIndex((device) => device.id === deviceId), state, outcome, transfer?.state],
  ]);

describe('a firmware update of several devices', () => {
  test.each(['http', 'ftp'] as const)(
    'over %s: each device downloads the file, and succeeds when it runs the version',
    async (transport) => {
      const version = transport === 'http' ? '9.1.0' : '9.1.1';
      const content = Buffer.alloc(200_000, 'x');
      const firmwareId = await addFirmware(server, staff, { version, content });
      const batch = await given({ kind: 'upgradeSoftware', firmwareId, transport, deviceIds: pileIds(), parallel: 3 });
      expect(batch).toMatchObject({ controlType: 5, params: { firmwareId, version, transport }, counts: { total: 5 } });
      // A credential is created when a command is sent, and never for a waiting one.
      const secrets = async () =>
        (
          await server.database.pool.query<{ hash: string | null; sent: boolean; queued: boolean }>(
            `select t.credential_hash as hash, t.asked_at is not null as sent, e.state = 'queued' as queued
             from transfers t join executions e on e.id = t.execution_id where e.batch_id = $1`,
            [batch.id],
          )
        ).rows;
      for (const { hash, sent, queued } of await secrets()) {
        expect(sent).toBe(hash !== null);
        if (queued) expect(sent).toBe(false);
      }
      const { counts, stopped } = await over(batch.id);
      expect(counts).toMatchObject({ total: 5, succeeded: 5, inFlight: 0, queued: 0 });
      expect(stopped).toBeNull();
      const hashes = (await secrets()).map(({ hash }) => hash);
      expect(new Set(hashes).size).toBe(5);
      expect(hashes).not.toContain(null);
      for (const row of await rowsOf(batch.id)) {
        expect(row).toMatchObject({ result: 2, reason: 'accepted', outcome: 2 });
        expect(row.transfer).toMatchObject({ kind: 'software', state: 'verified', reason: null, size: content.length });
        expect(row.transfer?.bytes).toBe(content.length);
      }
      for (const id of pileIds()) expect((await north.data(readDevice, { params: { id } })).softVersion).toBe(version);
      // A device that runs the version is left out, now and when the batch is repeated.
      const idle = await given({ kind: 'upgradeSoftware', firmwareId, transport, deviceIds: pileIds() });
      expect(idle).toMatchObject({ counts: { refused: 5 }, endedAt: expect.any(String) });
      expect((await rowsOf(idle.id)).every(({ reason, transfer }) => reason === 'firmwareRunning' && !transfer)).toBe(
        true,
      );
      const nobody = await north.call(rerunBatch, { params: { id: idle.id }, body: {} });
      expect(nobody.code).toBe(CODES.batchNothingToRerun.code);
    },
  );

  test('the next command is sent when a device runs the version, not when it reports success; the batch stops after failures, and failed devices can be repeated', async () => {
    const deviceIds = await connectRaws(3);
    const firmwareId = await addFirmware(server, staff, { version: '4.0.0' });
    const batch = await given({ kind: 'upgradeSoftware', firmwareId, deviceIds, parallel: 1, stopAfter: 1 });
    await raw[0]!.agree();
    for (const word of ['Downloading', 'Downloaded', 'Installing', 'Installed'])
      await raw[0]!.report('FirmwareStatusNotification', word);
    await until(batch.id, ({ counts }) => counts.inFlight === 1 && counts.queued === 2);
    await vi.waitFor(
      async () =>
        expect(await batchState(batch.id)).toEqual([
          [0, 'ended', 1, 'installed'],
          [1, 'queued', 1, 'requested'],
          [2, 'queued', 1, 'requested'],
        ]),
      { timeout: 30_000 },
    );
    await raw[0]!.boot('4.0.0');
    await raw[1]!.agree();
    expect((await read(batch.id)).counts).toMatchObject({ succeeded: 1, inFlight: 1, queued: 1 });
    await raw[1]!.report('FirmwareStatusNotification', 'InstallationFailed');
    const { counts, stopped } = await over(batch.id);
    expect({ counts, stopped }).toMatchObject({
      counts: { succeeded: 1, failed: 1, cancelled: 1 },
      stopped: 'failures',
    });
    expect(await batchState(batch.id)).toEqual([
      [0, 'ended', 2, 'verified'],
      [1, 'ended', 3, 'failed'],
      [2, 'ended', 3, expect.any(String)],
    ]);
    expect((await rowsOf(batch.id)).filter(({ outcome }) => outcome === 3).map(({ deviceId }) => deviceId)).toEqual(
      deviceIds.slice(1),
    );

    const second = await again(batch.id);
    expect(second).toMatchObject({ rerunOf: batch.id, params: { firmwareId, version: '4.0.0' }, counts: { total: 2 } });
    await raw[1]!.agree();
    await raw[1]!.boot('4.0.0');
    await raw[2]!.agree();
    await raw[2]!.boot('4.0.0');
    expect((await over(second.id)).counts).toMatchObject({ total: 2, succeeded: 2 });
  });

  test('after cancelling, running updates continue, and the others never receive the location of the file', async () => {
    const deviceIds = await connectRaws(2);
    const firmwareId = await addFirmware(server, staff, { version: '4.1.0' });
    const batch = await given({ kind: 'upgradeSoftware', firmwareId, deviceIds, parallel: 1 });
    await raw[0]!.agree();
    const cancelled = await north.data(cancelBatch, { params: { id: batch.id }, body: {} });
    expect(cancelled).toMatchObject({ stopped: 'person', counts: { queued: 0, inFlight: 1, cancelled: 1 } });
    await transferOnce(north, deviceIds[1]!, ({ state }) => state === 'failed');
    expect((await north.data(listTransfers, { params: { id: deviceIds[1]! } })).items[0]).toMatchObject({
      ...{ reason: 'commandFailed', askedAt: null },
    });
    await raw[0]!.boot('4.1.0');
    expect((await over(batch.id)).counts).toMatchObject({ succeeded: 1, cancelled: 1 });
  });

  test('over a restart of the server', async () => {
    const deviceIds = pileIds().slice(0, 2);
    // They are charging: the downloaded firmware is installed only after the vehicles have left.
    for (const { pile } of piles.slice(0, 2)) {
      pile.plugIn(1);
      await expect.poll(() => pile.charging, { timeout: 30_000 }).toBe(true);
    }
    const firmwareId = await addFirmware(server, staff, { version: '4.2.0' });
    const batch = await given({ kind: 'upgradeSoftware', firmwareId, deviceIds });
    for (const id of deviceIds) await transferOnce(north, id, ({ state }) => state === 'downloaded');
    await server.restart();
    // The sweep finds what happened to a file in the meantime.
    await server.database.pool.query(
      `update transfers set state = 'failed', reason = 'installFailed', ended_at = now()
        where ended_at is null and device_id = $1`,
      [deviceIds[1]],
    );
    await until(batch.id, ({ counts }) => counts.failed === 1 && counts.inFlight === 1);
    for (const { pile } of piles.slice(0, 2)) {
      await expect.poll(() => pile.accepted, { timeout: 30_000 }).toBe(true);
      pile.unplug(1);
    }
    expect((await over(batch.id)).counts).toMatchObject({ succeeded: 1, failed: 1 });
    // The other device installs it anyway, and is online again before the next command to it.
    const versionOf = async () => (await north.data(readDevice, { params: { id: deviceIds[1]! } })).softVersion;
    await expect.poll(versionOf, { timeout: 30_000 }).toBe('4.2.0');
  });

  test('a device that never answered and installed the firmware anyway counts as a success', async () => {
    const deviceIds = await connectRaws(2);
    const firmwareId = await addFirmware(server, staff, { version: '4.3.0' });
    const batch = await given({ kind: 'upgradeSoftware', firmwareId, deviceIds, parallel: 1 });
    await server.database.pool.query(
      `update executions set deadline_at = now() - interval '1 ms' where batch_id = $1 and device_id = $2`,
      [batch.id, deviceIds[0]],
    );
    await until(batch.id, ({ counts }) => counts.timedOut === 1);
    await raw[1]!.agree();
    await raw[1]!.boot('4.3.0');
    expect((await over(batch.id)).counts).toMatchObject({ succeeded: 1, timedOut: 1 });
    await server.database.pool.query(
      `update transfers set state = 'verified', ended_at = now() where ended_at is null and device_id = $1`,
      [deviceIds[0]],
    );
    expect((await until(batch.id, ({ counts }) => counts.succeeded === 2)).counts).toMatchObject({ timedOut: 0 });
  });

  test('of their PLCs, for whose version each device is asked', async () => {
    await describeModel(server, {
      controls: [{ type: 5 }, { type: 6 }, { type: 10, reading: 'updatePlcFirmware' }],
    });
    const deviceIds = pileIds().slice(0, 2);
    const { controls } = await north.data(listCommonControls, { body: { deviceIds } });
    expect(controls.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['upgradeSoftware', 'uploadLog', 'updatePlcFirmware']),
    );
    const firmwareId = await addFirmware(server, staff, { kind: 'plc', version: '3.3.3', fileName: 'plc-3.3.3.hex' });
    const { id } = await given({ kind: 'updatePlcFirmware', firmwareId, deviceIds });
    expect((await over(id)).counts).toMatchObject({ succeeded: 2 });
    expect(await north.data(commonFirmware, { body: { deviceIds, kind: 'plc' } })).toMatchObject({
      ...{ versions: [{ version: '3.3.3', devices: 2 }], items: [{ id: firmwareId }] },
    });
    expect(await ask({ kind: 'upgradeSoftware', firmwareId, deviceIds })).toMatchObject({
      ...{ code: CODES.firmwareUnknown.code, field: 'firmwareId' },
    });
  });
});

describe('logs of several devices', () => {
  test('succeed when they are stored', async () => {
    const from = '2026-01-01T00:00:00.000Z';
    const logs = { kind: 'uploadLog', logType: 'diagnostics', from } as const;
    const batch = await given({ ...logs, transport: 'ftp', deviceIds: pileIds(), parallel: 3 });
    expect(batch.params).toMatchObject({ logType: 'diagnostics', from });
    expect((await over(batch.id)).counts).toMatchObject({ succeeded: 5 });
    for (const row of await rowsOf(batch.id)) {
      expect(row).toMatchObject({ outcome: 2, transfer: { kind: 'log', state: 'stored' } });
      const { items } = await north.data(listDeviceLogs, { params: { id: row.deviceId! } });
      expect(items[0]).toMatchObject({ id: row.logId, type: 'diagnostics', from, size: row.transfer?.size });
    }
  });

  test('of offline devices: end immediately, or are queued until online', async () => {
    const { northQuay1, northQuay2 } = server.world.devices;
    const [away, id] = [northQuay1.id, northQuay2.id];
    const logs = { kind: 'uploadLog', logType: 'diagnostics' } as const;
    const lone = await given({ ...logs, deviceIds: [away] });
    expect((await over(lone.id)).counts).toMatchObject({ offline: 1 });
    // Its transfer has ended too, so the next one is not blocked, even before the sweep.
    const waiting = await given({ ...logs, deviceIds: [away, id], whenOffline: 'queue', queueMinutes: 120 });
    expect(waiting).toMatchObject({ counts: { queued: 2 }, queueMinutes: 120 });
    const busy = await ask({ ...logs, deviceIds: [away, id] });
    expect(busy.code).toBe(CODES.someDevicesBusy.code);
    await north.data(cancelBatch, { params: { id: waiting.id }, body: {} });
    expect((await over(waiting.id)).counts).toMatchObject({ cancelled: 2 });
    const third = await given({ ...logs, deviceIds: [away, id] });
    expect((await over(third.id)).counts).toMatchObject({ offline: 2 });
  });
});

describe('reasons against the whole batch', () => {
  test('a file for one of the models only, or for none', async () => {
    const { rows } = await server.database.pool.query<{ id: number }>(
      `with model as (
         insert into device_models (name, type, version) values ('Other pile', 1, 0) returning id
       ), device as (
         insert into devices (sn, name, site_id, customer_id, device_model_id)
         select 'OTHER-1', 'Other 1', $1, $2, id from model returning id
       ), states as (insert into device_states (device_id) select id from device)
       select id::int from device`,
      [server.world.sites.northQuay, server.world.customers.north],
    );
    const deviceIds = [server.world.devices.northQuay1.id, rows[0]!.id];
    const firmwareId = await addFirmware(server, staff, { version: '6.6.6' });
    const { items } = await north.data(commonFirmware, { body: { deviceIds, kind: 'software' } });
    expect(items).toEqual([]);
    const alone = await north.data(commonFirmware, { body: { deviceIds: deviceIds.slice(0, 1), kind: 'software' } });
    expect(alone.items.map(({ id }) => id)).toContain(firmwareId);
    for (const id of [firmwareId, 2_000_000_000]) {
      const answer = await ask({ kind: 'upgradeSoftware', firmwareId: id, deviceIds });
      expect(answer).toMatchObject({ code: CODES.firmwareUnknown.code, field: 'firmwareId' });
    }
    const common = await server.as('southAdmin');
    const hidden = await common.call(commonFirmware, { body: { deviceIds, kind: 'software' } });
    expect(hidden.code).toBe(CODES.notFound.code);
  });

  test.each<[string, Partial<NewBatch>, keyof typeof CODES]>([
    ['an upgrade without a file', { kind: 'upgradeSoftware' }, 'paramMissing'],
    ['an upgrade with a log', { kind: 'upgradeSoftware', firmwareId: 1, logType: 'security' }, 'fieldUnknown'],
    ['a log without its type', { kind: 'uploadLog' }, 'paramMissing'],
    [
      'a log with an end before its start',
      { kind: 'uploadLog', logType: 'security', from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' },
      'logTimesTurned',
    ],
    [
      'a queue time shorter than the batch usually takes',
      { kind: 'uploadLog', logType: 'security', whenOffline: 'queue', queueMinutes: 31 },
      'queueTooShort',
    ],
  ])('%s', async (_, body, code) => {
    const deviceIds = [server.world.devices.northQuay1.id];
    const before = await server.database.pool.query('select count(*)::int as n from transfers');
    expect((await ask({ deviceIds, ...body } as NewBatch)).code).toBe(CODES[code].code);
    const after = await server.database.pool.query('select count(*)::int as n from transfers');
    expect(after.rows).toEqual(before.rows);
  });

  test('of two concurrent batches for the same devices one is accepted', async () => {
    const deviceIds = await connectRaws(2);
    const files = [
      await addFirmware(server, staff, { version: '5.0.0' }),
      await addFirmware(server, staff, { version: '5.0.1' }),
    ];
    const answers = await Promise.all(
      files.map((firmwareId) => ask({ kind: 'upgradeSoftware', firmwareId, deviceIds, parallel: 1 })),
    );
    expect(answers.map(({ code }) => code).sort()).toEqual([0, CODES.someDevicesBusy.code].sort());
    const { rows } = await server.database.pool.query(
      'select count(*)::int as n from transfers where device_id = any($1) and ended_at is null',
      [deviceIds],
    );
    expect(rows).toEqual([{ n: 2 }]);
    // A device that received the command and forgot its transfer answers that it is idle.
    const devicesOf = async (text: string) =>
      (await server.database.pool.query<{ id: number }>(text, [deviceIds])).rows.map(({ id }) => id);
    const sent = await vi.waitFor(async () => {
      const ids = await devicesOf(
        'select device_id as id from transfers where device_id = any($1) and asked_at is not null and ended_at is null',
      );
      expect(ids).toHaveLength(1);
      return ids;
    });
    expect((await ask({ kind: 'upgradeSoftware', firmwareId: files[0]!, deviceIds })).code).not.toBe(0);
    const requested = `select distinct e.device_id as id from executions e join commands c on c.id = e.command_id
      where e.device_id = any($1) and c.kind = 'triggerMessage' and c.params ->> 'message' = 'FirmwareStatusNotification'`;
    expect(await devicesOf(requested)).toEqual(sent);
  });
});
