import type { UserInfo } from '@chargehand/contract';
import type { PermissionHolder } from '@chargehand/domain';
import { external, useExternal } from '../lib/external.ts';

export type SignedInUser = UserInfo['user'];

/** How a session ended without the user wanting it (20001-20004). */
export interface SessionEnd {
  code: number;
  message: string;
}

/** Who sits in front of the console. */
export type Session =
  /** not asked yet */
  | { status: 'unknown' }
  /** the server could not be asked */
  | { status: 'failed' }
  | { status: 'anonymous' }
  | { status: 'signedIn'; info: UserInfo; user: SignedInUser }
  /** over, but not yet confirmed: the screen behind the dialog stays as it was */
  | { status: 'ended'; info: UserInfo; user: SignedInUser; end: SessionEnd };

const INFO_PATH = '/api/unauth/info';

export const session = external<Session>({ status: 'unknown' });

/** The session of somebody the server knows. */
export function sessionOf(info: UserInfo): Session {
  return { status: 'signedIn', info, user: info.user };
}

/**
 * The session after the server answered 20001-20004: somebody who was signed in is told so, unless it was the info
 * call that asked (spec §4).
 */
export function endedSession(before: Session, end: SessionEnd, path: string): Session {
  if (before.status === 'ended') return before;
  if (before.status !== 'signedIn' || path === INFO_PATH) return { status: 'anonymous' };
  return { status: 'ended', info: before.info, user: before.user, end };
}

export function useSession(): Session {
  return useExternal(session);
}

const NOBODY: PermissionHolder = { root: false, keys: new Set() };
const holders = new WeakMap<UserInfo, PermissionHolder>();

/** What the user of a session holds, as the rules of the domain want it. */
export function holderOf(value: Session): PermissionHolder {
  if (value.status !== 'signedIn' && value.status !== 'ended') return NOBODY;
  let holder = holders.get(value.info);
  if (!holder) {
    holder = { root: value.user.root, keys: new Set(value.info.role.auth) };
    holders.set(value.info, holder);
  }
  return holder;
}
