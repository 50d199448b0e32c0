import { expect, it } from 'vitest';
import { groupMarks, type Mark } from './chart-marks.ts';

const mark = (at: number, to: number | null = null): Mark => ({
  device: { name: 'One', protocol: null },
  ...{ at, to, command: {} as never },
});

it('groups overlapping marks, and shows marks that started before the window at its edge', () => {
  const groups = groupMarks(
    [mark(500), mark(505), mark(50, 200), mark(20, 90), mark(900), mark(1_200)],
    { from: 100, to: 1_100 },
    1_000,
  );
  expect(groups.map(({ left, marks }) => [left, marks.length])).toEqual([
    [0, 1],
    [0.4, 2],
    [0.8, 1],
  ]);
});

it('shows one group when there is no room', () => {
  expect(groupMarks([mark(1), mark(99)], { from: 0, to: 100 }, 0)).toHaveLength(1);
});
