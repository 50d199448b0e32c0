import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
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
