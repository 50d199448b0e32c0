import {
  CODES,
  type DeviceTopic,
  ENDPOINTS,
  type EventsMessage,
  type ExecutionRow,
  type NewCommand,
  operationsEndpoints,
  parameterEndpoints,
} from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { emptyTables } from '../testing/database/database.ts';
import { openStream } from '../testing/event-stream.ts';
import { connectPile, type Pile } from '../testing/gateways/pile.ts';
import { executionOnce, passDeadline, postponeDeadlines } from '../testing/operations-room.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const { sendCommand, listExecutions } = operationsEndpoints;
const { listParameters } = parameterEndpoints;
const hasEnded = (execution: ExecutionRow) => execution.state === 'ended';

let server: TestServer;
let id: number;
let sn: string;
let admin: Client;
let pile: Pile;
beforeAll(async () => {
  server = await startTestServer();
  ({ id, sn } = server.world.devices.northQuay1);
});
afterAll(() => server.stop());
beforeEach(async () => {
  await emptyTables(server.database.pool, 'executions', 'command_batches', 'commands', 'device_parameters');
  admin = await server.as('northAdmin');
  pile = await connectPile(server, sn);
  await pile.say('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: 'Available' });
});
afterEach(() => pile.cut());

const send = (body: NewCommand) => admin.data(sendCommand, { params: { id }, body });
const ended = (execution: ExecutionRow) => executionOnce(admin, id, execution.id, hasEnded);

test.each<[NewCommand, string, object]>([
  [{ kind: 'softReset' }, 'Reset', { type: 'Soft' }],
  [{ kind: 'hardReset' }, 'Reset', { type: 'Hard' }],
  [{ kind: 'disableSystem' }, 'ChangeAvailability', { connectorId: 0, type: 'Inoperative' }],
  [{ kind: 'enableSystem' }, 'ChangeAvailability', { connectorId: 0, type: 'Operative' }],
  [{ kind: 'disableConnector', connector: 1 }, 'ChangeAvailability', { connectorId: 1, type: 'Inoperative' }],
  [{ kind: 'enableConnector', connector: 1 }, 'ChangeAvailability', { connectorId: 1, type: 'Operative' }],
])('%j sends the charge point %s %j, with the id of the execution', async (body, action, payload) => {
  const sent = await send(body);
  const call = await pile.call(1);
  expect(call).toEqual({ id: sent.id, action, payload });
  pile.answer(call.id, { status: 'Accepted' });
  // A restart is over only when the charge point is back.
  expect(await executionOnce(admin, id, sent.id, ({ state }) => state !== 'sent')).toMatchObject(
    action === 'Reset' ? { state: 'accepted', result: 1 } : { state: 'ended', result: 2, reason: 'accepted' },
  );
});

test.each<[NewCommand, object, Partial<ExecutionRow>]>([
  [{ kind: 'softReset' }, { status: 'Rejected' }, { result: 3, reason: 'rejected' }],
  [
    { kind: 'setParameter', key: 'A', value: '1' },
    { status: 'RebootRequired' },
    { result: 2, reason: 'rebootRequired' },
  ],
  [{ kind: 'setParameter', key: 'A', value: '1' }, { status: 'NotSupported' }, { result: 3, reason: 'unknownKey' }],
  [{ kind: 'softReset' }, { status: 'Perhaps' }, { result: 3, reason: 'badAnswer' }],
  [{ kind: 'softReset' }, {}, { result: 3, reason: 'badAnswer' }],
])('%j answered with %j', async (body, answer, expected) => {
  const sent = await send(body);
  pile.answer((await pile.call(1)).id, answer);
  expect(await ended(sent)).toMatchObject(expected);
});

test('a CALLERROR fails the command with the text of the charge point', async () => {
  const sent = await send({ kind: 'hardReset' });
  pile.answerError((await pile.call(1)).id, 'InternalError', 'the relay is stuck');
  expect(await ended(sent)).toMatchObject({
    result: 3,
    reason: 'callError',
    detail: expect.stringContaining('the relay is stuck'),
  });
});

test('parameters are read from the charge point, set there, and then listed', async () => {
  const refresh = await send({ kind: 'refreshConfiguration' });
  const configuration = await pile.call(1);
  expect(configuration).toMatchObject({ action: 'GetConfiguration', payload: {} });
  pile.answer(configuration.id, {
    configurationKey: [
      { key: 'HeartbeatInterval', readonly: false, value: '300' },
      { key: 'NumberOfConnectors', readonly: true, value: '1' },
    ],
  });
  await ended(refresh);
  const parameters = async () =>
    (await admin.data(listParameters, { params: { id } })).items.map(({ key, value }) => `${key}=${value}`);
  expect(await parameters()).toEqual(['HeartbeatInterval=300', 'NumberOfConnectors=1']);

  const set = await send({ kind: 'setParameter', key: 'heartbeatinterval', value: '60' });
  const change = await pile.call(2);
  expect(change).toMatchObject({ action: 'ChangeConfiguration', payload: { key: 'HeartbeatInterval', value: '60' } });
  pile.answer(change.id, { status: 'Accepted' });
  await ended(set);
  expect(await parameters()).toEqual(['HeartbeatInterval=60', 'NumberOfConnectors=1']);
  const readBack = await pile.call(3);
  expect(readBack).toMatchObject({ action: 'GetConfiguration', payload: { key: ['HeartbeatInterval'] } });
  pile.answer(readBack.id, { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '60' }] });
  const again = { kind: 'setParameter', key: 'HeartbeatInterval', value: '60' } as const;
  expect((await admin.call(sendCommand, { params: { id }, body: again })).code).toBe(CODES.sameValue.code);

  const read = await send({ kind: 'refreshParameters', key: 'HeartbeatInterval' });
  const one = await pile.call(4);
  expect(one).toMatchObject({ action: 'GetConfiguration', payload: { key: ['HeartbeatInterval'] } });
  pile.answer(one.id, { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '90' }] });
  await ended(read);
  expect(await parameters()).toEqual(['HeartbeatInterval=90', 'NumberOfConnectors=1']);
});

test('a subscriber sees the command start and end, and the parameters change', async () => {
  const stream = await openStream(admin, `${ENDPOINTS.stream.path}?deviceId=${id}`);
  const published = async (topic: DeviceTopic) => {
    for (;;) {
      const { event, data } = await stream.next();
      if (event === 'events' && (data as EventsMessage)[topic]?.some(([deviceId]) => deviceId === id)) return;
    }
  };
  for (const round of [1, 2, 3]) {
    const sent = await send({ kind: 'refreshConfiguration' });
    await published('device.executions');
    const { id: messageId } = await pile.call(round);
    const value = String(100 * round);
    pile.answer(messageId, { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value }] });
    await published('device.parameters');
    await ended(sent);
  }
  await stream.close();
});

test('no answer is a timeout; a later answer is noted and changes nothing', async () => {
  const sent = await send({ kind: 'softReset' });
  const call = await pile.call(1);
  await passDeadline(server, sent.id);
  expect(await ended(sent)).toMatchObject({ result: 4, reason: 'noAnswer' });
  pile.answer(call.id, { status: 'Accepted' });
  const late = await executionOnce(admin, id, sent.id, (execution) => execution.lateAnswerAt !== null);
  expect(late).toMatchObject({ result: 4, reason: 'noAnswer' });
});

test('a lost connection ends the running command immediately, with the cause; a late answer is noted', async () => {
  const sent = await send({ kind: 'softReset' });
  const call = await pile.call(1);
  await pile.cut();
  expect(await ended(sent)).toMatchObject({
    ...{ result: 4, reason: 'connectionLost', detail: 'the connection was lost', lateAnswerAt: null },
  });
  pile = await connectPile(server, sn);
  pile.answer(call.id, { status: 'Accepted' });
  const late = await executionOnce(admin, id, sent.id, (one) => one.lateAnswerAt !== null);
  expect(late).toMatchObject({ result: 4, reason: 'connectionLost' });
});

test('a command to a device whose connection was lost ends immediately as offline', async () => {
  await pile.cut();
  await expect
    .poll(async () => {
      const connected = 'select connected from device_states where device_id = $1';
      return (await server.database.pool.query(connected, [id])).rows;
    })
    .toEqual([{ connected: false }]);
  expect(await send({ kind: 'enableSystem' })).toMatchObject({ state: 'ended', result: 5, reason: 'deviceOffline' });
});

test('when the server restarts between the call and the answer, the command still ends with the result of the charge point', async () => {
  const sent = await send({ kind: 'disableSystem' });
  const queued = await send({ kind: 'enableSystem' });
  const { id: messageId } = await pile.call(1);
  await postponeDeadlines(server);
  await server.restart();
  admin = await server.as('northAdmin');
  expect((await admin.data(listExecutions, { params: { id } })).items.map((item) => item.state)).toEqual([
    'queued',
    'sent',
  ]);
  pile = await connectPile(server, sn);
  pile.answer(messageId, { status: 'Rejected' });
  expect(await ended(sent)).toMatchObject({ result: 3, reason: 'rejected' });
  const call = await pile.call(1);
  expect(call.id).toBe(queued.id);
  pile.answer(call.id, { status: 'Accepted' });
  expect(await ended(queued)).toMatchObject({ result: 2 });
  expect(pile.calls).toHaveLength(1);
});
