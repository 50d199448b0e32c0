import { text } from 'node:stream/consumers';
import { attachmentEndpoints, folderEndpoints, publicShareEndpoints, shareEndpoints } from '@chargehand/contract';
import { beforeAll, expect } from 'vitest';
import { journey, visit } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
const NAME = 'Installation manual.txt';
let fileId = 0;

const CONTENT = 'Open the cover first.\n';

// The file comes from an upload request, which needs no credentials of the object store.
beforeAll(async () => {
  const { server } = chargehand;
  const user = await server.as('northAdmin');
  const { id } = await user.data(folderEndpoints.createFolder, { body: { name: 'Manuals' } });
  const { token } = await user.data(shareEndpoints.requestUploads, { params: { id }, body: { days: 1, code: false } });
  const s = token ?? '';
  const upload = await server.anonymous.data(publicShareEndpoints.startSharedUpload, {
    body: { s, name: NAME, size: CONTENT.length },
  });
  await server.anonymous.fetch(`/api/unauth/share/uploads/${upload.id}?s=${s}&offset=0`, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: CONTENT,
  });
  const { items } = await user.data(attachmentEndpoints.listAttachments, { query: { folderId: id } });
  fileId = items[0]?.id ?? 0;
});

journey(
  chargehand,
  'a file is shared, opened with its code on a phone, downloaded, and the share is ended',
  { as: 'northAdmin', locales: ['en-US', 'zh-CN'] },
  async (visitor) => {
    const { page, t } = visitor;
    await page.goto(`/manage/attach/shares?new=file&id=${fileId}&name=${encodeURIComponent(NAME)}`);
    await visitor.button(t('shares:dialog.create')).click();
    const link = await page
      .getByText(/\/share\/file\?s=/)
      .first()
      .innerText();
    const code = await page
      .locator('.mono')
      .filter({ hasText: /^[A-Z2-9]{4}$/ })
      .first()
      .innerText();
    await page.keyboard.press('Escape');
    await visitor.sees(visitor.button(t('shares:open', { name: NAME })).first());

    const guest = await visit(chargehand, visitor.locale, { size: { width: 390, height: 844 } });
    try {
      const phone = guest.page;
      const opened = await phone.goto(`${link.trim()}&lang=${visitor.locale}`);
      // No other site learns the link.
      expect(opened?.headers()['referrer-policy']).toBe('no-referrer');
      await phone.getByLabel(t('share:code.label')).fill(code === 'AAAA' ? 'BBBB' : 'AAAA');
      await phone.getByRole('button', { name: t('share:code.submit') }).click();
      await phone.getByRole('alert').waitFor();
      expect(await phone.content()).not.toContain(NAME);
      await phone.getByLabel(t('share:code.label')).fill(code.toLowerCase());
      await phone.getByRole('button', { name: t('share:code.submit') }).click();
      await phone.getByRole('heading', { name: NAME }).waitFor();
      await phone.getByText('Open the cover first.').waitFor();
      expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390);
      const [download] = await Promise.all([
        phone.waitForEvent('download'),
        phone.getByRole('link', { name: t('share:download') }).click(),
      ]);
      expect(download.suggestedFilename()).toBe(NAME);
      expect(await text(await download.createReadStream())).toBe(CONTENT);

      // The list learns of the download without a reload.
      const row = page.getByRole('row').filter({ hasText: NAME }).first();
      await row.getByRole('cell', { name: '1', exact: true }).waitFor();
      await visitor
        .button(t('shares:open', { name: NAME }))
        .first()
        .click();
      await visitor.sees(page.getByText(t('shares:useStates.complete')).first());
      await visitor.button(t('shares:destroy')).click();
      await page
        .getByRole('dialog')
        .last()
        .getByRole('button', { name: t('shares:destroy') })
        .click();
      await visitor.sees(page.getByText(t('shares:destroyed')));
      await phone.reload();
      await phone.getByRole('heading', { name: t('share:end.destroyed') }).waitFor();
      expect(await phone.content()).not.toContain(NAME);
      expect(guest.problems).toEqual([]);
    } finally {
      await guest.context.close();
    }
  },
);
