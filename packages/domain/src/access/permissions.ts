/** How a list of permission codes is checked (spec §6, element-level check). */
export type PermissionMode = 'any' | 'and' | 'ban';

/** The permissions of a signed-in user. Root has all of them. */
export interface PermissionHolder {
  root: boolean;
  keys: ReadonlySet<string>;
}

/**
 * The element-level check of spec §6: `any` (default) needs one of the codes, `and` all of them, `ban` none of them.
 * An empty list is always allowed, and so is root.
 */
export function permits(holder: PermissionHolder, codes: readonly string[], mode: PermissionMode = 'any'): boolean {
  if (codes.length === 0 || holder.root) return true;
  const holds = (code: string) => holder.keys.has(code);
  if (mode === 'and') return codes.every(holds);
  if (mode === 'ban') return !codes.some(holds);
  return codes.some(holds);
}

/** True when the user has all keys of a route (spec §2, route guard). */
export function holdsAll(holder: PermissionHolder, keys: readonly string[]): boolean {
  return permits(holder, keys, 'and');
}
