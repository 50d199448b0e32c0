import type { Page } from 'playwright-core';
import { SLOW_NETWORK } from '../../e2e/harness/wire.ts';

/** A first visit with an empty cache. */
export interface Visit {
  paintMs: number;
  usableMs: number;
  /** received until the page was usable, with headers */
  bytes: number;
  /** in the order in which they ended: from, to, bytes and path */
  requests: string[];
}

/**
 * Runs in the page before its scripts. Notes when the element appears, in milliseconds since the start of the navigation;
 * a question from here to the browser would be answered later.
 */
const NOTE_TIME = `(selector) => {
  const look = () => {
    if (document.querySelector(selector)) globalThis.usableAt = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}`;

/** Opens a page on the slow network, until an element is there. */
export async function firstVisit(page: Page, path: string, usable: string): Promise<Visit> {
  await page.addInitScript(`(${NOTE_TIME})(${JSON.stringify(usable)})`);
  const devtools = await page.context().newCDPSession(page);
  const started = new Map<string, { url: string; at: number }>();
  const ended: { url: string; from: number; to: number; bytes: number }[] = [];
  devtools.on('Network.requestWillBeSent', ({ requestId, request, timestamp }) =>
    started.set(requestId, { url: request.url, at: timestamp }),
  );
  devtools.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const found = started.get(requestId);
    if (found) ended.push({ url: found.url, from: found.at, to: timestamp, bytes: encodedDataLength });
  });
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  await devtools.send('Network.emulateNetworkConditions', SLOW_NETWORK);
  await page.goto(path, { waitUntil: 'commit' });
  await page.waitForFunction(() => (globalThis as { usableAt?: number }).usableAt !== undefined);
  const [paintMs, usableMs] = (await page.evaluate(
    `[performance.getEntriesByName('first-paint')[0]?.startTime ?? Infinity, usableAt]`,
  )) as [number, number];
  await devtools.detach();
  const begin = Math.min(...ended.map(({ from }) => from));
  const seconds = (at: number) => (at - begin).toFixed(2);
  return {
    ...{ paintMs, usableMs },
    bytes: ended.reduce((sum, one) => sum + one.bytes, 0),
    requests: ended
      .toSorted((a, b) => a.to - b.to)
      .map(({ url, from, to, bytes }) => `${seconds(from)}-${seconds(to)} s ${bytes} ${new URL(url).pathname}`),
  };
}
