import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CSRF_COOKIE, LOCALE_COOKIE, LOCALES, type Locale, TOKEN_COOKIE } from '@chargehand/contract';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openSession } from '../../apps/server/src/testing/client.ts';
import { createTestDatabase, type TestDatabase } from '../../apps/server/src/testing/database/database.ts';
import { type Program, startProgram } from '../../apps/server/src/testing/program.ts';
import { wordsOf } from '../harness/words.ts';

/** Below the range of ephemeral ports, so that no client socket takes it. */
const PORT = 19_760;
const ENOUGH = { timeout: 30_000 };

let database: TestDatabase;
let folder: string;
let program: Program;
let browser: Browser;

/** What a user does who runs `npm start`: an empty database and the demo fleet. */
beforeAll(async () => {
  [database, folder] = await Promise.all([
    createTestDatabase({ max: 3 }),
    mkdtemp(join(tmpdir(), 'chargehand-first-start-')),
  ]);
  program = await startProgram({
    ...{ PORT: String(PORT), DATABASE_URL: database.url, CHARGEHAND_DATA: folder, CHARGEHAND_MQTT_PORT: '0' },
    ...{ CHARGEHAND_DEMO: '1', CHARGEHAND_SHIPPED_DOCUMENTS: 'on', CHARGEHAND_ADMIN_PASSWORD: 'Kite-8-Harbour' },
  });
  await database.pool.query(
    'insert into privacy_acceptances (user_id, version) select u.id, version from users u, privacy_policies where root',
  );
  browser = await chromium.connect(inject('browser'));
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  await database?.drop();
  if (folder) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

async function administrator(locale: Locale): Promise<Page> {
  const { rows } = await database.pool.query<{ id: number }>('select id from users where root');
  const { token, csrf } = await openSession(database.db, rows[0]!.id);
  const context = await browser.newContext({ baseURL: program.url, viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(ENOUGH.timeout);
  const cookies = { [LOCALE_COOKIE]: locale, [TOKEN_COOKIE]: token, [CSRF_COOKIE]: csrf };
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, url: program.url })));
  return await context.newPage();
}

test.each(LOCALES)('the first start shows two weeks of history (%s)', async (locale) => {
  const t = wordsOf(locale);
  const page = await administrator(locale);
  await page.goto('/manage/home');
  const ranking = page.locator('section').filter({ has: page.getByRole('heading', { name: t('home:ranking') }) });
  await expect.poll(() => ranking.getByRole('listitem').count(), ENOUGH).toBeGreaterThanOrEqual(5);
  await expect
    .poll(() => page.getByText('Offline · ').or(page.getByText('SG-JUR 09')).count(), ENOUGH)
    .toBeGreaterThan(0);

  const { rows } = await database.pool.query<{ id: number; siteId: number }>(
    `select id, site_id as "siteId" from devices where sn = 'SIM00001'`,
  );
  const { id, siteId } = rows[0]!;
  await page.goto(`/manage/site/detail/${siteId}?tab=statuses`);
  await page.getByText(t('statistics:statuses.availability')).waitFor();
  await expect.poll(() => page.getByText(/^9\d\.\d ?%$/).count(), ENOUGH).toBeGreaterThan(0);

  const week = { from: new Date(Date.now() - 13 * 86_400_000).toISOString(), to: new Date().toISOString() };
  await page.goto(`/manage/device/charts?devices=${id}&${new URLSearchParams(week)}`);
  await expect.poll(() => page.locator('.chart-key').count(), ENOUGH).toBeGreaterThan(0);

  // Charging sessions, commands and the rollout of a firmware.
  const lines = page.locator('tbody tr[data-row-key]');
  await page.goto(`/manage/device/detail/${id}?tab=details&section=sessions`);
  await expect.poll(() => lines.count(), ENOUGH).toBeGreaterThan(1);
  await page.goto(`/manage/device/detail/${id}?tab=operations`);
  const commands = page.getByRole('table', { name: t('operations:history') }).locator('tbody tr[data-row-key]');
  await expect.poll(() => commands.count(), ENOUGH).toBeGreaterThan(0);
  await page.goto('/manage/device/batches');
  const rollouts = lines.filter({ hasText: t('operations:kinds.upgradeSoftware.do') });
  await expect.poll(() => rollouts.count(), ENOUGH).toBeGreaterThan(0);
  await page.context().close();
});
