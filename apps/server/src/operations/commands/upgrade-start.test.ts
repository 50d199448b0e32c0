import { CODES, ENDPOINTS, type ExecutionRow, type NewCommand } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { emptyTables } from '../../testing/database/database.ts';
import { connectPile, type Pile } from '../../testing/gateways/pile.ts';
import { describeModel, executionOnce, passDeadline } from '../../testing/operations-room.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { addFirmware } from '../../testing/transfers/transfers.ts';

const { sendCommand, createBatch, readBatch } = ENDPOINTS;

let server: TestServer;
let admin: Client;
let firmwareId: number;
const piles: Pile[] = [];
beforeAll(async () => {
  server = await startTestServer({}, { sweeps: true });
  admin = await server.as('northAdmin');
  firmwareId = await addFirmware(server, await server.as('vendorStaff'));
});
afterEach(async () => {
  for (const pile of piles.splice(0)) await pile.cut();
  const tables = ['transfers', 'executions', 'command_batches', 'commands', 'connectors'] as const;
  await emptyTables(server.database.pool, ...tables);
});
afterAll(() => server.stop());

const connect = async (device: 'northQuay1' | 'northQuay2', status: string): Promise<Pile> => {
  const pile = await connectPile(server, server.world.devices[device].sn);
  piles.push(pile);
  await reports(pile, status);
  return pile;
};
const reports = (pile: Pile, status: string, connectorId = 1) =>
  pile.say('StatusNotification', { connectorId, errorCode: 'NoError', status });
const id = () => server.world.devices.northQuay1.id;
const upgrade = (more: Partial<NewCommand>) =>
  admin.call(sendCommand, { params: { id: id() }, body: { kind: 'upgradeSoftware', firmwareId, ...more } });
const upgraded = (more: Partial<NewCommand>) =>
  admin.data(sendCommand, { params: { id: id() }, body: { kind: 'upgradeSoftware', firmwareId, ...more } });
const once = ({ id: executionId }: ExecutionRow, state: ExecutionRow['state']) =>
  executionOnce(admin, id(), executionId, (execution) => execution.state === state);
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

test('when idle: at once if no vehicle is charging', async () => {
  const pile = await connect('northQuay1', 'Available');
  const sent = await upgraded({ start: 'whenIdle' });
  expect(await pile.call(1)).toMatchObject({ id: sent.id, action: 'UpdateFirmware' });
});

test('when idle: after the last vehicle, over a restart of the server, while other commands go on', async () => {
  const before = await connect('northQuay1', 'Charging');
  await reports(before, 'Charging', 2);
  const sent = await upgraded({ start: 'whenIdle', startWithinMinutes: 60 });
  expect(sent).toMatchObject({ state: 'queued', outcome: 1, params: { start: 'whenIdle', startWithinMinutes: 60 } });
  await admin.data(sendCommand, { params: { id: id() }, body: { kind: 'clearCache' } });
  const cleared = await before.call(1);
  expect(cleared.action).toBe('ClearCache');
  before.answer(cleared.id, { status: 'Accepted' });
  await executionOnce(admin, id(), cleared.id, ({ state }) => state === 'ended');
  await server.restart();
  const pile = await connect('northQuay1', 'Charging');
  await reports(pile, 'Charging', 2);
  await reports(pile, 'Available');
  // The second connector is still charging, so a command that is sent now comes before the upgrade.
  await admin.data(sendCommand, { params: { id: id() }, body: { kind: 'clearCache' } });
  const next = await pile.call(1);
  expect(next.action).toBe('ClearCache');
  pile.answer(next.id, { status: 'Accepted' });
  await reports(pile, 'Available', 2);
  expect(await pile.call(2)).toMatchObject({ id: sent.id, action: 'UpdateFirmware' });
});

test('when idle: not while a device that was charging has reported nothing since it connected again', async () => {
  const before = await connect('northQuay1', 'Charging');
  const sent = await upgraded({ start: 'whenIdle' });
  await before.cut();
  const pile = await connectPile(server, server.world.devices.northQuay1.sn);
  piles.push(pile);
  await admin.data(sendCommand, { params: { id: id() }, body: { kind: 'clearCache' } });
  const cleared = await pile.call(1);
  expect(cleared.action).toBe('ClearCache');
  pile.answer(cleared.id, { status: 'Accepted' });
  await executionOnce(admin, id(), cleared.id, ({ state }) => state === 'ended');
  await reports(pile, 'Available');
  expect(await pile.call(2)).toMatchObject({ id: sent.id, action: 'UpdateFirmware' });
});

test('when idle: a device that charges until the deadline ends with a result of its own', async () => {
  const pile = await connect('northQuay1', 'Charging');
  const sent = await upgraded({ start: 'whenIdle' });
  await passDeadline(server, sent.id);
  expect(await once(sent, 'ended')).toMatchObject({ result: 3, outcome: 3, reason: 'notIdle', sentAt: null });
  expect(pile.calls).toEqual([]);
});

test('at a time: not before, and then when no vehicle is charging', async () => {
  const pile = await connect('northQuay1', 'Available');
  const sent = await upgraded({ start: 'at', startAt: inHours(5), startWithinMinutes: 30 });
  expect(sent).toMatchObject({ state: 'queued' });
  expect(Date.parse(sent.deadlineAt)).toBeGreaterThan(Date.now() + 5.4 * 3_600_000);
  await admin.data(sendCommand, { params: { id: id() }, body: { kind: 'clearCache' } });
  const first = await pile.call(1);
  expect(first.action).toBe('ClearCache');
  pile.answer(first.id, { status: 'Accepted' });
  await server.database.pool.query(`update executions set not_before = now() where id = $1`, [sent.id]);
  expect(await pile.call(2)).toMatchObject({ id: sent.id, action: 'UpdateFirmware' });
});

test('a device that is offline is waited for', async () => {
  const sent = await upgraded({ start: 'whenIdle' });
  expect(sent).toMatchObject({ state: 'queued', whenOffline: 'queue' });
  const pile = await connect('northQuay1', 'Available');
  expect(await pile.call(1)).toMatchObject({ id: sent.id });
});

test('in a batch, each device starts when it is idle, and one that charges does not hold up the others', async () => {
  const charging = await connect('northQuay1', 'Charging');
  const idle = await connect('northQuay2', 'Available');
  const deviceIds = [server.world.devices.northQuay1.id, server.world.devices.northQuay2.id];
  const { id: batchId } = await admin.data(createBatch, {
    body: { kind: 'upgradeSoftware', firmwareId, start: 'whenIdle', deviceIds, parallel: 1 },
  });
  const call = await idle.call(1);
  expect(call.action).toBe('UpdateFirmware');
  expect(await admin.data(readBatch, { params: { id: batchId } })).toMatchObject({
    counts: { queued: 1, inFlight: 1 },
    params: { start: 'whenIdle' },
  });
  idle.answer(call.id, {});
  await idle.say('FirmwareStatusNotification', { status: 'InstallationFailed' });
  await reports(charging, 'Available');
  expect((await charging.call(1)).action).toBe('UpdateFirmware');
});

test.each<[string, Partial<NewCommand>, keyof typeof CODES, string]>([
  ['a time that has passed', { start: 'at', startAt: '2020-01-01T00:00:00Z' }, 'startInPast', 'startAt'],
  ['a time too far ahead', { start: 'at', startAt: '2099-01-01T00:00:00Z' }, 'startTooFar', 'startAt'],
  ['no time', { start: 'at' }, 'paramMissing', 'startAt'],
  ['a time that nothing needs', { start: 'whenIdle', startAt: '2099-01-01T00:00:00Z' }, 'fieldUnknown', 'startAt'],
  ['a policy that nothing needs', { start: 'whenIdle', whenOffline: 'fail' }, 'fieldUnknown', 'whenOffline'],
  ['another command', { kind: 'clearCache', start: 'whenIdle' }, 'fieldUnknown', 'firmwareId'],
])('%s is refused with the field', async (_, body, code, field) => {
  expect(await upgrade(body)).toMatchObject({ code: CODES[code].code, field });
});

test('a model that allows upgrades only without a session refuses now, and accepts when idle', async () => {
  await describeModel(server, { controls: [{ type: 5, precondition: 'noSession' }] });
  const pile = await connect('northQuay1', 'Charging');
  expect((await upgrade({})).code).toBe(CODES.sessionInProgress.code);
  const sent = await upgraded({ start: 'whenIdle' });
  expect(sent.state).toBe('queued');
  await reports(pile, 'Available');
  expect(await pile.call(1)).toMatchObject({ id: sent.id });
});
