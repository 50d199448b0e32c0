import { LOCALE_COOKIE, LOCALES } from '@chargehand/contract';
import { HISTORY_LIMIT } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { userNameOf } from '../apps/server/src/testing/world.ts';
import { journey, visit } from './harness/journey.ts';
import { product } from './harness/product.ts';
import { PAGES } from './harness/routes.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product({ languageSwitch: true });
/** Pages to wander through. */
const SITES = PAGES.map(({ path }) => path).filter(
  (path) => path.startsWith('/manage/') && !path.includes(':') && !/home|noauth|device\/|logs/.test(path),
);

const tabs = (visitor: Visitor) => visitor.page.getByRole('navigation', { name: visitor.t('common:shell.history') });
const sidebar = (visitor: Visitor) =>
  visitor.page.getByRole('navigation', { name: visitor.t('common:shell.navigation') });

test.each([
  ['/', 200, 'text/html; charset=utf-8'],
  ['/manage/home', 200, 'text/html; charset=utf-8'],
  ['/assets/', 404, 'application/json; charset=utf-8'],
])('%s is answered to whoever takes nothing compressed, too', async (path, status, type) => {
  const response = await fetch(`${chargehand.url}${path}`, { headers: { 'accept-encoding': 'identity' } });
  expect([response.status, response.headers.get('content-type')]).toEqual([status, type]);
});

describe('the sidebar', () => {
  journey(chargehand, 'shows root both groups', { as: 'root', locales: LOCALES }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/welcome');
    await visitor.sees(sidebar(visitor));
    const titles = ['home', 'site', 'device', 'role', 'configModel', 'deviceModel', 'logs', 'customer', 'user'];
    const shown = await sidebar(visitor).locator('.sidebar-entry:not(.sidebar-child)').allInnerTexts();
    expect(shown).toEqual(titles.map((title) => t(`routes:${title}`)));
    await visitor.sees(
      sidebar(visitor).getByText(t('common:shell.groupFleet'), { exact: true }),
      sidebar(visitor).getByText(t('common:shell.groupAdministration'), { exact: true }),
    );
  });

  journey(chargehand, 'shows nobody what their role does not hold', { as: 'northNoMenus' }, async (visitor) => {
    await visitor.page.goto('/manage/welcome');
    await visitor.sees(visitor.heading(visitor.t('access:welcome.title', { name: userNameOf('northNoMenus') })));
    expect(await sidebar(visitor).getByRole('link').count()).toBe(0);
    expect(await sidebar(visitor).getByText(visitor.t('common:shell.groupAdministration')).count()).toBe(0);
  });

  journey(chargehand, 'opens the parent of the page and folds to pictures', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/logs/protocol');
    await visitor.sees(sidebar(visitor).getByRole('link', { name: t('routes:logsError') }));
    await visitor.frameButton(t('common:shell.collapse')).click();
    await visitor.misses(sidebar(visitor).getByRole('link', { name: t('routes:logsError') }));
    await page.reload();
    await visitor.sees(visitor.frameButton(t('common:shell.expand')));
  });
});

describe('the tabs of visited pages', () => {
  journey(
    chargehand,
    'keep Home first and twenty at most, the oldest dropped, over a reload',
    { as: 'root' },
    async (visitor) => {
      const { page, t } = visitor;
      await page.goto('/manage/home');
      await visitor.sees(tabs(visitor).getByRole('link', { name: t('routes:home') }));
      const visited = SITES.slice(0, HISTORY_LIMIT + 2);
      for (const path of visited) {
        await page.evaluate(
          `history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
        );
        await visitor.sees(tabs(visitor).locator(`a[href="${path}"]`));
      }
      const shown = async () => {
        const links = await tabs(visitor).getByRole('link').all();
        return await Promise.all(links.map((link) => link.getAttribute('href')));
      };
      const expected = ['/manage/home', ...visited.slice(-(HISTORY_LIMIT - 1))];
      expect(await shown()).toEqual(expected);
      await page.reload();
      await visitor.sees(tabs(visitor).getByRole('link', { name: t('routes:home') }));
      expect(await shown()).toEqual(expected);
      await tabs(visitor).getByRole('button').last().click();
      await expect.poll(shown).toEqual(expected.slice(0, -1));
      await visitor.isAt(expected.at(-2) as string);

      const other = await visit(chargehand, visitor.locale, { as: 'root' });
      await other.page.goto('/manage/welcome');
      await other.sees(tabs(other).locator('a[href="/manage/welcome"]'));
      expect(await tabs(other).getByRole('link').count()).toBe(2);
      await other.context.close();
    },
  );
});

describe('the names in the tabs', () => {
  journey(chargehand, 'are there after a reload, and gone with the sign-out', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    const path = `/manage/device/detail/${chargehand.server.world.devices.northQuay1.id}`;
    const name = 'Pile northQuay-1';
    const tab = tabs(visitor).locator(`a[href="${path}"]`).getByText(name, { exact: true });
    const kept = () => page.evaluate<string>('JSON.stringify(sessionStorage)');
    await page.goto(path);
    await visitor.sees(tab);
    await page.evaluate(`history.pushState({}, '', '/manage/welcome'); dispatchEvent(new PopStateEvent('popstate'))`);
    await visitor.sees(visitor.heading(t('access:welcome.title', { name: userNameOf('root') })));
    await page.reload();
    await visitor.sees(visitor.heading(t('access:welcome.title', { name: userNameOf('root') })), tab);
    expect(await kept()).toContain(name);
    await visitor.frameButton(t('common:shell.account', { name: userNameOf('root') })).click();
    await visitor.follow(page.getByRole('menuitem', { name: t('common:shell.signOut') }), visitor.signInPage);
    expect(await kept()).not.toContain(name);
  });
});

describe('language and light', () => {
  journey(chargehand, 'are chosen in the header and kept', { as: 'southAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/welcome');
    await visitor.frameButton(t('common:shell.language')).click();
    await page.getByRole('menuitem', { name: '简体中文' }).click();
    await visitor.sees(page.getByText('欢迎使用', { exact: false }).first());
    expect((await visitor.context.cookies()).find(({ name }) => name === LOCALE_COOKIE)?.value).toBe('zh-CN');
    await page.reload();
    await visitor.sees(page.getByText('欢迎使用', { exact: false }).first());
    await visitor.frameButton('主题').click();
    await page.getByRole('menuitem', { name: '深色' }).click();
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
    const dark = await page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.reload();
    await visitor.sees(page.getByText('欢迎使用', { exact: false }).first());
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(dark);
  });
});

describe('pages that are not there', () => {
  journey(chargehand, 'an unknown page inside the console', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/nowhere');
    await visitor.sees(visitor.heading(t('common:error.notFoundTitle')), sidebar(visitor));
    await visitor.follow(visitor.button(t('common:error.home')), { path: '/manage/home', heading: t('home:title') });
  });

  journey(chargehand, 'an unknown page outside the console', {}, async (visitor) => {
    await visitor.page.goto('/nowhere/at/all');
    await visitor.sees(visitor.heading(visitor.t('common:error.notFoundTitle')));
  });

  journey(chargehand, 'a forbidden page offers the way home', { as: 'northNoMenus' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/welcome');
    await page.goto('/manage/device/list');
    await visitor.isAt('/manage/noauth');
    await visitor.sees(visitor.heading(t('common:error.forbiddenTitle')));
    await visitor.follow(visitor.button(t('common:error.home')), {
      path: '/manage/welcome',
      heading: t('access:welcome.title', { name: userNameOf('northNoMenus') }),
    });
  });
});

describe('trouble on the way', () => {
  journey(chargehand, 'a server that is away is told of, and found again', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/welcome');
    await visitor.sees(t('common:live.on'));
    visitor.expects(/ERR_/);
    chargehand.line.cut();
    await visitor.sees(page.locator('.live-indicator[data-state="polling"]'));
    chargehand.line.restore();
    await visitor.sees(t('common:live.on'));
  });

  journey(chargehand, 'a start without the server says so and offers to try again', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    visitor.expects(/ERR_/);
    await page.route('**/api/**', (route) => route.abort('connectionrefused'));
    await page.goto('/manage/welcome');
    await visitor.sees(t('access:login.infoFailed'));
    await page.unroute('**/api/**');
    await visitor.follow(visitor.button(t('access:login.refresh')), {
      path: '/manage/welcome',
      heading: t('access:welcome.title', { name: userNameOf('root') }),
    });
  });

  journey(chargehand, 'a part of the console that is gone offers a reload', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    visitor.expects(/welcome-page|ChunkLoadError|404/);
    await page.goto('/manage/home');
    await visitor.sees(tabs(visitor));
    await page.route('**/assets/welcome-page*', (route) => route.fulfill({ status: 404, body: '' }));
    await page.evaluate(`history.pushState({}, '', '/manage/welcome'); dispatchEvent(new PopStateEvent('popstate'))`);
    await visitor.sees(visitor.heading(t('common:error.chunkTitle')), sidebar(visitor));
    await page.unroute('**/assets/welcome-page*');
    await visitor.button(t('common:error.reload')).click();
    await visitor.sees(visitor.heading(t('access:welcome.title', { name: userNameOf('root') })));
  });
});

describe('a narrow screen', () => {
  journey(
    chargehand,
    'has the sidebar in a drawer',
    { as: 'root', size: { width: 390, height: 844 } },
    async (visitor) => {
      const { page, t } = visitor;
      await page.goto('/manage/welcome');
      await visitor.sees(visitor.heading(t('access:welcome.title', { name: userNameOf('root') })));
      const devices = sidebar(visitor).getByText(t('routes:device'), { exact: true });
      const list = sidebar(visitor).getByRole('link', { name: t('routes:deviceList'), exact: true });
      expect(await devices.isVisible()).toBe(false);
      await visitor.frameButton(t('common:shell.openMenu')).click();
      await devices.click();
      await visitor.follow(list, { path: '/manage/device/list', heading: t('routes:deviceList') });
      await visitor.misses(list);
      const overflow = await page.evaluate(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      );
      expect(overflow).toBe(0);
    },
  );
});
