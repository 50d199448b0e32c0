import { issueEndpoints, reportLinkEndpoints } from '@chargehand/contract';
import { expect } from 'vitest';
import { journey, visit } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();

journey(
  chargehand,
  'a report is written without a connection, sent when there is one, answered, and replied to',
  { as: 'northAdmin', locales: ['en-US', 'zh-CN'] },
  async ({ locale, t }) => {
    const { server } = chargehand;
    const staff = await server.as('northAdmin');
    const params = { id: server.world.devices.northMill1.id };
    const { url } = await staff.data(reportLinkEndpoints.readDeviceReportLink, { params });
    const guest = await visit(chargehand, locale, { size: { width: 390, height: 844 } });
    try {
      const { page, context } = guest;
      await page.goto(`/share/issue${new URL(url).search}&lang=${locale}`);
      await page.getByText('Site northMill').waitFor();
      guest.expects(/ERR_INTERNET_DISCONNECTED/);
      await context.setOffline(true);
      await page.getByRole('radio', { name: t('report:types.1') }).check();
      const photo = await page.screenshot({ type: 'png' });
      const photos = [1, 2, 3].map((n) => ({ name: `IMG_${n}.png`, mimeType: 'image/png', buffer: photo }));
      await page.locator('input[type=file][multiple]').setInputFiles(photos);
      await page.getByRole('img', { name: t('report:photos.photo', { number: 3 }) }).waitFor();
      await page.getByRole('button', { name: t('report:send') }).click();
      await page.getByRole('heading', { name: t('report:sending.waiting.title') }).waitFor();
      await context.setOffline(false);
      await page.getByRole('heading', { name: t('report:sending.done.title') }).waitFor({ timeout: 30_000 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
      await page.getByRole('link', { name: /share\/issue\?f=/ }).click();
      await page.getByText(t('report:status.received.name'), { exact: true }).waitFor();
      await page.getByText(t('report:follow.files_other', { count: 3 })).waitFor();

      const { items } = await staff.data(issueEndpoints.listIssues, { query: { deviceId: params.id } });
      const id = items[0]?.id ?? 0;
      const body = {
        type: 'doc' as const,
        content: [{ type: 'paragraph', content: [{ type: 'text', text: `We are on our way ${locale}` }] }],
      };
      await staff.data(issueEndpoints.commentIssue, { params: { id }, body: { body } });
      await page.reload();
      await page.getByText(`We are on our way ${locale}`).waitFor();
      await page.getByLabel(t('report:follow.reply')).fill('Thank you');
      await page.getByRole('button', { name: t('report:follow.send') }).click();
      await page.getByRole('listitem').filter({ hasText: 'Thank you' }).waitFor();
    } finally {
      await guest.context.close();
    }
  },
);
