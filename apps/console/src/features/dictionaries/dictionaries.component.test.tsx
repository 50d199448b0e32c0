import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Answer } from '../../shared/api/client.ts';
import { expectAccessible } from '../../testing/accessibility.ts';
import { sees, tooWide } from '../../testing/on-screen.ts';
import { showConsole } from '../../testing/show-console.tsx';
import { Refused } from '../../testing/stub-server.ts';

const AT = '2026-01-10T12:00:00Z';
const none = { change: 0, changedAt: null, changedBy: null };
const value = (nameEn: string, nameZh: string, more: { enabled?: boolean; position?: number } = {}) => ({
  ...{ nameEn, nameZh, enabled: true, position: 10 },
  ...more,
});
const rows = [
  { code: 'wear', ...value('Wear', '磨损老化'), byDefault: value('Wear', '磨损老化'), changed: false, ...none },
  {
    ...{ code: 'power', ...value('Grid', '电网', { enabled: false }), byDefault: value('Power supply', '供电') },
    ...{ changed: true, change: 7, changedAt: AT, changedBy: 'ada' },
  },
  {
    ...{ code: 'water', ...value('Water', '进水'), byDefault: null },
    ...{ changed: true, change: 8, changedAt: AT, changedBy: 'ada' },
  },
];
const change = {
  ...{ id: 7, code: 'power', at: AT, by: 'ada', action: 'edit' as const, undoes: null, undoable: true },
  ...{ before: null, after: value('Grid', '电网', { enabled: false, position: 60 }) },
  byDefault: value('Power supply', '供电'),
};
const answers = {
  listDictionary: { items: rows },
  listDictionaryChanges: { items: [change, { ...change, id: 6, undoable: false }], more: false },
  readDictionaryUses: { items: [{ kind: 'issues' as const, count: 3 }] },
  updateDictionaryEntry: null,
  createDictionaryEntry: null,
  removeDictionaryEntry: null,
  undoDictionaryChange: null,
};
const PATH = '/manage/system/dictionary?tab=causes';

test.each([
  ['en-US', [1280, 800]],
  ['zh-CN', [390, 844]],
] as const)('in %s, entries show their state, are searched and filtered (%j)', async (locale, size) => {
  const { t } = await showConsole(PATH, { locale, size: [...size], answers });
  await sees('water', t('dictionary:states.added'), t('dictionary:states.off'), t('dictionary:states.shipped'));
  await page.getByLabelText(t('dictionary:onlyChanged')).click();
  await expect.element(page.getByText('wear', { exact: true })).not.toBeInTheDocument();
  await page.getByRole('searchbox', { name: t('dictionary:search') }).fill('进水');
  await expect.element(page.getByText('power', { exact: true })).not.toBeInTheDocument();
  await sees('water');
  expect(document.querySelector('main')?.textContent).not.toMatch(/\{\{|states\.|hints\./);
  expect(tooWide()).toEqual([]);
  await expectAccessible();
});

test('an entry is changed with the change that its editor saw; a refusal is shown in the dialog', async () => {
  const update = () => {
    throw new Refused('dictionaryChanged', { user: 'bob' });
  };
  const { t, button, dialog, server } = await showConsole(PATH, {
    answers: { ...answers, updateDictionaryEntry: update },
  });
  await button('dictionary:editOf', { code: 'power' }).click();
  await sees(dialog.getByText(t('dictionary:shippedName', { name: 'Power supply' })));
  await dialog.getByLabelText(t('dictionary:nameEn')).fill('Mains');
  await dialog.getByLabelText(t('dictionary:enabled')).click();
  await button('common:save').click();
  await sees(dialog.getByText(/bob/));
  const names = { code: 'power', nameEn: 'Mains', nameZh: '电网' };
  expect(server.sent('updateDictionaryEntry')[0]?.body).toEqual({ ...names, position: 10, enabled: true, change: 7 });
  await expectAccessible();
});

test('a new entry needs a code and both names', async () => {
  const { t, dialog, server } = await showConsole(PATH, { answers });
  await page.getByRole('button', { name: t('dictionary:add'), exact: true }).click();
  const ok = dialog.getByRole('button', { name: t('dictionary:add'), exact: true });
  await dialog.getByLabelText(t('dictionary:code')).fill('rust');
  await dialog.getByLabelText(t('dictionary:nameEn')).fill('Rust');
  await expect.element(ok).toBeDisabled();
  await dialog.getByLabelText(t('dictionary:nameZh')).fill('锈蚀');
  await ok.click();
  await sees(t('dictionary:saved', { code: 'rust' }));
  expect(server.sent('createDictionaryEntry')[0]).toMatchObject({
    ...{ params: { dictionary: 'causes' }, body: { code: 'rust', nameEn: 'Rust', nameZh: '锈蚀' } },
  });
});

test('an entry that is used is not removed, and a shipped one gets its default', async () => {
  const { t, button, dialog, server } = await showConsole(PATH, { answers });
  await button('dictionary:removeOf', { code: 'water' }).click();
  await sees(dialog.getByText(t('dictionary:uses.issues', { count: 3 })));
  await expect.element(dialog.getByRole('button', { name: t('dictionary:remove'), exact: true })).toBeDisabled();
  await expectAccessible();
  await dialog.getByRole('button', { name: t('common:cancel') }).click();
  await button('dictionary:resetOf', { code: 'power' }).click();
  await sees(dialog.getByText(t('dictionary:resetText', { en: 'Power supply', zh: '供电' })));
  await dialog.getByRole('button', { name: t('dictionary:reset'), exact: true }).click();
  await sees(t('dictionary:resetDone', { code: 'power' }));
  expect(server.sent('removeDictionaryEntry')[0]?.query).toEqual({ code: 'power', change: '7' });
});

test('the history shows what changed, and only the last change can be undone', async () => {
  const { t, button, dialog, server } = await showConsole(PATH, { answers });
  await button('dictionary:historyOf', { code: 'power' }).click();
  const [before, after] = ['Power supply', 'Grid'];
  await sees(dialog.getByText(t('dictionary:valueChange', { field: t('dictionary:nameEn'), before, after })).first());
  expect(dialog.getByText(t('dictionary:undo'), { exact: true }).all()).toHaveLength(1);
  await expectAccessible();
  await dialog.getByRole('button', { name: /power/ }).click();
  await sees(t('dictionary:undone', { code: 'power' }));
  expect(server.sent('undoDictionaryChange')[0]?.params).toEqual({ id: '7' });
});

test.each([
  ['en-US', [1280, 800]],
  ['zh-CN', [390, 844]],
] as const)(
  'in %s, a file is imported after its preview, again when somebody was faster (%j)',
  async (locale, size) => {
    const before = value('Grid', '电网');
    const base = { before, after: value('Mains', '电网'), problems: [] as string[] };
    const fault = { row: 4, code: 'wear', result: 'fault' as const, before, after: null, problems: ['Enter a name'] };
    const added = { ...base, row: 3, code: 'rain', result: 'add' as const, before: null, after: value('Rain', '雨水') };
    const good = [{ ...base, row: 2, code: 'power', result: 'change' as const }, added];
    const counts = { added: 1, changed: 1, unchanged: 3 };
    let faulty = 1;
    let change = 8;
    const { t, button, dialog, server } = await showConsole(PATH, {
      locale,
      size: [...size],
      answers: {
        ...answers,
        exportDictionary: new Response('', { headers: { 'content-type': 'application/octet-stream' } }),
        importDictionary: ({ input }): Answer<'importDictionary'> => {
          if (input.body.dryRun) return { ...counts, faulty, change, rows: faulty > 0 ? [...good, fault] : good };
          if (input.body.change === change && change > 8) return { ...counts, faulty: 0, change: 11, rows: [] };
          change = 9;
          throw new Refused('dictionaryImportChanged', { user: 'bob' });
        },
      },
    });
    await button('common:list.export').click();
    await expect.poll(() => server.sent('exportDictionary').length).toBe(1);
    await button('dictionary:import.open').click();
    const choose = (name: string) =>
      page.elementLocator(document.querySelector('input[type=file]')!).upload(new File(['[]'], name));
    const ok = dialog.getByRole('button', { name: t('dictionary:import.ok'), exact: true });
    await choose('names.csv');
    await sees(dialog.getByText(t('dictionary:import.unsupported')));
    expect(server.sent('importDictionary')).toEqual([]);

    await choose('names.xlsx');
    await sees(
      dialog.getByText('Enter a name'),
      dialog.getByText(t('dictionary:import.counts', { ...counts, faulty })),
    );
    await expect.element(ok).toBeDisabled();
    await expect.element(dialog.getByText('rain', { exact: true })).not.toBeInTheDocument();
    await dialog.getByText(t('dictionary:import.onlyFaulty')).click();
    await sees(dialog.getByText('rain', { exact: true }));
    expect(tooWide()).toEqual([]);
    await expectAccessible();

    faulty = 0;
    await choose('names.xlsx');
    const renamed = { field: t('dictionary:nameEn'), before: 'Grid', after: 'Mains' };
    await sees(dialog.getByText(t('dictionary:valueChange', renamed)), dialog.getByText('Rain · 雨水'));
    await ok.click();
    await sees(dialog.getByText(/bob/));
    await expect.element(ok).toBeEnabled();
    await ok.click();
    await sees(t('dictionary:import.done', counts));
    const sent = server.sent('importDictionary').map(({ body }) => body as { dryRun: boolean; change?: number });
    expect(sent.map(({ dryRun, change: seen }) => [dryRun, seen])).toEqual([
      ...[
        [true, undefined],
        [true, undefined],
      ],
      ...[
        [false, 8],
        [true, undefined],
        [false, 9],
      ],
    ]);
  },
);
