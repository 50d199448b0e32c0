import { expect, test } from 'vitest';
import type { Submission } from '../ports/uplink-items.ts';
import { steppedClock } from '../testing/clock.ts';
import { gatheringRule } from './gathering.ts';
import { type LaneParts, lane } from './lane.ts';

/** One turn of the event loop, in which all pending callbacks run. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

function scene(store: LaneParts['store'] = async () => undefined) {
  const clock = steppedClock();
  const batches: { id: string; devices: number[] }[] = [];
  const retries: [error: unknown, attempt: number][] = [];
  const refused: number[] = [];
  const one = lane({
    clock,
    store(batchId, submissions) {
      batches.push({ id: batchId, devices: submissions.map(({ deviceId }) => deviceId) });
      return store(batchId, submissions);
    },
    isFaultOfData: (error) => error instanceof TypeError,
    onRetry: (error, attempt) => retries.push([error, attempt]),
    onRefused: (_error, { deviceId }) => refused.push(deviceId),
  });
  /** Adds a submission and returns its result. */
  const add = (deviceId: number, bytes = 0) =>
    new Promise<unknown>((resolve) => {
      const stored = { transactionId: deviceId };
      one.add({ deviceId, events: [], bytes, stored, resolve, reject: resolve } satisfies Submission);
    });
  const devices = () => batches.map((batch) => batch.devices);
  return { one, clock, batches, devices, retries, refused, add };
}

test('submissions of one turn are stored together; submissions that arrive meanwhile are in the next batch, in order', async () => {
  const commit = Promise.withResolvers<void>();
  const { add, devices } = scene(() => commit.promise);
  const first = [add(1), add(2)];
  await turn();
  const second = [add(3), add(1), add(4)];
  await turn();
  expect(devices()).toEqual([[1, 2]]);
  commit.resolve();
  expect(await Promise.all(first)).toEqual([{ transactionId: 1 }, { transactionId: 2 }]);
  await Promise.all(second);
  expect(devices()).toEqual([
    [1, 2],
    [3, 1, 4],
  ]);
  await add(5);
  expect(devices()).toHaveLength(3);
});

test('at most two thousand submissions are one batch', async () => {
  const { add, devices } = scene();
  await Promise.all(Array.from({ length: 4_001 }, (_, index) => add(index)));
  expect(devices().map(({ length }) => length)).toEqual([2_000, 2_000, 1]);
  expect(devices().flat()).toEqual(Array.from({ length: 4_001 }, (_, index) => index));
});

test('at most four MiB are one batch, and a larger submission is one alone', async () => {
  const mib = 1024 * 1024;
  const { add, devices } = scene();
  await Promise.all([3 * mib, mib, 1, 5 * mib, 0, 4 * mib, 1].map((bytes, index) => add(index, bytes)));
  expect(devices()).toEqual([[0, 1], [2], [3], [4, 5], [6]]);
});

test('a batch that fails because of the database is retried with increasing delays until it is stored', async () => {
  const away = new Error('the database is away');
  let fails = 7;
  const { add, batches, retries, clock } = scene(async () => {
    fails -= 1;
    if (fails >= 0) throw away;
  });
  const stored = add(1);
  await turn();
  await turn();
  const waited: number[] = [];
  for (let attempts = 1; attempts <= 7; attempts += 1) {
    expect(batches).toHaveLength(attempts);
    let ms = 0;
    for (; batches.length === attempts; ms += 50) {
      await clock.advance(50);
      await turn();
    }
    waited.push(ms);
  }
  expect(waited).toEqual([100, 200, 400, 800, 1_600, 2_000, 2_000]);
  expect(await stored).toEqual({ transactionId: 1 });
  expect(new Set(batches.map(({ id }) => id)).size).toBe(1);
  expect(retries).toEqual([1, 2, 3, 4, 5, 6, 7].map((attempt) => [away, attempt]));
});

test('a batch that fails because of its data is halved until the faulty submission is rejected alone', async () => {
  const wrong = new TypeError('no such reading');
  const { add, devices, batches, refused, retries } = scene(async (_, submissions) => {
    if (submissions.some(({ deviceId }) => deviceId === 4)) throw wrong;
  });
  const results = await Promise.all([1, 2, 3, 4, 5].map((deviceId) => add(deviceId)));
  expect(results).toEqual([1, 2, 3, 4, 5].map((id) => (id === 4 ? wrong : { transactionId: id })));
  expect(devices()).toEqual([[1, 2, 3, 4, 5], [1, 2], [3, 4, 5], [3], [4, 5], [4], [5]]);
  expect(new Set(batches.map(({ id }) => id)).size).toBe(7);
  expect([refused, retries]).toEqual([[4], []]);
});

test('halves of a faulty batch keep their order', async () => {
  const first = Promise.withResolvers<void>();
  const { add, devices } = scene(async (_, submissions) => {
    if (submissions.length > 1) throw new TypeError('no such reading');
    if (submissions[0]?.deviceId === 1) await first.promise;
  });
  const results = [add(1), add(2)];
  await turn();
  expect(devices()).toEqual([[1, 2], [1]]);
  first.resolve();
  await Promise.all(results);
  expect(devices()).toEqual([[1, 2], [1], [2]]);
});

test('draining waits until everything is stored', async () => {
  const commit = Promise.withResolvers<void>();
  const { one, add, clock } = scene(() => commit.promise);
  void add(1);
  await turn();
  const late = add(2);
  let drained = false;
  const draining = one.drain(clock.now().getTime() + 10_000).then(() => {
    drained = true;
  });
  await turn();
  expect(drained).toBe(false);
  commit.resolve();
  await draining;
  expect(await late).toEqual({ transactionId: 2 });
  await one.drain(clock.now().getTime());
});

test('draining retries immediately, and rejects the rest at the deadline', async () => {
  const away = new Error('the database is away');
  const { one, add, clock, batches } = scene(() => Promise.reject(away));
  let rejected: unknown = null;
  void add(1).then((result) => {
    rejected = result;
  });
  await turn();
  for (let ms = 0; ms < 3_100; ms += 100) {
    await clock.advance(100);
    await turn();
  }
  const before = batches.length;
  expect(before).toBe(6);
  const draining = one.drain(clock.now().getTime() + 2_500);
  await turn();
  expect(batches).toHaveLength(before + 1);
  await clock.advance(2_000);
  await turn();
  expect(batches).toHaveLength(before + 2);
  expect(rejected).toBeNull();
  // The last attempt is at the deadline, not after it.
  await clock.advance(500);
  await draining;
  expect(batches).toHaveLength(before + 3);
  expect(rejected).toBe(away);
});

/**
 * How many of the last hundred of three hundred batches waited, when `perSecond` submissions come in bunches of `size`,
 * and another of each of `others` while a batch waits.
 */
function waits(perSecond: number, size: number, others: readonly number[]): number {
  const rule = gatheringRule();
  const bunch = Array.from({ length: size }, () => ({ deviceId: 1 }));
  let at = 0;
  let waited = 0;
  for (let batch = 0; batch < 300; batch += 1) {
    for (let index = 0; index < size; index += 1) {
      at += 1_000 / perSecond;
      rule.arrives(at);
    }
    const isWaiting = rule.begins(bunch);
    if (isWaiting && batch >= 200) waited += 1;
    rule.ends(isWaiting ? [...bunch, ...others.map((deviceId) => ({ deviceId }))] : bunch);
  }
  return waited;
}

test.each([
  ['a fleet at everyday rates', 50, 1, [2], 100],
  ['one device that waits for each answer', 300, 1, [], 2],
  ['one device whose exchanges are several submissions', 300, 2, [1, 1], 2],
  ['a device occasionally', 0.1, 1, [], 0],
  ['full load', 5_000, 20, [2, 3, 4], 0],
])('of a hundred batches of %s, some wait for more submissions', (_, perSecond, size, others, most) => {
  const count = waits(perSecond, size, others);
  expect(count).toBeLessThanOrEqual(most);
  expect(count).toBeGreaterThanOrEqual(most === 100 ? 90 : 0);
});
