import { type BrowserServer, chromium } from 'playwright-core';
import { BROWSER_FLAGS, requireBrowser } from '../../scripts/browser.mjs';

/** Starts the Chromium of this machine for all clients of its endpoint. */
export function startChromium(): Promise<BrowserServer> {
  return chromium.launchServer({
    executablePath: requireBrowser(),
    host: '127.0.0.1',
    args: BROWSER_FLAGS,
    // Without a UTF-8 locale, downloads with Chinese names are called "download".
    env: { ...process.env, LC_ALL: 'C.UTF-8' },
  });
}
