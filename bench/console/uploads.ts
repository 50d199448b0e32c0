import type { BrowserContext } from 'playwright-core';
import type { DatabaseConnection } from '../../apps/server/src/platform/database/connect.ts';

const FILES = 500;
const FILE_BYTES = 10_000;
const PANEL = 'section[aria-labelledby] [role=status]';

/**
 * Uploads many small files in one tab while a second one is open. Returns the files a second until all are listed, and
 * what the panel of each tab said when the first files were stored.
 */
export async function uploadMany(context: BrowserContext, { pool }: DatabaseConnection) {
  const [first, second] = [await context.newPage(), await context.newPage()];
  for (const page of [first, second]) {
    await page.goto('/manage/attach/list');
    await page.locator('main input[type=file]').first().waitFor({ state: 'attached' });
    await page.waitForLoadState('networkidle');
  }
  const files = Array.from({ length: FILES }, (_, index) => ({
    name: `small-${index}.txt`,
    mimeType: 'text/plain',
    buffer: Buffer.from(`${index} `.padEnd(FILE_BYTES, 'chargehand ')),
  }));
  const stored = async () => {
    const { rows } = await pool.query(`select count(*)::int as count from attachments where name like 'small-%'`);
    return rows[0].count as number;
  };
  await first.bringToFront();
  const begin = performance.now();
  await first.locator('main input[type=file]').first().setInputFiles(files);
  const panels: string[] = [];
  for (let now = 0; now < FILES; now = await stored()) {
    if (now > FILES / 10 && panels.length === 0)
      for (const page of [first, second]) panels.push((await page.locator(PANEL).allTextContents()).join(' '));
    await first.waitForTimeout(100);
  }
  const seconds = (performance.now() - begin) / 1_000;
  for (const page of [first, second]) await page.close();
  return { perSecond: FILES / seconds, panels };
}
