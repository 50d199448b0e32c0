import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { file, folder, open } from '../../../testing/attachments.ts';
import { misses, option, sees } from '../../../testing/on-screen.ts';
import { sampleList } from '../../../testing/sample.ts';

describe('the dialogs of files and folders', () => {
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

  test('gives a folder one of the sites of a user with assigned sites, which files in it keep', async () => {
    const quay = folder({ id: 11, name: 'Quay', siteId: 5, site: 'Quay site' });
    const { t, server, field, dialog } = await open(
      {
        createFolder: { id: 12 },
        listSites: sampleList('listSites', [{ id: 5, name: 'Quay site', code: 'Q' }]),
        listFolders: { items: [folder({ id: 9, name: 'Photos', may: { write: false } }), quay] },
        listAttachments: { items: [file({ siteId: 5, site: 'Quay site' })], total: 1, scanning: true },
      },
      { user: { root: false, platformVendor: false, level: 1, allSites: false } },
    );
    await sees(page.getByRole('table').getByText('Quay site'));
    await misses(page.getByRole('button', { name: t('attachments:uploadFiles'), exact: true }));
    await sees(t('attachments:site.topNote'));
    await page.getByRole('button', { name: t('attachments:folder.new'), exact: true }).click();
    await field('attachments:name').fill('Plans');
    const save = () => dialog.getByRole('button', { name: t('attachments:folder.add') }).click();
    await save();
    await sees(t('attachments:site.needed'));
    await dialog.getByRole('combobox', { name: t('attachments:site.label') }).click();
    await option('Quay site').click();
    await save();
    await expect.poll(() => server.sent('createFolder').at(-1)?.body).toMatchObject({ name: 'Plans', siteId: 5 });
    await misses(dialog);
    // What is added to a folder of a site has that site.
    await page.getByRole('tree').getByText('Quay', { exact: true }).click();
    await page.getByRole('button', { name: t('attachments:folder.new'), exact: true }).click();
    await sees(t('attachments:site.ofFolder', { site: 'Quay site' }));
    await misses(dialog.getByText(t('attachments:site.label'), { exact: true }));
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
