import type { Page } from 'playwright-core';
import type { LinkSpeed } from './network-link.ts';

/** What a page transferred until no request was in flight. */
export interface Delivery {
  /** headers and bodies as transferred, without the live stream */
  bytes: number;
  /** in the order of sending */
  requests: { url: string; bytes: number }[];
  /** texts of more than 1 kB that were transferred without compression */
  uncompressed: string[];
}

/** The slow mobile network of the requirement: 400 kbit/s, 400 ms round trip. */
export const SLOW_NETWORK = { offline: false, latency: 400, downloadThroughput: 50_000, uploadThroughput: 50_000 };
/** The same network for `NetworkLink.slowDown`, which slows down the requests of shared workers, too. */
export const SLOW_LINK: LinkSpeed = { bytesPerSecond: 50_000, roundTripMs: 400 };

/** Opens a page with an empty cache and measures the transfer, as counted by Chromium's network stack. */
export async function measureDelivery(
  page: Page,
  path: string,
  options: { network?: typeof SLOW_NETWORK } = {},
): Promise<Delivery> {
  const devtools = await page.context().newCDPSession(page);
  const requests = new Map<string, { url: string; bytes: number }>();
  const uncompressed: string[] = [];
  const texts = new Map<string, string>();
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    requests.set(requestId, { url: request.url, bytes: 0 });
  });
  devtools.on('Network.responseReceived', ({ requestId, response }) => {
    const encoding = Object.entries(response.headers).find(([name]) => name.toLowerCase() === 'content-encoding');
    if (/json|javascript|css|html/.test(response.mimeType) && !encoding) texts.set(requestId, response.url);
    if (response.mimeType === 'text/event-stream') requests.delete(requestId);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request) request.bytes = encodedDataLength;
    const text = texts.get(requestId);
    // Headers are less than 1 kB.
    if (text && encodedDataLength > 2_048) uncompressed.push(text);
  });
  await devtools.send('Network.enable');
  await devtools.send('Network.setCacheDisabled', { cacheDisabled: true });
  if (options.network) await devtools.send('Network.emulateNetworkConditions', options.network);
  await page.goto(path);
  await page.waitForLoadState('networkidle');
  await devtools.detach();
  const sent = [...requests.values()].filter(({ url }) => url.startsWith('http'));
  return { bytes: sent.reduce((sum, { bytes }) => sum + bytes, 0), requests: sent, uncompressed };
}
