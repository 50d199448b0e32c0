import { call } from '../../../shared/api/client.ts';

/** What this browser can do: nothing, nothing because the user refused, or receive pushes, which are off or on. */
export type PushState = 'unsupported' | 'refused' | 'off' | 'on';

const WORKER = '/push.js';
/** The ID of this browser among the browsers of the user. */
const STORED = 'chargehand.push';

/** The ID of this browser among the registered ones; null if it is not registered. */
export function thisBrowser(): number | null {
  return Number(localStorage.getItem(STORED)) || null;
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
  await navigator.serviceWorker.register(WORKER);
  const worker = await navigator.serviceWorker.ready;
  const { publicKey } = await call('readPushKey', {}, { quiet: true });
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey });
  const { endpoint, keys } = subscription.toJSON();
  const body = { pushUrl: endpoint ?? '', p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' };
  const { id } = await call('addPushBrowser', { body }, { quiet: true });
  localStorage.setItem(STORED, String(id));
  return true;
}

/** Ends the pushes to a browser of the user. @throws ApiProblem */
export async function unsubscribe(id: number): Promise<void> {
  await call('removePushBrowser', { params: { id } }, { quiet: true });
  if (id !== thisBrowser()) return;
  localStorage.removeItem(STORED);
  const worker = await navigator.serviceWorker.getRegistration(WORKER);
  const subscription = await worker?.pushManager.getSubscription();
  await subscription?.unsubscribe();
}
