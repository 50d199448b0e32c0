import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../clock.ts';
import { inOwnOrder, paced } from './paced.ts';

/** The rests after some pieces of four milliseconds, and the usual one compared with the time of its work. */
async function rests(pieces: number, everyMs: number, isLate = false): Promise<{ share: number; ms: number[] }> {
  const ms: number[] = [];
  const clock: Clock = {
    ...systemClock,
    after(pauseMs, work) {
      ms.push(pauseMs);
      work();
      return () => undefined;
    },
  };
  const pace = paced(clock, new AbortController().signal, { everyMs, pieces, isLate: () => isLate });
  const shares: number[] = [];
  for (let piece = 0; piece < Math.min(pieces, 5); piece += 1) {
    const worked = await pace.rested(async () => {
      const start = performance.now();
      while (performance.now() - start < 4);
      return performance.now() - start;
    });
    pace.done();
    shares.push(ms.at(-1)! / worked);
  }
  return { share: shares.sort((one, other) => one - other)[shares.length >> 1]!, ms };
}

test('little work rests most of the time, a backlog half of it, and late messages come first', async () => {
  expect((await rests(2, 300_000)).share).toBeGreaterThanOrEqual(19);
  expect((await rests(1_000_000, 300_000)).share).toBeLessThan(10);
  expect(Math.min(...(await rests(1_000_000, 300_000, true)).ms)).toBeGreaterThanOrEqual(10_000);
});

test('several processes begin with different pieces, and each has all of them', () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => index + 1);
  const [one, other] = [3, 4].map((salt) => inOwnOrder(ids, (id) => id, salt));
  expect(one!.toSorted((a, b) => a - b)).toEqual(ids);
  const common = one!.slice(0, 500).filter((id) => other!.slice(0, 500).includes(id));
  expect(common.length).toBeLessThan(350);
});
