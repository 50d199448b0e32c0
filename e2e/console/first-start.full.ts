import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { CSRF_COOKIE, LOCALE_COOKIE, LOCALES, type Locale, TOKEN_COOKIE } from '@chargehand/contract';
import { type Browser, chromium, type Download, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openSession } from '../../apps/server/src/testing/client.ts';
import { createTestDatabase, type TestDatabase } from '../../apps/server/src/testing/database/database.ts';
import { bytesOfZip } from '../../apps/server/src/testing/files/zip-names.ts';
import { type Program, startProgram } from '../../apps/server/src/testing/program.ts';
import { type Words, wordsOf } from '../harness/words.ts';

/** Below the range of ephemeral ports, so that no client socket takes it. */
const PORT = 19_760;
const LINKS_PORT = 19_761;
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
    CHARGEHAND_LINKS_PORT: String(LINKS_PORT),
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

/** The content of a download. */
async function saved(download: Download): Promise<Buffer> {
  const path = join(folder, download.suggestedFilename());
  await download.saveAs(path);
  return await readFile(path);
}

/** Requests a link to a demo device. */
async function request(page: Page, t: Words, device: number, kind: 'ssh' | 'web' | 'vpn'): Promise<void> {
  await page.goto(`/manage/device/detail/${device}`);
  await page.getByRole('button', { name: t('fleet:remoteLink'), exact: true }).click();
  await page.getByRole('radio', { name: t(`links:kinds.${kind}`) }).check();
  await page.getByLabel(t('links:request.reason'), { exact: true }).fill('First start');
  await page.getByRole('button', { name: t('links:request.ok'), exact: true }).click();
}

test.each(LOCALES)('a newcomer uses a terminal, files, web pages and VPN of a demo pile (%s)', async (locale) => {
  const t = wordsOf(locale);
  const page = await administrator(locale);
  const { rows } = await database.pool.query<{ id: number }>(`select id from devices where sn = 'SIM00001'`);
  const { id } = rows[0]!;
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await request(page, t, id, 'ssh');
  const screen = page.locator('[role=tabpanel]:not([hidden]) .xterm-rows');
  await expect.poll(() => screen.textContent(), ENOUGH).toContain('demo@SIM00001');
  await page.keyboard.type('ls');
  await page.keyboard.press('Enter');
  await expect.poll(() => screen.textContent(), ENOUGH).toContain('readme.txt');
  await button(t('links:files.button')).click();
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: t('links:files.downloadName', { name: 'readme.txt' }) }).click();
  expect((await saved(await file)).toString()).toContain('模拟设备 SIM00001');

  await request(page, t, id, 'web');
  const opening = page.context().waitForEvent('page');
  await button(t('links:web.open')).click();
  const tab = await opening;
  await tab.getByRole('heading', { name: 'SIM00001' }).waitFor();
  // Values arrive over a WebSocket.
  const uptime = tab.locator('[data-name=Uptime]');
  const before = await uptime.textContent();
  await expect.poll(() => uptime.textContent(), ENOUGH).not.toBe(before);
  await tab.getByLabel('Label').fill(`充电桩 ${locale}`);
  await tab.getByRole('button', { name: 'Save' }).click();
  const reloaded = async () => {
    await tab.reload();
    return await tab.getByLabel('Label').inputValue();
  };
  await expect.poll(reloaded, ENOUGH).toBe(`充电桩 ${locale}`);
  await tab.close();

  await request(page, t, id, 'vpn');
  const archive = page.waitForEvent('download');
  await button(t('links:vpn.get')).click();
  const files = await bytesOfZip(await saved(await archive));
  const unpacked = join(folder, `vpn-${locale}`);
  await mkdir(unpacked);
  for (const [path, content] of Object.entries(files)) await writeFile(join(unpacked, basename(path)), content);
  await chmod(join(unpacked, 'key'), 0o600);
  await writeFile(join(unpacked, 'password'), '#!/bin/sh\necho demo\n', { mode: 0o700 });
  const ssh = spawn('ssh', ['-F', 'config', 'demo@device', 'cat readme.txt'], {
    ...{ cwd: unpacked, stdio: ['ignore', 'pipe', 'inherit'] },
    env: { ...process.env, SSH_ASKPASS: join(unpacked, 'password'), SSH_ASKPASS_REQUIRE: 'force', DISPLAY: 'none' },
  });
  expect(await text(ssh.stdout!)).toContain('模拟设备 SIM00001');
  await page.context().close();
});
