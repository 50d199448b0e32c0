import { expect, test } from 'vitest';
import { batching } from './batching.ts';

test('requests of one moment, and those during a running query, are combined; an error goes to its callers', async () => {
  const queries: number[][] = [];
  let fails = false;
  const read = batching(async (keys) => {
    queries.push([...keys]);
    if (fails) throw new Error('away');
    await Promise.resolve();
    return new Map(keys.filter((key) => key !== 3).map((key) => [key, `value ${key}`]));
  });
  const first = [read(1), read(2), read(1)];
  const later = first[0]!.then(() => Promise.all([read(3), read(4)]));
  expect(await Promise.all(first)).toEqual(['value 1', 'value 2', 'value 1']);
  expect(await later).toEqual([undefined, 'value 4']);
  expect(queries).toEqual([
    [1, 2],
    [3, 4],
  ]);
  fails = true;
  await expect(read(5)).rejects.toThrow('away');
  fails = false;
  expect(await read(6)).toBe('value 6');
  const many = await Promise.all(Array.from({ length: 2_500 }, (_, n) => read(n + 10)));
  expect(many).toHaveLength(2_500);
  expect(queries.slice(-3).map((keys) => keys.length)).toEqual([1_000, 1_000, 500]);
});
