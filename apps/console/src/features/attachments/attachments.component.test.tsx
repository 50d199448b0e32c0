import type { AttachmentRow, FolderRow, ShareRow } from '@chargehand/contract';
import { formatTime } from '@chargehand/domain';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessibility.ts';
import { misses, option, pick, rowWith, sees, tooWide } from '../../testing/on-screen.ts';
import { sampleList, sampleRow } from '../../testing/sample.ts';
import { showConsole } from '../../testing/show-console.tsx';
import type { Answers, SentCall } from '../../testing/stub-server.ts';

const LEVELS = { readLevel: 5, writeLevel: 4, downloadLevel: 5 } as const;
const may = { write: true, download: true };
const file = (values: Partial<AttachmentRow>): AttachmentRow =>
  sampleRow('listAttachments', {
    ...{ id: 1, folderId: null, folder: null, customerId: 1, customer: 'Vendor', name: 'manual.pdf', description: '' },
    ...{ size: 2_048, mediaType: 'application/pdf', shown: true, type: 'normal', ...LEVELS, scan: 'clean', uses: 0 },
    ...{ managedBy: null, uploadedBy: 'root_user', createdAt: '2026-01-02T03:04:05.000Z', deletedAt: null },
    ...{ deletedBy: null, may, ...values },
  });
const folder = (values: Partial<FolderRow>): FolderRow =>
  sampleRow('listFolders', {
    ...{ id: 7, parentId: null, customerId: 1, customer: 'Vendor', name: 'Manuals', description: '', ...LEVELS },
    ...{ files: 2, createdBy: 'root_user', createdAt: '2026-01-02T03:04:05.000Z', deletedAt: null, deletedBy: null },
    ...{ revision: '1', may: { write: true }, ...values },
  });

const FOLDERS = [
  folder({ id: 7, name: 'Manuals', readLevel: 3, writeLevel: 2, downloadLevel: 3 }),
  folder({ id: 8, name: 'Old', parentId: 7 }),
  folder({ id: 9, name: 'Photos' }),
];

function answers(more: Answers = {}): Answers {
  return {
    listFolders: ({ query }) => ({ items: query.trash ? [] : FOLDERS }),
    listAttachments: { items: [file({})], total: 1, scanning: false },
    readQuota: { customerId: 1, files: 3, used: 1_024 ** 3, limit: 4 * 1_024 ** 3 },
    listShares: { items: [], total: 0, oversees: false },
    ...more,
  };
}
const open = (more: Answers = {}, options: Parameters<typeof showConsole>[1] = {}, path = '') =>
  showConsole(`/manage/attach/list${path}`, { ...options, answers: answers(more) });

describe('the list of files', () => {
  test('shows folders, files, the used space, and that files are not scanned', async () => {
    const { t, server } = await open();
    await sees(
      rowWith('manual.pdf'),
      t('attachments:notScanned'),
      t('attachments:quota', { used: '1 GB', limit: '4 GB' }),
    );
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
    await sees(used(1));
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

  test('adds a folder to the folder that was chosen just before', async () => {
    const { t, field } = await open({}, {}, '?folder=7');
    const add = page.getByRole('button', { name: t('attachments:folder.new'), exact: true });
    await sees(add);
    const top = page.getByRole('tree').getByText(t('attachments:top'), { exact: true }).element() as HTMLElement;
    const button = add.element() as HTMLElement;
    top.click();
    // As with two quick clicks: the second one comes as soon as the address has changed.
    await new Promise<void>((resolve) => queueMicrotask(resolve));
    expect(location.search).toBe('');
    button.click();
    await sees(field('attachments:name'));
    await misses(page.getByText(t('attachments:folder.inside', { name: 'Manuals' }), { exact: true }));
    await sees(page.getByRole('dialog').getByText(t('common:level.5')).first());
  });

  test('adds a folder for all customers or another one, as staff of the vendor', async () => {
    const listCustomers = sampleList('listCustomers', [{ id: 4, name: 'North Grid', code: 'N' }]);
    const { t, server, field, dialog } = await open({ createFolder: { id: 9 }, listCustomers });
    const add = async (name: string) => {
      await page.getByRole('tree').getByText(t('attachments:top'), { exact: true }).click();
      await page.getByRole('button', { name: t('attachments:folder.new'), exact: true }).click();
      await field('attachments:name').fill(name);
    };
    const save = () => dialog.getByRole('button', { name: t('attachments:folder.add') }).click();
    const body = () => server.sent('createFolder').at(-1)?.body;
    await add('Own');
    await expectAccessible();
    await save();
    await expect.poll(body).toMatchObject({ name: 'Own', folderId: null });
    expect(body()).not.toHaveProperty('customerId');
    expect(body()).not.toHaveProperty('owner');
    await misses(dialog);
    await add('For all');
    await dialog.getByRole('radio', { name: t('attachments:owner.platform') }).click();
    await save();
    await expect.poll(body).toMatchObject({ name: 'For all', customerId: null });
    await misses(dialog);
    await add('For one');
    await dialog.getByRole('radio', { name: t('attachments:owner.other') }).click();
    await save();
    await sees(t('attachments:owner.needed'));
    await dialog.getByRole('combobox', { name: t('attachments:customer') }).click();
    await option('North Grid').click();
    await save();
    await expect.poll(body).toMatchObject({ name: 'For one', customerId: 4 });
    await misses(dialog);
    // A folder in a folder has its owner.
    await page.getByRole('tree').getByText('Manuals').click();
    await page.getByRole('button', { name: t('attachments:folder.new'), exact: true }).click();
    await sees(field('attachments:name'));
    await misses(dialog.getByText(t('attachments:owner.label'), { exact: true }));
  });

  test('adds folders only for the own customer as another user', async () => {
    const { t, field, dialog } = await open(
      {},
      { user: { root: false, platformVendor: false, level: 1, keys: ['auth_attach', 'auth_attach_tree'] } },
    );
    await page.getByRole('button', { name: t('attachments:folder.new'), exact: true }).click();
    await sees(field('attachments:name'));
    await misses(dialog.getByText(t('attachments:owner.label'), { exact: true }));
  });

  test('closes the dialog of a folder when another one is opened', async () => {
    const { t, entry, go, dialog } = await open({}, {}, '?folder=9');
    await page.getByRole('button', { name: t('attachments:folder.actionsOf', { name: 'Photos' }) }).click();
    await entry('attachments:folder.edit').click();
    await sees(dialog.getByText(t('attachments:folder.editTitle', { name: 'Photos' })));
    await go('/manage/attach/list?folder=7');
    await misses(dialog);
  });

  test('moves a file, and announces that its levels rise', async () => {
    const { t, entry, dialog, server } = await open({ moveAttachment: { name: 'manual.pdf' } });
    await page.getByRole('button', { name: t('attachments:actionsOf', { name: 'manual.pdf' }) }).click();
    await entry('attachments:move.do').click();
    await dialog.getByText('Manuals').click();
    await sees(dialog.getByText(/Read level 5 → 3/));
    await dialog.getByRole('button', { name: t('attachments:move.ok') }).click();
    await expect.poll(() => server.sent('moveAttachment')[0]?.body).toEqual({ folderId: 7 });
    await sees(t('attachments:move.moved', { name: 'manual.pdf' }));
  });

  test('copies a folder, and says what was left out', async () => {
    const { t, entry, dialog, server } = await open(
      { copyFolder: { id: 12, name: 'Photos (2)', folders: 1, files: 3, skipped: 2 } },
      {},
      '?folder=9',
    );
    await page.getByRole('button', { name: t('attachments:folder.actionsOf', { name: 'Photos' }) }).click();
    await entry('attachments:copy.do').click();
    await dialog.getByText('Manuals').click();
    await sees(dialog.getByText(/Read level 5 → 3/));
    await dialog.getByRole('button', { name: t('attachments:copy.ok') }).click();
    await expect.poll(() => server.sent('copyFolder')[0]).toMatchObject({ params: { id: '9' }, body: { folderId: 7 } });
    await sees(page.getByText(t('attachments:copy.skipped', { count: 2 }), { exact: false }));
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

  test('shows the space of the customer of a folder, and lets the vendor change it', async () => {
    const { t, dialog, server } = await open(
      { setQuota: null, readQuota: { customerId: 1, files: 3, used: 4 * 1_024 ** 3, limit: 4 * 1_024 ** 3 } },
      {},
      '?folder=9',
    );
    await sees(page.getByText(t('attachments:quotas.full')));
    expect(server.sent('readQuota').at(-1)?.query).toEqual({ customerId: '1' });
    await page.getByRole('button', { name: t('attachments:quotas.change') }).click();
    const size = dialog.getByRole('spinbutton', { name: t('attachments:quotas.limit') });
    await size.fill('2.5');
    await sees(dialog.getByText(t('attachments:quotas.below', { used: '4 GB' })));
    await expectAccessible();
    await size.fill('8');
    await misses(dialog.getByText(t('attachments:quotas.below', { used: '4 GB' })));
    await dialog.getByRole('button', { name: t('common:save') }).click();
    await expect.poll(() => server.sent('setQuota')[0]?.body).toEqual({ customerId: 1, bytes: 8 * 1_024 ** 3 });
    await sees(t('attachments:quotas.saved', { limit: '8 GB' }));
  });

  test('does not let other users change the space', async () => {
    const { t } = await open({}, { user: { root: false, platformVendor: false, level: 0, keys: ['auth_attach'] } });
    await sees(t('attachments:quota', { used: '1 GB', limit: '4 GB' }));
    await misses(page.getByRole('button', { name: t('attachments:quotas.change') }));
  });

  test('explains why a level cannot be lower than that of the folder', async () => {
    const inside = file({ folderId: 7, folder: 'Manuals', readLevel: 3, writeLevel: 2, downloadLevel: 3 });
    const detail = { ...inside, etag: 'e', path: [{ id: 7, name: 'Manuals' }], usedBy: [], revision: '4' };
    const { t, entry, dialog, server } = await open(
      {
        listAttachments: { items: [inside], total: 1, scanning: true },
        readAttachment: detail,
        updateAttachment: null,
      },
      {},
      '?folder=7',
    );
    await page.getByRole('button', { name: t('attachments:actionsOf', { name: 'manual.pdf' }) }).click();
    await entry('attachments:edit.do').click();
    await sees(dialog.getByText(t('attachments:levels.atLeast', { level: t('common:level.2') })));
    await dialog.getByRole('combobox', { name: t('attachments:levels.read') }).click();
    await expect
      .element(option(t('common:level.4')).element().closest<HTMLElement>('.ant-select-item')!)
      .toHaveAttribute('aria-disabled', 'true');
    await option(t('common:level.1')).click();
    await dialog.getByRole('button', { name: t('common:save') }).click();
    await expect.poll(() => server.sent('updateAttachment')[0]?.body).toMatchObject({ readLevel: 1, revision: '4' });
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

describe('a file', () => {
  const detail = (values: Partial<AttachmentRow>) => ({
    ...file(values),
    ...{ etag: 'e', path: [], usedBy: [{ kind: 'device' as const, id: 5, name: 'SN5' }], revision: '1' },
  });

  test('is shown with its data and what uses it', async () => {
    const { t, dialog } = await open(
      { readAttachment: detail({ name: 'plan.zip', shown: false, uses: 2 }) },
      {},
      '?file=1',
    );
    await sees(dialog.getByText(t('attachments:preview.none')), dialog.getByRole('link', { name: 'SN5' }));
    await sees(dialog.getByText(t('attachments:usedElsewhere', { count: 1 })));
    await expectAccessible();
  });

  test('leads to the pages of the objects that use it', async () => {
    const usedBy = [
      { kind: 'document' as const, id: 4, name: 'Manual' },
      { kind: 'device' as const, id: 5, name: 'SN5' },
      { kind: 'issue' as const, id: 6, name: 'No power' },
    ];
    const { dialog } = await open({ readAttachment: { ...detail({ uses: 3 }), usedBy } }, {}, '?file=1');
    for (const [name, path] of [
      ['Manual', '/manage/docs/detail/4'],
      ['SN5', '/manage/device/detail/5'],
      ['No power', '/manage/issue/detail/6'],
    ] as const) {
      await expect.element(dialog.getByRole('link', { name })).toHaveAttribute('href', path);
    }
  });

  test('as a text is loaded in parts and searched', async () => {
    const line = 'boot ok\n'.repeat(131_072);
    const text = new TextEncoder().encode(`${line}relay stuck\n`);
    const { t, dialog, server } = await open(
      {
        readAttachment: detail({ name: 'pile.log', size: text.length }),
        attachmentContent: () => {
          const from = server.sent('attachmentContent').length === 1 ? 0 : 1_048_576;
          const part = text.slice(from, from + 1_048_576);
          return new Response(part, {
            status: 206,
            headers: { 'content-range': `bytes ${from}-${from + part.length - 1}/${text.length}` },
          });
        },
      } as Answers,
      {},
      '?file=1',
    );
    await sees(dialog.getByRole('region', { name: 'pile.log' }));
    await dialog.getByRole('searchbox', { name: t('files:text.search') }).fill('STUCK');
    await sees(dialog.getByText(t('files:text.foundLoaded'), { exact: false }));
    await dialog.getByRole('button', { name: t('files:text.more') }).click();
    await sees(dialog.getByText(t('files:text.found', { count: 1 })));
    await misses(dialog.getByRole('button', { name: t('files:text.more') }));
  });

  test('as a workbook is shown in tables, with what is left out', async () => {
    const rows = Array.from({ length: 600 }, (_, row) => `<row r="${row + 1}"><c><v>${row + 7_000}</v></c></row>`);
    const sheet = (data: string) => strToU8(`<worksheet><sheetData>${data}</sheetData></worksheet>`);
    const relation = (id: string) => `<Relationship Id="${id}" Type="x/worksheet" Target="${id}.xml"/>`;
    const book = zipSync({
      'xl/workbook.xml': strToU8(
        '<workbook xmlns:r="r"><sheets><sheet name="Sites" r:id="a"/><sheet name="Notes" r:id="b"/></sheets></workbook>',
      ),
      'xl/_rels/workbook.xml.rels': strToU8(`<Relationships>${relation('a')}${relation('b')}</Relationships>`),
      'xl/a.xml': sheet(rows.join('')),
      'xl/b.xml': sheet('<row><c t="str"><v>&lt;b&gt;plug</v></c></row>'),
    });
    const { t, dialog } = await open(office('sites.xlsx', book), {}, '?file=1');
    await sees(dialog.getByRole('cell', { name: '7000' }));
    await sees(t('attachments:preview.office.firstRows', { count: 500, total: 600 }));
    await expectAccessible();
    await dialog.getByText('Notes').click();
    await sees(dialog.getByRole('cell', { name: '<b>plug' }));
  });

  test('as a Word document is shown without its scripts and links', async () => {
    const types = '<Default Extension="xml" ContentType="application/xml"/>';
    const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
    const link = (id: string) => `<w:hyperlink r:id="${id}"><w:r><w:t>link ${id}</w:t></w:r></w:hyperlink>`;
    const related = (id: string, type: string, target: string, more = '') =>
      `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}" ${more}/>`;
    const packageOf = (name: string, content: string) =>
      strToU8(`<${name} xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${content}</${name}>`);
    const words = zipSync({
      '[Content_Types].xml': strToU8(
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${types}</Types>`,
      ),
      '_rels/.rels': packageOf('Relationships', related('d', 'officeDocument', 'word/document.xml')),
      'word/_rels/document.xml.rels': packageOf(
        'Relationships',
        related('r1', 'hyperlink', 'javascript:top.broken=1', 'TargetMode="External"') +
          related('r2', 'hyperlink', 'https://example.com/?a=1', 'TargetMode="External"'),
      ),
      'word/document.xml': strToU8(
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${relations}">` +
          `<w:body><w:p><w:r><w:t>&lt;script&gt;top.broken=1&lt;/script&gt;relay</w:t></w:r>${link('r1')}${link('r2')}` +
          '</w:p></w:body></w:document>',
      ),
    });
    const { t, dialog } = await open(office('guide.docx', words), {}, '?file=1');
    await sees(t('attachments:preview.office.simplified'));
    const frame = dialog.getByTitle('guide.docx', { exact: true }).element() as HTMLIFrameElement;
    expect(frame.getAttribute('sandbox')).toBe('');
    expect(frame.srcdoc).toContain('&lt;script&gt;top.broken=1&lt;/script&gt;relay');
    expect(frame.srcdoc).toContain('link r2 (https://example.com/?a=1)');
    expect(frame.srcdoc).not.toMatch(/javascript:|<script|href=/i);
    await expectAccessible();
  });

  test.each([
    ['broken.docx', strToU8('PK\u0003\u0004 and nothing else'), 'preview.office.unreadable'],
    ['bomb.xlsx', zipSync({ 'xl/a.xml': new Uint8Array(70 * 1024 * 1024) }, { level: 1 }), 'preview.office.inflates'],
  ] as const)('that is %s is not shown, with the reason', async (name, content, key) => {
    const { t } = await open(office(name, content), {}, '?file=1');
    await sees(t(`attachments:${key}`));
  });

  test('that is a large office file is not loaded', async () => {
    const large = detail({ name: 'a.docx', shown: false, size: 30 * 1024 * 1024 });
    const { t, server } = await open({ readAttachment: large }, {}, '?file=1');
    await sees(t('attachments:preview.tooLarge', { limit: '20 MB' }));
    expect(server.sent('attachmentContent')).toEqual([]);
  });

  test('that is an office file needs the download level', async () => {
    const barred = detail({ name: 'a.docx', shown: false, may: { write: false, download: false } });
    const { t, server } = await open({ readAttachment: barred }, {}, '?file=1');
    await sees(page.getByText(t('attachments:preview.noDownload'), { exact: false }));
    expect(server.sent('attachmentContent')).toEqual([]);
  });

  test('is added to an issue from its preview', async () => {
    const { t, dialog, server } = await open(
      {
        readAttachment: detail({ id: 1, name: 'plan.zip', shown: false }),
        listIssues: sampleList('listIssues', [{ id: 8, number: 3, title: 'Plug melts' }]),
        commentIssue: { id: 1 },
      },
      {},
      '?file=1',
    );
    await dialog.getByRole('button', { name: t('common:issue.add'), exact: true }).click();
    await pick(t('issue-files:issue'), '#3 Plug melts');
    await page.getByRole('button', { name: t('issue-files:add'), exact: true }).click();
    await sees(t('issue-files:added', { number: 3 }));
    expect(server.sent('commentIssue')[0]?.body).toMatchObject({
      body: { content: [{ type: 'attachment', attrs: { file: '1', name: 'plan.zip' } }] },
    });
  });

  /** An office file with this content. */
  const office = (name: string, content: Uint8Array<ArrayBuffer>): Answers =>
    ({
      readAttachment: detail({ name, shown: false, size: content.length }),
      attachmentContent: () =>
        new Response(content, {
          status: 206,
          headers: { 'content-range': `bytes 0-${content.length - 1}/${content.length}` },
        }),
    }) as Answers;
});

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
