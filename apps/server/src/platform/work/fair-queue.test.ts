import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FairQueueLimits, fairQueue } from './fair-queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function office(change: Partial<FairQueueLimits> = {}) {
  const queue = fairQueue({ places: 2, share: 1, waiting: { owner: 3, all: 5 }, waitMs: 1_000, ...change });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) =>
    queue.run(name[0]!, (place) => {
      begun.push(`${name} at ${place}`);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string) => {
    ends.get(name)!();
    await vi.advanceTimersByTimeAsync(0);
  };
  const turn = () => vi.advanceTimersByTimeAsync(0);
  return { begun, work, end, turn };
}

test('an owner runs in its share, and another one that comes later is not behind its works', async () => {
  const { begun, work, end, turn } = office();
  for (const name of ['a1', 'a2', 'a3', 'b1']) void work(name);
  await turn();
  expect(begun).toEqual(['a1 at 0', 'b1 at 1']);
  await end('b1');
  expect(begun).toHaveLength(2);
  await end('a1');
  expect(begun.at(-1)).toBe('a2 at 0');
});

test('with one place, owners take turns', async () => {
  const { begun, work, end, turn } = office({ places: 1 });
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) void work(name);
  await turn();
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2']) await end(name);
  expect(begun.map((one) => one.slice(0, 2))).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

test('with too many, or after too long a wait, it is full; a failed work frees its place', async () => {
  const { work, end, turn } = office({ places: 1 });
  const first = work('a1');
  await turn();
  const waiting = ['a2', 'a3', 'a4'].map((name) => work(name).catch((error: Error) => error.name));
  await expect(work('a5')).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await Promise.all(waiting)).toEqual(['QueueFull', 'QueueFull', 'QueueFull']);
  await end('a1');
  expect(await first).toBe('a1');
  const again = work('b1');
  await turn();
  await end('b1');
  expect(await again).toBe('b1');
});
