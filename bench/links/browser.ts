import { readdirSync, readFileSync } from 'node:fs';
import { CSRF_COOKIE, LOCALE_COOKIE, TOKEN_COOKIE } from '@chargehand/contract';
import { type BrowserServer, chromium, type Page } from 'playwright-core';
import { startChromium } from '../../e2e/harness/chromium.ts';
import { MB } from './figures.ts';
import type { LinkWorld } from './world.ts';

/**
 * For the page. `promptAfter(event)` returns the milliseconds from the last event of this kind until the terminal shows a
 * prompt; `promptGone()` waits until it shows none.
 */
const IN_PAGE = `
  const times = {};
  for (const kind of ['click', 'keydown'])
    addEventListener(kind, () => { times[kind] = performance.now(); }, { capture: true });
  const terminal = '[role=tabpanel]:not([hidden]) .xterm-rows';
  const prompt = () => (document.querySelector(terminal)?.textContent ?? '').includes('$ ');
  const until = (isTrue) => new Promise((resolve) => {
    const look = () => (isTrue() ? resolve() : requestAnimationFrame(look));
    look();
  });
  window.promptAfter = (kind) => until(prompt).then(() => performance.now() - times[kind]);
  window.promptGone = () => until(() => !prompt());`;

/** A Chromium that is signed in to the console as root, in English. */
export interface Browser {
  newPage(): Promise<Page>;
  /** The memory of all its processes, of which shared pages are counted once. Megabytes. */
  memory(): number;
  stop(): Promise<void>;
}

export async function openBrowser({ url, session }: LinkWorld): Promise<Browser> {
  const server = await startChromium({ complete: true });
  try {
    const browser = await chromium.connect(server.wsEndpoint());
    const context = await browser.newContext({ baseURL: url, viewport: { width: 1_440, height: 900 } });
    await context.addCookies([
      { name: LOCALE_COOKIE, value: 'en-US', url },
      { name: TOKEN_COOKIE, value: session.token, url, httpOnly: true },
      { name: CSRF_COOKIE, value: session.csrf, url },
    ]);
    await context.addInitScript({ content: IN_PAGE });
    return { newPage: () => context.newPage(), memory: () => memoryOf(server), stop: () => server.close() };
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Opens a terminal with two clicks and a reason. @returns the milliseconds from the second click to the prompt */
export async function requestTerminal(page: Page, deviceId: number): Promise<number> {
  await page.goto(`/manage/device/detail/${deviceId}`);
  await page.getByRole('button', { name: 'Remote link', exact: true }).click();
  await page.getByLabel('Reason', { exact: true }).fill('Benchmark');
  await page.getByRole('button', { name: 'Request link', exact: true }).click();
  return await promptAfter(page, 'click');
}

export async function promptAfter(page: Page, event: 'click' | 'keydown'): Promise<number> {
  return await page.evaluate<number>(`window.promptAfter('${event}')`);
}

/** Collects the garbage of a page. */
export async function collectGarbage(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.detach();
}

/** The link of the terminal that a page shows. */
export function linkOf(page: Page): number {
  return Number(new URL(page.url()).searchParams.get('link'));
}

function memoryOf(server: BrowserServer): number {
  const bytes = processesOf(server.process().pid ?? 0).map((pid) => {
    try {
      return Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) * 1_024;
    } catch {
      // It has ended.
      return 0;
    }
  });
  return bytes.reduce((sum, one) => sum + one, 0) / MB;
}

function processesOf(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
    );
    return [pid, ...children.flatMap(processesOf)];
  } catch {
    return [];
  }
}
