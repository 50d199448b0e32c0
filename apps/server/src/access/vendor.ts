import type { Caller } from '../platform/http/caller.ts';

/** True for the users who run the installation: those of the platform vendor, and root. */
export function isVendor(caller: Pick<Caller, 'root' | 'platformVendor'>): boolean {
  return caller.root || caller.platformVendor;
}
