import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();

/** The number of live streams that the server serves. */
async function streams(): Promise<number> {
  const text = await (await chargehand.server.anonymous.fetch('/metrics')).text();
  return Number(text.match(/^chargehand_live_streams (\d+)$/m)?.[1]);
}

const TABS = 20;

journey(
  chargehand,
  'twenty tabs share one live stream, and the last of them still works',
  { as: 'northAdmin' },
  async (visitor) => {
    const { page, context } = visitor;
    await page.goto('/manage/device/list');
    const live = (tab: Page) => tab.locator('.live-indicator[data-state=on]');
    await live(page).waitFor();
    const tabs: Page[] = [page];
    while (tabs.length < TABS) {
      const tab = await context.newPage();
      await tab.goto('/manage/device/list');
      await live(tab).waitFor();
      tabs.push(tab);
    }
    expect(await streams()).toBe(1);

    // The tab with the stream closes: another one takes over.
    const [first, ...others] = tabs;
    await first?.close();
    const last = others.at(-1) as Page;
    await last.bringToFront();
    const { id } = chargehand.server.world.devices.northQuay1;
    await last.goto(`/manage/device/detail/${id}`);
    await live(last).waitFor();
    await expect.poll(streams).toBe(1);
  },
);
