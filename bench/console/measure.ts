import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { ENDPOINTS } from '@chargehand/contract';
import type { Page } from 'playwright-core';

/** The source of axe-core. */
export function readAxe(): string {
  return readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
}

/** The paths of the API requests that a page sends from now on, without the live stream. */
export async function requestsOf(page: Page, milliseconds: number): Promise<string[]> {
  const sent: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/') && pathname !== ENDPOINTS.stream.path) sent.push(pathname);
  });
  await page.waitForTimeout(milliseconds);
  return sent;
}
