import { call } from '../api/client.ts';
import { queryClient } from '../api/query.ts';
import { pageParents, tabLabels } from '../hooks/use-tab-label.ts';
import { endPushes } from '../lib/browser/pushes.ts';
import { session } from './session.ts';

/** Ends the session, and the pushes to this browser, in the browser and on the server. */
export async function signOut(): Promise<void> {
  await call('logout', { body: {} }, { quiet: true }).catch((error: unknown) => {
    console.warn('The sign-out could not be sent to the server', error);
  });
  // The push service may be out of reach. The server sends nothing any more.
  endPushes().catch((error: unknown) => console.warn('The pushes could not be ended at the push service', error));
  forgetSession();
}

/** Clears the session and all data fetched for it. */
export function forgetSession(): void {
  session.set({ status: 'anonymous' });
  queryClient.clear();
  tabLabels.set({});
  pageParents.set({});
}
