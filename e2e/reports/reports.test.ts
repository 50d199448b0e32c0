import { issueEndpoints, reportLinkEndpoints } from '@chargehand/contract';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { isFullRun, journey, visit } from '../harness/journey.ts';
import { openLink } from '../harness/network-link.ts';
import { product } from '../harness/product.ts';
import { SLOW_LINK } from '../harness/wire.ts';

const chargehand = product();
/** All of it in a minute on a slow mobile network, with time left for the answers of the server. */
const MOST_BYTES = 50 * SLOW_LINK.bytesPerSecond;
/** From opening the link to the confirmation on such a network. What the reporter does takes no time in a test. */
const MOST_MS = 60_000;

/** Photos as a camera makes them: twelve megapixels, with noise in every detail. */
async function cameraPhotos(page: Page, count: number): Promise<Buffer[]> {
  const base64 = await page.evaluate<string>(`(async () => {
    const grain = new OffscreenCanvas(512, 512);
    const pixels = new ImageData(512, 512);
    let state = 7;
    for (let i = 0; i < pixels.data.length; i += 1) {
      state = (state * 1103515245 + 12345) % 2147483648;
      pixels.data[i] = i % 4 === 3 ? 60 : (state >> 16) & 255;
    }
    grain.getContext('2d').putImageData(pixels, 0, 0);
    const photo = new OffscreenCanvas(4000, 3000);
    const context = photo.getContext('2d');
    const sky = context.createLinearGradient(0, 0, 4000, 3000);
    sky.addColorStop(0, '#123');
    sky.addColorStop(1, '#cb8');
    context.fillStyle = sky;
    context.fillRect(0, 0, 4000, 3000);
    context.fillStyle = context.createPattern(grain, 'repeat');
    // Coarse enough to survive the reduction: the sent photos are as large as those of leaves or gravel.
    context.scale(2, 2);
    context.fillRect(0, 0, 4000, 3000);
    const bytes = new Uint8Array(await (await photo.convertToBlob({ type: 'image/jpeg', quality: 0.9 })).arrayBuffer());
    let text = '';
    for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
    return btoa(text);
  })()`);
  return Array.from({ length: count }, () => Buffer.from(base64, 'base64'));
}

/** Counts what a page loads: bytes, and requests. */
async function meter(page: Page): Promise<() => { bytes: number; requests: number }> {
  const counted = { bytes: 0, requests: 0 };
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    counted.bytes += encodedDataLength;
    counted.requests += 1;
  });
  return () => ({ ...counted });
}

journey(
  chargehand,
  'a report is written without a connection, sent when there is one, answered, and replied to',
  { as: 'northAdmin', locales: ['en-US', 'zh-CN'] },
  async ({ page: desk, locale, t }) => {
    const { server } = chargehand;
    const staff = await server.as('northAdmin');
    const params = { id: server.world.devices.northMill1.id };
    const { url } = await staff.data(reportLinkEndpoints.readDeviceReportLink, { params });
    const guest = await visit(chargehand, locale, { size: { width: 390, height: 844 } });
    try {
      const { page, context } = guest;
      const read = await meter(page);
      let taps = 0;
      const tap = async (action: Promise<unknown>, times = 1) => {
        await action;
        taps += times;
      };
      await page.goto(`/share/issue${new URL(url).search}&c=2&lang=${locale}`);
      await page.getByText('Site northMill').waitFor();
      await page.getByText(t('report:follow.connector', { number: 2 })).waitFor();
      guest.expects(/ERR_INTERNET_DISCONNECTED/);
      await context.setOffline(true);
      await tap(page.getByRole('radio', { name: t('report:types.1') }).check());
      const photos = (await cameraPhotos(page, 3)).map((buffer, index) => ({
        ...{ name: `IMG_${index}.jpg`, mimeType: 'image/jpeg', buffer },
      }));
      // In the gallery of the phone: three photos and a confirmation.
      await tap(page.locator('input[type=file][multiple]').setInputFiles(photos), 5);
      await page.getByRole('img', { name: t('report:photos.photo', { number: 3 }) }).waitFor();
      await tap(page.getByRole('button', { name: t('report:send') }).click());
      await page.getByRole('heading', { name: t('report:sending.waiting.title') }).waitFor();
      await page.getByText(t('report:sending.stored')).waitFor();
      expect(taps).toBeLessThanOrEqual(8);
      await context.setOffline(false);
      await page.getByRole('heading', { name: t('report:sending.done.title') }).waitFor({ timeout: 30_000 });
      const { bytes: loaded, requests } = read();
      const { rows } = await server.database.pool.query<{ size: number }>(
        'select size::int from attachments order by added desc limit 3',
      );
      const sent = rows.reduce((sum, { size }) => sum + size, 0);
      process.stdout.write(
        `A report with three photos (${locale}): ${loaded} bytes loaded, ${sent} bytes sent, ${requests} requests, ${taps} taps\n`,
      );
      expect(sent).toBeGreaterThan(0);
      expect(loaded + sent).toBeLessThan(MOST_BYTES);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.getByRole('link', { name: /share\/issue\?f=/ }).click();
      await page.getByText(t('report:status.received.name'), { exact: true }).waitFor();
      await page.getByText(t('report:follow.files_other', { count: 3 })).waitFor();

      const { items } = await staff.data(issueEndpoints.listIssues, { query: { deviceId: params.id } });
      const id = items[0]?.id ?? 0;
      // What staff see of it.
      await desk.goto(`/manage/issue/detail/${id}`);
      const reports = desk
        .getByRole('main')
        .locator('section')
        .filter({ hasText: t('issue:report.title') });
      await reports
        .getByText(t('issue:report.files_other', { count: 3 }))
        .first()
        .waitFor();
      const body = {
        type: 'doc' as const,
        content: [{ type: 'paragraph', content: [{ type: 'text', text: `We are on our way ${locale}` }] }],
      };
      const { reports: found } = await staff.data(issueEndpoints.readIssue, { params: { id } });
      await staff.data(issueEndpoints.commentIssue, { params: { id }, body: { body, reportId: found[0]?.id ?? 0 } });
      await page.reload();
      await page.getByText(`We are on our way ${locale}`).waitFor();
      await page.getByLabel(t('report:follow.reply')).fill('Thank you');
      await page.getByRole('button', { name: t('report:follow.send') }).click();
      await page.getByRole('listitem').filter({ hasText: 'Thank you' }).waitFor();
      // On the next visit the phone still knows the report.
      await page.goto(`/share/issue${new URL(url).search}&lang=${locale}`);
      await page.getByRole('heading', { name: t('report:mine') }).waitFor();
    } finally {
      await guest.context.close();
    }
  },
);

test.skipIf(!isFullRun)(
  'on a slow mobile network, a report with three photos arrives within a minute of opening the link',
  async () => {
    const { browser, server } = chargehand;
    const staff = await server.as('northAdmin');
    const params = { id: server.world.devices.northQuay1.id };
    const { url } = await staff.data(reportLinkEndpoints.readDeviceReportLink, { params });
    const link = await openLink(() => server.port);
    link.slowDown(SLOW_LINK);
    const guest = await visit({ browser, server, url: `http://127.0.0.1:${link.port}` }, 'en-US', {
      size: { width: 390, height: 844 },
    });
    try {
      const { page, t } = guest;
      // The camera takes no part of the time on the network.
      const photos = (await cameraPhotos(page, 3)).map((buffer, index) => ({
        ...{ name: `IMG_${index}.jpg`, mimeType: 'image/jpeg', buffer },
      }));
      const start = Date.now();
      await page.goto(`/share/issue${new URL(url).search}&lang=en-US`, { waitUntil: 'commit' });
      await page.getByRole('radio', { name: t('report:types.1') }).check({ timeout: MOST_MS });
      const opened = Date.now() - start;
      await page.locator('input[type=file][multiple]').setInputFiles(photos);
      await page.getByRole('img', { name: t('report:photos.photo', { number: 3 }) }).waitFor();
      await page.getByRole('button', { name: t('report:send') }).click();
      await page.getByRole('heading', { name: t('report:sending.done.title') }).waitFor({ timeout: 2 * MOST_MS });
      const taken = Date.now() - start;
      process.stdout.write(
        `A report with three photos at 400 kbit/s: ready after ${opened} ms, sent after ${taken} ms\n`,
      );
      expect(taken).toBeLessThan(MOST_MS);
      // The network was as slow as it should be: what was sent alone takes this long.
      const { rows } = await server.database.pool.query<{ size: number }>(
        'select size::int from attachments order by added desc limit 3',
      );
      const sent = rows.reduce((sum, { size }) => sum + size, 0);
      expect(taken).toBeGreaterThan((sent / SLOW_LINK.bytesPerSecond) * 1_000);
      expect(sent).toBeGreaterThan(300_000);
      expect(guest.problems).toEqual([]);
    } finally {
      await guest.context.close();
      await link.close();
    }
  },
);
