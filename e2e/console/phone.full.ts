import { ENDPOINTS } from '@chargehand/contract';
import type { Route } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import { SLOW_NETWORK } from '../harness/wire.ts';

const chargehand = product();

/** Open alarms and events: what is loaded later moves what is shown already, unless Home leaves room for it. */
beforeAll(async () => {
  const { pool } = chargehand.server.database;
  await pool.query(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     select id, 1, code, 'fault', 'CA', now() - interval '1 hour', now()
       from devices, unnest(array['GroundFailure', 'OverCurrentFailure']) code`,
  );
  await pool.query(
    `insert into device_events (device_id, connector, type, at, code)
     select id, 1, n % 4, now() - n * interval '1 minute', 'GroundFailure' from devices, generate_series(1, 4) n`,
  );
});

/** Adds up by how much the content moves while the page loads (Cumulative Layout Shift). */
const OBSERVE = `
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** What a part of Home does that reserves no space for its data. */
const LATE_BLOCK = `
  const block = document.createElement('div');
  block.style.height = '200px';
  document.querySelector('main h1').before(block);`;

journey(
  chargehand,
  'Home does not shift its layout on a phone with a slow network',
  { as: 'root', size: { width: 390, height: 844 } },
  async (visitor) => {
    const { page, t } = visitor;
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', SLOW_NETWORK);
    await page.addInitScript(OBSERVE);
    await page.goto('/manage/home');
    await visitor.sees(visitor.heading(t('home:title')), page.getByRole('heading', { name: t('home:trend') }));
    await visitor.sees(visitor.main.getByText('GroundFailure').first());
    await expect.poll(() => page.locator('.skeleton').count()).toBe(0);
    await page.waitForLoadState('networkidle');
    expect(Number(await page.evaluate('globalThis.shift'))).toBeLessThan(0.05);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);

    // The figure is not zero because nothing is measured: a block that arrives late above the content exceeds the limit.
    await page.evaluate(LATE_BLOCK);
    await expect.poll(async () => Number(await page.evaluate('globalThis.shift'))).toBeGreaterThan(0.05);
  },
);

/** Answered at once: Home shows nothing of a fleet before it knows that there are devices. */
const AT_ONCE: readonly string[] = [ENDPOINTS.stream.path, ENDPOINTS.countDevices.path];

/** Waits until what arrived is painted. */
const PAINTED = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))`;

// If each part of Home appears as soon as its own data arrives, the shift is 0.24; Home has 0.002. On the slow network
// above, all data arrives before the code of Home, so that its order has no effect.
journey(
  chargehand,
  'Home does not shift its layout on a phone when its data arrives in parts, the last request first',
  { as: 'root', size: { width: 390, height: 844 } },
  async (visitor) => {
    const { page, t } = visitor;
    const held: Route[] = [];
    await page.route(
      ({ pathname }) => pathname.startsWith('/api/auth/sys/') && !AT_ONCE.includes(pathname),
      (route) => {
        held.push(route);
      },
    );
    await page.addInitScript(OBSERVE);
    await page.goto('/manage/home');
    await visitor.sees(visitor.heading(t('home:title')));
    const missing = async () => {
      const route = held.pop();
      if (route) {
        const arrived = page.waitForEvent('requestfinished', (request) => request === route.request());
        await route.continue();
        await arrived;
        await page.evaluate(PAINTED);
      }
      return held.length + (await page.locator('.skeleton').count());
    };
    await expect.poll(missing).toBe(0);
    await visitor.sees(visitor.main.getByText('GroundFailure').first());
    expect(Number(await page.evaluate('globalThis.shift'))).toBeLessThan(0.05);
  },
);
