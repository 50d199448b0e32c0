import type { SignedInUser } from './session.ts';

/** True when a user is one of those for whom a page or call is: everybody, the platform vendor, or root. */
export function isAmong(
  who: 'root' | 'vendor' | undefined,
  user: Pick<SignedInUser, 'root' | 'platformVendor'>,
): boolean {
  return who === undefined || user.root || (who === 'vendor' && user.platformVendor);
}
