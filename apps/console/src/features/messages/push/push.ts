import { call } from '../../../shared/api/client.ts';
import { endPushes, PUSH_KEY, PUSH_WORKER } from '../../../shared/lib/browser/pushes.ts';

/** What this browser can do: nothing, nothing because the user refused, or receive pushes, which are off or on. */
export type PushState = 'unsupported' | 'refused' | 'off' | 'on';

/** The ID of this browser among the registered ones; null if it is not registered. */
export function thisBrowser(): number | null {
  return Number(localStorage.getItem(PUSH_KEY)) || null;
}

/** Whether this browser receives pushes of the user whose registered browsers are given. */
export function pushStateOf(registered: readonly { id: number }[]): PushState {
  if (!('serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis)) {
    return 'unsupported';
  }
  if (Notification.permission === 'denied') return 'refused';
  return registered.some(({ id }) => id === thisBrowser()) && Notification.permission === 'granted' ? 'on' : 'off';
}

/**
 * Asks for permission and registers this browser. False if the user refused.
 * @throws ApiProblem, and DOMException when the push service cannot be reached
 */
export async function subscribe(): Promise<boolean> {
  if ((await Notification.requestPermission()) !== 'granted') return false;
  await navigator.serviceWorker.register(PUSH_WORKER);
  const worker = await navigator.serviceWorker.ready;
  const { publicKey } = await call('readPushKey', {}, { quiet: true });
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  await register(subscription);
  return true;
}

/** Registers the subscription of this browser for the user, until the session of now is ended. @throws ApiProblem */
export async function register(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const body = { pushUrl: endpoint ?? '', p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' };
  const { id } = await call('addPushBrowser', { body }, { quiet: true });
  localStorage.setItem(PUSH_KEY, String(id));
}

/** Ends the pushes to a browser of the user. @throws ApiProblem */
export async function unsubscribe(id: number): Promise<void> {
  await call('removePushBrowser', { params: { id } }, { quiet: true });
  if (id === thisBrowser()) await endPushes();
}
