import { randomUUID } from 'node:crypto';
import type { CommandKind, Precondition } from '@chargehand/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../platform/log.ts';
import type { DeviceCall, SendResult } from '../ports/devices/device-link.ts';
import { createTestDatabase, emptyTables, type TestDatabase } from '../testing/database/database.ts';
import { NO_TRANSFERS } from '../testing/transfers/no-transfers.ts';
import { seedWorld, type World } from '../testing/world.ts';
import { insertCommand } from './commands/commands.store.ts';
import { type Dispatcher, dispatcher } from './dispatcher.ts';
import { letReadsGiveWay, queryOf } from './executions.store.ts';
import { commandResults } from './metrics.ts';
import { passwordChanges } from './password-changes.ts';
import { storeAnswers } from './reports/answers.service.ts';

let database: TestDatabase;
let world: World;
/** the device that gets the commands */
let deviceId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  world = await seedWorld(database.db);
  deviceId = world.devices.northQuay1.id;
});
afterAll(() => database.drop());

/** calls written to connections, in order */
let calls: DeviceCall[];
/** the result of writing a call to a connection */
let execute: (call: DeviceCall) => Promise<SendResult>;
let published: string[];
let rooms: number[];
let one: Dispatcher;
beforeEach(async () => {
  await emptyTables(database.pool, 'password_changes', 'executions', 'command_batches', 'commands', 'transactions');
  await database.pool.query('update devices set enabled = true, maintenance = false');
  await database.pool.query('update device_states set connected = true');
  calls = [];
  published = [];
  rooms = [];
  execute = async () => ({ outcome: 'sent' });
  one = startDispatcher();
});

function startDispatcher(transfers = NO_TRANSFERS): Dispatcher {
  return dispatcher({
    db: database.db,
    tokenLists: { callOf: async () => null },
    link: {
      disconnect: async () => undefined,
      reload: async () => undefined,
      async execute(id, call) {
        expect(id).toBe(deviceId);
        calls.push(call);
        return execute(call);
      },
    },
    events: {
      publish(topic, { id }, ..._audience) {
        published.push(`${id} ${topic}`);
      },
    },
    transfers,
    links: { paramsOf: async () => null },
    log: createLog('silent'),
    onRoom: (batchId) => rooms.push(batchId),
  });
}

/** Queues a command and returns the id of its execution. */
async function queue(
  kind: CommandKind = 'softReset',
  more: { params?: object; waits?: boolean; precondition?: Precondition; batchId?: number; userName?: string } = {},
): Promise<string> {
  const executionId = randomUUID();
  await database.db.transaction().execute((transaction) =>
    insertCommand(transaction, {
      ...{ kind, connector: 0, params: more.params ?? {}, executionId, deviceId, controlType: 1 },
      ...{ requestedBy: { userId: null, userName: more.userName ?? 'test' }, timeoutMs: 60_000 },
      ...{ waits: more.waits ?? false, precondition: more.precondition ?? null },
    }),
  );
  if (more.batchId) {
    await database.pool.query('update executions set batch_id = $2 where id = $1', [executionId, more.batchId]);
  }
  return executionId;
}

async function stateOf(executionId: string) {
  const { rows } = await database.pool.query<{ state: string; result: number; reason: string | null }>(
    'select state, result, reason from executions where id = $1',
    [executionId],
  );
  return rows[0];
}
/** The number of ended commands in the metrics. */
const countedResults = async (reason: string) =>
  (await commandResults.get()).values.find(({ labels }) => labels.reason === reason)?.value ?? 0;

const SENT = { state: 'sent', result: 1, reason: null };
const ended = (result: number, reason: string) => ({ state: 'ended', result, reason });

test('the oldest command is sent, and the next one waits for its answer', async () => {
  const [first, second] = [await queue('softReset'), await queue('hardReset')];
  await one.wake(deviceId);
  expect(calls).toEqual([{ executionId: first, kind: 'softReset', connector: 0, params: {} }]);
  expect(await stateOf(first)).toEqual(SENT);
  expect((await stateOf(second))?.state).toBe('queued');
  expect(published).toEqual([`${deviceId} device.executions`]);
  expect(rooms).toEqual([]);
});

test('the commands of people are sent before the reads of the server', async () => {
  await queue('refreshParameters', { userName: '' });
  const own = await queue('unlockConnector');
  await one.wake(deviceId);
  expect(calls).toMatchObject([{ executionId: own }]);
});

test('beside a read that gave way a command is sent, and the late answer of the read still counts', async () => {
  const read = await queue('refreshParameters', { userName: '' });
  await one.wake(deviceId);
  const unlock = await queue('unlockConnector');
  await one.wake(deviceId);
  expect(calls).toHaveLength(1);
  await database.pool.query(`update device_states set protocol = 'ocpp1.6' where device_id = $1`, [deviceId]);
  await database.pool.query(`update executions set sent_at = now() - interval '4 s' where id = $1`, [read]);
  await letReadsGiveWay(database.db);
  await one.wake(deviceId);
  expect(calls.map(({ executionId }) => executionId)).toEqual([read, unlock]);
  const answer = { success: true, reason: 'accepted', detail: null, answer: {} } as const;
  await database.db
    .transaction()
    .execute((trx) => storeAnswers(queryOf(trx), [{ executionId: read, deviceId, at: new Date(), ...answer }]));
  expect(await stateOf(read)).toMatchObject({ state: 'ended', result: 2 });
  expect(await stateOf(unlock)).toEqual(SENT);
});

test('without a command nothing is published', async () => {
  await one.wake(deviceId);
  expect([calls, published]).toEqual([[], []]);
});

describe('a command that is not sent ends with the cause, and the next one is sent', () => {
  test.each<[string, SendResult, ReturnType<typeof ended>]>([
    ['the device is offline', { outcome: 'offline' }, ended(5, 'deviceOffline')],
    ['the protocol does not support the command', { outcome: 'notSupported' }, ended(3, 'notSupported')],
  ])('%s', async (_, sendResult, end) => {
    const [first, second] = [await queue('softReset'), await queue('hardReset')];
    execute = async (call) => (call.kind === 'softReset' ? sendResult : { outcome: 'sent' });
    const before = await countedResults(end.reason);
    await one.wake(deviceId);
    expect(await stateOf(first)).toEqual(end);
    expect(await countedResults(end.reason)).toBe(before + 1);
    expect(await stateOf(second)).toEqual(SENT);
    expect(calls.map(({ kind }) => kind)).toEqual(['softReset', 'hardReset']);
    expect(published).toEqual([`${deviceId} device.executions`, `${deviceId} device.executions`]);
    expect(rooms).toEqual([]);
  });

  test('the device is disabled', async () => {
    const id = await queue();
    await database.pool.query('update devices set enabled = false where id = $1', [deviceId]);
    await one.wake(deviceId);
    expect(await stateOf(id)).toEqual(ended(3, 'deviceDisabled'));
    expect(calls).toEqual([]);
  });

  test('the device is not in maintenance', async () => {
    const id = await queue('softReset', { precondition: 'maintenance' });
    await one.wake(deviceId);
    expect((await stateOf(id))?.state).toBe('ended');
    expect(calls).toEqual([]);
    const allowed = await queue('softReset', { precondition: 'maintenance' });
    await database.pool.query('update devices set maintenance = true where id = $1', [deviceId]);
    await one.wake(deviceId);
    expect(await stateOf(allowed)).toEqual(SENT);
  });
});

test('a command that may wait returns to the queue when the device is offline, and nothing else is sent', async () => {
  const [first, second] = [await queue('softReset', { waits: true }), await queue('hardReset')];
  execute = async () => ({ outcome: 'offline' });
  await one.wake(deviceId);
  expect((await stateOf(first))?.state).toBe('queued');
  expect((await stateOf(second))?.state).toBe('queued');
  expect(calls).toHaveLength(1);
  expect(published).toEqual([`${deviceId} device.executions`]);
});

test('a command stays sent when it is unknown whether it was written: it is never written twice', async () => {
  const id = await queue();
  execute = async () => {
    throw new Error('the node of the device does not answer');
  };
  await one.wake(deviceId);
  await one.wake(deviceId);
  expect(await stateOf(id)).toEqual(SENT);
  expect(calls).toHaveLength(1);
  expect(published).toEqual([`${deviceId} device.executions`]);
});

describe('a remote stop', () => {
  const session = async (more: { externalId?: string; stopped?: boolean } = {}) => {
    const { rows } = await database.pool.query<{ id: number }>(
      `insert into transactions (device_id, connector, id_tag, meter_start, external_id, first_seq, last_seq, started_at, stopped_at)
       values ($1, 1, 'tag', 0, $2, $4, $4, now() - interval '1 h', $3) returning id`,
      [deviceId, more.externalId ?? null, more.stopped ? new Date() : null, more.externalId ? 0 : null],
    );
    return Number(rows[0]!.id);
  };

  test('contains the session id of the device', async () => {
    const transactionId = await session({ externalId: 'abc-1' });
    await queue('remoteStop', { params: { transactionId } });
    await one.wake(deviceId);
    expect(calls.map(({ params }) => params)).toEqual([{ transaction: 'abc-1' }]);
  });

  test('contains the number of the session in OCPP 1.6', async () => {
    const transactionId = await session();
    await queue('remoteStop', { params: { transactionId } });
    await one.wake(deviceId);
    expect(calls.map(({ params }) => params)).toEqual([{ transaction: String(transactionId) }]);
  });

  test('is not sent when the session has ended or is unknown', async () => {
    const over = await queue('remoteStop', { params: { transactionId: await session({ stopped: true }) } });
    await one.wake(deviceId);
    expect(await stateOf(over)).toEqual(ended(3, 'noSession'));
    const unknown = await queue('remoteStop');
    await one.wake(deviceId);
    expect(await stateOf(unknown)).toEqual(ended(3, 'noSession'));
    expect(calls).toEqual([]);
  });
});

describe('a change of the password', () => {
  const begin = () => {
    const changes = passwordChanges({ dispatcher: one, events: { publish: () => undefined } });
    return database.db
      .transaction()
      .execute((transaction) =>
        changes.begin(
          transaction,
          { userId: world.users.root, userName: 'root' } as never,
          { id: deviceId } as never,
          'a-new-password-1',
        ),
      );
  };

  test('contains the password, which is not stored with the command', async () => {
    await begin();
    await one.wake(deviceId);
    expect(calls).toMatchObject([{ kind: 'changePassword', params: { password: 'a-new-password-1' } }]);
    expect((await database.pool.query('select params from commands')).rows).toEqual([{ params: {} }]);
  });

  test('is not sent when the device uses the password already', async () => {
    await begin();
    await database.pool.query('update password_changes set secret = null');
    await one.wake(deviceId);
    const { rows } = await database.pool.query('select state, result, reason from executions');
    expect(rows).toEqual([ended(3, 'passwordInUse')]);
    expect(calls).toEqual([]);
  });
});

describe('a command with a file', () => {
  test('is sent with the data that the transfer prepares', async () => {
    const params = { location: 'https://files.example/1', requestId: 7 };
    one = startDispatcher({ ...NO_TRANSFERS, prepare: async (_, call) => ({ ...call, params }) as DeviceCall });
    await queue('uploadLog');
    await one.wake(deviceId);
    expect(calls.map((call) => call.params)).toEqual([params]);
  });

  test('is not sent when the transfer has ended', async () => {
    const id = await queue('uploadLog');
    await one.wake(deviceId);
    expect(await stateOf(id)).toEqual(ended(3, 'notSent'));
    expect(calls).toEqual([]);
  });
});

test('a batch may send its next command when one of its commands ends without being sent, and only then', async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    `with c as (insert into commands (kind, control_type, params, requested_by_name) values ('softReset', 1, '{}', 'test') returning id)
     insert into command_batches (command_id, site_id, customer_id, connector, parallel, level, value_level)
     select id, $1, $2, 0, 2, 0, 0 from c returning id`,
    [world.sites.northQuay, world.customers.north],
  );
  const batchId = Number(rows[0]!.id);
  await queue('softReset', { batchId });
  await queue('hardReset', { batchId });
  execute = async (call) => ({ outcome: call.kind === 'softReset' ? 'notSupported' : 'sent' });
  await one.wake(deviceId);
  expect(rooms.map(Number)).toEqual([batchId]);
});

describe('while a command is being sent', () => {
  /** Starts the first send, which ends when the test allows it. */
  async function begun() {
    const begins = Promise.withResolvers<void>();
    const ends = Promise.withResolvers<SendResult>();
    execute = async () => {
      execute = async () => ({ outcome: 'sent' });
      begins.resolve();
      return ends.promise;
    };
    const done = one.wake(deviceId);
    await begins.promise;
    return { done, ends };
  }

  test('another wake waits for the same run, which checks again', async () => {
    const first = await queue('softReset');
    const { done, ends } = await begun();
    let over = false;
    const again = one.wake(deviceId).then(() => {
      over = true;
    });
    // Time in which a separate run would find nothing to send.
    for (let times = 0; times < 3; times += 1) await database.pool.query('select 1');
    expect(over).toBe(false);
    await database.pool.query(`update executions set state = 'ended', result = 2, ended_at = now() where id = $1`, [
      first,
    ]);
    const second = await queue('hardReset');
    ends.resolve({ outcome: 'sent' });
    await Promise.all([done, again]);
    expect(calls.map(({ executionId }) => executionId)).toEqual([first, second]);
    expect(await stateOf(second)).toEqual(SENT);
  });

  test('stopping waits for it, and nothing new is sent', async () => {
    await queue('softReset');
    const second = await queue('hardReset');
    const { done, ends } = await begun();
    let stopped = false;
    const stopping = one.stop().then(() => {
      stopped = true;
    });
    await database.pool.query('select 1');
    expect(stopped).toBe(false);
    ends.resolve({ outcome: 'notSupported' });
    await Promise.all([done, stopping]);
    await one.wake(deviceId);
    expect(calls).toHaveLength(1);
    expect((await stateOf(second))?.state).toBe('queued');
  });
});

test('a database error is not final: the next wake sends the waiting command', async () => {
  const id = await queue();
  await database.pool.query('alter table sites rename to sites_away');
  await one.wake(deviceId);
  await database.pool.query('alter table sites_away rename to sites');
  expect((await stateOf(id))?.state).toBe('queued');
  await one.wake(deviceId);
  expect(await stateOf(id)).toEqual(SENT);
});
