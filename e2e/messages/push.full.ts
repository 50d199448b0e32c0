import { channelEndpoints } from '@chargehand/contract';
import type { CDPSession } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  type HttpReceiver,
  senderOf,
  startHttpReceiver,
  subscribeTo,
} from '../../apps/server/src/testing/messages/test-receivers.ts';
import type { SiteName } from '../../apps/server/src/testing/world.ts';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

// The push service of this test is a server of its own, in a private network.
const chargehand = product({ webhookPrivate: true }, { complete: true });
/** A pile and the text of its fault for each language, on different sites, so that they are different incidents. */
const CASES = {
  'en-US': { site: 'northQuay', title: 'Fault: Ground fault protection tripped (GroundFailure) · Site northQuay' },
  'zh-CN': { site: 'northMill', title: 'Site northMill · 故障 接地故障（GroundFailure）' },
} as const satisfies Record<string, { site: SiteName; title: string }>;
const WAIT = { timeout: 30_000 };

const piles = new Map<string, Piles>();
let service: HttpReceiver;
beforeAll(async () => {
  service = await startHttpReceiver();
  for (const [locale, { site }] of Object.entries(CASES)) {
    const prefix = `PUSH${locale.slice(0, 2).toUpperCase()}-`;
    piles.set(locale, await connectPiles(chargehand, { prefix, devices: 1, site }));
  }
});
afterAll(() => service.stop());

/**
 * Lets the browser subscribe at a push service of the test. Chromium only subscribes at that of Google, and not in a
 * private profile. Everything after it is real: the encrypted push of the server, and the service worker.
 */
async function subscribeAt({ context }: Visitor, path: string): Promise<(push: Buffer) => string> {
  const { subscription, decrypt } = subscribeTo(`${service.url}${path}`);
  const { pushUrl, ...keys } = subscription;
  await context.addInitScript(`{
    const json = ${JSON.stringify({ endpoint: pushUrl, keys })};
    const subscription = { endpoint: json.endpoint, toJSON: () => json, unsubscribe: async () => true };
    PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
      if (!userVisibleOnly) throw new Error('Pushes without notifications are refused.');
      localStorage.setItem('test.key', applicationServerKey);
      return subscription;
    };
    PushManager.prototype.getSubscription = async () => (localStorage.getItem('test.key') === null ? null : subscription);
  }`);
  return decrypt;
}

/** Delivers a decrypted push to the service worker of the product, as the browser does. */
async function deliver(devtools: CDPSession, data: string): Promise<void> {
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [one] = registrations.filter(({ isDeleted }) => !isDeleted);
      if (one) resolve(one.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const origin = chargehand.url;
  await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data });
}

/** The notifications that the browser shows for the console. */
const shown = ({ page }: Visitor) =>
  page.evaluate<{ title: string; body: string }[]>(`(async () => {
    const worker = await navigator.serviceWorker.ready;
    return (await worker.getNotifications()).map(({ title, body }) => ({ title, body }));
  })()`);

/** Counts the notifications that the service worker has shown since then. */
async function countShowings({ context }: Visitor): Promise<() => Promise<number>> {
  const worker = context.serviceWorkers()[0]!;
  await worker.evaluate(`{
    const show = registration.showNotification.bind(registration);
    self.showings = 0;
    registration.showNotification = async (...values) => {
      await show(...values);
      self.showings += 1;
    };
  }`);
  return () => worker.evaluate<number>('self.showings');
}

/** Presses the notification. Only the operating system can do that; the event of a script may not focus a window. */
async function press({ context }: Visitor): Promise<void> {
  const [worker] = context.serviceWorkers();
  await worker!.evaluate(`(async () => {
    WindowClient.prototype.focus = async function () { return this; };
    const [notification] = await registration.getNotifications();
    const event = new NotificationEvent('notificationclick', { notification });
    const work = [];
    event.waitUntil = (one) => work.push(one);
    dispatchEvent(event);
    await Promise.all(work);
  })()`);
}

journey(
  chargehand,
  'a fault is pushed encrypted to a browser, which shows it once and opens the device',
  { as: 'northAdmin', locales: ['en-US', 'zh-CN'] },
  async (visitor) => {
    const { page, t, locale, context } = visitor;
    const { id, pile, name } = piles.get(locale)!.devices[0]!;
    const { title } = CASES[locale];
    const { database, world } = chargehand.server;
    await database.pool.query('update users set locale = $2 where id = $1', [world.users.northAdmin, locale]);
    const path = `/push/${locale}`;
    await context.grantPermissions(['notifications'], { origin: chargehand.url });
    const decrypt = await subscribeAt(visitor, path);

    await page.goto('/manage/message/setting');
    await visitor.sees(t('messages:push.states.off'));
    await visitor.button(t('messages:push.do')).click();
    await visitor.sees(t('messages:push.states.on'));

    pile.fault(1, 'GroundFailure');
    const pushes = () => service.requests.filter((request) => request.path === path);
    await expect.poll(() => pushes().length, WAIT).toBe(1);
    const [push] = pushes();
    const { publicKey } = await (await chargehand.server.as('northAdmin')).data(channelEndpoints.readPushKey);
    expect(senderOf(push!)).toEqual({ publicKey, signed: true, audience: service.url });
    expect(await page.evaluate(`localStorage.getItem('test.key')`)).toBe(publicKey);
    expect(push!.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
    expect(push!.body).not.toContain('GroundFailure');

    // A page that was open before the service worker is not controlled by it.
    await visitor.follow(() => page.goto('/manage/message/list'), {
      path: '/manage/message/list',
      heading: t('routes:messageList'),
    });
    const payload = decrypt(push!.bytes);
    const devtools = await context.newCDPSession(page);
    await deliver(devtools, payload);
    await expect.poll(() => shown(visitor), WAIT).toEqual([{ title, body: expect.stringContaining(name) }]);
    // The same message, because its answer was lost.
    const showings = await countShowings(visitor);
    await devtools.send('ServiceWorker.disable');
    await deliver(devtools, payload);
    await expect.poll(showings, WAIT).toBe(1);
    expect(await shown(visitor)).toHaveLength(1);

    await press(visitor);
    await visitor.isAt(new RegExp(`^/manage/device/detail/${id}\\?.*alarm=\\d+`));
    await visitor.sees(page.getByRole('dialog').filter({ hasText: 'GroundFailure' }));
    // A browser closes a notification a moment later.
    await expect.poll(() => shown(visitor), WAIT).toEqual([]);
  },
);
