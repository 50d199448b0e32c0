import { ENDPOINTS } from '@chargehand/contract';
import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { connectPiles } from '../harness/devices.ts';
import { journey, visit } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import { SLOW_NETWORK } from '../harness/wire.ts';

const ACTIVE = 500;
/**
 * How long the requests of a page are counted, and how many it may send in that time. The benchmark of live updates
 * checks the goal of 30 per minute; a page that loads its queries again with every event sends hundreds.
 */
const COUNTED_MS = 20_000;
const MOST_REQUESTS = 30;
/** What a page requests at its start is not counted. */
const START_MS = 5_000;

const chargehand = product();

/** The API requests of a page without the live stream, and those that the page cancelled. */
function watchRequests(page: Page): { sent: string[]; cancelled: string[] } {
  const sent: string[] = [];
  const cancelled: string[] = [];
  const apiPath = (request: Request) => {
    const { pathname } = new URL(request.url());
    return pathname.startsWith('/api/') && pathname !== ENDPOINTS.stream.path ? pathname : null;
  };
  page.on('request', (request) => {
    const path = apiPath(request);
    if (path) sent.push(path);
  });
  page.on('requestfailed', (request) => {
    const path = apiPath(request);
    if (path) cancelled.push(path);
  });
  return { sent, cancelled };
}

journey(
  chargehand,
  'with 500 active devices on a slow network, pages stay current with few requests, and none is cancelled',
  { as: 'northAdmin' },
  async ({ page }) => {
    await connectPiles(chargehand, {
      ...{ prefix: 'ACT', devices: ACTIVE, seed: 7, heartbeat: 30, meterInterval: 10 },
      ...{ sessionEvery: 4, faultEvery: 12, disconnectEvery: 30 },
    });
    const { devices } = await connectPiles(chargehand, { prefix: 'QUIET', devices: 1 });
    const quiet = devices[0]!;
    const list = await visit(chargehand, 'en-US', { as: 'northAdmin' });
    const detail = await visit(chargehand, 'en-US', { as: 'northAdmin' });
    try {
      const link = `a[href$="/detail/${quiet.id}"]`;
      const screens = [
        { page, path: '/manage/home', mark: `main li:has(${link})` },
        { page: list.page, path: '/manage/device/list?sort=-sn', mark: `tr:has(${link}) .tag-faulted` },
        { page: detail.page, path: `/manage/device/detail/${quiet.id}`, mark: 'main .tag-faulted' },
      ];
      for (const screen of screens) {
        await screen.page.goto(screen.path);
        await screen.page.locator('.live-indicator[data-state=on]').waitFor();
        await screen.page.waitForLoadState('networkidle');
        const devtools = await screen.page.context().newCDPSession(screen.page);
        await devtools.send('Network.enable');
        await devtools.send('Network.emulateNetworkConditions', SLOW_NETWORK);
      }
      await page.waitForTimeout(START_MS);
      const counts = screens.map((screen) => watchRequests(screen.page));

      await page.waitForTimeout(COUNTED_MS);
      for (const { sent } of counts) expect(sent.length, sent.join(', ')).toBeLessThanOrEqual(MOST_REQUESTS);
      expect(counts.flatMap(({ sent }) => sent)).not.toEqual([]);

      quiet.pile.fault(1, 'GroundFailure');
      await Promise.all(screens.map((screen) => screen.page.locator(screen.mark).first().waitFor()));
      expect(counts.flatMap(({ cancelled }) => cancelled)).toEqual([]);
      for (const screen of screens) await screen.page.locator('.live-indicator[data-state=on]').waitFor();
      expect([...list.problems, ...detail.problems]).toEqual([]);
    } finally {
      await list.context.close();
      await detail.context.close();
    }
  },
);
