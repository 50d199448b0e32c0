import type { SystemProblemKind } from '../system/problems.ts';

/** What happens to an account that its user must be notified of. */
export const ACCOUNT_EVENTS = [
  'passwordChanged',
  'passwordReset',
  'secondFactorOn',
  'secondFactorOff',
  'recoveryCodesRenewed',
  'recoveryCodeUsed',
  'emailChanged',
  'newSignIn',
  'signedOut',
] as const;
export type AccountEvent = (typeof ACCOUNT_EVENTS)[number];

/** A condition of the installation that its operators are notified of. */
export type SystemEvent = SystemProblemKind | 'webhookGivenUp';

/** Where a user signed in. */
export interface SignInOrigin {
  address: string;
  userAgent: string;
}

/**
 * True for a sign-in from a browser or a network that none of the former sign-ins came from. Versions of browsers and
 * addresses within a provider's network change often and mean nothing. The first sign-in is expected.
 */
export function isNewSignIn(former: readonly SignInOrigin[], now: SignInOrigin): boolean {
  if (former.length === 0) return false;
  const same = (of: (origin: SignInOrigin) => string) => former.some((one) => of(one) === of(now));
  return !same(({ userAgent }) => browserOf(userAgent)) || !same(({ address }) => networkRangeOf(address));
}

function browserOf(userAgent: string): string {
  return userAgent.replace(/[\d._]+/g, '');
}

/** The first half of an IPv4 address, or the first two groups of an IPv6 address. */
function networkRangeOf(address: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+)\.\d+\.\d+$/i.exec(address);
  return v4?.[1] ?? address.toLowerCase().split(':').slice(0, 2).join(':');
}
