import { call } from '../api/client.ts';
import { queryClient } from '../api/query.ts';
import { pageParents, tabLabels } from '../hooks/use-tab-label.ts';
import { session } from './session.ts';

/** Ends the session in the browser and on the server. */
export async function signOut(): Promise<void> {
  await call('logout', { body: {} }, { quiet: true }).catch((error: unknown) => {
    console.warn('The sign-out could not be sent to the server', error);
  });
  forgetSession();
}

/** Clears the session and all data fetched for it. */
export function forgetSession(): void {
  session.set({ status: 'anonymous' });
  queryClient.clear();
  tabLabels.set({});
  pageParents.set({});
}
