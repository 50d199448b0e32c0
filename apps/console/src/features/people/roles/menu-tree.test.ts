import type { MenuRow } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { menuName, menuTree, tick } from './menu-tree.ts';

const menu = (key: string, parentKey: string | null, name = key): MenuRow => ({
  ...{ key, parentKey, name, sort: 0, common: false },
  interfaces: [],
});
const MENUS = [menu('a', null), menu('a1', 'a'), menu('a1x', 'a1'), menu('a2', 'a'), menu('b', null)];
const all = () => true;

test('menus stand under their parents, and those whose parent is missing at the top', () => {
  const tree = menuTree([...MENUS, menu('lost', 'gone')]);
  expect(tree.map((branch) => branch.menu.key)).toEqual(['a', 'b', 'lost']);
  expect(tree[0]?.children.map((branch) => branch.menu.key)).toEqual(['a1', 'a2']);
});

test.each<[string, string[], string, boolean, string[]]>([
  ['a leaf brings those above it', [], 'a1x', true, ['a', 'a1', 'a1x']],
  ['a branch brings all below it', [], 'a', true, ['a', 'a1', 'a1x', 'a2']],
  ['without a branch all below it goes', ['a', 'a1', 'a1x', 'a2', 'b'], 'a', false, ['b']],
  ['without a leaf the branch stays', ['a', 'a1', 'a1x'], 'a1x', false, ['a', 'a1']],
])('%s', (_title, before, key, on, after) => {
  expect([...tick(MENUS, new Set(before), key, on, all)].sort()).toEqual(after);
});

test('what may not be granted does not come with its branch', () => {
  expect([...tick(MENUS, new Set(), 'a', true, (key) => key !== 'a2')].sort()).toEqual(['a', 'a1', 'a1x']);
});

test('a menu keeps the name that somebody gave it', () => {
  expect(menuName(menu('auth_home', null, 'Home'), 'zh-CN')).toBe('首页');
  expect(menuName(menu('auth_home', null, 'Start'), 'zh-CN')).toBe('Start');
  expect(menuName(menu('auth_home', null, 'Home'), 'en-US')).toBe('Home');
});
