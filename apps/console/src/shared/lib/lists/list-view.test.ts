import { expect, test } from 'vitest';
import { arranged, moved } from './list-view.ts';

const COLUMNS = [{ name: 'status' }, { name: 'name', always: true }, { name: 'sn' }, { name: 'site' }, {}];
const view = (...columns: string[]) => ({
  density: 'compact' as const,
  columns: columns.map((text) => ({ name: text.replace('-', ''), shown: !text.startsWith('-') })),
});

test.each<[string, string[], string]>([
  ['nothing arranged', [], 'status name sn site ·'],
  ['another order', ['site', 'sn', 'name', 'status'], 'site sn name status ·'],
  ['hidden ones', ['status', 'name', '-sn', '-site'], 'status name ·'],
  ['a fixed one cannot be hidden', ['status', '-name', 'sn', 'site'], 'status name sn site ·'],
  ['a new column is placed after its default predecessor', ['site', 'status', 'name'], 'site status name sn ·'],
  ['a new first column is placed first', ['site', 'name', 'sn'], 'status site name sn ·'],
  ['a removed column is ignored', ['gone', 'site', 'sn', 'name', 'status'], 'site sn name status ·'],
])('%s', (_, columns, expected) => {
  const shown = arranged(COLUMNS, view(...columns)).filter((one) => one.shown);
  expect(shown.map(({ column }) => column.name ?? '·').join(' ')).toBe(expected);
});

test.each<[number, number, string]>([
  [0, 2, 'bca'],
  [2, 0, 'cab'],
  [1, 1, 'abc'],
  [0, -1, 'abc'],
  [2, 9, 'abc'],
])('from %i to %i: %s', (from, to, expected) => {
  expect(moved(['a', 'b', 'c'], from, to).join('')).toBe(expected);
});
