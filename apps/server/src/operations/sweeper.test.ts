import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../platform/log.ts';
import type { ScheduledJob } from '../platform/work/scheduled-job.ts';
import { manualClock } from '../testing/clock.ts';
import { createTestDatabase, emptyTables, type TestDatabase } from '../testing/database/database.ts';
import { seedWorld, type World } from '../testing/world.ts';
import { sweeper } from './sweeper.ts';

let database: TestDatabase;
let world: World;
let deviceId: number;
let otherId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  world = await seedWorld(database.db);
  [deviceId, otherId] = [world.devices.northQuay1.id, world.devices.northQuay2.id];
});
afterAll(() => database.drop());

let sweep: ScheduledJob;
/** ids of the devices whose executions changed */
let published: number[];
/** devices whose next command may be sent */
let woken: number[];
let advanced: number;
beforeEach(async () => {
  await emptyTables(database.pool, 'transfers', 'password_changes', 'executions', 'command_batches', 'commands');
  await database.pool.query(`update device_states set connected = true, connected_at = now() - interval '1 h'`);
  published = [];
  woken = [];
  advanced = 0;
  sweep = sweeper({
    db: database.db,
    dispatcher: {
      async wake(id) {
        woken.push(id);
      },
      stop: async () => undefined,
    },
    batches: {
      async advanceAll() {
        advanced += 1;
      },
    } as never,
    events: {
      publish(topic, { id }, ..._audience) {
        expect(topic).toBe('device.executions');
        published.push(id);
      },
    },
    clock: manualClock(),
    log: createLog('silent'),
  });
});
afterEach(() => sweep.stop());

interface Given {
  device?: number;
  state?: 'queued' | 'sent' | 'accepted' | 'ended';
  /** minutes until its deadline */
  left?: number;
  whenIdle?: boolean;
  /** minutes until it may be sent */
  notBefore?: number;
  file?: 'underWay';
  batchId?: number;
  kind?: string;
  /** null: the server */
  by?: string | null;
  /** seconds since it was sent */
  sentFor?: number;
}

/** Stores an execution that was queued ten minutes ago and, unless it waits, sent five minutes ago. Returns its id. */
async function execution(given: Given = {}): Promise<string> {
  const { device = deviceId, state = 'sent', left = -1, whenIdle = false } = given;
  const id = randomUUID();
  await database.pool.query(
    `with command as (
       insert into commands (kind, control_type, params, requested_by_name) values ($9, 1, '{}', $10)
       returning id
     )
     insert into executions (id, command_id, device_id, state, result, queued_at, sent_at, ended_at, deadline_at,
                             when_idle, not_before, file, batch_id)
     select $1, command.id, $2, $3::text, case when $3::text = 'ended' then 2 else 1 end, now() - interval '10 min',
            case when $3::text <> 'queued' then now() - make_interval(secs => $11) end, case when $3::text = 'ended' then now() end,
            now() + make_interval(mins => $4), $5, now() + make_interval(mins => $6), $7, $8
       from command`,
    [
      ...[id, device, state, left, whenIdle, given.notBefore ?? null, given.file ?? null, given.batchId ?? null],
      ...[given.kind ?? 'uploadLog', given.by === null ? '' : (given.by ?? 'test'), given.sentFor ?? 300],
    ],
  );
  return id;
}

async function endOf(id: string): Promise<[result: number, reason: string] | null> {
  const { rows } = await database.pool.query('select state, result, reason from executions where id = $1', [id]);
  return rows[0].state === 'ended' ? [rows[0].result, rows[0].reason] : null;
}

describe('past its deadline, an execution ends', () => {
  const setConnection = (set: string) => database.pool.query(`update device_states set ${set}`);
  const LOST = `connected = false`;
  const REOPENED = `connected_at = now() - interval '1 min'`;

  test.each<[string, Given, string | null, [number, string]]>([
    ['a sent one without an answer', { state: 'sent' }, null, [4, 'noAnswer']],
    ['a sent one whose device has disconnected', { state: 'sent' }, LOST, [4, 'connectionLost']],
    ['a sent one whose device has reconnected since', { state: 'sent' }, REOPENED, [4, 'connectionLost']],
    ['a sent one of a device that never connected', { state: 'sent' }, 'connected = null', [4, 'connectionLost']],
    ['an accepted one without a report', { state: 'accepted' }, REOPENED, [4, 'notConfirmed']],
    ['a waiting one of a connected device', { state: 'queued' }, REOPENED, [3, 'notSent']],
    ['a waiting one of an offline device', { state: 'queued' }, LOST, [5, 'deviceOffline']],
    ['one that waited for its device to be idle', { state: 'queued', whenIdle: true }, null, [3, 'notIdle']],
  ])('%s', async (_, given, connection, end) => {
    if (connection === 'connected = null') {
      await database.pool.query('delete from device_states where device_id = $1', [deviceId]);
    } else if (connection !== null) await setConnection(connection);
    const id = await execution(given);
    await sweep.start();
    if (connection === 'connected = null') {
      await database.pool.query('insert into device_states (device_id) values ($1)', [deviceId]);
    }
    expect(await endOf(id)).toEqual(end);
    expect(published).toEqual([deviceId]);
  });

  test('others do not', async () => {
    const ids = [
      await execution({ state: 'queued', left: 1 }),
      await execution({ state: 'sent', left: 1 }),
      await execution({ state: 'accepted', left: 1 }),
    ];
    const ended = await execution({ state: 'ended' });
    await sweep.start();
    expect(await Promise.all(ids.map(endOf))).toEqual([null, null, null]);
    expect(await endOf(ended)).toEqual([2, null]);
    expect(published).toEqual([]);
  });

  test('however many there are', async () => {
    await database.pool.query(
      `with command as (
         insert into commands (kind, control_type, requested_by_name) values ('softReset', 1, 'test') returning id
       )
       insert into executions (id, command_id, device_id, deadline_at)
       select gen_random_uuid(), command.id, $1, now() from command, generate_series(1, 1001)`,
      [deviceId],
    );
    await sweep.start();
    const { rows } = await database.pool.query('select state, count(*)::int from executions group by state');
    expect(rows).toEqual([{ state: 'ended', count: 1_001 }]);
    expect(published).toHaveLength(1_001);
  });

  test('by one node: an execution that another node has locked is left to it', async () => {
    const [locked, free] = [await execution({ device: otherId }), await execution()];
    const other = await database.pool.connect();
    try {
      await other.query('begin');
      await other.query('select from executions where id = $1 for update', [locked]);
      await sweep.start();
      expect([await endOf(locked), await endOf(free)]).toEqual([null, [4, 'noAnswer']]);
      await other.query('rollback');
    } finally {
      other.release();
    }
    await sweep.start();
    expect(await endOf(locked)).toEqual([4, 'noAnswer']);
    expect(published).toEqual([deviceId, otherId]);
  });
});

describe('the waiting commands of a device are sent', () => {
  const batch = async () => {
    const { rows } = await database.pool.query<{ id: number }>(
      `with c as (insert into commands (kind, control_type, requested_by_name) values ('softReset', 1, 'test') returning id)
       insert into command_batches (command_id, site_id, customer_id, connector, parallel, level, value_level)
       select id, $1, $2, 0, 2, 0, 0 from c returning id`,
      [world.sites.northQuay, world.customers.north],
    );
    return rows[0]!.id;
  };

  test('once for each device', async () => {
    await execution({ state: 'queued', left: 1 });
    await execution({ state: 'queued', left: 1 });
    await execution({ device: otherId, state: 'queued', left: 1, notBefore: -1 });
    await sweep.start();
    expect(woken.sort()).toEqual([deviceId, otherId].sort());
  });

  test.each<[string, Given]>([
    ['unless it is offline', {}],
    ['unless it has a command in flight', {}],
    ['not before their time', { notBefore: 1 }],
    ['but those of batches are left to the batch', { batchId: -1 }],
    ['but not those that were sent', { state: 'accepted' }],
  ])('%s', async (title, given) => {
    if (title.includes('offline')) await database.pool.query('update device_states set connected = false');
    if (title.includes('in flight')) await execution({ state: 'sent', left: 1 });
    const batchId = given.batchId ? { batchId: await batch() } : {};
    await execution({ state: 'queued', left: 1, ...given, ...batchId });
    await sweep.start();
    expect(woken).toEqual([]);
  });

  test('and batches continue', async () => {
    await sweep.start();
    await sweep.start();
    expect(advanced).toBe(2);
  });
});

describe('the result of a transfer becomes the result of its command', () => {
  async function transfer(executionId: string, state: 'uploading' | 'stored' | 'failed' | 'timedOut') {
    const over = state !== 'uploading';
    await database.pool.query(
      `insert into transfers (execution_id, device_id, kind, transport, log_type, state, reason, requested_by_name,
                              deadline_at, ended_at)
       values ($1, $2, 'log', 'http', 'diagnostics', $3, $4, 'test', now(), case when $5 then now() end)`,
      [executionId, deviceId, state, over && state !== 'stored' ? 'test' : null, over],
    );
  }
  const fileOf = async (id: string) =>
    (await database.pool.query('select file from executions where id = $1', [id])).rows[0].file;

  test.each([
    ['stored', 'done'],
    ['failed', 'failed'],
    ['timedOut', 'timedOut'],
  ] as const)('%s is noted as %s', async (state, file) => {
    const id = await execution({ state: 'ended', file: 'underWay' });
    await transfer(id, state);
    await sweep.start();
    expect(await fileOf(id)).toBe(file);
    expect(published).toEqual([deviceId]);
    await sweep.start();
    expect(published).toEqual([deviceId]);
  });

  test('however many there are', async () => {
    await database.pool.query(
      `with command as (
         insert into commands (kind, control_type, requested_by_name) values ('uploadLog', 1, 'test') returning id
       ), ended as (
         insert into executions (id, command_id, device_id, state, result, deadline_at, ended_at, file)
         select gen_random_uuid(), command.id, $1, 'ended', 2, now(), now(), 'underWay'
           from command, generate_series(1, 501) returning id, device_id
       )
       insert into transfers (execution_id, device_id, kind, transport, log_type, state, requested_by_name, deadline_at, ended_at)
       select id, device_id, 'log', 'http', 'diagnostics', 'stored', 'test', now(), now() from ended`,
      [deviceId],
    );
    await sweep.start();
    const { rows } = await database.pool.query('select file, count(*)::int from executions group by file');
    expect(rows).toEqual([{ file: 'done', count: 501 }]);
    expect(published).toHaveLength(501);
  });

  test('not before it has ended', async () => {
    const id = await execution({ state: 'ended', file: 'underWay' });
    await transfer(id, 'uploading');
    await sweep.start();
    expect(await fileOf(id)).toBe('underWay');
    expect(published).toEqual([]);
  });
});

test('a password that was sent, or will not be sent, is removed', async () => {
  const kept = await execution({ state: 'queued', left: 1 });
  const ended = await execution({ state: 'ended' });
  const sent = await execution({ state: 'sent', left: 1 });
  const justSent = await execution({ device: otherId, state: 'sent', left: 1 });
  await database.pool.query('update executions set sent_at = now() where id = $1', [justSent]);
  for (const id of [kept, ended, sent, justSent]) {
    await database.pool.query(
      `insert into password_changes (execution_id, device_id, password_hash, secret) values ($1, $2, 'hash', 'secret')`,
      [id, deviceId],
    );
  }
  await sweep.start();
  const { rows } = await database.pool.query(
    'select execution_id as id from password_changes where secret is not null',
  );
  expect(rows.map(({ id }) => id).sort()).toEqual([kept, justSent].sort());
});

test('a sweep that fails is not the last one', async () => {
  const id = await execution();
  await database.pool.query('alter table executions rename to executions_away');
  await sweep.start();
  await database.pool.query('alter table executions_away rename to executions');
  expect(await endOf(id)).toBeNull();
  await sweep.start();
  expect(await endOf(id)).toEqual([4, 'noAnswer']);
});

describe('a read without an answer', () => {
  beforeEach(() => database.pool.query(`update device_states set protocol = 'ocpp1.6'`));
  const READ = { state: 'sent', left: 1, kind: 'refreshParameters', by: null, sentFor: 4 } as const;
  const UNLOCK = { state: 'queued', left: 1, kind: 'unlockConnector' } as const;

  test.each<[string, Given, Given, boolean]>([
    ['of the server gives way to the command of a person', READ, UNLOCK, true],
    ['of the server gives way to the read of a person', READ, { ...UNLOCK, kind: 'refreshParameters' }, true],
    ['of a person gives way to a command', { ...READ, by: 'test' }, UNLOCK, true],
    [
      'of a person keeps its turn before another read',
      { ...READ, by: 'test' },
      { ...UNLOCK, kind: 'refreshParameters' },
      false,
    ],
    [
      'of the server keeps its turn before another of its reads',
      READ,
      { ...UNLOCK, kind: 'refreshParameters', by: null },
      false,
    ],
    ['keeps its turn for three seconds', { ...READ, sentFor: 2 }, UNLOCK, false],
    ['keeps its turn while the command waits for a time', READ, { ...UNLOCK, notBefore: 5 }, false],
  ])('%s', async (_, read, waiting, givesWay) => {
    const id = await execution(read);
    await execution(waiting);
    await sweep.start();
    expect(woken).toEqual(givesWay ? [deviceId] : []);
    const { rows } = await database.pool.query('select state, gave_way from executions where id = $1', [id]);
    expect(rows).toEqual([{ state: 'sent', gave_way: givesWay }]);
  });

  test('keeps its turn on MQTT, and any other command keeps it too', async () => {
    await execution({ ...READ, kind: 'softReset' });
    await execution(UNLOCK);
    await execution({ ...READ, device: otherId });
    await execution({ ...UNLOCK, device: otherId });
    await database.pool.query(`update device_states set protocol = 'mqtt-json' where device_id = $1`, [otherId]);
    await sweep.start();
    expect(woken).toEqual([]);
  });
});
