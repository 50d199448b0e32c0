import type { Page } from 'playwright-core';

/** What one page costs its reader at one size. */
export interface PageFigures {
  name: string;
  width: number;
  /** Cumulative Layout Shift while it loads */
  shift: number;
  /** the elements that moved most, for `--explain` */
  moved: string[];
  /** the longest task of the main thread while it loads. Milliseconds */
  task: number;
  /** the top of the first row of its list, null without rows. Pixels */
  firstRow: number | null;
  /** wider than the window. Pixels */
  tooWide: number;
  /** serious and critical findings of axe */
  axe: string[];
}

/** In the page, before its scripts: adds up the shifts, and keeps the longest task. */
export const OBSERVE = `
  globalThis.seen = { shift: 0, moved: [], task: 0 };
  const nameOf = (node) => node && node.nodeType === 1
    ? node.tagName.toLowerCase() + (typeof node.className === 'string' && node.className ? '.' + node.className.split(' ').join('.') : '')
    : '#text';
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue;
      seen.shift += entry.value;
      for (const { node, previousRect, currentRect } of entry.sources)
        seen.moved.push(entry.value.toFixed(3) + ' ' + nameOf(node) + ' ' + Math.round(previousRect.top) + '>' + Math.round(currentRect.top));
    }
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.task = Math.max(seen.task, duration);
  }).observe({ type: 'longtask', buffered: true });`;

const FIRST_ROW = `(() => {
  const row = document.querySelector('main tbody tr[data-row-key]');
  return row ? Math.round(row.getBoundingClientRect().top) : null;
})()`;

const AXE = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
  .filter(({ impact }) => impact === 'serious' || impact === 'critical')
  .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 140))))`;

/**
 * Opens a page and waits until it has loaded what it shows.
 * @param axe the source of axe-core; null: without
 */
export async function measurePage(page: Page, name: string, path: string, axe: string | null): Promise<PageFigures> {
  await page.goto(path);
  await page.locator(':is(h1, h2, [role=alert], .labels):visible').first().waitFor();
  for (const waiting of ['.splash', '.skeleton']) await page.locator(waiting).first().waitFor({ state: 'hidden' });
  await page.waitForLoadState('networkidle');
  const seen = (await page.evaluate('seen')) as Pick<PageFigures, 'shift' | 'moved' | 'task'>;
  const width = page.viewportSize()?.width ?? 0;
  const firstRow = (await page.evaluate(FIRST_ROW)) as number | null;
  const tooWide = Number(await page.evaluate('document.documentElement.scrollWidth')) - width;
  let findings: string[] = [];
  if (axe !== null) {
    await page.evaluate(axe);
    findings = (await page.evaluate(AXE)) as string[];
  }
  return { name, width, ...seen, firstRow, tooWide, axe: findings };
}

/**
 * The presses of a user without a mouse on a freshly loaded page until the focus is on an element, and what had the focus
 * before; the skip link is used.
 */
export async function pressesTo(
  page: Page,
  selector: string,
  most = 60,
): Promise<{ presses: number; stops: string[] }> {
  const stops: string[] = [];
  const focused = () => page.evaluate(`Boolean(document.activeElement?.closest(${JSON.stringify(selector)}))`);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  for (let presses = 3; presses <= most; presses += 1) {
    await page.keyboard.press('Tab');
    stops.push(String(await page.evaluate('document.activeElement?.outerHTML.slice(0, 120)')));
    if (await focused()) return { presses, stops };
  }
  return { presses: most, stops };
}
