import { CODES, ENDPOINTS, type NewCommand } from '@chargehand/contract';
import type { Fleet } from '@chargehand/simulator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { eventually } from '../testing/eventually.ts';
import { connectTransferDevice } from '../testing/gateways/transfer-device.ts';
import { keyHolder } from '../testing/objects/object-keys.ts';
import { describeModel } from '../testing/operations-room.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { addFirmware, connectDevices, transferOnce } from '../testing/transfers/transfers.ts';
import { endOverdue } from './progress.service.ts';
import { queryOf } from './query.ts';

const { sendCommand, listExecutions, listTransfers, listDeviceLogs, previewDeviceLog, readDeviceLog } = ENDPOINTS;
const { deleteDeviceLog, deleteFirmware, readDevice, listFrames } = ENDPOINTS;

let server: TestServer;
let staff: Client;
let north: Client;
let fleet: Fleet | undefined;
let devices: { id: number }[];
beforeAll(async () => {
  const ftp = { port: 0, required: true, passivePorts: { first: 0, last: 0 }, address: undefined };
  server = await startTestServer({ ftp }, { sweeps: true });
  staff = await server.as('vendorStaff');
  north = await server.as('northAdmin');
  ({ fleet, devices } = await connectDevices(server, { prefix: 'FW', devices: 10, speed: 200, connectors: 1 }));
});
afterAll(async () => {
  await fleet?.stop();
  await server.stop();
});

const idOf = (index: number) => devices[index]!.id;
const requestCommand = (id: number, body: NewCommand) => north.call(sendCommand, { params: { id }, body });
const send = async (id: number, body: NewCommand) => await north.data(sendCommand, { params: { id }, body });
const executionOf = async (id: number, executionId: string) => {
  const { items } = await north.data(listExecutions, { params: { id } });
  return items.find((one) => one.id === executionId);
};
const ends = ({ endedAt }: { endedAt: string | null }) => endedAt !== null;

describe('a firmware update succeeds when the device runs it', () => {
  test.each([
    ['http', 0],
    ['ftp', 1],
  ] as const)('over %s', async (transport, index) => {
    const id = idOf(index);
    const content = Buffer.alloc(300_000, 'x');
    const firmwareId = await addFirmware(server, staff, { version: 'v9.1.0', fileName: 'hs 9.1.0.bin', content });
    const { id: executionId } = await send(id, { kind: 'upgradeSoftware', firmwareId, transport });
    const transfer = await transferOnce(north, id, ends);
    expect(transfer).toMatchObject({
      executionId,
      kind: 'software',
      transport,
      state: 'verified',
      reason: null,
      version: 'v9.1.0',
      bytes: content.length,
      size: content.length,
      fileName: 'hs_9.1.0.bin',
    });
    expect(transfer.reports.map(({ word }) => word)).toEqual([
      'Downloading',
      'Downloaded',
      'Installing',
      'Installed',
      'version:9.1.0',
    ]);
    // The command itself succeeded long before: the device only accepted it.
    const execution = await executionOf(id, executionId);
    expect(execution).toMatchObject({ result: 2, reason: 'accepted', params: { firmwareId, version: 'v9.1.0' } });
    expect(execution).toMatchObject({ outcome: 2, transfer: { state: 'verified', bytes: content.length } });
    expect(Date.parse(execution?.endedAt ?? '')).toBeLessThan(Date.parse(transfer.endedAt ?? ''));
    expect((await north.data(readDevice, { params: { id } })).softVersion).toBe('9.1.0');
    expect(await requestCommand(id, { kind: 'upgradeSoftware', firmwareId })).toMatchObject({
      code: CODES.firmwareRunning.code,
    });
    // The protocol log does not contain the credential.
    const frames = await staff.data(listFrames, { params: { id }, query: { limit: 100 } });
    const frame = frames.items.find(({ action, type }) => action === 'UpdateFirmware' && type === 3);
    expect(frame?.body).toContain(transport === 'http' ? '/device-files/***/hs_9.1.0.bin' : ':***@127.0.0.1');
  });

  test.each([['an installation that fails', 3, 'corrupt-8.0.0.bin', 'installFailed']])(
    '%s has failed, whatever the device reports',
    async (_, index, fileName, reason) => {
      const id = idOf(index);
      const firmwareId = await addFirmware(server, staff, { version: '8.0.0', fileName });
      const { id: executionId } = await send(id, { kind: 'upgradeSoftware', firmwareId });
      expect(await transferOnce(north, id, ends)).toMatchObject({ state: 'failed', reason });
      expect(await executionOf(id, executionId)).toMatchObject({ result: 2, outcome: 3, transfer: { reason } });
    },
  );

  test('a device that keeps its version has failed, when it had time to report the right one', async () => {
    const id = idOf(2);
    const firmwareId = await addFirmware(server, staff, { version: '8.0.0', fileName: 'stale-8.0.0.bin' });
    const { id: executionId } = await send(id, { kind: 'upgradeSoftware', firmwareId });
    await transferOnce(north, id, ({ reports }) => reports.some(({ word }) => word.startsWith('version:')));
    expect(await executionOf(id, executionId)).toMatchObject({ outcome: 1, transfer: { state: 'installed' } });
    await server.database.pool.query('update transfers set doubted_until = now() where execution_id = $1', [
      executionId,
    ]);
    const reason = 'wrongVersion';
    expect(await transferOnce(north, id, ends)).toMatchObject({ state: 'failed', reason });
    expect(await executionOf(id, executionId)).toMatchObject({ result: 2, outcome: 3, transfer: { reason } });
  });

  test('a user ends a transfer that its device does not continue, once', async () => {
    const id = idOf(2);
    const firmwareId = await addFirmware(server, staff, { version: '8.0.1', fileName: 'stale-8.0.1.bin' });
    const { id: executionId } = await send(id, { kind: 'upgradeSoftware', firmwareId });
    await transferOnce(north, id, ({ reports }) => reports.some(({ word }) => word.startsWith('version:')));
    const end = () => north.call(ENDPOINTS.endTransfer, { params: { executionId }, body: {} });
    expect(await end()).toMatchObject({ code: 0 });
    expect((await end()).code).toBe(CODES.transferOver.code);
    const reason = 'endedByUser';
    expect(await executionOf(id, executionId)).toMatchObject({ outcome: 3, transfer: { state: 'failed', reason } });
  });

  test('of a PLC, for whose version the device is asked', async () => {
    await describeModel(server, {
      controls: [{ type: 5 }, { type: 6 }, { type: 10, reading: 'updatePlcFirmware' }],
    });
    const id = idOf(4);
    const firmwareId = await addFirmware(server, staff, { kind: 'plc', version: '3.3.3', fileName: 'plc-3.3.3.hex' });
    expect(await requestCommand(id, { kind: 'upgradeSoftware', firmwareId })).toMatchObject({
      code: CODES.firmwareUnknown.code,
    });
    await send(id, { kind: 'updatePlcFirmware', firmwareId });
    expect(await transferOnce(north, id, ends)).toMatchObject({ kind: 'plc', state: 'verified' });
    const { versions } = await north.data(ENDPOINTS.commonFirmware, { body: { deviceIds: [id], kind: 'plc' } });
    expect(versions).toEqual([{ version: '3.3.3', devices: 1 }]);
  });

  test('one at a time, and its file cannot be removed meanwhile', async () => {
    const id = idOf(5);
    const before = await addFirmware(server, staff, { version: '7.0.0' });
    const next = await addFirmware(server, staff, { version: '7.0.1' });
    // The charge point is charging. It installs only after the vehicle has left.
    const pile = fleet!.devices[5]!;
    pile.plugIn(1);
    await expect.poll(() => pile.charging, { timeout: 30_000 }).toBe(true);
    const answers = await Promise.all(
      [before, next].map((firmwareId) => requestCommand(id, { kind: 'upgradeSoftware', firmwareId })),
    );
    expect(answers.map(({ code }) => code).sort()).toEqual([0, CODES.deviceBusy.code].sort());
    const won = answers[0]?.code === 0 ? before : next;
    const awaited = await staff.call(deleteFirmware, { params: { id: won } });
    expect(awaited.code).toBe(CODES.firmwareAwaited.code);
    await transferOnce(north, id, ({ state }) => state === 'downloaded');
    pile.unplug(1);
    await transferOnce(north, id, ({ state }) => state === 'verified');
    await staff.data(deleteFirmware, { params: { id: won } });
    // The history remains after the file was removed.
    expect((await north.data(listTransfers, { params: { id } })).items[0]?.version).toMatch(/^7\.0\.[01]$/);
  });

  test('that continues while the server restarts', async () => {
    const id = idOf(6);
    const pile = fleet!.devices[6]!;
    pile.plugIn(1);
    await expect.poll(() => pile.charging, { timeout: 30_000 }).toBe(true);
    const firmwareId = await addFirmware(server, staff, { version: '6.0.0' });
    await send(id, { kind: 'upgradeSoftware', firmwareId });
    await transferOnce(north, id, ({ state }) => state === 'downloaded');
    await server.restart();
    await expect.poll(() => pile.accepted, { timeout: 30_000 }).toBe(true);
    pile.unplug(1);
    expect(await transferOnce(north, id, ends)).toMatchObject({ state: 'verified' });
  });
});

describe('a device that forgot its upgrade', () => {
  const evidence = async (deviceId: number) => {
    const { rows } = await server.database.pool.query<{ doubt: string; minutes: number }>(
      `select doubt, ceil(extract(epoch from doubted_until - now()) / 60)::int as minutes
         from transfers where device_id = $1 and ended_at is null`,
      [deviceId],
    );
    return rows[0];
  };
  const letTimePass = (deviceId: number) =>
    server.database.pool.query(
      `update transfers set doubted_until = now() - interval '1 ms' where device_id = $1 and doubt is not null`,
      [deviceId],
    );

  test('is free again minutes after its restart, and asked for its status when the next upgrade starts', async () => {
    const device = await connectTransferDevice(server, north);
    const { id } = device;
    const firmwareId = await addFirmware(server, staff, { version: '5.0.0' });
    await device.send({ kind: 'upgradeSoftware', firmwareId });
    await device.boot('1.0.0');
    expect(await evidence(id)).toEqual({ doubt: 'forgotten', minutes: 2 });
    // Restarts without end give it no more time.
    await letTimePass(id);
    for (let boots = 0; boots < 5; boots += 1) await device.boot();
    const ended = await transferOnce(north, id, ends);
    expect(ended).toMatchObject({ state: 'failed', reason: 'forgotten' });
    expect(await executionOf(id, ended.executionId)).toMatchObject({ result: 2, outcome: 3 });

    // What it reports after the end concerns nothing.
    for (const status of ['Idle', 'Downloading', 'Installed', 'InstallationFailed', 'Idle'])
      await device.report('FirmwareStatusNotification', status);
    await device.boot('5.0.0');
    expect(await transferOnce(north, id, ends)).toEqual(ended);

    const nextId = await addFirmware(server, staff, { version: '5.0.1' });
    await device.send({ kind: 'upgradeSoftware', firmwareId: nextId });
    await device.report('FirmwareStatusNotification', 'Downloading');
    const again = { kind: 'upgradeSoftware', firmwareId } as const;
    await device.boot('1.0.0');
    expect(await requestCommand(id, again)).toMatchObject({ code: CODES.deviceBusy.code });
    const { items } = await north.data(listExecutions, { params: { id } });
    expect(items[0]).toMatchObject({
      kind: 'triggerMessage',
      params: { message: 'FirmwareStatusNotification' },
      requestedBy: '',
    });
    expect(await evidence(id)).toEqual({ doubt: 'forgotten', minutes: 30 });
    await device.report('FirmwareStatusNotification', 'Idle');
    expect(await evidence(id)).toEqual({ doubt: 'forgotten', minutes: 2 });
    await letTimePass(id);
    expect(await transferOnce(north, id, ends)).toMatchObject({ state: 'failed', reason: 'forgotten' });
    await device.send(again);
    await device.boot('5.0.0');
    expect(await transferOnce(north, id, ends)).toMatchObject({ state: 'verified' });
    await device.close();
  });

  test('goes on when it fetches the file after all', async () => {
    const device = await connectTransferDevice(server, north);
    const firmwareId = await addFirmware(server, staff, { version: '5.1.0' });
    const { location } = await device.send({ kind: 'upgradeSoftware', firmwareId });
    await device.report('FirmwareStatusNotification', 'Idle');
    expect(await evidence(device.id)).toEqual({ doubt: 'forgotten', minutes: 2 });
    expect((await fetch(location)).status).toBe(200);
    expect(await evidence(device.id)).toEqual({ doubt: null, minutes: null });
    // It does not know which of two requests its statuses concern, so a status of a log concerns no upgrade.
    await device.report('DiagnosticsStatusNotification', 'Idle');
    expect(await evidence(device.id)).toEqual({ doubt: null, minutes: null });
    await device.close();
  });
});

describe('a command that fails ends its transfer', () => {
  test('when the device is offline', async () => {
    const { id } = server.world.devices.northQuay1;
    const firmwareId = await addFirmware(server, staff, {});
    const { result } = await send(id, { kind: 'upgradeSoftware', firmwareId });
    expect(result).toBe(5);
    // It does not block the next one, even before it is swept.
    expect((await send(id, { kind: 'upgradeSoftware', firmwareId })).result).toBe(5);
    expect(await transferOnce(north, id, ends)).toMatchObject({ state: 'failed', reason: 'commandFailed' });
  });

  test('and so does its deadline', async () => {
    const id = idOf(9);
    fleet!.devices[9]!.neverAnswer('UpdateFirmware');
    const firmwareId = await addFirmware(server, staff, {});
    const { id: executionId } = await send(id, { kind: 'upgradeSoftware', firmwareId });
    await server.database.pool.query(
      `update transfers set deadline_at = now() - interval '1 ms' where execution_id = $1`,
      [executionId],
    );
    expect(await transferOnce(north, id, ends)).toMatchObject({ state: 'timedOut', reason: 'noProgress' });
  });
});

test('a transfer that is queued for its device does not expire', async () => {
  const { id } = server.world.devices.northQuay2;
  const wanted = { kind: 'uploadLog', logType: 'diagnostics', whenOffline: 'queue' } as const;
  const { id: executionId } = await send(id, wanted);
  // The state after a connection that broke while the command was sent.
  await server.database.pool.query(
    `update transfers set asked_at = now(), deadline_at = now() - interval '1 ms' where execution_id = $1`,
    [executionId],
  );
  expect(await endOverdue(queryOf(server.database.db), [id])).toEqual({ devices: [], more: false });
  await north.data(ENDPOINTS.cancelExecution, { params: { executionId }, body: {} });
  expect(await transferOnce(north, id, ends)).toMatchObject({ state: 'failed', reason: 'commandFailed' });
});

describe('a log upload succeeds when the log is stored', () => {
  test.each([
    ['http', 'diagnostics', 7],
    ['ftp', 'diagnostics', 7],
    ['http', 'security', 8],
  ] as const)('over %s: %s', async (transport, logType, index) => {
    const id = idOf(index);
    const from = '2026-01-01T00:00:00.000Z';
    await send(id, { kind: 'uploadLog', logType, transport, from });
    const transfer = await transferOnce(north, id, ends);
    expect(transfer).toMatchObject({ state: 'stored', kind: 'log', logType, transport });
    const { items } = await north.data(listDeviceLogs, { params: { id } });
    const log = items[0]!;
    expect(log).toMatchObject({ type: logType, from, to: null, size: transfer.size, requestedBy: 'north_admin' });
    expect(log.fileName).toMatch(new RegExp(`^${logType}-FW0000${index + 1}-\\d{14}\\.log$`));
    const params = { id, logId: log.id };
    const preview = await north.data(previewDeviceLog, { params });
    expect(preview.complete).toBe(true);
    expect(preview.text).toContain(logType === 'security' ? '[security]' : '[config]');

    const { credential, key } = await north.data(readDeviceLog, { params });
    const file = await keyHolder(credential).fetch(`${server.url}/${credential.bucket}/${key}`);
    expect([file.status, file.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
    expect(await file.text()).toBe(preview.text);
    const others = await keyHolder(credential).fetch(`${server.url}/${credential.bucket}/logs/1/other`);
    expect(others.status).toBe(403);
    await north.data(deleteDeviceLog, { params });
    expect(await north.call(previewDeviceLog, { params })).toMatchObject({ code: CODES.notFound.code });
    expect((await keyHolder(credential).fetch(`${server.url}/${credential.bucket}/${key}`)).status).toBe(403);
  });

  test('when its device lost the connection before it answered the command', async () => {
    const device = await connectTransferDevice(server, north);
    const { executionId, location } = await device.receive({ kind: 'uploadLog', logType: 'diagnostics' });
    const sent = await executionOf(device.id, executionId);
    expect(sent).toMatchObject({ state: 'sent', outcome: 1 });
    expect((await fetch(`${location}pile.log`, { method: 'PUT', body: 'a log' })).ok).toBe(true);
    expect(await transferOnce(north, device.id, ends)).toMatchObject({ state: 'stored' });
    await device.close();
    const ended = await eventually(
      () => executionOf(device.id, executionId),
      (one) => one?.state === 'ended',
    );
    expect(ended).toMatchObject({ result: 2, reason: null, outcome: 2, transfer: { state: 'stored' } });
  });

  test('with times that follow each other', async () => {
    const times = { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' };
    const answer = await requestCommand(idOf(7), { kind: 'uploadLog', logType: 'diagnostics', ...times });
    expect(answer).toMatchObject({ code: CODES.logTimesTurned.code, field: 'to' });
  });
});
