import type { FolderRow } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessibility.ts';
import { FOLDERS, file, folder, open } from '../../testing/attachments.ts';
import { expectShortNames, LONG_NAME, misses, option, rowWith, sees, tooWide } from '../../testing/on-screen.ts';
import type { SentCall } from '../../testing/stub-server.ts';

describe('the list of files', () => {
  test('shows folders, files, the used space, and that files are not scanned', async () => {
    const { t, server } = await open();
    await sees(rowWith('manual.pdf'), t('attachments:notScanned'));
    await expectAccessible();
    await page.getByRole('tree').getByText('Photos').click();
    await expect.poll(() => server.sent('listAttachments').at(-1)?.query).toMatchObject({ folderId: '9' });
    await page.getByRole('searchbox').fill('plug');
    await expect
      .poll(() => server.sent('listAttachments').at(-1)?.query)
      .toMatchObject({ below: 'true', search: 'plug' });
  });

  test('fits on a phone, with subfolders and a path instead of the tree', async () => {
    const { t, server, path } = await open({}, { size: [390, 844] });
    await sees('manual.pdf');
    expect(page.getByRole('tree').elements()).toHaveLength(0);
    await page.getByRole('button', { name: /^Manuals/ }).click();
    await expect.poll(() => server.sent('listAttachments').at(-1)?.query).toMatchObject({ folderId: '7' });
    await sees(page.getByRole('button', { name: /^Old/ }));
    await page.getByRole('button', { name: t('attachments:top'), exact: true }).click();
    await expect.poll(path).toBe('/manage/attach/list');
    await expect.poll(tooWide).toEqual([]);
  });

  test.each([
    ['en-US', [390, 844], ['Read 3 (medium)', 'Write 2 (high)', 'Download 5 (lowest)']],
    ['zh-CN', [390, 844], ['查看 3（中等）', '修改 2（较高）', '下载 5（最低）']],
    ['en-US', [1_280, 800], ['Read 3 (medium)', 'Write 2 (high)', 'Download 5 (lowest)']],
  ] as const)('names the levels of files and folders (%s, %j)', async (locale, size, levels) => {
    const named = { readLevel: 3, writeLevel: 2, downloadLevel: 5 } as const;
    await open(
      {
        listFolders: { items: [folder({ id: 7, ...named })] },
        listAttachments: { items: [file({ ...named, uploadedBy: 'north_administrator' })], total: 1, scanning: true },
      },
      { locale, size },
      '?folder=7',
    );
    for (const level of levels) {
      await sees(rowWith('manual.pdf').getByText(level, { exact: true }));
      await expect.poll(() => page.getByText(level, { exact: true }).elements()).toHaveLength(2);
    }
    expect(tooWide()).toEqual([]);
  });

  test('selects and moves all files that match, and says how many joined since', async () => {
    const ids = [1, 2, 3];
    const { t, server, dialog } = await open(
      {
        listAttachments: { items: [file({ folderId: 9, folder: 'Photos' })], total: 3, scanning: true },
        selectAttachments: () => ({ items: ids.map((id) => ({ id, name: `photo ${id}.png` })) }),
        moveAttachments: ({ input }) => ({ results: input.body.ids.map((id) => ({ id, code: 0, message: '' })) }),
      },
      {},
      '?folder=9&search=photo',
    );
    await rowWith('manual.pdf').getByRole('checkbox').click();
    await page.getByRole('button', { name: t('common:list.selectMatching') }).click();
    await sees(page.getByRole('toolbar').getByText(t('common:list.selected', { count: 3 })));
    expect(server.sent('selectAttachments')[0]?.query).toEqual({ folderId: '9', search: 'photo', below: 'true' });
    ids.push(4);
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: t('attachments:move.do'), exact: true })
      .click();
    await sees(dialog.getByText(t('common:list.joined', { count: 1 })));
    await dialog.getByText('Manuals').click();
    await dialog.getByRole('button', { name: t('attachments:move.ok') }).click();
    await expect.poll(() => server.sent('moveAttachments')[0]?.body).toEqual({ ids: [1, 2, 3, 4], folderId: 7 });
  });

  test.each([
    [1_280, 800],
    [390, 844],
  ])('a long name takes two lines at most (%i × %i)', async (...size) => {
    const items = [file({ name: LONG_NAME })];
    await open({ listAttachments: { items, total: 1, scanning: true } }, { size });
    await expectShortNames(page.getByRole('main'), 1);
    await expect.poll(tooWide).toEqual([]);
  });

  test('shows the space of the owner of the folder', async () => {
    const items = [
      folder({ id: 7, name: 'For everyone', customerId: null, customer: null }),
      folder({ id: 8, name: 'Of North', customerId: 2, customer: 'North' }),
    ];
    const GB = 1_024 ** 3;
    const readQuota = ({ query }: SentCall) => {
      const [customerId, used] = query.platform ? [null, 9] : query.customerId === '2' ? [2, 2] : [1, 1];
      return { customerId, files: 3, used: used * GB, limit: 10 * GB };
    };
    const { t, server } = await open({ listFolders: { items }, readQuota });
    const used = (gb: number) => t('attachments:quota', { used: `${gb} GB`, limit: '10 GB' });
    // The files of all customers have no common space.
    await sees(page.getByRole('tree').getByText('For everyone'));
    await misses(page.getByRole('meter'));
    await page.getByRole('tree').getByText('For everyone').click();
    await sees(used(9), t('attachments:owner.platform'));
    await misses(page.getByRole('button', { name: t('attachments:quotas.change') }));
    await page.getByRole('tree').getByText('Of North').click();
    await sees(used(2), page.getByText('North', { exact: true }).last());
    const reads = server.sent('readQuota').map(({ query }) => query);
    expect(reads.slice(-2)).toEqual([{ platform: 'true' }, { customerId: '2' }]);
  });

  test('shows no space in a folder of the platform to users of a customer', async () => {
    const items = [folder({ id: 7, name: 'For everyone', customerId: null, customer: null, may: { write: false } })];
    const { server } = await open(
      { listFolders: { items } },
      { user: { root: false, platformVendor: false, level: 5, keys: ['auth_attach'] } },
      '?folder=7',
    );
    await sees('manual.pdf', page.getByRole('tree').getByText('For everyone'));
    await misses(page.getByRole('meter'));
    expect(server.sent('readQuota')).toEqual([]);
  });

  test('offers only what the user may do', async () => {
    const reader = file({ may: { write: false, download: false } });
    const { t, entry } = await open(
      { listAttachments: { items: [reader], total: 1, scanning: true } },
      { user: { root: false, platformVendor: false, level: 5, keys: ['auth_attach'] } },
    );
    await page.getByRole('button', { name: t('attachments:actionsOf', { name: 'manual.pdf' }) }).click();
    await sees(entry('attachments:open'));
    for (const key of ['download', 'link.do', 'edit.do', 'move.do', 'copy.do', 'delete'])
      await misses(entry(`attachments:${key}`));
    await misses(page.getByRole('button', { name: t('attachments:uploadFiles'), exact: true }));
    await misses(page.getByText(t('attachments:notScanned')));
  });

  test('takes no files before the chosen folder is known', async () => {
    const { promise, resolve } = Promise.withResolvers<{ items: FolderRow[] }>();
    const { t } = await open({ listFolders: () => promise }, {}, '?folder=9');
    const upload = page.getByRole('button', { name: t('attachments:uploadFiles'), exact: true });
    await sees('manual.pdf');
    await misses(upload);
    resolve({ items: FOLDERS });
    await sees(upload);
  });

  test('remembers the type of uploads for each folder', async () => {
    const { t } = await open({}, {}, '?folder=9');
    const type = page.getByRole('combobox', { name: t('attachments:uploads.as') });
    const shown = () => type.element().closest('.ant-select')?.textContent;
    await type.click();
    await option(t('attachments:types.log')).click();
    await expect.poll(shown).toContain(t('attachments:types.log'));
    await page.getByRole('tree').getByText('Manuals').click();
    await expect.poll(shown).toContain(t('attachments:types.normal'));
    await page.getByRole('tree').getByText('Photos').click();
    await expect.poll(shown).toContain(t('attachments:types.log'));
    localStorage.removeItem('chargehand.uploadTypes');
  });
});

describe('the trash', () => {
  test('restores all files that match', async () => {
    const deleted = file({ deletedAt: '2026-01-03T03:04:05.000Z', deletedBy: 'root_user' });
    const { t, server, dialog } = await open(
      {
        listAttachments: { items: [deleted], total: 2, scanning: true },
        selectAttachments: { items: [1, 5].map((id) => ({ id, name: `plan ${id}.pdf` })) },
        restoreAttachments: ({ input }) => ({ results: input.body.ids.map((id) => ({ id, code: 0, message: '' })) }),
      },
      {},
      '?tab=trash&search=pdf',
    );
    await rowWith('manual.pdf').getByRole('checkbox').click();
    await page.getByRole('button', { name: t('common:list.selectMatching') }).click();
    await sees(page.getByRole('toolbar').getByText(t('common:list.selected', { count: 2 })));
    expect(server.sent('selectAttachments')[0]?.query).toEqual({ search: 'pdf', trash: 'true', below: 'true' });
    await page
      .getByRole('toolbar')
      .getByRole('button', { name: t('attachments:trash.restore'), exact: true })
      .click();
    await dialog.getByRole('button', { name: t('attachments:trash.restore'), exact: true }).click();
    await expect.poll(() => server.sent('restoreAttachments')[0]?.body).toEqual({ ids: [1, 5] });
  });

  test('restores files and folders, and is emptied', async () => {
    const deleted = file({ deletedAt: '2026-01-03T03:04:05.000Z', deletedBy: 'root_user' });
    const { t, server, dialog } = await open(
      {
        listAttachments: { items: [deleted], total: 1, scanning: true },
        listFolders: { items: [folder({ id: 9, name: 'Photos', deletedAt: '2026-01-03T03:04:05.000Z' })] },
        restoreFolder: { folderId: null, name: 'Photos' },
        restoreAttachment: { folderId: null, name: 'manual (2).pdf' },
        emptyTrash: { files: 1, folders: 1 },
      },
      {},
      '?tab=trash',
    );
    const restore = (name: string) => page.getByRole('button', { name: t('attachments:trash.restoreOf', { name }) });
    await restore('manual.pdf').click();
    await sees(t('attachments:trash.restored', { name: 'manual (2).pdf' }));
    await restore('Photos').click();
    await expect.poll(() => server.sent('restoreFolder')).toHaveLength(1);
    await page.getByRole('button', { name: t('attachments:trash.empty') }).click();
    await dialog.getByRole('button', { name: t('attachments:trash.emptyOk') }).click();
    await expect.poll(() => server.sent('emptyTrash')).toHaveLength(1);
  });
});
