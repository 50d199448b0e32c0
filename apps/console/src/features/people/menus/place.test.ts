import type { MenuRow } from '@chargehand/contract';
import { expect, test } from 'vitest';
import { dropPlace, possibleParents, stepPlace } from './place.ts';

const menu = (key: string, parentKey: string | null, changeable = true): MenuRow => ({
  ...{ key, parentKey, nameEn: key, nameZh: key, url: '', sort: 0, common: false },
  ...{ builtIn: false, roles: 0, changeable, interfaces: [] },
});
const MENUS = [menu('a', null), menu('a1', 'a'), menu('a1x', 'a1'), menu('a2', 'a'), menu('b', null, false)];

test.each([
  ['a', 1, { parentKey: null, index: 1 }],
  ['a', -1, null],
  ['a2', -1, { parentKey: 'a', index: 0 }],
  ['b', 1, null],
  ['gone', 1, null],
] as const)('%s moves %i', (key, step, place) => {
  expect(stepPlace(MENUS, key, step)).toEqual(place);
});

test.each([
  ['a2', 'a1', 'before', { parentKey: 'a', index: 0 }],
  ['a1', 'a2', 'after', { parentKey: 'a', index: 1 }],
  ['a1', 'b', 'into', { parentKey: 'b', index: 0 }],
  ['b', 'a', 'into', { parentKey: 'a', index: 2 }],
  ['a1x', 'a', 'after', { parentKey: null, index: 1 }],
  ['a', 'a1x', 'into', null],
  ['a', 'a', 'into', null],
] as const)('%s dropped on %s (%s)', (key, target, where, place) => {
  expect(dropPlace(MENUS, key, target, where)).toEqual(place);
});

test('a menu cannot be moved into itself, into its descendants, or into one that the user may not change', () => {
  expect(possibleParents(MENUS, 'a1').map((one) => one.key)).toEqual(['a', 'a2']);
  expect(possibleParents(MENUS, null).map((one) => one.key)).toEqual(['a', 'a1', 'a1x', 'a2']);
});
