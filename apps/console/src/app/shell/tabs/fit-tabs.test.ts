import { expect, test } from 'vitest';
import { fitTabs } from './fit-tabs.ts';

const shown = (widths: number[], room: number, current = -1) =>
  fitTabs(widths, { room, menu: 20, pinned: 1, current }).flatMap((fits, index) => (fits ? [index] : []));

test.each([
  ['all fit, without a menu', [40, 100, 100], 240, -1, [0, 1, 2]],
  ['the menu needs room as well', [40, 100, 100], 239, -1, [0, 2]],
  ['the latest stay, without a gap', [40, 100, 30, 100], 200, -1, [0, 2, 3]],
  ['a wide tab ends the row', [40, 30, 200, 100], 260, -1, [0, 3]],
  ['the current tab stays', [40, 100, 100, 100], 180, 1, [0, 1]],
  ['Home and the current tab stay without any room', [40, 100, 100], 10, 2, [0, 2]],
  ['no tabs', [], 100, -1, []],
])('%s', (_, widths, room, current, expected) => {
  expect(shown(widths, room, current)).toEqual(expected);
});
