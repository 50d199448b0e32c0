import type { ExecutionRow } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { withNewestExecutions } from './patch-executions.ts';

/** `b sent`: an execution and its state. */
function row(text: string): ExecutionRow {
  const [id, state] = text.split(' ');
  return { id, state } as ExecutionRow;
}
const pageOf = (total: number, ...texts: string[]) => ({ total, items: texts.map(row) });

test.each([
  ['a state changes', {}, pageOf(2, 'b ended', 'a ended'), ['b ended', 'a ended']],
  ['a new execution is first', {}, pageOf(3, 'c queued', 'b sent', 'a ended'), ['c queued', 'b sent', 'a ended']],
  ['what was not sent again stays', {}, pageOf(3, 'c queued', 'b ended'), ['c queued', 'b ended', 'a ended']],
  ['a page is full', { pageSize: 10 }, pageOf(12, ...Array.from('lkjihgfedc', (id) => `${id} ended`)), 10],
  ['another page is fetched', { page: 2 }, pageOf(3, 'c queued'), null],
  ['as is another order', { sort: 'queuedAt' }, pageOf(3, 'c queued'), null],
] as const)('%s', (_title, query, newest, expected) => {
  const patched = withNewestExecutions(pageOf(2, 'b sent', 'a ended'), newest, query);
  const shown = patched?.items.map(({ id, state }) => `${id} ${state}`) ?? null;
  expect(typeof expected === 'number' ? shown?.length : shown).toEqual(expected);
  if (patched) expect(patched.total).toBe(newest.total);
});
