import type { UserInfo } from '@chargehand/contract';
import type { PermissionHolder } from '@chargehand/domain';
import { external, useExternal } from '../lib/external.ts';

export type SignedInUser = UserInfo['user'];

/** How a session ended unexpectedly (20001-20004). */
export interface SessionEnd {
  code: number;
  message: string;
}

/** The state of the user's session. */
export type Session =
  /** not fetched yet */
  | { status: 'unknown' }
  /** the server could not be reached */
  | { status: 'failed' }
  | { status: 'anonymous' }
  | { status: 'signedIn'; info: UserInfo; user: SignedInUser }
  /** ended, but not confirmed yet: the page behind the dialog stays unchanged */
  | { status: 'ended'; info: UserInfo; user: SignedInUser; end: SessionEnd };

const INFO_PATH = '/api/unauth/info';

export const session = external<Session>({ status: 'unknown' });

/** The session of a user known to the server. */
export function sessionOf(info: UserInfo): Session {
  return { status: 'signedIn', info, user: info.user };
}

/**
 * The session after a response with 20001-20004. A user who was signed in is informed, except by the info call (spec
 * §4).
 */
export function endedSession(before: Session, end: SessionEnd, path: string): Session {
  if (before.status === 'ended') return before;
  if (before.status !== 'signedIn' || path === INFO_PATH) return { status: 'anonymous' };
  return { status: 'ended', info: before.info, user: before.user, end };
}

export function useSession(): Session {
  return useExternal(session);
}

const NO_PERMISSIONS: PermissionHolder = { root: false, keys: new Set() };
const holders = new WeakMap<UserInfo, PermissionHolder>();

/** The permissions of a session's user, in the form of the domain rules. */
export function holderOf(value: Session): PermissionHolder {
  if (value.status !== 'signedIn' && value.status !== 'ended') return NO_PERMISSIONS;
  let holder = holders.get(value.info);
  if (!holder) {
    holder = { root: value.user.root, keys: new Set(value.info.role.auth) };
    holders.set(value.info, holder);
  }
  return holder;
}
