import { ENDPOINTS } from '@chargehand/contract';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { type Product, product } from '../harness/product.ts';

const HIDE = `
  Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
  document.dispatchEvent(new Event('visibilitychange'));`;
const SHOW = `
  delete document.visibilityState;
  document.dispatchEvent(new Event('visibilitychange'));`;

/** The number of live streams that the server serves. */
async function streamsOf(chargehand: Product): Promise<number> {
  const text = await (await chargehand.server.anonymous.fetch('/metrics')).text();
  return Number(text.match(/^chargehand_live_streams (\d+)$/m)?.[1]);
}

/** The protocol over which a tab received its page, and over which it called the API. */
function protocolsOf(tab: Page): Promise<string[]> {
  return tab.evaluate(() => {
    const timings = performance.getEntries() as unknown as {
      entryType: string;
      name: string;
      nextHopProtocol?: string;
    }[];
    const hops = timings.filter(({ entryType, name }) => entryType === 'navigation' || name.includes('/api/'));
    const protocols = hops.map(({ nextHopProtocol = '' }) => nextHopProtocol);
    // Cancelled requests have none.
    return [...new Set(protocols.filter((protocol) => protocol !== ''))];
  });
}

describe.each([
  ['HTTP/1.1', 'http/1.1', 20, product()],
  // More than the six connections of HTTP/1.1. Twenty would show nothing else.
  ['HTTP/2 under TLS', 'h2', 8, product({}, { tls: true })],
] as const)('over %s', (_name, protocol, count, chargehand) => {
  const streams = () => streamsOf(chargehand);

  journey(
    chargehand,
    `${count} tabs share one live stream, and each gets its page and live updates`,
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, context } = visitor;
      const live = (tab: Page) => tab.locator('.live-indicator[data-state=on]');
      const tabs: Page[] = [];
      while (tabs.length < count) {
        const tab = tabs.length === 0 ? page : await context.newPage();
        await tab.goto('/manage/device/list');
        await live(tab).waitFor();
        tabs.push(tab);
      }
      expect(await streams()).toBe(1);
      for (const tab of tabs) expect(await protocolsOf(tab)).toEqual([protocol]);

      // An event reaches a tab when it is in front, whichever tab holds the stream.
      const { id } = chargehand.server.world.devices.northQuay1;
      const admin = await chargehand.server.as('northAdmin');
      for (const tab of [tabs[0], tabs[3], tabs[count - 1]] as Page[]) {
        await tab.bringToFront();
        const name = `Renamed ${tabs.indexOf(tab)}`;
        await admin.data(ENDPOINTS.updateDevice, { params: { id }, body: { name } });
        await tab.getByText(name, { exact: true }).waitFor();
      }

      // The tab with the stream closes: another one takes over.
      const [first, ...others] = tabs;
      await first?.close();
      const last = others.at(-1) as Page;
      await last.bringToFront();
      await last.goto(`/manage/device/detail/${id}`);
      await live(last).waitFor();
      await expect.poll(streams).toBe(1);

      // Hidden tabs need no stream. A headless browser hides no tab, so each page gets the event of a hidden one.
      for (const tab of others) await tab.evaluate(HIDE);
      await expect.poll(streams).toBe(0);
      await last.evaluate(SHOW);
      await live(last).waitFor();
      await expect.poll(streams).toBe(1);
    },
  );
});
