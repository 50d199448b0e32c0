import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { claimedWork } from './claimed-work.ts';

function office(due: number[], atOnce = 2) {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const work = claimedWork({
    atOnce,
    claim: async (limit) => due.splice(0, limit),
    work(item: number) {
      begun.push(item);
      return new Promise<void>((resolve) => ends.set(item, resolve));
    },
  });
  return { begun, work, end: (item: number) => ends.get(item)?.() };
}

test('an item starts when another one ends, whichever that is', async () => {
  const { begun, work, end } = office([1, 2, 3, 4]);
  const run = work.drain(new AbortController().signal);
  await turn();
  expect(begun).toEqual([1, 2]);
  end(2);
  await turn();
  end(3);
  await turn();
  expect(begun).toEqual([1, 2, 3, 4]);
  for (const item of [1, 4]) end(item);
  await run;
});

test('what becomes due meanwhile is found at once after a wake-up', async () => {
  const due = [1];
  const { begun, work, end } = office(due);
  const run = work.drain(new AbortController().signal);
  await turn();
  due.push(2);
  await turn();
  expect(begun).toEqual([1]);
  work.wake();
  await turn();
  expect(begun).toEqual([1, 2]);
  for (const item of begun) end(item);
  await run;
});

test('after the signal nothing begins, and what has begun is finished', async () => {
  const { begun, work, end } = office([1, 2, 3]);
  const ending = new AbortController();
  let over = false;
  const run = work.drain(ending.signal).finally(() => {
    over = true;
  });
  await turn();
  ending.abort();
  end(1);
  await turn();
  expect({ begun, over }).toEqual({ begun: [1, 2], over: false });
  end(2);
  await run;
});

test('a failed claim waits for what has begun', async () => {
  let over = false;
  const ends: (() => void)[] = [];
  let calls = 0;
  const work = claimedWork({
    atOnce: 2,
    async claim() {
      calls += 1;
      if (calls > 1) throw new Error('away');
      return [1];
    },
    work: () => new Promise<void>((resolve) => ends.push(resolve)),
  });
  const run = work.drain(new AbortController().signal).finally(() => {
    over = true;
  });
  await turn();
  expect(over).toBe(false);
  ends[0]?.();
  await expect(run).rejects.toThrow('away');
});
