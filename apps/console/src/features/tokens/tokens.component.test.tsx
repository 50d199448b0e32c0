import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessibility.ts';
import { pick, sees, tooWide } from '../../testing/on-screen.ts';
import { showConsole } from '../../testing/show-console.tsx';

const AT = '2026-01-10T12:00:00Z';
const token = (id: number, value: string, more: object = {}) => ({
  ...{ id, customerId: 2, customerName: 'Harbour', value, masked: false, type: 'ISO14443' as const, group: null },
  ...{ holder: 'Ada', note: '', validFrom: null, validUntil: null, blockedAt: null, blockedBy: null },
  ...{ concurrent: false, state: 'valid' as const, sites: [], allSites: true, createdAt: AT, createdBy: 'ada' },
  ...{ updatedAt: AT, revision: 'r1', ...more },
});
const list = {
  ...{ deviceId: 7, sn: 'SN-7', deviceName: 'Pile 7', siteId: 3, siteName: 'Quay', customerName: 'Harbour' },
  ...{ connected: true, state: 'equal' as const, version: 4, checksum: 'aaaa', entries: 2, leftOut: 0 },
  ...{ wantedChecksum: 'bbbb', wantedEntries: 3, detail: null, verifiedAt: AT, equalAt: AT, cacheWaits: false },
  mayResend: true,
};
const answers = {
  listTokens: { items: [token(1, '04A2B3C4'), token(2, '04LOST', { state: 'blocked', blockedAt: AT })], total: 2 },
  listDeviceTokenLists: { items: [list], total: 1 },
  changeTokens: { results: [{ id: 1, code: 0, message: '' }] },
};
const PATH = '/manage/token/list';

test.each([
  ['en-US', [1280, 800]],
  ['zh-CN', [390, 844]],
] as const)('in %s, tokens show their state (%j)', async (locale, size) => {
  const { t } = await showConsole(PATH, { locale, size: [...size], answers });
  await sees('04A2B3C4', t('tokens:states.valid'), t('tokens:states.blocked'));
  expect(document.querySelector('main')?.textContent).not.toMatch(/\{\{|states\.|types\./);
  expect(tooWide()).toEqual([]);
  await expectAccessible();
});

test('the search is sent, but is not in the address of the page, because values are personal data', async () => {
  const { t, server } = await showConsole(PATH, { answers });
  await page.getByRole('searchbox', { name: t('tokens:search') }).fill('04A2B3C4');
  await expect.poll(() => server.sent('listTokens').at(-1)?.body).toMatchObject({ search: '04A2B3C4' });
  expect(window.location.href).not.toContain('04A2B3C4');
});

const WAYS = {
  async group({ t }: Shown) {
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: t('tokens:group') })
      .fill('FLEET');
  },
  async validUntil({ t }: Shown) {
    await page
      .getByRole('dialog')
      .getByRole('textbox', { name: t('tokens:validUntil') })
      .fill('2030-01-02 10:00');
    await userEvent.keyboard('{Enter}');
  },
  async sites({ t }: Shown) {
    // The customer of the selected tokens is preselected.
    await sees(page.getByRole('dialog').getByTitle('Harbour'));
    await pick(t('tokens:sites'), 'Quay');
    await userEvent.keyboard('{Escape}');
  },
};
type Shown = Awaited<ReturnType<typeof showConsole>>;

test.each([
  ['group', { tokenGroup: 'FLEET' }],
  ['validUntil', { validUntil: '2030-01-02T02:00:00.000Z' }],
  ['sites', { siteIds: [3] }],
] as const)('of the selected tokens, the %s is changed together', async (change, body) => {
  const places = {
    listCustomers: { items: [{ id: 2, name: 'Harbour', code: 'H' }], total: 1 },
    listSites: { items: [{ id: 3, name: 'Quay', code: 'Q' }], total: 1 },
  } as never;
  const shown = await showConsole(PATH, { answers: Object.assign({}, answers, places) });
  const { t, server } = shown;
  await page.getByRole('row').filter({ hasText: '04A2B3C4' }).getByRole('checkbox').click();
  await page.getByRole('button', { name: t(`tokens:bulk.${change}`), exact: true }).click();
  await WAYS[change](shown);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t(`tokens:bulk.${change}`) })
    .click();
  await expect.poll(() => server.sent('changeTokens').at(-1)?.body).toEqual({ ids: [1], tokenChange: change, ...body });
});

test('without the level, values are hidden, and there is no search and no export', async () => {
  const masked = token(1, '•••B3C4', { masked: true, holder: '•••' });
  const { t } = await showConsole(PATH, { answers: { ...answers, listTokens: { items: [masked], total: 1 } } });
  await sees(t('tokens:maskedHint'), '•••B3C4');
  await expect.element(page.getByRole('searchbox', { name: t('tokens:search') })).not.toBeInTheDocument();
});

test('a list that was equal and has other entries now is not shown as up to date', async () => {
  const { t } = await showConsole(`${PATH}?tab=lists`, { answers });
  await sees('Pile 7', t('tokens:lists.states.behind'));
});
