import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { Registry } from 'prom-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../platform/log.ts';
import { SinkOverloaded, type UplinkEvent } from '../ports/uplink.ts';
import { type SteppedClock, steppedClock } from '../testing/clock.ts';
import { createTestDatabase, emptyTables, type TestDatabase } from '../testing/database/database.ts';
import { seedWorld } from '../testing/world.ts';
import { partitions } from './index.ts';
import { type Sink, type SinkParts, uplinkSink } from './sink.ts';

let database: TestDatabase;
let deviceId: number;
let otherId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  const { devices } = await seedWorld(database.db);
  [deviceId, otherId] = [devices.northQuay1.id, devices.northQuay2.id];
  const readingDays = { raw: 1, rollups: { fiveMinutes: 1, hour: 1, day: 1 } };
  const { pool } = database;
  await partitions({ pool, clock: steppedClock(), log: createLog('silent'), protocolLogDays: 1, readingDays }).start();
});
afterAll(() => database.drop());

const at = new Date();
const frame = (bytes = 400): UplinkEvent => ({
  ...{ kind: 'frame', type: 'receive', connectionId: null, at, action: null, messageId: null, note: null },
  ...{ body: 'x'.repeat((bytes - 400) / 2), bytes: 0 },
});
const clockEvent: UplinkEvent = { kind: 'clock', skewMs: 1 };
const reading: UplinkEvent = {
  ...{ kind: 'reading', connector: 0, at, receivedAt: at, transactionId: null },
  values: [{ key: 'Power', unit: 'W', counter: false, value: 1 }],
};
const readingOf = (count: number): UplinkEvent => ({
  ...{ kind: 'reading', connector: 0, at, receivedAt: at, transactionId: null },
  values: Array.from({ length: count }, (_, n) => ({ key: `Cell${n}`, unit: 'V', counter: false, value: n })),
});
const textsOf = (...values: string[]): UplinkEvent => ({
  ...{ kind: 'texts', connector: 0, at, receivedAt: at },
  values: values.map((value, n) => ({ key: `Text${n}`, value })),
});
const parametersOf = (...values: (string | null)[]): UplinkEvent => ({
  ...{ kind: 'parameters', at, unknownKeys: [], complete: false },
  entries: values.map((value, n) => ({ key: `Key${n}`, value, readonly: false })),
});
const status: UplinkEvent = {
  ...{ kind: 'connectorStatus', connector: 1, at, status: 'Available', errorCode: 'NoError' },
  ...{ vendorErrorCode: null, info: null },
};
const answer: UplinkEvent = {
  ...{ kind: 'answer', executionId: randomUUID(), at, success: true, reason: 'accepted', detail: null, answer: null },
};
const connected: UplinkEvent = {
  ...{ kind: 'connected', connectionId: randomUUID(), at, protocol: 'ocpp1.6', remoteAddress: '192.0.2.1' },
};

let clock: SteppedClock;
let metrics: Registry;
let published: [topics: unknown, id: number][];
let stored: unknown[];
let sinks: Sink[];
/** Lets the database respond again. */
let open: () => void;
beforeEach(async () => {
  await emptyTables(database.pool, 'protocol_frames', 'readings');
  clock = steppedClock();
  metrics = new Registry();
  published = [];
  stored = [];
  sinks = [];
  open = () => undefined;
});
afterEach(async () => {
  open();
  for (const sink of sinks) await sink.stop();
});

function sinkOf(parts: Partial<SinkParts> = {}): Sink {
  const sink = uplinkSink({
    ...{ pool: database.pool, clock, log: createLog('silent'), metrics, onAnswer: async () => [] },
    events: { publish: (topics, { id }, ..._audience) => published.push([topics, id]) },
    onStored: (effects) => stored.push({ connected: effects.connected, answered: effects.answered }),
    ...parts,
  });
  sinks.push(sink);
  return sink;
}

/** A database that does not respond until `open` is called; with `after`, from the moment when that is true. */
function slowPool(after: () => boolean = () => true): Pool {
  const gate = Promise.withResolvers<void>();
  open = gate.resolve;
  return new Proxy(database.pool, {
    get(pool, name) {
      const value = Reflect.get(pool, name, pool);
      if (name !== 'query' && name !== 'connect') return value;
      return async (...args: unknown[]) => {
        if (after()) await gate.promise;
        return value.apply(pool, args);
      };
    },
  });
}

const metricOf = async (name: string) => {
  const metric = await metrics.getSingleMetric(`chargehand_ingest_${name}`)?.get();
  return metric?.values[0]?.value;
};

describe('while the database does not respond', () => {
  test('what waits is counted, with the age of the oldest', async () => {
    const sink = sinkOf({ pool: slowPool() });
    expect(sink.delayMs()).toBe(0);
    const first = sink.submit(deviceId, [frame(1_000)]);
    await clock.advance(3_000);
    const second = sink.submit(otherId, [status, answer]);
    await clock.advance(2_000);
    expect(sink.delayMs()).toBe(5_000);
    expect(await metricOf('queued_bytes')).toBe(2_000);
    open();
    await first;
    await second;
    expect(sink.delayMs()).toBe(0);
    expect(await metricOf('queued_bytes')).toBe(0);
  });

  test.each<[string, UplinkEvent[], boolean]>([
    ['frames', [frame()], true],
    ['readings', [reading], true],
    ['clock differences', [clockEvent], true],
    ['readings with their frame', [frame(), reading], true],
    ['a status with its frame', [frame(), status], false],
    ['responses', [answer], false],
    ['connections', [connected], false],
  ])('and too much waits: %s', async (_, events, refused) => {
    const sink = sinkOf({ pool: slowPool(), queueBytes: 600 });
    const first = sink.submit(otherId, [clockEvent]);
    const result = sink.submit(deviceId, events).then(
      () => null,
      (error: unknown) => error,
    );
    open();
    expect((await result) instanceof SinkOverloaded).toBe(refused);
    await first;
    expect(await metricOf('shed_total')).toBe(refused ? 1 : 0);
  });

  test.each<[string, UplinkEvent[], number]>([
    ['an event', [clockEvent], 600],
    ['two events', [clockEvent, answer], 1_000],
    ['a reading of a thousand values', [readingOf(1_000)], 100_600],
    ['texts', [textsOf('a', 'x'.repeat(999))], 2_800],
    ['parameters', [parametersOf('a', 'x'.repeat(999), null)], 2_900],
    ['a frame without a body', [{ ...frame(), body: null } as UplinkEvent], 400],
    ['a frame with a body', [frame(1_000)], 1_000],
  ])('%s counts for its size in memory', async (_, events, bytes) => {
    const sink = sinkOf({ pool: slowPool(), queueBytes: 2 * bytes });
    const two = [sink.submit(deviceId, events), sink.submit(otherId, events)];
    const third = sink.submit(deviceId, [{ ...frame(), body: null } as UplinkEvent]);
    await expect(third).rejects.toThrow('Too much is waiting to be stored');
    open();
    await Promise.all(two);
    // Stored events no longer count.
    await Promise.all([sink.submit(deviceId, events), sink.submit(otherId, events)]);
    expect(await metricOf('queued_bytes')).toBe(0);
  });
});

test('what still waits of a device counts after an earlier submission of it was stored', async () => {
  const sink = sinkOf({ pool: slowPool(() => published.length > 0) });
  const first = sink.submit(deviceId, [frame(600_000)]);
  // The first batch starts in the next turn of the event loop, without the second submission.
  await new Promise((resolve) => setImmediate(resolve));
  const second = sink.submit(deviceId, [frame(400_000)]);
  await first;
  expect(await metricOf('queued_bytes')).toBe(400_000);
  await expect(sink.submit(deviceId, [frame(700_000)])).rejects.toThrow('Too much is waiting to be stored');
  open();
  await second;
});

test('a stopped sink stores what it has and accepts nothing more', async () => {
  const sink = sinkOf({ pool: slowPool() });
  const first = sink.submit(deviceId, [frame()]);
  let stopped = false;
  const stopping = sink.stop().then(() => {
    stopped = true;
  });
  await expect(sink.submit(deviceId, [status])).rejects.toThrow(new SinkOverloaded('The server is stopping'));
  await database.pool.query('select 1');
  expect(stopped).toBe(false);
  open();
  await first;
  await stopping;
  expect((await database.pool.query('select from protocol_frames')).rows).toHaveLength(1);
});

test('a stop waits ten seconds for a database that is away, and then gives up', async () => {
  const away = Object.assign(new Error('the database is shutting down'), { code: '57P01' });
  const sink = sinkOf({
    pool: new Proxy(database.pool, {
      get: (pool, name) => (name === 'query' ? () => Promise.reject(away) : Reflect.get(pool, name, pool)),
    }),
  });
  let result: unknown = null;
  void sink.submit(deviceId, [frame()]).catch((error: unknown) => {
    result = error;
  });
  await expect.poll(() => metricOf('retries_total')).toBe(1);
  const stopping = sink.stop();
  await expect.poll(() => metricOf('retries_total')).toBe(2);
  /** Lets the work run that is due after some time. */
  const pass = async (ms: number) => {
    await clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  };
  for (let ms = 0; ms < 9_900; ms += 100) await pass(100);
  expect(result).toBeNull();
  await pass(100);
  await stopping;
  expect(result).toBe(away);
});

test('what was stored is published once for each device, with all its topics', async () => {
  const sink = sinkOf();
  await Promise.all([
    sink.submit(deviceId, [frame(), reading]),
    sink.submit(deviceId, [frame()]),
    sink.submit(otherId, [clockEvent]),
  ]);
  expect(published).toHaveLength(2);
  expect(published).toEqual(
    expect.arrayContaining([
      [['device.frames', 'device.readings'], deviceId],
      [['device.state'], otherId],
    ]),
  );
});

test('opened connections and responses are passed on after they are stored, and nothing else is', async () => {
  const sink = sinkOf();
  await sink.submit(deviceId, [frame(), reading, status]);
  expect(stored).toEqual([]);
  await sink.submit(deviceId, [connected]);
  const { executionId } = answer as { executionId: string };
  await sink.submit(deviceId, [answer]);
  expect(stored).toEqual([
    { connected: [deviceId], answered: [] },
    { connected: [], answered: [{ deviceId, executionId }] },
  ]);
});

test('the status of a device follows from what was stored', async () => {
  const sink = sinkOf();
  await sink.submit(deviceId, [connected, { ...status, status: 'Charging' } as UplinkEvent]);
  await sink.stop();
  const { rows } = await database.pool.query('select status from devices where id = $1', [deviceId]);
  expect(rows[0].status).not.toBe('offline');
  expect(published.at(-1)).toEqual(['device.state', deviceId]);
});

test('the metrics count batches, attempts that failed and events that cannot be stored', async () => {
  const { pool } = database;
  let fails = 1;
  const failing = new Proxy(pool, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (name !== 'query') return value;
      return async (...args: unknown[]) => {
        fails -= 1;
        if (fails >= 0) throw Object.assign(new Error('the database is shutting down'), { code: '57P01' });
        return value.apply(target, args);
      };
    },
  });
  const sink = sinkOf({ pool: failing });
  const first = sink.submit(deviceId, [frame()]);
  await expect.poll(() => metricOf('retries_total')).toBe(1);
  await clock.advance(100);
  await first;
  // The probe of the server is not a message.
  await sink.submit(deviceId, []);
  await expect(sink.submit(deviceId, [{ ...status, connector: 99_999 } as UplinkEvent])).rejects.toThrow();
  expect([await metricOf('retries_total'), await metricOf('refused_total')]).toEqual([1, 1]);
  const text = await metrics.metrics();
  expect(text).toContain('chargehand_ingest_batch_submissions_count 1\n');
  expect(text).toContain('chargehand_ingest_commit_duration_seconds_count 2\n');
  expect(text).toContain('chargehand_ingest_stored_duration_seconds_count 1\n');
  expect(text).toContain('chargehand_ingest_stored_duration_seconds_sum 0.1\n');
  expect(await metricOf('queued_bytes')).toBe(0);
});
