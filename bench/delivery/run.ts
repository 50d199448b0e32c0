// The cost of a first visit on a slow mobile network (400 kbit/s, 400 ms round trip): bytes, requests, and the time
// until the page is usable, compared with the time that the network needs for the same number of bytes. node
// bench/delivery/run.ts
import { CSRF_COOKIE, LOCALE_COOKIE, TOKEN_COOKIE } from '@chargehand/contract';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { openSession } from '../../apps/server/src/testing/client.ts';
import { startDemoWorld } from '../../e2e/demo-world.ts';
import { startChromium } from '../../e2e/harness/chromium.ts';
import { measureDelivery, SLOW_NETWORK } from '../../e2e/harness/wire.ts';

interface Visit {
  name: string;
  path: string;
  signedIn: boolean;
  /** resolves when the page is usable */
  usable(page: Page): Promise<unknown>;
  /** seconds */
  goal: number;
}

const world = await startDemoWorld();
const chromiumServer = await startChromium();
const browser = await chromium.connect(chromiumServer.wsEndpoint());
const { rows: people } = await world.database.pool.query('select id from users where root');
const { rows: devices } = await world.database.pool.query('select id from devices order by id limit 1');
const VISITS: Visit[] = [
  {
    ...{ name: 'sign-in page', path: '/login', signedIn: false, goal: 3 },
    usable: (page) => page.locator('input[type=password]').waitFor(),
  },
  {
    ...{ name: 'device list', path: '/manage/device/list', signedIn: true, goal: 8 },
    usable: (page) => page.locator('.ant-table-row').first().waitFor(),
  },
  {
    ...{ name: 'Home', path: '/manage/home', signedIn: true, goal: 10 },
    usable: (page) => page.locator('main h1').waitFor(),
  },
  {
    ...{ name: 'device', path: `/manage/device/detail/${devices[0].id}`, signedIn: true, goal: 10 },
    usable: (page) => page.locator('[role=tabpanel]').first().waitFor(),
  },
];

let missed = false;
try {
  for (const visit of VISITS) {
    const context = await browser.newContext({ baseURL: world.url, viewport: { width: 1440, height: 900 } });
    try {
      if (visit.signedIn) await signIn(context);
      const page = await context.newPage();
      const startedAt = performance.now();
      let usableAt = 0;
      const usable = visit.usable(page).then(() => {
        usableAt = performance.now();
      });
      const { bytes, requests } = await measureDelivery(page, visit.path, { network: SLOW_NETWORK });
      await usable;
      const seconds = (usableAt - startedAt) / 1_000;
      const floor = bytes / SLOW_NETWORK.downloadThroughput + (2 * SLOW_NETWORK.latency) / 1_000;
      const verdict = seconds <= visit.goal ? '' : ' MISSED';
      if (verdict) missed = true;
      console.log(
        `${visit.name}: ${(bytes / 1_000).toFixed(1)} kB in ${requests.length} requests, usable after ${seconds.toFixed(1)} s ` +
          `(goal ${visit.goal} s${verdict}); the bytes alone ${floor.toFixed(1)} s, ratio ${(seconds / floor).toFixed(2)}`,
      );
    } finally {
      await context.close();
    }
  }
} finally {
  await browser.close();
  await chromiumServer.close();
  await world.stop();
}
process.exitCode = missed ? 1 : 0;

async function signIn(context: BrowserContext): Promise<void> {
  const { token, csrf } = await openSession(world.database.db, people[0].id);
  await context.addCookies([
    { name: LOCALE_COOKIE, value: 'zh-CN', url: world.url },
    { name: TOKEN_COOKIE, value: token, url: world.url, httpOnly: true },
    { name: CSRF_COOKIE, value: csrf, url: world.url },
  ]);
}
