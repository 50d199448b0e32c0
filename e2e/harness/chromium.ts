import { type BrowserServer, chromium } from 'playwright-core';
import { requireBrowser } from '../../scripts/browser.mjs';

/** Starts the machine's Chromium for everybody who connects to its endpoint. Without a sandbox, which root cannot have. */
export function startChromium(): Promise<BrowserServer> {
  return chromium.launchServer({
    executablePath: requireBrowser(),
    host: '127.0.0.1',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--force-color-profile=srgb'],
  });
}
