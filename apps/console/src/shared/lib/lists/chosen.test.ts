import { expect, test } from 'vitest';
import { afterChoice, NOTHING_CHOSEN, renewed } from './chosen.ts';

const rows = (...ids: number[]) => ids.map((id) => ({ id, name: `row ${id}` }));
const all = (...ids: number[]) => ({ ...renewed(NOTHING_CHOSEN, rows(...ids)), changes: null });
const idsOf = ({ names }: { names: ReadonlyMap<number, string> }) => [...names.keys()].toSorted((a, b) => a - b);

test('rows that joined or left the filter are counted when it is read again', () => {
  const now = renewed(all(1, 2, 3), rows(2, 3, 4, 5));
  expect(idsOf(now)).toEqual([2, 3, 4, 5]);
  expect(now.changes).toEqual({ joined: 2, left: 1 });
  expect(renewed(now, rows(2, 3, 4, 5)).changes).toBeNull();
});

test('a deselected row stays deselected when the filter is read again, until it is selected again', () => {
  const without = afterChoice(all(1, 2, 3), rows(2), false);
  expect(idsOf(renewed(without, rows(1, 2, 3)))).toEqual([1, 3]);
  expect(renewed(without, rows(1, 2, 3)).changes).toBeNull();
  expect(idsOf(renewed(afterChoice(without, rows(2), true), rows(1, 2, 3)))).toEqual([1, 2, 3]);
});

test('a row selected in addition to a filter stays selected', () => {
  const more = afterChoice(all(1, 2), rows(9), true);
  expect(idsOf(renewed(more, rows(1, 2)))).toEqual([1, 2, 9]);
  expect(idsOf(renewed(afterChoice(more, rows(9), false), rows(1, 2)))).toEqual([1, 2]);
});
