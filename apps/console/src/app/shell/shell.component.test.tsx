import { LOCALE_COOKIE, messageOf } from '@chargehand/contract';
import { HISTORY_LIMIT } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import { session } from '../../shared/session/session.ts';
import { chooseTheme } from '../../shared/theme/theme.ts';
import { deviceDetail } from '../../testing/devices.ts';
import { LANGUAGES } from '../../testing/languages.ts';
import { misses, sees } from '../../testing/on-screen.ts';
import { sampleList } from '../../testing/sample.ts';
import { atEnd, userInfo } from '../../testing/show.tsx';
import { showConsole } from '../../testing/show-console.tsx';
import { flatRoutes, MANAGE_ROUTES } from '../routes/index.ts';

type Stage = Awaited<ReturnType<typeof showConsole>>;
const nobody = { root: false, platformVendor: false, userName: 'no_menus', keys: [] };
const sidebar = ({ t }: Stage) => page.getByRole('navigation', { name: t('common:shell.navigation') });
const tabs = ({ t }: Stage) => page.getByRole('navigation', { name: t('common:shell.history') });
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const welcome = ({ t }: Stage, name = 'root_user') => heading(t('welcome:title', { name }));

describe('the sidebar', () => {
  test.each(['en-US', 'zh-CN'] as const)('shows root both groups (%s)', async (locale) => {
    const stage = await showConsole('/manage/welcome', { locale });
    const { t } = stage;
    await sees(
      sidebar(stage).getByText(t('common:shell.groupFleet'), { exact: true }),
      sidebar(stage).getByText(t('common:shell.groupAdministration'), { exact: true }),
    );
    const titles = ['home', 'site', 'device', 'role', 'configModel', 'deviceModel', 'logs', 'customer', 'user'];
    const shown = [...document.querySelectorAll('nav .sidebar-entry:not(.sidebar-child)')].map(
      (one) => one.textContent,
    );
    expect(shown).toEqual(titles.map((title) => t(`routes:${title}`)));
  });

  test('hides what the role does not allow', async () => {
    const stage = await showConsole('/manage/welcome', { user: nobody });
    await sees(welcome(stage, 'no_menus'));
    expect(sidebar(stage).getByRole('link').elements()).toEqual([]);
    await misses(sidebar(stage).getByText(stage.t('common:shell.groupAdministration')));
  });

  test('expands the parent of the page, and stays collapsed after a reload', async () => {
    const stage = await showConsole('/manage/config-model/list');
    const groups = sidebar(stage).getByRole('link', { name: stage.t('routes:configModelGroup') });
    await sees(groups);
    await stage.button('common:shell.collapse').click();
    await misses(groups);
    await stage.reload();
    await sees(stage.button('common:shell.expand'));
  });

  test('is a drawer on a narrow screen, which closes on navigation', async () => {
    const stage = await showConsole('/manage/welcome', { size: [390, 844] });
    const { t, button, path } = stage;
    await sees(welcome(stage));
    const devices = sidebar(stage).getByText(t('routes:device'), { exact: true });
    const drawer = () => document.querySelector('.shell')?.getAttribute('data-drawer');
    expect(drawer()).toBe('false');
    await button('common:shell.openMenu').click();
    await devices.click();
    await sidebar(stage)
      .getByRole('link', { name: t('routes:deviceList'), exact: true })
      .click();
    await expect.poll(path).toBe('/manage/device/list');
    await expect.poll(drawer).toBe('false');
    const { scrollWidth, clientWidth } = document.documentElement;
    expect(scrollWidth).toBe(clientWidth);
  });
});

describe('the tabs of visited pages', () => {
  /** Pages to visit. */
  const sites = flatRoutes(MANAGE_ROUTES)
    .filter(({ screen }) => screen !== undefined)
    .map(({ path }) => path)
    .filter((path) => !path.includes(':') && !/home|noauth|device\/|logs/.test(path));

  test('keep Home first and at most twenty pages, also after a reload; those that do not fit are in a menu', async () => {
    // Its values are in the body of a POST request, which has no standard response here.
    const stage = await showConsole('/manage/home', { answers: { listTokens: { items: [], total: 0 } } });
    const kept = () =>
      JSON.parse(sessionStorage.getItem('chargehand.tabs.1') ?? '[]').map(({ path }: { path: string }) => path);
    const shown = () =>
      [...tabs(stage).element().querySelectorAll<HTMLElement>('.history-tab')]
        .filter((tab) => tab.offsetParent !== null)
        .map((tab) => tab.querySelector('a')?.getAttribute('href'));
    const visited = sites.slice(0, HISTORY_LIMIT + 2);
    for (const path of visited) {
      await stage.go(path);
      await expect.poll(kept).toContain(path);
    }
    const expected = ['/manage/home', ...visited.slice(-(HISTORY_LIMIT - 1))];
    expect(kept()).toEqual(expected);
    await expect.poll(() => shown().at(0)).toBe('/manage/home');
    expect(shown().at(-1)).toBe(expected.at(-1));
    expect(shown().length).toBeLessThan(expected.length);
    const strip = tabs(stage).element();
    expect(strip.scrollWidth).toBe(strip.clientWidth);
    await stage.reload();
    await expect.poll(kept).toEqual(expected);
    await expect.poll(() => tabs(stage).query()).not.toBeNull();
    await expect.poll(() => shown().length).toBeLessThan(expected.length);
    // The menu has the others, and the chosen one is shown.
    await tabs(stage)
      .getByRole('button', { name: /\+\d+$/ })
      .click();
    await page.getByRole('menuitem').first().click();
    await expect.poll(stage.path).toBe(expected[1]);
    await expect.poll(() => shown()[1]).toBe(expected[1]);
    await tabs(stage)
      .getByRole('button', { name: /^Close tab/ })
      .first()
      .click();
    await expect.poll(kept).not.toContain(expected[1]);
    await expect.poll(stage.path).toBe(expected[2]);
  });

  test('keep names after a reload, and are cleared on sign-out', async () => {
    const stage = await showConsole('/manage/device/detail/7', {
      answers: { readDevice: deviceDetail(), logout: null },
    });
    const name = tabs(stage).getByText('Pile 7', { exact: true });
    await sees(name);
    await stage.go('/manage/welcome');
    await sees(welcome(stage));
    await stage.reload();
    await sees(welcome(stage), name);
    expect(JSON.stringify(sessionStorage)).toContain('Pile 7');
    await stage.button('common:shell.account', { name: 'root_user' }).click();
    await stage.entry('common:shell.signOut').click();
    await expect.poll(stage.path).toBe('/login');
    expect(JSON.stringify(sessionStorage)).not.toContain('Pile 7');
  });
});

describe('the keyboard', () => {
  test('comes to the search after the skip link, and to the page after a navigation; the visited pages are last', async () => {
    const stage = await showConsole('/manage/device/list', {
      answers: {
        listDevices: sampleList('listDevices', [{ id: 7, sn: 'PILE-7', name: 'Pile 7' }]),
        readDevice: deviceDetail(),
      },
    });
    await sees('Pile 7');
    (document.activeElement as HTMLElement | null)?.blur();
    await userEvent.tab();
    expect(document.activeElement?.textContent).toBe(stage.t('common:shell.skip'));
    await userEvent.tab();
    expect(document.activeElement?.className).toBe('header-search');
    await userEvent.tab({ shift: true });
    await userEvent.keyboard('{Enter}');
    expect(document.activeElement?.getAttribute('data-row-key')).toBe('7');
    const order = (selector: string) => document.querySelector(selector)!;
    const follows = (one: string, other: string) =>
      Boolean(order(one).compareDocumentPosition(order(other)) & Node.DOCUMENT_POSITION_FOLLOWING);
    await expect.poll(() => document.querySelector('.history-tab')).not.toBeNull();
    expect([
      follows('.header', '.sidebar'),
      follows('.sidebar', '#content'),
      follows('#content', '.history-tabs'),
    ]).toEqual([true, true, true]);
    await sidebar(stage)
      .getByRole('link', { name: stage.t('routes:alarms'), exact: true })
      .click();
    await expect.poll(stage.path).toBe('/manage/device/alarms');
    await expect.poll(() => document.activeElement?.id).toBe('content');
    await stage.go('/manage/device/detail/7');
    await sees(heading('Pile 7'));
    let stops = 0;
    do {
      await userEvent.tab();
      stops += 1;
    } while (!document.activeElement?.closest('.headline-actions') && stops < 50);
    expect(stops).toBeLessThanOrEqual(10);
  });
});

describe('language and theme', () => {
  test('are chosen in the header, and saved here and to the account', async () => {
    atEnd(() => chooseTheme('system'));
    const { button, server, reload } = await showConsole('/manage/welcome', { answers: { setPreferences: null } });
    const light = getComputedStyle(document.documentElement).backgroundColor;
    await button('common:shell.language').click();
    await page.getByRole('menuitem', { name: '简体中文' }).click();
    await sees(page.getByText('欢迎使用', { exact: false }).first());
    expect(document.cookie).toContain(`${LOCALE_COOKIE}=zh-CN`);
    await page.getByRole('button', { name: '主题', exact: true }).click();
    await page.getByRole('menuitem', { name: '深色' }).click();
    await expect.poll(() => document.documentElement.dataset.theme).toBe('dark');
    expect(localStorage.getItem('chargehand.theme')).toBe('dark');
    const background = () => getComputedStyle(document.documentElement).backgroundColor;
    expect(background()).not.toBe(light);
    await reload();
    await sees(page.getByText('欢迎使用', { exact: false }).first());
    expect(background()).not.toBe(light);
    expect(server.sent('setPreferences').map(({ body }) => body)).toEqual([{ locale: 'zh-CN' }, { theme: 'dark' }]);
  });
});

test.each([true, false])(
  'the language can be chosen nowhere unless the installation allows it: %s',
  async (allowed) => {
    const settings = { captcha: false, languageSwitch: allowed, version: '0', mailsDelivered: true, mapTiles: null };
    const captcha = {
      ...{ captchaId: 'c', expiresAt: '2100-01-01T00:00:00Z', required: false, challenge: null },
      settings: { captcha: false, languageSwitch: allowed, version: '0' },
    };
    const stage = await showConsole('/manage/welcome', { info: { settings }, answers: { logout: null, captcha } });
    const { t, button, go, path } = stage;
    const shows = (target: Locator) => expect.poll(() => target.elements().length > 0).toBe(allowed);
    await sees(button('common:shell.theme'));
    await shows(button('common:shell.language'));
    await userEvent.keyboard('{Control>}k{/Control}');
    const field = page.getByRole('combobox', { name: t('search:title') });
    await field.fill(t('search:command.switchLanguage'));
    await sees(page.getByText(/Nothing matches|1 result/).first());
    await shows(page.getByRole('option', { name: t('search:command.switchLanguage') }));
    await userEvent.keyboard('{Escape}');
    await go('/manage/my');
    await sees(t('account:preferences.theme'));
    await shows(page.getByText(t('account:preferences.language'), { exact: true }));
    await go('/manage/user/add');
    await sees(page.getByLabelText(t('people:contact')));
    await shows(page.getByLabelText(t('people:first.locale')));
    await button('common:shell.account', { name: 'root_user' }).click();
    await stage.entry('common:shell.signOut').click();
    await expect.poll(path).toBe('/login');
    await sees(heading(t('access:login.title')));
    await shows(page.getByRole('button', { name: '简体中文' }));
  },
);

describe('pages that do not exist', () => {
  test('inside the console show the sidebar and a link home', async () => {
    const stage = await showConsole('/manage/nowhere');
    await sees(heading(stage.t('common:error.notFoundTitle')), sidebar(stage));
    await stage.button('common:error.home').click();
    await expect.poll(stage.path).toBe('/manage/home');
  });

  test('outside the console', async () => {
    const { t } = await showConsole('/nowhere/at/all', { user: null });
    await sees(heading(t('common:error.notFoundTitle')));
  });

  test('or are forbidden link home', async () => {
    const stage = await showConsole('/manage/device/list', { user: nobody });
    await expect.poll(stage.path).toBe('/manage/noauth');
    await sees(heading(stage.t('common:error.forbiddenTitle')));
    await stage.button('common:error.home').click();
    await expect.poll(stage.path).toBe('/manage/welcome');
    await sees(welcome(stage, 'no_menus'));
  });

  test('include pages for root only, for all other users', async () => {
    const { path } = await showConsole('/manage/system/mails', { user: { root: false } });
    await expect.poll(path).toBe('/manage/noauth');
  });
});

describe('a start', () => {
  test('without the server shows an error, and works once it is back', async () => {
    let unreachable = true;
    const stage = await showConsole('/manage/home', {
      answers: {
        info: () => {
          if (unreachable) throw new TypeError('Failed to fetch');
          return userInfo({});
        },
      },
    });
    session.set({ status: 'unknown' });
    await stage.reload();
    await sees(stage.t('access:login.infoFailed'), stage.button('access:login.refresh'));
    unreachable = false;
    await stage.reload();
    await expect.poll(stage.path).toBe('/manage/home');
  });
});

describe('the end of a session', () => {
  test.each(LANGUAGES)('shows its reason over an unsaved form, without another question (%s)', async (locale) => {
    const { t, stream, button, dialog, path } = await showConsole('/manage/site/add', { locale });
    await page.getByRole('textbox', { name: t('places:name'), exact: true }).fill('Half a site');
    const message = messageOf('signedOutElsewhere', locale);
    stream('session', { code: 20003, message });
    await sees(dialog.getByText(message));
    await button('access:sessionEnd.confirm').click();
    await expect.poll(path).toMatch(/^\/login/);
    await misses(page.getByText(t('common:leave.title'), { exact: true }));
  });
});

describe('a privacy policy that nobody accepted yet', () => {
  const privacy = { needConfirm: true, content: 'What we keep', newPrivacyPolicyVersion: 3 };

  test('blocks everything until it is accepted', async () => {
    const stage = await showConsole('/manage/welcome', { info: { privacy }, answers: { acceptPrivacy: null } });
    const dialog = page.getByRole('dialog', { name: stage.t('access:privacy.title') });
    await sees(dialog.getByText('What we keep'));
    await userEvent.keyboard('{Escape}');
    const accept = stage.button('access:privacy.accept');
    await expect.element(accept).toBeDisabled();
    await misses(welcome(stage));
    await dialog.getByLabelText(stage.t('access:privacy.read')).click();
    await accept.click();
    await misses(dialog);
    expect(stage.server.sent('acceptPrivacy').map(({ body }) => body)).toEqual([{ version: 3 }]);
    await sees(welcome(stage));
  });

  test('can be left by signing out', async () => {
    const { button, path, server } = await showConsole('/manage/welcome', {
      info: { privacy },
      answers: { logout: null },
    });
    await button('access:privacy.signOut').click();
    await expect.poll(path).toBe('/login');
    expect(server.sent('logout')).toHaveLength(1);
  });
});

test('impersonation is shown on every page and can be ended', async () => {
  const impersonation = {
    ...{
      userName: 'north_admin',
      viewerName: 'root_user',
      since: '2026-01-01T00:00:00Z',
      until: '2026-01-01T01:00:00Z',
    },
  };
  const { t, go, button } = await showConsole('/manage/welcome', { info: { viewing: impersonation } as never });
  for (const path of ['/manage/welcome', '/manage/site/add']) {
    await go(path);
    await sees(page.getByText(t('access:impersonation.as', { name: 'north_admin' }), { exact: true }));
    await expect.poll(() => document.title).toContain(t('access:impersonation.tab', { name: 'north_admin' }));
  }
  await sees(button('access:impersonation.stop'));
});

/** A stream that never connects. */
class DeadStream extends EventTarget {
  readonly readyState = 0;

  constructor() {
    super();
    queueMicrotask(() => this.dispatchEvent(new Event('error')));
  }

  close() {
    // never opens
  }
}

test.each(LANGUAGES)('says that the server has a newer version, and keeps the input (%s)', async (locale) => {
  let { version } = userInfo({}).settings;
  const info = () => userInfo({ locale, info: { settings: { ...userInfo({}).settings, version } } });
  const { t, stream, button } = await showConsole('/manage/logs/error', { locale, answers: { info } });
  const notice = page.getByText(t('common:shell.newVersion', { version: '9.8.7' }));
  const search = page.getByPlaceholder(t('errors:search'));
  await search.fill('not sent');
  await sees(t('common:live.on'));
  await misses(notice);
  version = '9.8.7';
  stream('error');
  await sees(notice, button('common:error.reload'));
  await expect.element(search).toHaveValue('not sent');
  // The header keeps its height; the visited pages and the page are below it.
  const { top, bottom } = document.querySelector('header')!.getBoundingClientRect();
  expect(bottom - top).toBeLessThan(60);
  const row = document.querySelector('.history-row')!.getBoundingClientRect();
  expect(row.top).toBeCloseTo(bottom, 0);
  expect(page.getByRole('main').element().getBoundingClientRect().top).toBeCloseTo(row.bottom, 0);
});

describe('the connection in the header', () => {
  test.each(LANGUAGES)('says that the server has no data or is unreachable, instead of "Live" (%s)', async (locale) => {
    const stage = await showConsole('/manage/welcome', { locale });
    const { t, server, stream } = stage;
    await sees(t('common:live.on'));
    globalThis.EventSource = DeadStream as never;
    stream('error');
    await sees(page.getByTitle(t('common:live.pollingHint')));
    server.notReady = true;
    await sees(page.getByTitle(t('common:live.staleHint')));
    server.away = true;
    await sees(page.getByTitle(t('common:live.downHint')));
  });

  test('says immediately when the browser has no network', async () => {
    const { t } = await showConsole('/manage/welcome');
    await sees(t('common:live.on'));
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
    atEnd(() => Reflect.deleteProperty(navigator, 'onLine'));
    dispatchEvent(new Event('offline'));
    await sees(t('common:live.offline'));
    Reflect.deleteProperty(navigator, 'onLine');
    dispatchEvent(new Event('online'));
    await sees(t('common:live.on'));
  });
});
