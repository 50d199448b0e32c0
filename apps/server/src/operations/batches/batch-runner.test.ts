import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../platform/log.ts';
import { createTestDatabase, emptyTables, type TestDatabase } from '../../testing/database/database.ts';
import { seedWorld, type World } from '../../testing/world.ts';
import { type BatchRunner, batchRunner } from './batch-runner.ts';

let database: TestDatabase;
let world: World;
/** three devices of one site */
let devices: number[];
beforeAll(async () => {
  database = await createTestDatabase();
  world = await seedWorld(database.db);
  const { northQuay1, northQuay2, northMill1 } = world.devices;
  devices = [northQuay1.id, northQuay2.id, northMill1.id];
});
afterAll(() => database.drop());

let runner: BatchRunner;
/** devices whose next command was sent, in order */
let woken: number[];
let published: number[];
/** what happens when a device is sent its next command */
let wake: (deviceId: number) => Promise<void>;
beforeEach(async () => {
  await emptyTables(database.pool, 'executions', 'command_batches', 'commands');
  await database.pool.query('update device_states set connected = true');
  woken = [];
  published = [];
  wake = async () => undefined;
  runner = batchRunner({
    db: database.db,
    events: {
      publish(topic, { id }, ..._audience) {
        expect(topic).toBe('device.executions');
        published.push(id);
      },
    },
    log: createLog('silent'),
    async wake(deviceId) {
      woken.push(deviceId);
      await wake(deviceId);
    },
  });
});
afterEach(() => runner.stop());

interface Given {
  parallel?: number;
  stopped?: boolean;
  /** the states of its executions, one for each device, in order */
  states?: ('queued' | 'sent' | 'ended')[];
  /** it waits for offline devices */
  waits?: boolean;
  /** minutes until it may start */
  notBefore?: number;
}

/** Stores a batch. Returns its id and the ids of its executions. */
async function batch(given: Given = {}): Promise<{ id: number; executions: string[] }> {
  const { parallel = 2, stopped = false, states = ['queued', 'queued', 'queued'], waits = false } = given;
  const { rows } = await database.pool.query<{ id: number; command: number }>(
    `with c as (insert into commands (kind, control_type, requested_by_name) values ('softReset', 1, 'test') returning id)
     insert into command_batches (command_id, site_id, customer_id, connector, parallel, level, value_level)
     select id, $1, $2, 0, $3, 0, 0 from c returning id, command_id as command`,
    [world.sites.northQuay, world.customers.north, parallel],
  );
  const { id, command } = rows[0]!;
  const executions = states.map(() => randomUUID());
  for (const [place, state] of states.entries()) {
    await database.pool.query(
      `insert into executions (id, command_id, batch_id, device_id, state, result, queued_at, sent_at, ended_at,
                               deadline_at, waits_until, not_before)
       values ($1, $2, $3, $4, $5::text, case when $5::text = 'ended' then 2 else 1 end,
               now() + $6::int * interval '1 ms', case when $5::text <> 'queued' then now() end,
               case when $5::text = 'ended' then now() end, now() + interval '1 h',
               case when $7 then now() + interval '1 h' end, now() + make_interval(mins => $8))`,
      [executions[place], command, id, devices[place], state, place, waits, given.notBefore ?? null],
    );
  }
  if (stopped) {
    const stop = `update command_batches set stopped_at = now(), stop_reason = 'person' where id = $1`;
    await database.pool.query(stop, [id]);
  }
  return { id, executions };
}

/** The state and the reason of each execution of a batch, in order. */
async function standing(id: number) {
  const { rows } = await database.pool.query<{ state: string; reason: string | null }>(
    'select state, reason from executions where batch_id = $1 order by queued_at',
    [id],
  );
  return rows.map(({ state, reason }) => (reason === null ? state : `${state} ${reason}`));
}

describe('the devices that are sent their command', () => {
  test.each<[string, Given, number[]]>([
    ['as many as may be in flight, in order', { parallel: 2 }, [0, 1]],
    ['all when all may be in flight', { parallel: 3 }, [0, 1, 2]],
    ['the next one when one has ended', { parallel: 1, states: ['ended', 'queued', 'queued'] }, [1]],
    ['no more than are left', { parallel: 2, states: ['sent', 'queued', 'queued'] }, [1]],
    ['none while the limit is reached', { parallel: 1, states: ['sent', 'queued', 'queued'] }, []],
    ['none when none waits', { states: ['ended', 'ended', 'ended'] }, []],
    ['none before the time of the batch', { notBefore: 5 }, []],
    ['those whose time has come', { notBefore: -5 }, [0, 1]],
  ])('%s', async (_, given, places) => {
    const { id } = await batch(given);
    await runner.advance(id);
    expect(woken).toEqual(places.map((place) => devices[place]));
    expect(published).toEqual([]);
  });

  test('not the offline ones when the batch waits for them', async () => {
    const { id } = await batch({ parallel: 3, waits: true });
    await database.pool.query('update device_states set connected = false where device_id = $1', [devices[1]]);
    await runner.advance(id);
    expect(woken).toEqual([devices[0], devices[2]]);
    await database.pool.query('delete from executions');
    const { id: another } = await batch({ parallel: 3 });
    await runner.advance(another);
    expect(woken.slice(2)).toEqual(devices);
  });

  test('not those with another command in flight', async () => {
    await batch({ states: ['sent'] });
    const { id } = await batch({ parallel: 3 });
    await runner.advance(id);
    expect(woken).toEqual([devices[1], devices[2]]);
  });
});

test('a stopped batch cancels its waiting commands and keeps the others', async () => {
  const { id } = await batch({ stopped: true, states: ['ended', 'sent', 'queued'] });
  const { id: other } = await batch({ states: ['queued'] });
  await runner.advance(id);
  expect(await standing(id)).toEqual(['ended', 'sent', 'ended batchStopped']);
  expect(await standing(other)).toEqual(['queued']);
  expect([woken, published]).toEqual([[], [devices[2]]]);
});

test('an unknown batch is ignored', async () => {
  await runner.advance(1_000_000);
  expect(woken).toEqual([]);
});

describe('while commands of a batch are sent', () => {
  /** Starts a round, which ends when the test allows it. */
  async function begun() {
    const { id } = await batch({ parallel: 1 });
    const begins = Promise.withResolvers<void>();
    const ends = Promise.withResolvers<void>();
    wake = async () => {
      wake = async () => undefined;
      begins.resolve();
      await ends.promise;
    };
    const first = runner.advance(id);
    await begins.promise;
    return { id, first, ends };
  }

  test('further calls are combined to one more round', async () => {
    const { id, first, ends } = await begun();
    const further = [runner.advance(id), runner.advance(id), runner.advance(id)];
    expect(woken).toHaveLength(1);
    ends.resolve();
    await Promise.all([first, ...further]);
    expect(woken).toEqual([devices[0], devices[0]]);
    await runner.advance(id);
    expect(woken).toHaveLength(3);
  });

  test('another batch does not wait', async () => {
    const { first, ends } = await begun();
    const { id } = await batch({ states: ['queued'] });
    await runner.advance(id);
    expect(woken).toHaveLength(2);
    ends.resolve();
    await first;
  });

  test('stopping waits for them and starts no other round', async () => {
    const { id, first, ends } = await begun();
    const further = runner.advance(id);
    let stopped = false;
    const stopping = runner.stop().then(() => {
      stopped = true;
    });
    await database.pool.query('select 1');
    expect(stopped).toBe(false);
    ends.resolve();
    await Promise.all([first, further, stopping]);
    expect(woken).toHaveLength(1);
  });
});

test('after stopping, nothing is sent', async () => {
  const { id, executions } = await batch();
  await runner.stop();
  await runner.advance(id);
  await runner.advanceAfter(executions);
  await runner.advanceAll();
  expect(woken).toEqual([]);
});

test('the batches of executions continue, each once', async () => {
  const one = await batch({ parallel: 1 });
  const alone = randomUUID();
  await database.pool.query(
    `insert into executions (id, command_id, device_id, deadline_at) select $1, command_id, $2, now() from executions limit 1`,
    [alone, devices[2]],
  );
  await runner.advanceAfter([alone]);
  expect(woken).toEqual([]);
  await runner.advanceAfter([alone, ...one.executions]);
  expect(woken).toEqual([devices[0]]);
});

test('all batches with something to do continue: those that may send more, and those that have stopped', async () => {
  const full = await batch({ parallel: 1, states: ['sent', 'queued'] });
  const stopped = await batch({ parallel: 1, stopped: true, states: ['queued'] });
  const open = await batch({ parallel: 1, states: ['ended', 'queued', 'queued'] });
  await database.pool.query(`update executions set state = 'ended', result = 2, ended_at = now() where state = 'sent'`);
  await database.pool.query(`update executions set state = 'sent', sent_at = now() where id = $1`, [
    full.executions[1],
  ]);
  await runner.advanceAll();
  expect(await standing(stopped.id)).toEqual(['ended batchStopped']);
  expect(await standing(open.id)).toEqual(['ended', 'queued', 'queued']);
  // The second device has a command of the first batch in flight.
  expect(woken).toEqual([devices[2]]);
});

test('an error of the database is not final', async () => {
  const { id, executions } = await batch();
  await database.pool.query('alter table command_batches rename to command_batches_away');
  await runner.advance(id);
  await database.pool.query('alter table command_batches_away rename to command_batches');
  await database.pool.query('alter table executions rename to executions_away');
  await runner.advanceAfter(executions);
  await database.pool.query('alter table executions_away rename to executions');
  expect(woken).toEqual([]);
  await runner.advance(id);
  expect(woken).toEqual([devices[0], devices[1]]);
});
