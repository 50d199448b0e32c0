import type { MenuRow } from '@chargehand/contract';
import { isBelow } from '../roles/menu-tree.ts';

/** The position of a menu: its parent, and the sibling that follows it. */
export interface Place {
  parentKey: string | null;
  index: number;
}

/** The keys of one level in order, without one of them. */
function othersAt(menus: readonly MenuRow[], parentKey: string | null, without: string): string[] {
  return menus.filter((menu) => menu.parentKey === parentKey && menu.key !== without).map((menu) => menu.key);
}

/** The position one step up or down among its siblings; null at the end. */
export function stepPlace(menus: readonly MenuRow[], key: string, step: -1 | 1): Place | null {
  const menu = menus.find((one) => one.key === key);
  if (!menu) return null;
  const all = menus.filter((one) => one.parentKey === menu.parentKey).map((one) => one.key);
  const index = all.indexOf(key) + step;
  return index < 0 || index >= all.length ? null : { parentKey: menu.parentKey, index };
}

/** The position of a menu dropped on another one, before it or after it; null where it is not allowed. */
export function dropPlace(
  menus: readonly MenuRow[],
  key: string,
  target: string,
  where: 'into' | 'before' | 'after',
): Place | null {
  const onto = menus.find((menu) => menu.key === target);
  if (!onto || isBelow(menus, target, key)) return null;
  if (where === 'into') return { parentKey: target, index: othersAt(menus, target, key).length };
  const others = othersAt(menus, onto.parentKey, key);
  return { parentKey: onto.parentKey, index: others.indexOf(target) + (where === 'after' ? 1 : 0) };
}

/** The possible parents of a menu: all except itself and its descendants. */
export function possibleParents(menus: readonly MenuRow[], key: string | null): MenuRow[] {
  return menus.filter((menu) => menu.changeable && (key === null || !isBelow(menus, menu.key, key)));
}
