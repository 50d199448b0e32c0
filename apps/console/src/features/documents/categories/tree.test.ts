import type { CategoryRow } from '@chargehand/contract';
import { describe, expect, it } from 'vitest';
import { branchesOf, documentsIn, moved, pathTo, placeAfter, placeOfDrop } from './tree.ts';

const row = (id: number, parentId: number | null, documents = 1): CategoryRow => ({
  ...{ id, parentId, documents },
  ...{ nameEn: `Category ${id}`, nameZh: `分类 ${id}` },
});
// 1 (2 (3 (4))), 5, 6
const tree = [row(1, null), row(5, null), row(6, null), row(2, 1), row(3, 2), row(4, 3)];

it('lists parents before their children, with their places', () => {
  const shape = branchesOf(tree).map(({ category, depth, index, siblings }) => [category.id, depth, index, siblings]);
  expect(shape).toEqual([
    [1, 0, 0, 3],
    [2, 1, 0, 1],
    [3, 2, 0, 1],
    [4, 3, 0, 1],
    [5, 0, 1, 3],
    [6, 0, 2, 3],
  ]);
  expect(pathTo(tree, 3).map(({ id }) => id)).toEqual([1, 2, 3]);
  expect(documentsIn(tree, tree[0]!)).toBe(4);
});

describe('a key moves a category', () => {
  it.each([
    ['up', 5, 'ArrowUp', { parentId: null, index: 0 }],
    ['not above the first one', 1, 'ArrowUp', null],
    ['down', 5, 'ArrowDown', { parentId: null, index: 2 }],
    ['not below the last one', 6, 'ArrowDown', null],
    ['out of its parent, after it', 2, 'ArrowLeft', { parentId: null, index: 1 }],
    ['not out of the top', 5, 'ArrowLeft', null],
    ['into the one above it, at the end', 5, 'ArrowRight', { parentId: 1, index: 1 }],
    ['not into another one when it is the first', 2, 'ArrowRight', null],
  ] as const)('%s', (_title, id, step, place) => expect(placeAfter(tree, id, step)).toEqual(place));
});

describe('dropping a category on another one', () => {
  it.each([
    ['puts it before that one', 6, 1, 'before', { parentId: null, index: 0 }],
    ['puts it after that one', 5, 6, 'after', { parentId: null, index: 2 }],
    ['puts it at the end of that one', 6, 5, 'into', { parentId: 5, index: 0 }],
    ['does nothing where it already is', 5, 1, 'after', null],
    ['does nothing within itself', 1, 3, 'into', null],
    ['does nothing where the branch would be too deep', 5, 4, 'into', null],
    ['moves a branch with everything below it', 2, 5, 'into', { parentId: 5, index: 0 }],
    ['does nothing where what is below it would be too deep', 1, 5, 'into', null],
  ] as const)('%s', (_title, id, target, zone, place) => {
    expect(placeOfDrop(tree, id, tree.find((one) => one.id === target)!, zone)).toEqual(place);
  });
});

it.each([
  [6, { parentId: null, index: 0 }, [6, 1, 2, 3, 4, 5]],
  [1, { parentId: null, index: 2 }, [5, 6, 1, 2, 3, 4]],
  [5, { parentId: 1, index: 1 }, [1, 2, 3, 4, 5, 6]],
  [2, { parentId: 6, index: 0 }, [1, 5, 6, 2, 3, 4]],
])('the tree after moving %i', (id, place, order) => {
  const after = moved(tree, id, place);
  expect(branchesOf(after).map(({ category }) => category.id)).toEqual(order);
  expect(after.find((one) => one.id === id)?.parentId).toBe(place.parentId);
});
