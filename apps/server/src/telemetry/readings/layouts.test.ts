import { expect, test } from 'vitest';
import type { Query } from '../../platform/database/statement.ts';
import { type LaidOut, layouts } from './layouts.ts';

/** A database with layouts of any key. Counts the layouts that were looked up. */
function database() {
  const ids = new Map<string, number>();
  let lookups = 0;
  const client = {
    query: async ({ text, values: [items] }: { text: string; values: unknown[] }) => {
      if (text.startsWith('insert')) return { rows: [] };
      lookups += 1;
      const key = String(items);
      const id = ids.get(key) ?? ids.size + 1;
      ids.set(key, id);
      return { rows: [{ id }] };
    },
  } as Query;
  return { client, lookups: () => lookups };
}

const reading = (layoutKey: string): LaidOut => ({
  layoutKey,
  layout: [{ key: layoutKey, unit: '', counter: false }],
  analog: [],
  counters: [],
});

test('each layout is looked up once', async () => {
  const { client, lookups } = database();
  const known = layouts();
  expect([...(await known.ensure(client, ['a', 'b', 'a'].map(reading)))]).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
  expect([...(await known.ensure(client, ['b', 'c'].map(reading)))]).toEqual([
    ['b', 2],
    ['c', 3],
  ]);
  expect(lookups()).toBe(3);
});

test('the cache is bounded by the length of its keys, and a batch has all of its layouts', async () => {
  const { client, lookups } = database();
  const known = layouts(4);
  const ids = await known.ensure(client, ['aa', 'bb', 'c', 'aa'].map(reading));
  expect([...ids]).toEqual([
    ['aa', 1],
    ['bb', 2],
    ['c', 3],
  ]);
  // "c" was too much with the first two.
  await known.ensure(client, ['c'].map(reading));
  expect(lookups()).toBe(3);
  await known.ensure(client, ['aa', 'bb'].map(reading));
  expect(lookups()).toBe(5);
});

test('two batches that learn a layout at the same time count it once', async () => {
  const { client, lookups } = database();
  const known = layouts(4);
  await Promise.all([known.ensure(client, [reading('aa')]), known.ensure(client, [reading('aa')])]);
  await known.ensure(client, [reading('bb')]);
  await known.ensure(client, ['aa', 'bb'].map(reading));
  expect(lookups()).toBe(3);
});
