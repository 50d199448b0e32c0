import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { category, documentRow, translations } from '../../../testing/documents.ts';
import { misses, option, pick, rowWith, sees, tooWide } from '../../../testing/on-screen.ts';
import { sampleList } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';

const categories = { items: [category(1, 'Alarms', '告警'), category(3, 'OCPP 1.6', 'OCPP 1.6', { parentId: 1 })] };
const rows = [
  documentRow({ categoryId: 3, type: 100, translations: translations('current', 'missing') }),
  documentRow({
    id: 8,
    name: 'cleaning',
    title: 'Cleaning',
    enabled: false,
    translations: translations('outdated', 'current'),
  }),
];
const answers = { listDocuments: sampleList('listDocuments', rows), listCategories: categories };

describe('the list of documents', () => {
  test('shows missing and outdated translations, and filters by them', async () => {
    const { t, server } = await showConsole('/manage/docs/list', { answers });
    const language = (key: string) => t(`documents:language.${key}`);
    await sees(
      rowWith('Ground failure').getByText(t('documents:translation.missingOf', { language: language('zh-CN') })),
    );
    await sees(rowWith('Cleaning').getByText(t('documents:translation.outdatedOf', { language: language('en-US') })));
    await sees(rowWith('Ground failure').getByText('OCPP 1.6', { exact: true }));
    await sees(rowWith('Cleaning').getByText(t('documents:disabled')));
    await expectAccessible();
    await pick(t('documents:list.language'), t('documents:translation.missing'));
    await pick(t('documents:category.label'), 'Alarms / OCPP 1.6');
    await expect
      .poll(() => server.sent('listDocuments').at(-1)?.query)
      .toMatchObject({ translation: 'missing', categoryId: '3' });
  });

  test('disables several documents, and lists those that could not be changed', async () => {
    const { t, server, dialog } = await showConsole('/manage/docs/list', {
      answers: {
        ...answers,
        disableDocuments: ({ input }) => ({
          results: input.body.ids.map((id) =>
            id === 7 ? { id, code: 0, message: '' } : { id, code: 20013, message: 'No' },
          ),
        }),
      },
    });
    for (const name of ['Ground failure', 'Cleaning']) await rowWith(name).getByRole('checkbox').click();
    await page.getByRole('button', { name: t('documents:bulk.disable'), exact: true }).click();
    await sees(t('documents:bulk.disableText'));
    await dialog.getByRole('button', { name: t('documents:bulk.disable'), exact: true }).click();
    await sees(dialog.getByText('No', { exact: true }));
    expect(server.sent('disableDocuments')[0]?.body).toEqual({ ids: [7, 8] });
  });

  test('has the codes without a document, most frequent first, for authors', async () => {
    const { t, path } = await showConsole('/manage/docs/list', {
      answers: {
        ...answers,
        listUnexplainedCodes: { items: [{ code: 'E42', alarms: 90, devices: 3 }], total: 1 },
      },
    });
    await page.getByRole('tab', { name: t('documents:missing.title') }).click();
    await expect.poll(path).toBe('/manage/docs/list?tab=missing');
    await sees(rowWith('E42').getByText(t('documents:missing.alarms', { count: 90 })));
    await expect
      .element(page.getByRole('link', { name: t('documents:missing.write') }))
      .toHaveAttribute('href', '/manage/docs/add?type=100&code=E42');
  });

  test('offers a reader of the list no changes', async () => {
    const { t } = await showConsole('/manage/docs/list', {
      answers,
      user: { root: false, platformVendor: false, readOnly: true, keys: ['auth_docs', 'auth_docs_list'] },
    });
    await sees('Ground failure');
    for (const key of ['add', 'import.open']) await misses(page.getByText(t(`documents:${key}`), { exact: true }));
    await misses(page.getByRole('checkbox'));
  });

  test.each(['en-US', 'zh-CN'] as const)('fits a phone (%s)', async (locale) => {
    await showConsole('/manage/docs/list', { answers, locale, size: [390, 844] });
    await sees('Ground failure');
    expect(tooWide()).toEqual([]);
  });
});

describe('the import', () => {
  const zip = new File(['PK'], 'documents.zip', { type: 'application/zip' });
  const choose = (file: File) => {
    const input = document.querySelector<HTMLInputElement>('input[type=file]')!;
    const files = new DataTransfer();
    files.items.add(file);
    input.files = files.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
  };

  test('shows what it would do, and imports only then', async () => {
    const { t, server, dialog } = await showConsole('/manage/docs/list', {
      answers: {
        ...answers,
        importDocuments: {
          ...{ created: 2, changed: 1, unchanged: 3, problems: [{ file: 'x.md', message: 'No title' }] },
          ...{ files: 2, leftOut: [{ file: 'y.md', line: 12, message: 'images/a.png is missing' }] },
        },
      },
    });
    await page.getByRole('button', { name: t('documents:import.open') }).click();
    const ok = dialog.getByRole('button', { name: t('documents:import.ok'), exact: true });
    await expect.element(ok).toBeDisabled();
    choose(zip);
    await sees('documents.zip');
    expect(server.sent('importDocuments')).toEqual([]);
    await dialog.getByRole('combobox', { name: t('documents:import.category') }).click();
    await option('Alarms').click();
    await sees(page.getByText(t('documents:import.created', { count: 2 }), { exact: false }), 'x.md', 'No title');
    await sees(page.getByText(t('documents:import.files', { count: 2 }), { exact: false }));
    await sees(t('documents:import.line', { file: 'y.md', line: 12 }));
    await sees('images/a.png is missing');
    await expectAccessible();
    await ok.click();
    await sees(t('documents:import.done', { created: 2, changed: 1 }));
    expect(server.sent('importDocuments').map(({ body }) => body)).toEqual([
      { content: btoa('PK'), categoryId: 1, dryRun: true },
      { content: btoa('PK'), categoryId: 1 },
    ]);
  });

  test('refuses a file that is not an archive before it is read', async () => {
    const { t, server } = await showConsole('/manage/docs/list', { answers });
    await page.getByRole('button', { name: t('documents:import.open') }).click();
    await sees(t('documents:import.text'));
    choose(new File(['#'], 'document.md'));
    await sees(t('documents:import.notZip'));
    expect(server.sent('importDocuments')).toEqual([]);
  });
});
