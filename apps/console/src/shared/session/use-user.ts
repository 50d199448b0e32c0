import type { UserInfo } from '@chargehand/contract';
import { useRef } from 'react';
import { type SignedInUser, useSession } from './session.ts';

interface Known {
  user: SignedInUser;
  info: UserInfo;
}

/**
 * The user of the session, for components inside the console. The last user stays available while a session ends, until
 * the sign-in page is open.
 */
export function useUser(): Known {
  const session = useSession();
  const known = useRef<Known | null>(null);
  if (session.status === 'signedIn' || session.status === 'ended') known.current = session;
  if (!known.current) throw new Error('There is no signed-in user here');
  return known.current;
}
