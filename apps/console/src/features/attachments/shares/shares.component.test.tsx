import type { ShareRow } from '@chargehand/contract';
import { formatTime } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { file, folder, open } from '../../../testing/attachments.ts';
import { misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { sampleRow } from '../../../testing/sample.ts';

describe('the shares of a file or folder', () => {
  const share = (values: Partial<ShareRow>): ShareRow =>
    sampleRow('listShares', {
      ...{ id: 5, kind: 'download', object: { kind: 'attachment', id: 1, name: 'manual.pdf' }, state: 'open' },
      ...{ createdBy: 'root_user', own: true, createdAt: '2026-01-02T03:04:05.000Z', expiresAt: null, note: '' },
      ...{ recipient: 'Ms Li', hasCode: true, token: 'abc', code: 'AB23', uses: 2, useLimit: null, bytes: 0 },
      ...{ byteLimit: null, wrongCodes: 0, lastUsedAt: null, ...values },
    });
  const detail = { ...file({}), etag: 'e', path: [], usedBy: [], revision: '1' };

  test('are next to the file: the link only for its creator, and both can end them', async () => {
    const others = share({ id: 6, own: false, createdBy: 'north_admin', recipient: 'Mr Wu', token: null, code: null });
    const { t, dialog, server } = await open(
      {
        readAttachment: detail,
        listShares: { items: [share({}), others], total: 2, oversees: true },
        destroyShare: null,
      },
      {},
      '?file=1',
    );
    const link = (name: string) => dialog.getByRole('link', { name });
    await sees(link('Ms Li'), link('Mr Wu'), dialog.getByText('north_admin', { exact: false }));
    expect(server.sent('listShares')[0]?.query).toMatchObject({ attachmentId: '1' });
    expect(dialog.getByRole('button', { name: t('shares:copyBoth') }).elements()).toHaveLength(1);
    await expectAccessible();
    await dialog
      .getByRole('button', { name: t('shares:destroy') })
      .last()
      .click();
    await page
      .getByRole('dialog')
      .last()
      .getByRole('button', { name: t('shares:destroy') })
      .click();
    await expect.poll(() => server.sent('destroyShare')[0]?.params).toEqual({ id: '6' });
  });

  test.each([
    ['its menu', ''],
    ['its preview', '&file=1'],
  ])('are created in place, from %s', async (_, query) => {
    const { t, button, entry, text, path, server } = await open(
      { readAttachment: detail, shareFile: share({ token: 'tokenOfTheShare' }) },
      {},
      `?page=1${query}`,
    );
    const before = path();
    if (query === '') {
      await button('attachments:actionsOf', { name: 'manual.pdf' }).click();
      await entry('attachments:share.do').click();
    } else await button('attachments:share.do').click();
    await sees(t('shares:dialog.title', { name: 'manual.pdf' }));
    await expectAccessible();
    await button('shares:dialog.create').click();
    await sees(page.getByText(/share\/file\?s=tokenOfTheShare/));
    expect(server.sent('shareFile')[0]?.params).toEqual({ id: '1' });
    await userEvent.keyboard('{Escape}');
    await misses(text('shares:dialog.title', { name: 'manual.pdf' }));
    expect(path()).toBe(before);
    if (query !== '') await sees(button('attachments:share.do'));
  });

  test('of a folder are in its menu, also for readers', async () => {
    const reader = folder({ id: 9, name: 'Photos', may: { write: false } });
    const { t, entry, dialog, server } = await open(
      { listFolders: { items: [reader] }, listShares: { items: [], total: 0, oversees: false } },
      {},
      '?folder=9',
    );
    await page.getByRole('button', { name: t('attachments:folder.actionsOf', { name: 'Photos' }) }).click();
    await sees(entry('attachments:share.do'));
    await misses(entry('attachments:folder.edit'));
    await entry('attachments:share.list').click();
    await sees(dialog.getByText(t('shares:ofObject.none')));
    expect(server.sent('listShares')[0]?.query).toMatchObject({ folderId: '9' });
  });
});

describe('a download link', () => {
  const url = '/api/unauth/attachments/content?token=1.2.3.signature';
  const expiresAt = '2026-01-02T04:04:05.000Z';

  test.each([
    ['the menu', ''],
    ['the preview', '&file=1'],
  ])('is shown with its end, from %s', async (_, query) => {
    const { t, button, entry, dialog, server } = await open(
      {
        readAttachment: { ...file({}), etag: 'e', path: [], usedBy: [], revision: '1' },
        linkAttachment: { url, expiresAt },
      },
      {},
      `?page=1${query}`,
    );
    if (query === '') {
      await button('attachments:actionsOf', { name: 'manual.pdf' }).click();
      await entry('attachments:link.do').click();
    } else await button('attachments:link.do').click();
    await sees(t('attachments:link.title', { name: 'manual.pdf' }), dialog.getByText(`${location.origin}${url}`));
    await sees(dialog.getByText(formatTime(expiresAt)));
    await sees(button('attachments:link.copy'));
    expect(server.sent('linkAttachment')[0]?.params).toEqual({ id: '1' });
    await expectAccessible();
    await expect.poll(tooWide).toEqual([]);
  });

  test('is not offered while a file waits for the virus scan', async () => {
    const { entry, button } = await open({
      listAttachments: { items: [file({ scan: 'waiting' })], total: 1, scanning: true },
    });
    await button('attachments:actionsOf', { name: 'manual.pdf' }).click();
    await sees(entry('attachments:share.do'));
    for (const key of ['download', 'link.do']) await misses(entry(`attachments:${key}`));
  });
});
