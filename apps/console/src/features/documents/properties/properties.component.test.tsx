import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { category, documentDetail, documentRow, translations } from '../../../testing/documents.ts';
import { option, pick, sees, tooWide } from '../../../testing/on-screen.ts';
import { sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';
import { Refused } from '../../../testing/stub-server.ts';

const categories = { items: [category(1, 'Alarms', '告警'), category(2, 'Manuals', '手册')] };
const models = sampleList('listDeviceModels', [{ id: 3, name: 'Fast 120' }]);
const codes = { items: [{ code: 'E42', alarms: 90, devices: 3 }], total: 1 };

describe('a new document', () => {
  test('is filled in for the code that it explains', async () => {
    const { t, server, field } = await showConsole('/manage/docs/add?type=100&code=E42&deviceModelId=3', {
      answers: {
        ...{ listCategories: categories, listDeviceModels: models, listUnexplainedCodes: codes },
        createDocument: { id: 9 },
        readDocument: documentDetail({ id: 9 }),
        // The editor of the text opens next.
        announceEditing: { version: 0, editors: [] },
      },
    });
    await expect.element(field('documents:name')).toHaveValue('E42');
    await field('documents:title').fill('Contactor welded');
    await field('documents:form.description').fill('Do not use the connector.');
    await pick(t('documents:category.label'), 'Alarms');
    await page.getByRole('button', { name: t('documents:bindings.add') }).click();
    await page.getByRole('combobox', { name: t('documents:bindings.keyOf', { number: 2 }) }).fill('E43');
    await expectAccessible();
    await page.getByRole('button', { name: t('documents:add'), exact: true }).click();
    await sees(t('documents:form.added', { name: 'E42' }));
    expect(server.sent('createDocument')[0]?.body).toEqual({
      ...{
        customerId: null,
        name: 'E42',
        type: 100,
        categoryId: 1,
        readLevel: 5,
        writeLevel: 4,
        icon: null,
        enabled: true,
      },
      ...{ locale: 'en-US', title: 'Contactor welded', description: 'Do not use the connector.' },
      bindings: [
        { key: 'E42', deviceModelId: 3 },
        { key: 'E43', deviceModelId: null },
      ],
    });
  });

  test('shows an error of the server at its field', async () => {
    const { t, field } = await showConsole('/manage/docs/add?categoryId=1', {
      answers: {
        listCategories: categories,
        createDocument: () => {
          throw new Refused('documentNameTaken', {}, 'name');
        },
      },
    });
    await field('documents:title').fill('Cleaning');
    await field('documents:name').fill('cleaning');
    await page.getByRole('button', { name: t('documents:add'), exact: true }).click();
    await sees(page.getByText('Another document already has this name. Choose another name.'));
    await expect.element(field('documents:name')).toHaveFocus();
  });

  test('offers only levels that the author holds', async () => {
    const { t } = await showConsole('/manage/docs/add', {
      user: { root: false, platformVendor: false, level: 3, keys: ['auth_docs', 'auth_docs_add'] },
      answers: { listCategories: categories },
    });
    await page.getByRole('combobox', { name: t('documents:readLevel') }).click();
    await sees(option(t('common:level.4')));
    const disabled = (number: number) =>
      option(t(`common:level.${number}`))
        .element()
        .closest('[aria-disabled]')
        ?.getAttribute('aria-disabled');
    expect([disabled(4), disabled(2)]).toEqual(['false', 'true']);
  });
});

describe('the properties', () => {
  test('are edited with the revision that the author saw, and enabled or disabled', async () => {
    const document = documentDetail({ revision: 'r1' });
    const { t, path, server, field } = await showConsole('/manage/docs/update/props/7', {
      answers: {
        ...{ listCategories: categories, listUnexplainedCodes: codes, listDeviceModels: models },
        ...{ readDocument: document, updateDocument: { revision: 'r2' }, disableDocument: null },
        listVersions: sampleList('listVersions'),
      },
    });
    await field('documents:name').fill('earth-fault');
    await pick(t('documents:category.label'), 'Manuals');
    await page.getByRole('switch', { name: t('documents:enabled') }).click();
    await page.getByRole('button', { name: t('common:save'), exact: true }).click();
    await expect.poll(path).toBe('/manage/docs/props/7');
    expect(server.sent('disableDocument')[0]?.params).toEqual({ id: '7' });
    expect(server.sent('updateDocument')[0]?.body).toEqual({
      ...{
        customerId: null,
        name: 'earth-fault',
        type: 100,
        categoryId: 2,
        readLevel: 5,
        writeLevel: 4,
        icon: null,
        revision: 'r1',
      },
      bindings: [{ key: 'GroundFailure', deviceModelId: null }],
    });
  });

  test('show languages with their versions, and delete the document after a confirmation', async () => {
    const { t, path, server, dialog } = await showConsole('/manage/docs/props/7', {
      answers: {
        ...{ listCategories: categories, deleteDocument: null, listDocuments: sampleList('listDocuments') },
        readDocument: documentDetail({ translations: translations('current', 'missing') }),
        listVersions: sampleList('listVersions', [
          { version: 3, title: 'Ground failure', author: 'Ada', restored: 1 },
          { version: 2, title: 'Earth', author: 'Li Wei', restored: null },
        ]),
      },
    });
    await sees(
      page.getByText(t('documents:versions.restored', { version: 1 })),
      t('documents:versions.number', { version: 2 }),
    );
    expect(server.sent('listVersions').map(({ params }) => params.locale)).toEqual(['en-US']);
    await expectAccessible();
    await page.getByRole('button', { name: t('documents:delete.open'), exact: true }).click();
    await dialog.getByRole('button', { name: t('documents:delete.open'), exact: true }).click();
    await expect.poll(path).toBe('/manage/docs/list');
    expect(server.sent('deleteDocument')[0]?.params).toEqual({ id: '7' });
  });

  test('ask for a document when the URL has none', async () => {
    const { t } = await showConsole('/manage/docs/props', {
      answers: { listDocuments: sampleList('listDocuments', [documentRow()]) },
    });
    await sees(t('documents:choose.title'));
    await expect
      .element(page.getByRole('link', { name: 'Ground failure' }))
      .toHaveAttribute('href', '/manage/docs/props/7');
  });

  test.each(['en-US', 'zh-CN'] as const)('fit a phone (%s)', async (locale) => {
    const { go } = await showConsole('/manage/docs/props/7', {
      ...{ locale, size: [390, 844] },
      answers: {
        ...{ listCategories: categories, readDocument: documentDetail(), listDeviceModels: models },
        ...{ listVersions: sampleList('listVersions'), listUnexplainedCodes: codes },
      },
    });
    await sees('GroundFailure');
    expect(tooWide()).toEqual([]);
    await go('/manage/docs/update/props/7');
    await sees(page.getByRole('button', { name: locale === 'zh-CN' ? '添加一行' : 'Add row' }));
    expect(tooWide()).toEqual([]);
  });
});
