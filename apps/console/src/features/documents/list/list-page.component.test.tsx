import { unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { category, documentRow, translations } from '../../../testing/documents.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
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
    await expect
      .element(page.getByRole('link', { name: 'E42', exact: true }))
      .toHaveAttribute('href', '/manage/docs/detail/type/100?code=E42');
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

test('an export says on the page which files are left out, and why', async () => {
  const leftOut = {
    documentId: 5,
    locale: 'zh-CN' as const,
    title: 'Wiring',
    name: 'plan.pdf',
    message: 'No permission',
  };
  const check = { documents: 2, files: 4, bytes: 900, leftOutFiles: 1, leftOut: [leftOut] };
  const { t, server, dialog } = await showConsole('/manage/docs/list', {
    answers: { ...answers, checkDocumentExport: check, exportDocuments: null },
  });
  await page.getByRole('button', { name: t('common:list.export') }).click();
  await sees(dialog.getByText(t('documents:export.leftOut', { count: 1 })));
  await sees(dialog.getByText('plan.pdf', { exact: false }), dialog.getByText('No permission'));
  await expect.poll(() => server.sent('exportDocuments').length).toBe(1);
  await expectAccessible();
  await dialog
    .getByRole('button', { name: t('common:close') })
    .last()
    .click();
  await misses(dialog);
});

/** The names in an archive that was sent. */
function namesIn(body: unknown): string[] {
  const { content = '' } = (body ?? {}) as { content?: string };
  return Object.keys(unzipSync(Uint8Array.from(atob(content), (one) => one.charCodeAt(0)))).sort();
}

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
        importDocuments: ({ input: { body } }) => ({
          ...{ created: 2, changed: 1, unchanged: 3, problems: [{ file: 'x.md', message: 'No title' }] },
          ...{ files: 2, leftOut: [{ file: 'y.md', line: 12, message: 'images/a.png is missing' }] },
          ...{ withoutLocale: body.locale ? 0 : 1, unused: ['list.csv'] },
          texts: [
            { file: 'y.md', title: 'Relay', state: 'created', documentId: body.dryRun ? null : 9 },
            { file: 'z.md', title: 'Fan', state: 'unchanged', documentId: body.dryRun ? null : 10 },
          ],
        }),
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
    await sees('images/a.png is missing', 'z.md');
    await sees(t('documents:import.unused', { count: 1 }));
    await dialog.getByRole('combobox', { name: t('documents:import.locale') }).click();
    await option(t('documents:language.zh-CN')).click();
    await expect
      .poll(() => server.sent('importDocuments').at(-1)?.body)
      .toMatchObject({ locale: 'zh-CN', dryRun: true });
    await misses(dialog.getByRole('link', { name: 'Relay' }));
    await expectAccessible();
    await ok.click();
    await sees(t('documents:import.done', { created: 2, changed: 1 }), 'No title');
    const result = dialog.getByRole('list', { name: t('documents:import.each') });
    await expect.element(result.getByRole('link', { name: 'Relay' })).toHaveAttribute('href', '/manage/docs/detail/9');
    await sees(result.getByText(t('documents:import.state.created'), { exact: false }));
    await misses(ok);
    expect(server.sent('importDocuments').map(({ body }) => body)).toEqual([
      { content: btoa('PK'), categoryId: 1, customerId: null, dryRun: true },
      { content: btoa('PK'), categoryId: 1, customerId: null, locale: 'zh-CN', dryRun: true },
      { content: btoa('PK'), categoryId: 1, customerId: null, locale: 'zh-CN' },
    ]);
  });

  test.each(LANGUAGES)('takes a folder that is chosen or dropped, without a zip (%s)', async (locale) => {
    const nothing = {
      created: 1,
      changed: 0,
      unchanged: 0,
      texts: [],
      problems: [],
      files: 1,
      leftOut: [],
      withoutLocale: 0,
      unused: [],
    };
    const { t, server, dialog } = await showConsole('/manage/docs/list?categoryId=1', {
      ...{ locale, size: [390, 844] },
      answers: { ...answers, importDocuments: nothing },
    });
    await page.getByRole('button', { name: t('documents:import.open') }).click();
    await sees(t('documents:import.text'));
    const folder = new DataTransfer();
    folder.items.add(new File(['# Title\n\n![](a.png)'], 'Relay.en-US.md'));
    folder.items.add(new File(['picture'], 'a.png'));
    const input = document.querySelector<HTMLInputElement>('input[webkitdirectory]')!;
    input.files = folder.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await sees(page.getByText(t('documents:import.created', { count: 1 }), { exact: false }));
    expect(namesIn(server.sent('importDocuments').at(-1)?.body)).toEqual(['Relay.en-US.md', 'a.png']);

    const dropped = new DataTransfer();
    dropped.items.add(new File(['# Other'], 'Other.en-US.md'));
    const drop = new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: dropped });
    dialog.getByText(t('documents:import.text')).element().dispatchEvent(drop);
    await expect.poll(() => namesIn(server.sent('importDocuments').at(-1)?.body)).toEqual(['Other.en-US.md']);
    expect(tooWide()).toEqual([]);
    await expectAccessible();
  });

  test('refuses a file that is not an archive before it is read', async () => {
    const { t, server } = await showConsole('/manage/docs/list', { answers });
    await page.getByRole('button', { name: t('documents:import.open') }).click();
    await sees(t('documents:import.text'));
    choose(new File(['#'], 'document.txt'));
    await sees(t('documents:import.notZip'));
    expect(server.sent('importDocuments')).toEqual([]);
  });
});
