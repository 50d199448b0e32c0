import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessibility.ts';
import { sees, tooWide } from '../../testing/on-screen.ts';
import { showConsole } from '../../testing/show-console.tsx';

const AT = '2026-01-10T12:00:00Z';
const region = (nameEn: string, nameZh: string, more: { enabled?: boolean; parent?: string } = {}) => ({
  ...{ nameEn, nameZh, enabled: true, position: 0 },
  ...more,
});
const none = { change: 0, changedAt: null, changedBy: null };
const rows = [
  {
    ...{ code: 'CN', ...region('China', '中国'), byDefault: region('China', '中国'), changed: false, ...none },
    ...{ level: 'country' as const, parentName: '' },
  },
  {
    ...{ code: 'CN-X1', ...region('Harbour City', '海港城', { enabled: false, parent: '440000' }), byDefault: null },
    ...{ changed: true, change: 8, changedAt: AT, changedBy: 'ada' },
    ...{ level: 'city' as const, parentName: 'China · Guangdong' },
  },
];
const guangdong = { code: '440000', en: 'Guangdong', zh: '广东省', cities: [] };
const answers = {
  listRegionEntries: { items: rows, total: 45 },
  listRegions: [{ code: 'CN', en: 'China', zh: '中国', provinces: [guangdong] }],
  listDictionaryChanges: { items: [], more: false },
  readDictionaryUses: {
    items: [
      { kind: 'sites' as const, count: 2 },
      { kind: 'regions' as const, count: 1 },
    ],
  },
  createDictionaryEntry: null,
};
const PATH = '/manage/system/dictionary?tab=regions';

test.each([
  ['en-US', [1280, 800]],
  ['zh-CN', [390, 844]],
] as const)('in %s, regions show their level and what they are part of (%j)', async (locale, size) => {
  const { t } = await showConsole(PATH, { locale, size: [...size], answers });
  await sees('CN-X1', t('dictionary:states.added'), t('dictionary:states.off'));
  await expect
    .poll(() => document.querySelector('main')?.textContent)
    .toEqual(expect.stringContaining('China · Guangdong'));
  expect(document.querySelector('main')?.textContent).toContain(t('dictionary:levels.city'));
  expect(document.querySelector('main')?.textContent).not.toMatch(/\{\{|states\.|hints\.|levels\./);
  expect(tooWide()).toEqual([]);
  await expectAccessible();
});

test('the server searches, filters and pages; a search starts at the first page', async () => {
  const { t, server } = await showConsole(PATH, { answers });
  const last = () => server.sent('listRegionEntries').at(-1)?.query;
  await page.getByRole('button', { name: '3', exact: true }).click();
  await expect.poll(last).toEqual({ page: '3', pageSize: '20' });
  await page.getByRole('searchbox', { name: t('dictionary:search') }).fill('harbour');
  await expect.poll(last).toEqual({ page: '1', pageSize: '20', search: 'harbour' });
  await page.getByLabelText(t('dictionary:onlyChanged')).click();
  await expect.poll(last).toEqual({ page: '1', pageSize: '20', search: 'harbour', changed: 'true' });
});

test('a new region is part of the chosen country or province', async () => {
  const { t, dialog, server } = await showConsole(PATH, { answers });
  await sees('CN-X1');
  await page.getByRole('button', { name: t('dictionary:add'), exact: true }).click();
  await dialog.getByLabelText(t('dictionary:parent')).click();
  await userEvent.keyboard('guang');
  await expect.poll(() => document.querySelector('.ant-cascader-menu-item')?.textContent).toContain('Guangdong');
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await dialog.getByLabelText(t('dictionary:code')).fill('CN-X2');
  await dialog.getByLabelText(t('dictionary:nameEn')).fill('Bay');
  await dialog.getByLabelText(t('dictionary:nameZh')).fill('湾区');
  await expectAccessible();
  await dialog.getByRole('button', { name: t('dictionary:add'), exact: true }).click();
  await sees(t('dictionary:saved', { code: 'CN-X2' }));
  expect(server.sent('createDictionaryEntry')[0]).toMatchObject({
    params: { dictionary: 'regions' },
    body: { code: 'CN-X2', nameEn: 'Bay', nameZh: '湾区', parent: '440000' },
  });
});

test('a region that places or other regions use is not removed', async () => {
  const { t, button, dialog } = await showConsole(PATH, { answers });
  await button('dictionary:removeOf', { code: 'CN-X1' }).click();
  await sees(dialog.getByText(t('dictionary:uses.sites', { count: 2 })));
  await sees(dialog.getByText(t('dictionary:uses.regions', { count: 1 })));
  await expect.element(dialog.getByRole('button', { name: t('dictionary:remove'), exact: true })).toBeDisabled();
});
