import type { SearchGroup, SearchHit } from '@chargehand/contract';
import { describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessibility.ts';
import { deviceDetail } from '../../testing/devices.ts';
import { misses, sees } from '../../testing/on-screen.ts';
import { showConsole } from '../../testing/show-console.tsx';

const PATH = '/manage/welcome';

function hit(id: number, more: Partial<SearchHit> = {}): SearchHit {
  return {
    id,
    name: `Pile ${id}`,
    code: `SN-${id}`,
    within: ['Quay', 'North'],
    enabled: true,
    status: 'idle',
    ...more,
  };
}

function devices(...items: SearchHit[]): SearchGroup {
  return { kind: 'device', items, more: false };
}

/** The console with the search open. `found` are the groups for a text. */
async function openSearch(
  found: (search: string) => SearchGroup[] | Promise<SearchGroup[]> = () => [],
  options: Omit<NonNullable<Parameters<typeof showConsole>[1]>, 'answers'> = {},
) {
  const stage = await showConsole(PATH, {
    ...options,
    answers: {
      search: async ({ query }) => ({ groups: await found(query.search ?? '') }),
      readDevice: deviceDetail(),
    },
  });
  await sees(page.getByRole('heading', { level: 1 }));
  await userEvent.keyboard('{Control>}k{/Control}');
  const field = page.getByRole('combobox');
  await expect.element(field).toHaveFocus();
  const lines = () => [...document.querySelectorAll('dialog [role=option]')];
  return {
    ...stage,
    field,
    shown: () => lines().map((one) => one.firstElementChild?.firstElementChild?.textContent),
    chosen: () => lines().find((one) => one.getAttribute('aria-selected') === 'true')?.textContent ?? '',
    searches: () => stage.server.sent('search').map(({ query }) => query.search),
  };
}

describe('the keyboard', () => {
  test('arrows choose, Enter opens the page, and it is remembered', async () => {
    const { field, shown, chosen, path, t } = await openSearch(() => [devices(hit(6), hit(7))]);
    await field.fill('pile');
    await expect.poll(shown).toEqual(['Pile 6', 'Pile 7']);
    expect(chosen()).toContain('Pile 6');
    await userEvent.keyboard('{ArrowDown}');
    expect(chosen()).toContain('Pile 7');
    await userEvent.keyboard('{ArrowDown}{ArrowUp}');
    const active = (field.element() as HTMLElement).getAttribute('aria-activedescendant');
    expect(document.getElementById(active ?? '')?.textContent).toContain('Pile 7');
    await userEvent.keyboard('{Enter}');
    await expect.poll(path).toBe('/manage/device/detail/7');
    await misses(page.getByRole('combobox', { name: t('search:title') }));
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.poll(() => shown().at(-1)).toBe('Pile 7');
    await sees(page.getByText(t('search:groups.recent')));
  });

  test('Ctrl+Enter opens a new tab and keeps the search open', async () => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null);
    const { field, shown, path } = await openSearch(() => [devices(hit(7))]);
    await field.fill('pile');
    await expect.poll(shown).toEqual(['Pile 7']);
    await userEvent.keyboard('{Control>}{Enter}{/Control}');
    expect(opened.mock.calls).toEqual([['/manage/device/detail/7', '_blank', 'noopener']]);
    expect(path()).toBe(PATH);
    await expect.element(field).toHaveFocus();
    opened.mockRestore();
  });

  test('Escape closes it and the focus returns', async () => {
    const stage = await showConsole(PATH);
    await sees(page.getByRole('heading', { level: 1 }));
    const button = stage.button('common:shell.search');
    await button.click();
    await expect.element(page.getByRole('combobox')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await misses(page.getByRole('combobox'));
    await expect.element(button).toHaveFocus();
  });

  test('Enter right after typing opens the result of that text', async () => {
    const { field, path } = await openSearch((search) => [devices(hit(search === 'sn-7' ? 7 : 6))]);
    await field.fill('sn-7');
    await userEvent.keyboard('{Enter}');
    await expect.poll(path).toBe('/manage/device/detail/7');
  });

  test('while Chinese characters are composed, nothing is searched and Enter opens nothing', async () => {
    const { field, shown, searches, path } = await openSearch(() => [devices(hit(7))]);
    await field.fill('pile');
    await expect.poll(shown).toEqual(['Pile 7']);
    const input = field.element() as HTMLInputElement;
    input.dispatchEvent(new CompositionEvent('compositionstart', { bubbles: true }));
    await field.fill('shenz');
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true }));
    await field.fill('深圳');
    expect(searches()).toEqual(['pile']);
    expect(path()).toBe(PATH);
    input.dispatchEvent(new CompositionEvent('compositionend', { bubbles: true }));
    await expect.poll(searches).toEqual(['pile', '深圳']);
    expect(path()).toBe(PATH);
  });
});

describe('results', () => {
  test('an old answer never replaces a newer one', async () => {
    const answers = new Map<string, (groups: SearchGroup[]) => void>();
    const { field, shown } = await openSearch((search) => new Promise((resolve) => answers.set(search, resolve)));
    await field.fill('old');
    await expect.poll(() => answers.has('old')).toBe(true);
    await field.fill('new');
    await expect.poll(() => answers.has('new')).toBe(true);
    answers.get('new')?.([devices(hit(2))]);
    await expect.poll(shown).toEqual(['Pile 2']);
    answers.get('old')?.([devices(hit(1))]);
    await new Promise(requestAnimationFrame);
    expect(shown()).toEqual(['Pile 2']);
  });

  test('tell what they are, and lead to the list when there are more', async () => {
    const off = hit(3, { name: 'Mandy', code: 'mandy', within: ['North'], status: null, enabled: false });
    const { field, t, shown, path } = await openSearch(() => [
      { ...devices(hit(1)), more: true },
      { kind: 'user', items: [off], more: false },
    ]);
    await field.fill('quay');
    await sees('SN-1', 'Quay · North', t('common:deviceStatus.idle'), t('search:disabled'), t('search:groups.user'));
    expect(shown()).toEqual(['Pile 1', t('search:all.device'), 'Mandy']);
    await page.getByText(t('search:all.device')).click();
    await expect.poll(path).toMatch(/^\/manage\/device\/list\?search=quay/);
  });

  test('a document opens at the heading, in the language in which it was found', async () => {
    const grounding = { name: '接地故障', code: '', within: ['处理'], status: null };
    const section = { locale: 'zh-CN' as const, anchor: '处理' };
    const { field, t, shown, path } = await openSearch(() => [
      { kind: 'document', items: [hit(7, { ...grounding, section })], more: true },
    ]);
    await field.fill('jiedi');
    await sees(t('search:groups.document'), '处理');
    expect(shown()).toEqual(['接地故障', t('search:all.document')]);
    await userEvent.keyboard('{Enter}');
    await expect.poll(path).toBe('/manage/docs/detail/7?locale=zh-CN');
    expect(decodeURIComponent(location.hash)).toBe('#处理');
    await userEvent.keyboard('{Control>}k{/Control}');
    await page.getByRole('combobox').fill('jiedi');
    await page.getByText(t('search:all.document')).click();
    await expect.poll(path).toBe('/manage/docs/search?q=jiedi');
  });

  test('none, and a server that does not answer, are different', async () => {
    const { field, t, server, shown } = await openSearch();
    await field.fill('zzz');
    await sees(t('search:none', { text: 'zzz' }));
    server.away = true;
    await field.fill('sites');
    await sees(t('search:failed'));
    expect(shown()).toContain(t('routes:siteList'));
    server.away = false;
    await page.getByRole('button', { name: t('search:retry') }).click();
    await misses(page.getByText(t('search:failed')));
  });
});

describe('pages and commands', () => {
  test.each(['zdlb', 'zhandian', '站点列表', 'site list'])('%s finds the site list', async (text) => {
    const { field, shown, t } = await openSearch();
    await field.fill(text);
    await expect.poll(shown).toContain(t('routes:siteList'));
  });

  test('only pages that the user may open', async () => {
    const { field, shown, t } = await openSearch(() => [], {
      user: { root: false, keys: ['auth_device', 'auth_device_list'] },
    });
    await field.fill('list');
    await expect.poll(shown).toEqual([t('routes:deviceList')]);
  });

  test('a command on a device opens the device with the command', async () => {
    const { field, shown, path, searches, t } = await openSearch(() => [devices(hit(7))]);
    await field.fill('restart');
    await sees(t('search:which', { command: t('search:command.restart') }));
    await field.fill('restart sn-7');
    const title = t('search:onDevice', { command: t('search:command.restart'), name: 'Pile 7' });
    await expect.poll(shown).toEqual([title, 'Pile 7']);
    expect(searches()).toEqual(['sn-7']);
    await userEvent.keyboard('{Enter}');
    await expect.poll(path).toBe('/manage/device/detail/7?command=softReset');
  });

  test('commands on the device that is open come first, under the names of its page', async () => {
    const stage = await showConsole('/manage/device/detail/7', { answers: { readDevice: deviceDetail() } });
    const { t, path } = stage;
    await sees(page.getByRole('heading', { level: 1, name: 'Pile 7' }));
    await userEvent.keyboard('{Control>}k{/Control}');
    const reset = t('search:onDevice', { command: t('operations:kinds.softReset.do'), name: 'Pile 7' });
    await page.getByRole('option', { name: reset }).click();
    await expect.poll(path).toBe('/manage/device/detail/7?command=softReset');
  });

  test('a command for several devices opens the list, which explains how to select them', async () => {
    const { field, shown, path, t } = await openSearch();
    const title = t('search:command.controlSeveral');
    await field.fill('several devices');
    await expect.poll(shown).toEqual([title]);
    await userEvent.keyboard('{Enter}');
    await expect.poll(path).toBe('/manage/device/list');
    await sees(t('common:list.chooseFirst', { action: t('fleet:bulk.control') }));
  });

  test.each(['批量控制', 'bulk', 'piliang'])('%s finds it, too', async (text) => {
    const { field, shown, t } = await openSearch();
    await field.fill(text);
    await expect.poll(shown).toContain(t('search:command.controlSeveral'));
  });

  test('users who may only read are not offered commands for several devices', async () => {
    const { field, t } = await openSearch(() => [], { user: { readOnly: true } });
    await field.fill('several devices');
    await sees(t('search:none', { text: 'several devices' }));
  });

  test('users without control of devices are not offered commands on them', async () => {
    const { field, shown, searches } = await openSearch(() => [devices(hit(7))], {
      user: { root: false, level: 5 },
    });
    await field.fill('restart sn-7');
    await expect.poll(searches).toEqual(['restart sn-7']);
    await expect.poll(shown).toEqual(['Pile 7']);
  });
});

test.each(['en-US', 'zh-CN'] as const)('is accessible, and fits a phone (%s)', async (locale) => {
  const long = hit(8, { name: '深圳南山科技园地下停车场二期'.repeat(2), code: 'CN-44-0305-000000000000000042' });
  const { field, shown } = await openSearch(() => [devices(hit(7), long)], { locale, size: [390, 844] });
  await field.fill('pile');
  await expect.poll(() => shown().length).toBe(2);
  const dialog = document.querySelector('dialog');
  expect(dialog?.getBoundingClientRect().width).toBe(390);
  for (const box of dialog?.querySelectorAll('*') ?? []) {
    if (getComputedStyle(box).position !== 'absolute')
      expect(box.getBoundingClientRect().right).toBeLessThanOrEqual(390);
  }
  await expectAccessible();
});
