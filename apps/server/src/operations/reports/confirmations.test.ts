import { randomUUID } from 'node:crypto';
import type { CommandKind } from '@chargehand/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Confirmations } from '../../ports/uplink.ts';
import { createTestDatabase, emptyTables, type TestDatabase } from '../../testing/database/database.ts';
import { seedWorld } from '../../testing/world.ts';
import { storeConfirmations } from '../index.ts';

let database: TestDatabase;
let deviceId: number;
let otherId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  const { devices } = await seedWorld(database.db);
  [deviceId, otherId] = [devices.northQuay1.id, devices.northQuay2.id];
});
afterAll(() => database.drop());
beforeEach(async () => {
  await emptyTables(database.pool, 'executions', 'commands', 'transactions', 'connectors');
  await database.pool.query(`update device_states set connected_at = now() - interval '1 h'`);
});

interface Given {
  state?: 'queued' | 'sent' | 'accepted' | 'ended';
  device?: number;
  connector?: number;
  params?: object;
}

/** Stores an execution of the device that was sent a minute ago and accepted, and returns its id. */
async function execution(kind: CommandKind, given: Given = {}): Promise<string> {
  const { state = 'accepted', device = deviceId, connector = 0, params = {} } = given;
  const id = randomUUID();
  await database.pool.query(
    `with command as (
       insert into commands (kind, control_type, params, requested_by_name) values ($2, 1, $3, 'test') returning id
     )
     insert into executions (id, command_id, device_id, connector, state, result, answer, sent_at, deadline_at, ended_at)
     select $1, command.id, $4, $5, $6::text, case when $6::text = 'ended' then 4 else 1 end, '{"status": "Accepted"}',
            now() - interval '1 min', now() + interval '1 min', case when $6::text = 'ended' then now() end
       from command`,
    [id, kind, params, device, connector, state],
  );
  return id;
}

/** Stores a session that started an hour ago, and returns its id. */
async function session({ device = deviceId, over = true } = {}): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into transactions (device_id, connector, id_tag, meter_start, started_at, stopped_at)
     values ($1, 1, 'CARD', 0, now() - interval '1 h', case when $2 then now() end) returning id`,
    [device, over],
  );
  return rows[0]!.id;
}

const connector = (number: number, status: string, device = deviceId) =>
  database.pool.query(
    `insert into connectors (device_id, connector, status, since, updated_at) values ($1, $2, $3, now(), now())`,
    [device, number, status],
  );

/** Stores reports as the ingest does. */
async function report(reports: Partial<Confirmations>) {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    const none = { started: [], messages: [], sessions: [], restarted: [], connected: [], reportedStatus: [] };
    const changes = await storeConfirmations(client, { ...none, ...reports });
    await client.query('commit');
    return changes;
  } finally {
    client.release();
  }
}

/** Why an execution ended; null while it is running. */
async function endOf(id: string): Promise<string | null> {
  const { rows } = await database.pool.query('select state, result, reason, answer from executions where id = $1', [
    id,
  ]);
  const { state, result, reason, answer } = rows[0];
  if (state !== 'ended') return null;
  expect({ result, answer }).toEqual({ result: 2, answer: { status: 'Accepted' } });
  return reason;
}

test('reports without effect change nothing', async () => {
  const id = await execution('softReset');
  expect(await report({})).toEqual([]);
  expect(await report({ restarted: [deviceId] })).toEqual([]);
  expect(await endOf(id)).toBeNull();
});

test('a batch without such reports needs no query', async () => {
  const none = { started: [], messages: [], sessions: [], restarted: [], connected: [], reportedStatus: [] };
  const client = { query: () => Promise.reject(new Error('a query was sent')) };
  expect(await storeConfirmations(client, none)).toEqual([]);
});

test('several reports end several executions, each with its own reason', async () => {
  const message = await execution('triggerMessage');
  const stop = await execution('remoteStop', { params: { transactionId: await session() } });
  const foreign = await execution('triggerMessage', { device: otherId });
  const changes = await report({
    messages: [
      { deviceId, executionId: message },
      { deviceId, executionId: foreign },
    ],
    sessions: [deviceId, deviceId],
  });
  expect(changes).toHaveLength(2);
  expect(changes).toEqual(
    expect.arrayContaining([
      { deviceId, executionId: message },
      { deviceId, executionId: stop },
    ]),
  );
  expect(await Promise.all([message, stop, foreign].map(endOf))).toEqual(['messageReceived', 'transactionEnded', null]);
});

describe('a remote start', () => {
  const started = (more: Partial<Confirmations['started'][number]> = {}) =>
    report({ started: [{ deviceId, idTag: 'card-1', connector: 1, remoteStartId: null, ...more }] });
  const start = (given: Given = {}, kind: CommandKind = 'remoteStart') =>
    execution(kind, { connector: 1, params: { idTag: 'CARD-1' }, ...given });

  test.each<[string, Given, Partial<Confirmations['started'][number]>, string | null]>([
    ['a session with its identifier, in any case, at its connector', {}, {}, 'transactionStarted'],
    ['a session whose connector is unknown', {}, { connector: null }, 'transactionStarted'],
    ['a session at another connector', {}, { connector: 2 }, null],
    ['a session with another identifier', {}, { idTag: 'CARD-2' }, null],
    ['a session without an identifier', {}, { idTag: null }, null],
    ['the start of another device', { device: -1 }, {}, null],
    ['a session that starts before the response', { state: 'sent' }, {}, 'transactionStarted'],
    ['a start that was not sent', { state: 'queued' }, {}, null],
  ])('%s', async (_, given, session, end) => {
    const id = await start(given.device === -1 ? { device: otherId } : given);
    await started(session);
    expect(await endOf(id)).toBe(end);
  });

  test('a session with the number of the start, with any identifier and at any connector', async () => {
    const [id, another] = [await start(), await start()];
    // The number that the OCPP 2.0.1 gateway sends for an execution: the first 28 bits of its id.
    await started({ idTag: 'OTHER', connector: 2, remoteStartId: Number.parseInt(id.slice(0, 7), 16) });
    expect([await endOf(id), await endOf(another)]).toEqual(['transactionStarted', null]);
  });

  test('another command with the same identifier is not confirmed', async () => {
    const id = await start({}, 'remoteStop');
    await started();
    expect(await endOf(id)).toBeNull();
  });

  test('an execution that has ended keeps its result', async () => {
    const id = await start({ state: 'ended' });
    expect(await started()).toEqual([]);
    const { rows } = await database.pool.query('select result, reason from executions where id = $1', [id]);
    expect(rows).toEqual([{ result: 4, reason: null }]);
  });
});

describe('a remote stop', () => {
  test.each<[string, { over?: boolean; foreign?: boolean; state?: Given['state']; kind?: CommandKind }, string | null]>(
    [
      ['its session has ended', {}, 'transactionEnded'],
      ['its session ended before the response', { state: 'sent' }, 'transactionEnded'],
      ['its session is still open', { over: false }, null],
      ['the session of another device has ended', { foreign: true }, null],
      ['another command that names the session', { kind: 'remoteStart' }, null],
    ],
  )('%s', async (_, { over = true, foreign = false, state = 'accepted', kind = 'remoteStop' }, end) => {
    const transactionId = await session({ over, device: foreign ? otherId : deviceId });
    const id = await execution(kind, { state, params: { transactionId } });
    await report({ sessions: [deviceId] });
    expect(await endOf(id)).toBe(end);
  });

  test('the reports of other devices do not count', async () => {
    const id = await execution('remoteStop', { params: { transactionId: await session() } });
    await report({ sessions: [otherId] });
    expect(await endOf(id)).toBeNull();
  });
});

describe('a restart', () => {
  const reconnected = () => database.pool.query('update device_states set connected_at = now()');

  test.each<[CommandKind, keyof Confirmations, string | null]>([
    ['softReset', 'restarted', 'restarted'],
    ['hardReset', 'restarted', 'restarted'],
    ['restartCcu', 'restarted', 'restarted'],
    ['restartCcu', 'connected', 'restarted'],
    ['softReset', 'connected', null],
    ['hardReset', 'connected', null],
    ['triggerMessage', 'restarted', null],
    ['triggerMessage', 'connected', null],
  ])('%s of a device that reports it %s', async (kind, how, end) => {
    const [id, foreign] = [await execution(kind), await execution(kind, { device: otherId })];
    await reconnected();
    await report({ [how]: [deviceId, deviceId] });
    expect([await endOf(id), await endOf(foreign)]).toEqual([end, null]);
  });

  test('a connection that opened before the command was sent does not count', async () => {
    const id = await execution('softReset');
    await report({ restarted: [deviceId], connected: [deviceId] });
    expect(await endOf(id)).toBeNull();
  });

  test('without the acceptance a new connection proves nothing', async () => {
    const id = await execution('softReset', { state: 'sent' });
    await reconnected();
    await report({ restarted: [deviceId] });
    expect(await endOf(id)).toBeNull();
  });
});

describe('a scheduled change of availability', () => {
  test.each<[CommandKind, number, Record<number, string>, string | null]>([
    ['disableConnector', 1, { 1: 'Unavailable', 2: 'Available' }, 'availabilityChanged'],
    ['disableConnector', 1, { 1: 'Charging', 2: 'Unavailable' }, null],
    ['disableConnector', 1, { 2: 'Unavailable' }, null],
    ['enableConnector', 1, { 1: 'Available', 2: 'Unavailable' }, 'availabilityChanged'],
    ['enableConnector', 1, { 1: 'Unavailable', 2: 'Available' }, null],
    ['disableSystem', 0, { 0: 'Available', 1: 'Unavailable', 2: 'Unavailable' }, 'availabilityChanged'],
    ['disableSystem', 0, { 0: 'Unavailable', 1: 'Unavailable', 2: 'Charging' }, null],
    ['disableSystem', 0, { 0: 'Unavailable' }, null],
    ['enableSystem', 0, { 0: 'Unavailable', 1: 'Available', 2: 'Finishing' }, 'availabilityChanged'],
    ['enableSystem', 0, { 0: 'Available', 1: 'Unavailable', 2: 'Available' }, null],
    ['softReset', 0, { 1: 'Available' }, null],
  ])('%s of connector %i with %j', async (kind, number, statuses, end) => {
    const id = await execution(kind, { connector: number });
    for (const [one, status] of Object.entries(statuses)) await connector(Number(one), status);
    await connector(1, 'Available', otherId);
    await connector(2, 'Unavailable', otherId);
    await report({ reportedStatus: [deviceId] });
    expect(await endOf(id)).toBe(end);
  });

  test('does not count before the device accepts it, or when another device reports', async () => {
    await connector(1, 'Unavailable');
    const [sent, accepted] = [
      await execution('disableConnector', { connector: 1, state: 'sent' }),
      await execution('disableConnector', { connector: 1 }),
    ];
    await report({ reportedStatus: [otherId] });
    expect(await endOf(accepted)).toBeNull();
    await report({ reportedStatus: [deviceId] });
    expect([await endOf(sent), await endOf(accepted)]).toEqual([null, 'availabilityChanged']);
  });
});
