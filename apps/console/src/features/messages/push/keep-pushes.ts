import { call } from '../../../shared/api/client.ts';
import { currentSubscription, endPushes } from '../../../shared/lib/browser/pushes.ts';
import { register, thisBrowser } from './push.ts';

/**
 * Lets pushes to this browser end with the session of now, if they are those of its user. Ends them if they are another
 * user's, or were ended by a sign-out or in another browser.
 */
export async function keepPushes(): Promise<void> {
  const { items } = await call('listPushBrowsers', {}, { quiet: true });
  const subscription = await currentSubscription();
  if (subscription && items.some(({ id }) => id === thisBrowser())) await register(subscription);
  else await endPushes();
}
