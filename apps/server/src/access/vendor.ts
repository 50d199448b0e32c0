import { Problem } from '../platform/http/problem.ts';
import type { Caller } from '../ports/caller.ts';

/** True for the people who run the installation: the platform vendor's, and root. */
export function isVendor(caller: Pick<Caller, 'root' | 'platformVendor'>): boolean {
  return caller.root || caller.platformVendor;
}

/** @throws {Problem} noPermission for people of other customers */
export function requireVendor(caller: Caller): void {
  if (!isVendor(caller)) throw new Problem('noPermission');
}
