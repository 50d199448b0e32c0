import type { MenuRow } from '@chargehand/contract';
import { isBelow } from '../roles/menu-tree.ts';

/** Where a menu stands: under which one, and before which of the others there. */
export interface Place {
  parentKey: string | null;
  index: number;
}

/** The keys of one place, in their order, without one of them. */
function othersAt(menus: readonly MenuRow[], parentKey: string | null, without: string): string[] {
  return menus.filter((menu) => menu.parentKey === parentKey && menu.key !== without).map((menu) => menu.key);
}

/** One step up or down among its like; null at the end of the way. */
export function stepPlace(menus: readonly MenuRow[], key: string, step: -1 | 1): Place | null {
  const menu = menus.find((one) => one.key === key);
  if (!menu) return null;
  const all = menus.filter((one) => one.parentKey === menu.parentKey).map((one) => one.key);
  const index = all.indexOf(key) + step;
  return index < 0 || index >= all.length ? null : { parentKey: menu.parentKey, index };
}

/** The place of a menu that is dropped on another one, before it or after it; null where it cannot go. */
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

/** The menus under which one may be put: neither itself nor those below it. */
export function possibleParents(menus: readonly MenuRow[], key: string | null): MenuRow[] {
  return menus.filter((menu) => menu.changeable && (key === null || !isBelow(menus, menu.key, key)));
}
