import type { MenuRow } from '@chargehand/contract';
import { withParents } from '@chargehand/domain';

export interface MenuBranch {
  menu: MenuRow;
  children: MenuBranch[];
}

/** The menus as a tree, in order. A menu whose parent is missing is at the top. */
export function menuTree(menus: readonly MenuRow[]): MenuBranch[] {
  const branches = new Map(menus.map((menu) => [menu.key, { menu, children: [] } as MenuBranch]));
  const top: MenuBranch[] = [];
  for (const branch of branches.values()) {
    const parent = branch.menu.parentKey === null ? undefined : branches.get(branch.menu.parentKey);
    (parent?.children ?? top).push(branch);
  }
  return top;
}

/** The keys after a checkbox was changed: checking adds descendants and ancestors, unchecking removes descendants. */
export function tick(
  menus: readonly MenuRow[],
  keys: ReadonlySet<string>,
  key: string,
  on: boolean,
  grantable: (key: string) => boolean,
): Set<string> {
  const below = menus.filter((menu) => isBelow(menus, menu.key, key)).map((menu) => menu.key);
  if (!on) return new Set([...keys].filter((one) => !below.includes(one)));
  const parents = new Map(menus.map((menu) => [menu.key, menu.parentKey]));
  return withParents([...keys, ...below.filter(grantable)], (one) => parents.get(one) ?? null);
}

/** True for a menu itself and for all its descendants. */
export function isBelow(menus: readonly MenuRow[], key: string, ancestor: string): boolean {
  const parents = new Map(menus.map((menu) => [menu.key, menu.parentKey]));
  return withParents([key], (one) => parents.get(one) ?? null).has(ancestor);
}
