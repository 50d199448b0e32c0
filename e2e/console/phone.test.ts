import { expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import { SLOW_NETWORK } from '../harness/wire.ts';

const chargehand = product();

/** Adds up by how much the content moves while the page loads (Cumulative Layout Shift). */
const OBSERVE = `
  globalThis.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) globalThis.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

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
    await page.waitForLoadState('networkidle');
    expect(await page.locator('.skeleton').count()).toBe(0);
    expect(Number(await page.evaluate('globalThis.shift'))).toBeLessThan(0.05);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  },
);
