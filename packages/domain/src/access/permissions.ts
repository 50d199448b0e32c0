/** How a list of permission codes is to be held (spec §6, element-level check). */
export type PermissionMode = 'any' | 'and' | 'ban';

/** What a signed-in person holds: root holds everything. */
export interface PermissionHolder {
  root: boolean;
  keys: ReadonlySet<string>;
}

/**
 * The element-level check of spec §6: `any` (default) needs one of the codes, `and` all of them, `ban` none of them.
 * An empty list is always allowed. Root is allowed everything that is not a ban.
 */
export function permits(holder: PermissionHolder, codes: readonly string[], mode: PermissionMode = 'any'): boolean {
  if (codes.length === 0) return true;
  const holds = (code: string) => holder.root || holder.keys.has(code);
  if (mode === 'and') return codes.every(holds);
  if (mode === 'ban') return !codes.some((code) => holder.keys.has(code));
  return codes.some(holds);
}

/** A route lists keys and all of them must be held (spec §2, route guard). */
export function holdsAll(holder: PermissionHolder, keys: readonly string[]): boolean {
  return permits(holder, keys, 'and');
}
