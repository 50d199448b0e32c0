import { ENDPOINTS } from '@chargehand/contract';
import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';
import { connectPiles } from '../harness/devices.ts';
import { journey, visit } from '../harness/journey.ts';
import { openLink } from '../harness/network-link.ts';
import { product } from '../harness/product.ts';
import { SLOW_LINK } from '../harness/wire.ts';

const ACTIVE = 500;
/**
 * How long the requests of a page are counted, and the maximum in that time: the 10 that a page may send at once after
 * a quiet period, and one every 3 s. A page that loads its queries again with every event sends hundreds. The benchmark
 * `live` measures a whole minute, and how old the displayed data is.
 */
const COUNTED_MS = 20_000;
const MOST_REQUESTS = 17;

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
    const { browser, server } = chargehand;
    // A network for each page.
    const links = [chargehand.network, await openLink(() => server.port), await openLink(() => server.port)];
    const others = await Promise.all(
      links
        .slice(1)
        .map(({ port }) => visit({ browser, server, url: `http://127.0.0.1:${port}` }, 'en-US', { as: 'northAdmin' })),
    );
    try {
      const link = `a[href$="/detail/${quiet.id}"]`;
      const marks = {
        '/manage/home': `main li:has(${link})`,
        '/manage/device/list?sort=-sn': `tr:has(${link}) .tag-faulted`,
        [`/manage/device/detail/${quiet.id}`]: 'main .tag-faulted',
      };
      const screens = Object.entries(marks).map(([path, mark], index) => ({
        ...{ path, mark, link: links[index]! },
        page: index === 0 ? page : others[index - 1]!.page,
      }));
      for (const screen of screens) {
        await screen.page.goto(screen.path);
        await screen.page.locator('.live-indicator[data-state=on]').waitFor();
        await screen.page.waitForLoadState('networkidle');
        screen.link.slowDown(SLOW_LINK);
      }
      const counts = screens.map((screen) => watchRequests(screen.page));

      await page.waitForTimeout(COUNTED_MS);
      for (const { sent } of counts) expect(sent.length, sent.join(', ')).toBeLessThanOrEqual(MOST_REQUESTS);
      expect(counts.flatMap(({ sent }) => sent)).not.toEqual([]);

      quiet.pile.fault(1, 'GroundFailure');
      await Promise.all(screens.map((screen) => screen.page.locator(screen.mark).first().waitFor()));
      expect(counts.flatMap(({ cancelled }) => cancelled)).toEqual([]);
      for (const screen of screens) await screen.page.locator('.live-indicator[data-state=on]').waitFor();
      expect(others.flatMap(({ problems }) => problems)).toEqual([]);
    } finally {
      for (const { context } of others) await context.close();
      for (const one of links.slice(1)) await one.close();
    }
  },
);
