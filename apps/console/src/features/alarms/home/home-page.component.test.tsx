import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '../../../testing/show.tsx';
import HomePage from './home-page.tsx';
import { SiteEvents } from './site-events.tsx';

test.each(['en-US', 'zh-CN'] as const)('home shows the first steps to a user without devices (%s)', async (locale) => {
  const { t, path } = await show(<HomePage />, {
    ...{ locale, path: '/manage/home', route: '/manage/home' },
    answers: { countDevices: { total: 0 } as never, readSiteStates: { items: [] } as never },
  });
  await expect.element(page.getByRole('heading', { name: t('home:new.title'), exact: true })).toBeVisible();
  await page.getByRole('link', { name: t('home:new.device'), exact: true }).click();
  await expect.poll(path).toBe('/manage/device/add');
});

test.each([
  [['auth_home'], true],
  [['auth_home', 'auth_site_add'], false],
] as const)('with the permissions %j, home shows who adds devices: %s', async (keys, says) => {
  const { t } = await show(<HomePage />, {
    ...{ path: '/manage/home', route: '/manage/home', user: { root: false, keys: [...keys] } },
    answers: { countDevices: { total: 0 } as never, readSiteStates: { items: [] } as never },
  });
  await expect.element(page.getByRole('heading', { name: t('home:new.title'), exact: true })).toBeVisible();
  expect(page.getByText(t('home:new.byOthers')).elements()).toHaveLength(says ? 1 : 0);
});

test('home shows what happened to sites, with links to those that exist', async () => {
  const event = { at: '2026-01-01T00:00:00Z', siteId: 3 };
  const { t } = await show(<SiteEvents />, {
    answers: {
      listSiteEvents: {
        items: [
          { ...event, id: 2, siteName: 'Old mill', operation: 'delete' },
          { ...event, id: 1, siteName: 'North quay', operation: 'disable' },
        ],
      },
    },
  });
  await expect.element(page.getByText(t('home:siteEvents.delete'), { exact: true })).toBeVisible();
  await expect.element(page.getByText(t('home:siteEvents.disable'), { exact: true })).toBeVisible();
  expect(
    page
      .getByRole('link')
      .elements()
      .map((link) => link.textContent),
  ).toEqual(['North quay']);
});
