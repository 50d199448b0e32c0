import type { MenuRow } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { menuName } from '../../../shared/i18n/menu-name.ts';
import { menuTree, tick } from './menu-tree.ts';

const menu = (key: string, parentKey: string | null): MenuRow => ({
  ...{ key, parentKey, nameEn: key, nameZh: key, url: '', sort: 0, common: false },
  ...{ builtIn: true, roles: 0, changeable: true, interfaces: [] },
});
const MENUS = [menu('a', null), menu('a1', 'a'), menu('a1x', 'a1'), menu('a2', 'a'), menu('b', null)];
const all = () => true;

test('menus are below their parents, and at the top if the parent is missing', () => {
  const tree = menuTree([...MENUS, menu('lost', 'gone')]);
  expect(tree.map((branch) => branch.menu.key)).toEqual(['a', 'b', 'lost']);
  expect(tree[0]?.children.map((branch) => branch.menu.key)).toEqual(['a1', 'a2']);
});

test.each<[string, string[], string, boolean, string[]]>([
  ['a leaf adds its ancestors', [], 'a1x', true, ['a', 'a1', 'a1x']],
  ['a branch adds its descendants', [], 'a', true, ['a', 'a1', 'a1x', 'a2']],
  ['unchecking a branch removes its descendants', ['a', 'a1', 'a1x', 'a2', 'b'], 'a', false, ['b']],
  ['unchecking a leaf keeps the branch', ['a', 'a1', 'a1x'], 'a1x', false, ['a', 'a1']],
])('%s', (_title, before, key, on, after) => {
  expect([...tick(MENUS, new Set(before), key, on, all)].sort()).toEqual(after);
});

test('keys that may not be granted are not selected with their branch', () => {
  expect([...tick(MENUS, new Set(), 'a', true, (key) => key !== 'a2')].sort()).toEqual(['a', 'a1', 'a1x']);
});

test("a menu has its name in the user's language", () => {
  expect(menuName({ nameEn: 'Home', nameZh: '首页' }, 'zh-CN')).toBe('首页');
  expect(menuName({ nameEn: 'Home', nameZh: '首页' }, 'en-US')).toBe('Home');
  expect(menuName({ nameEn: 'Home', nameZh: '' }, 'zh-CN')).toBe('Home');
});
