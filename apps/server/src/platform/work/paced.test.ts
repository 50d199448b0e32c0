import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../clock.ts';
import { inOwnOrder, paced } from './paced.ts';

/** The rests after pieces of some milliseconds each, compared with the time of their work. */
async function rests(pieces: number, everyMs: number, isLate = false): Promise<number[]> {
  const pauses: number[] = [];
  const clock: Clock = {
    ...systemClock,
    after(ms, work) {
      pauses.push(ms);
      work();
      return () => undefined;
    },
  };
  const pace = paced(clock, new AbortController().signal, { everyMs, pieces, isLate: () => isLate });
  const compared: number[] = [];
  for (let piece = 0; piece < Math.min(pieces, 5); piece += 1) {
    const start = performance.now();
    await pace.rested(async () => {
      while (performance.now() - start < 4);
    });
    pace.done();
    compared.push(pauses.at(-1)! / 4);
  }
  return compared;
}

test('little work rests most of the time, a backlog half of it, and late messages come first', async () => {
  expect(Math.min(...(await rests(2, 300_000)))).toBeGreaterThanOrEqual(19);
  expect(Math.max(...(await rests(1_000_000, 300_000)))).toBeLessThan(10);
  expect(Math.min(...(await rests(1_000_000, 300_000, true)))).toBeGreaterThanOrEqual(2_500);
});

test('several processes begin with different pieces, and each has all of them', () => {
  const ids = Array.from({ length: 1_000 }, (_, index) => index + 1);
  const [one, other] = [3, 4].map((salt) => inOwnOrder(ids, (id) => id, salt));
  expect(one!.toSorted((a, b) => a - b)).toEqual(ids);
  const common = one!.slice(0, 500).filter((id) => other!.slice(0, 500).includes(id));
  expect(common.length).toBeLessThan(350);
});
