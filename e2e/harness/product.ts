import { type Browser, type BrowserServer, chromium } from 'playwright-core';
import { afterAll, beforeAll, inject } from 'vitest';
import type { Config } from '../../apps/server/src/platform/config/config.ts';
import { type Fleet, type FleetOptions, startFleet } from '../../apps/simulator/src/index.ts';
import { startChromium } from './chromium.ts';
import { type NetworkLink, openLink } from './network-link.ts';
import { type ServedProduct, startProduct } from './product-process.ts';

/** The product under test, the network link to it, and the browser. */
export interface Product {
  readonly server: ServedProduct;
  readonly network: NetworkLink;
  readonly browser: Browser;
  /** the address of the console through the link */
  readonly url: string;
  /** Connects simulated piles, which are stopped after the tests of the file. */
  connect(options: Omit<FleetOptions, 'url'>): Promise<Fleet>;
}

/**
 * The product of a test file, or of a `describe` block that needs a fresh world, in a process of its own: started
 * before the first journey and stopped after the last. The captcha is off by default. `tls`: the product serves HTTPS,
 * with a certificate of its own. `complete`: the journeys have a browser of their own, which shows notifications and PDF.
 */
export function product(settings: Partial<Config> = {}, { tls = false, complete = false } = {}): Product {
  let parts: { server: ServedProduct; network: NetworkLink; browser: Browser } | undefined;
  let ownBrowser: BrowserServer | undefined;
  const fleets: Fleet[] = [];
  const started = () => {
    if (!parts) throw new Error('The product is started before the first journey');
    return parts;
  };
  beforeAll(async () => {
    const server = await startProduct({ captcha: false, ...settings }, tls);
    const network = await openLink(() => server.port);
    if (complete) ownBrowser = await startChromium({ complete: true });
    parts = { server, network, browser: await chromium.connect(ownBrowser?.wsEndpoint() ?? inject('browser')) };
  });
  afterAll(async () => {
    if (!parts) return;
    await parts.browser.close();
    await ownBrowser?.close();
    for (const fleet of fleets) await fleet.stop();
    await parts.network.close();
    await parts.server.stop();
  });
  return {
    get server() {
      return started().server;
    },
    get network() {
      return started().network;
    },
    get browser() {
      return started().browser;
    },
    get url() {
      return `${tls ? 'https' : 'http'}://127.0.0.1:${started().network.port}`;
    },
    async connect(options) {
      const fleet = await startFleet({
        url: started().server.deviceUrl,
        reconnectMs: { min: 200, max: 500 },
        ...options,
      });
      fleets.push(fleet);
      return fleet;
    },
  };
}
