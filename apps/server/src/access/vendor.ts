import type { Caller } from '../platform/http/caller.ts';

/** True for the people who run the installation: the platform vendor's, and root. */
export function isVendor(caller: Pick<Caller, 'root' | 'platformVendor'>): boolean {
  return caller.root || caller.platformVendor;
}
