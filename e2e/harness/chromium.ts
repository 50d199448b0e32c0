import { type BrowserServer, chromium } from 'playwright-core';
import { BROWSER_FLAGS, findHeadlessBrowser, requireBrowser } from '../../scripts/browser.mjs';

/**
 * Starts the Chromium of this machine for all clients of its endpoint. `complete`: as users have it, with notifications and PDF;
 * otherwise the headless shell, which needs less CPU time.
 */
export function startChromium({ complete = false } = {}): Promise<BrowserServer> {
  const browser = requireBrowser();
  return chromium.launchServer({
    executablePath: complete ? browser : (findHeadlessBrowser() ?? browser),
    host: '127.0.0.1',
    args: BROWSER_FLAGS,
    // Without a UTF-8 locale, downloads with Chinese names are called "download".
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
}
