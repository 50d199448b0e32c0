import { call } from '../api/client.ts';
import { ApiProblem } from '../api/problem.ts';
import { enteredSession } from './preferences.ts';
import { type Session, session } from './session.ts';

let pending: Promise<Session> | null = null;

/**
 * The signed-in user, fetched once. After an error the session is `failed`, and the next caller tries again (spec §4).
 */
export function knowSession(): Promise<Session> {
  const known = session.get();
  // An ended session waits for the user's confirmation: fetching it again would remove the dialog.
  if (known.status !== 'unknown' && known.status !== 'failed') return Promise.resolve(known);
  pending ??= call('info', { body: {} })
    .then(enteredSession, (error: unknown): Session => {
      if (error instanceof ApiProblem && error.kind === 'session') return { status: 'anonymous' };
      console.warn('The session could not be fetched', error);
      return { status: 'failed' };
    })
    .then((found) => {
      pending = null;
      session.set(found);
      return found;
    });
  return pending;
}
