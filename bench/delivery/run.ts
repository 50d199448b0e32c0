// The cost of a first visit on a slow mobile network (400 kbit/s, 400 ms round trip): bytes, requests, and the time
// until the page is usable, compared with the time that the network needs for the same number of bytes. node
// bench/delivery/run.ts
import { chromium } from 'playwright-core';
import { startDemoWorld } from '../../e2e/demo-world.ts';
import { startChromium } from '../../e2e/harness/chromium.ts';
import { measureDelivery, SLOW_NETWORK } from '../../e2e/harness/wire.ts';
import { signInRoot } from '../signed-in.ts';

interface Visit {
  name: string;
  path: string;
  signedIn: boolean;
  /** the element that makes the page usable */
  usable: string;
  /** seconds */
  goal: number;
}

const world = await startDemoWorld();
const chromiumServer = await startChromium({ complete: true });
const browser = await chromium.connect(chromiumServer.wsEndpoint());
const { rows: devices } = await world.database.pool.query('select id from devices order by id limit 1');
const VISITS: Visit[] = [
  {
    ...{ name: 'sign-in page', path: '/login', signedIn: false, goal: 3 },
    usable: 'input[type=password]',
  },
  {
    ...{ name: 'device list', path: '/manage/device/list', signedIn: true, goal: 8 },
    usable: 'tr[data-row-key]',
  },
  {
    ...{ name: 'Home', path: '/manage/home', signedIn: true, goal: 10 },
    usable: 'main .home',
  },
  {
    ...{ name: 'device', path: `/manage/device/detail/${devices[0].id}`, signedIn: true, goal: 10 },
    usable: '[role=tabpanel]',
  },
];

/**
 * Runs in the page before its scripts. Notes when the element appears, in milliseconds since the start of the navigation;
 * a request from here to the browser would arrive later.
 */
const NOTE_TIME = `(selector) => {
  const look = () => {
    if (document.querySelector(selector)) globalThis.usableAt = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}`;

let missed = false;
try {
  for (const visit of VISITS) {
    const context = await browser.newContext({ baseURL: world.url, viewport: { width: 1440, height: 900 } });
    try {
      if (visit.signedIn) await signInRoot(context, world);
      const page = await context.newPage();
      await page.addInitScript(`(${NOTE_TIME})(${JSON.stringify(visit.usable)})`);
      const { bytes, requests } = await measureDelivery(page, visit.path, { network: SLOW_NETWORK });
      const seconds = (await page.evaluate<number>('usableAt')) / 1_000;
      const floor = bytes / SLOW_NETWORK.downloadThroughput + (2 * SLOW_NETWORK.latency) / 1_000;
      const suffix = seconds <= visit.goal ? '' : ' MISSED';
      if (suffix) missed = true;
      console.log(
        `${visit.name}: ${(bytes / 1_000).toFixed(1)} kB in ${requests.length} requests, usable after ${seconds.toFixed(1)} s ` +
          `(goal ${visit.goal} s${suffix}); the bytes alone ${floor.toFixed(1)} s, ratio ${(seconds / floor).toFixed(2)}`,
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
