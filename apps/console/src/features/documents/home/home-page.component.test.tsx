import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { category, documentRow } from '../../../testing/documents.ts';
import { misses, sees, tooWide } from '../../../testing/on-screen.ts';
import { sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';

const explained = {
  ...{ key: 'GroundFailure', deviceModelId: null, documentId: 7, locale: 'en-US' as const },
  ...{ title: 'Ground failure', description: 'Stop charging and call an electrician.' },
};
const answers = {
  readDocumentHome: {
    mostRead: [documentRow({ id: 8, title: 'Cleaning a pile', reads: 12 })],
    recent: [documentRow({ id: 9, title: '清洁充电桩', locale: 'zh-CN' })],
    forAlarms: [{ code: 'GroundFailure', open: 4, document: explained }],
  },
  listCategories: {
    items: [
      category(1, 'Alarms', '告警', { documents: 2 }),
      category(2, 'Manuals', '手册', { documents: 1 }),
      category(3, 'OCPP 1.6', 'OCPP 1.6', { parentId: 1, documents: 5 }),
    ],
  },
};

describe('the document home', () => {
  test('leads from open alarms, reading and categories to documents', async () => {
    const { t, path, server } = await showConsole('/manage/docs/home', {
      answers: { ...answers, listDocuments: sampleList('listDocuments', [documentRow()]) },
    });
    await sees('Cleaning a pile', t('documents:home.reads', { count: 12 }), explained.description);
    await expect
      .element(page.getByRole('link', { name: 'Ground failure' }))
      .toHaveAttribute('href', '/manage/docs/detail/type/100?code=GroundFailure');
    await expect
      .element(page.getByRole('link', { name: t('documents:home.open', { count: 4 }) }))
      .toHaveAttribute('href', '/manage/device/alarms?code=GroundFailure');
    // A title in the other language is marked.
    await sees(page.getByText(t('documents:language.zh-CN'), { exact: true }));
    await expectAccessible();
    // A category counts what is below it.
    await page.getByRole('link', { name: 'Alarms 7' }).click();
    await expect.poll(path).toBe('/manage/docs/home?categoryId=1');
    await expect
      .poll(() => server.sent('listDocuments').at(-1)?.query)
      .toMatchObject({ categoryId: '1', enabled: 'true' });
  });

  test('searches on Enter', async () => {
    const { t, path } = await showConsole('/manage/docs/home', { answers });
    await page.getByRole('searchbox', { name: t('documents:search.label') }).fill('ground');
    expect(path()).toBe('/manage/docs/home');
    await userEvent.keyboard('{Enter}');
    await expect.poll(path).toBe('/manage/docs/search?q=ground');
  });

  test('offers authors to add the first document, and readers nothing that they may not do', async () => {
    const empty = { readDocumentHome: { mostRead: [], recent: [], forAlarms: [] }, listCategories: { items: [] } };
    const { t } = await showConsole('/manage/docs/home', {
      answers: empty,
      user: { root: false, platformVendor: false, keys: ['auth_docs', 'auth_docs_home_list_all'] },
    });
    await sees(t('documents:home.empty'));
    await misses(page.getByRole('link', { name: t('documents:add') }));
    await misses(page.getByRole('searchbox'));
  });

  test.each(['en-US', 'zh-CN'] as const)('fits a phone (%s)', async (locale) => {
    await showConsole('/manage/docs/home', { answers, locale, size: [390, 844] });
    await sees(page.getByRole('link', { name: 'Ground failure' }));
    expect(tooWide()).toEqual([]);
  });
});
