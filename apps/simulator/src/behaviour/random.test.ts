import { describe, expect, test } from 'vitest';
import { Random } from './random.ts';

const draw = (random: Random, count: number): number[] => Array.from({ length: count }, () => random.next());

describe('Random', () => {
  test('gives the same numbers for the same seed and labels', () => {
    expect(draw(new Random(7, 'SIM00001', 'faults'), 50)).toEqual(draw(new Random(7, 'SIM00001', 'faults'), 50));
  });

  test.each([
    ['another seed', new Random(8, 'SIM00001', 'faults')],
    ['another charge point', new Random(7, 'SIM00002', 'faults')],
    ['another concern', new Random(7, 'SIM00001', 'sessions')],
  ])('gives different numbers for %s', (_, other) => {
    const mine = draw(new Random(7, 'SIM00001', 'faults'), 50);
    expect(draw(other, 50).filter((number, index) => number === mine[index])).toEqual([]);
  });

  test('draws UUIDs, the same for the same seed', () => {
    const uuid = () => new Random(7, 'ids').uuid();
    expect(uuid()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuid()).toBe(uuid());
  });

  test('distributes its numbers evenly from 0 to 1', () => {
    const tenths = new Array<number>(10).fill(0);
    for (const number of draw(new Random('even'), 20_000)) tenths[Math.floor(number * 10)]!++;
    for (const count of tenths) expect(count).toBeGreaterThan(1_800);
  });

  test('waits the mean time on average', () => {
    const random = new Random('waits');
    const total = Array.from({ length: 20_000 }, () => random.exponential(30)).reduce((sum, wait) => sum + wait, 0);
    expect(total / 20_000).toBeGreaterThan(29);
    expect(total / 20_000).toBeLessThan(31);
  });

  test('includes both ends of a range of integers', () => {
    const random = new Random('ends');
    expect(new Set(Array.from({ length: 200 }, () => random.integer(1, 3)))).toEqual(new Set([1, 2, 3]));
  });
});
