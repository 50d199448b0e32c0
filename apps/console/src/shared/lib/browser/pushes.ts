/** The service worker of pushes. */
export const PUSH_WORKER = '/push.js';
/** The ID of this browser among the browsers of its user, if it receives pushes. */
export const PUSH_KEY = 'chargehand.push';

/** The subscription of this browser at its push service; undefined without one. */
export async function currentSubscription(): Promise<PushSubscription | undefined> {
  if (!('serviceWorker' in navigator)) return undefined;
  const worker = await navigator.serviceWorker.getRegistration(PUSH_WORKER);
  return (await worker?.pushManager.getSubscription()) ?? undefined;
}

/** Ends the pushes to this browser at its push service. The server forgets the browser when its session ends. */
export async function endPushes(): Promise<void> {
  if (localStorage.getItem(PUSH_KEY) === null) return;
  localStorage.removeItem(PUSH_KEY);
  await (await currentSubscription())?.unsubscribe();
}
