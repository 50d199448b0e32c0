import { levelsAll } from '@chargehand/domain';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { sees, tooWide } from '../../testing/on-screen.ts';
import { showConsole } from '../../testing/show-console.tsx';

const main = () => page.getByRole('main');

test.each(['en-US', 'zh-CN'] as const)(
  'the welcome page lists the pages and abilities of a user without Home (%s)',
  async (locale) => {
    const user = {
      root: false,
      keys: ['auth_device_list', 'auth_device_detail', 'auth_device_edit', 'auth_logs_action'],
    };
    const { t, path } = await showConsole('/manage/welcome', {
      ...{ locale, user: user as never, size: [390, 844] },
      info: {
        role: {
          auth: user.keys,
          menu: [],
          levels: { ...levelsAll(5), device: { read: 5, write: 5, download: 5 } },
          allSites: true,
        },
      } as never,
    });
    const links = () =>
      main()
        .getByRole('link')
        .elements()
        .map((link) => link.textContent);
    await expect
      .poll(links)
      .toEqual(
        (
          ['deviceList', 'alarms', 'deviceCharts', 'batches', 'deviceLinks', 'deviceTerminal', 'logsAction'] as const
        ).map((key) => t(`routes:${key}`)),
      );
    await sees(main().getByText(t('people:preview.devices'), { exact: true }));
    // The page is open, but the level is too low.
    expect(main().getByText(t('people:preview.edit'), { exact: true }).elements()).toEqual([]);
    expect(tooWide()).toEqual([]);
    await main()
      .getByRole('link', { name: t('routes:logsAction') })
      .click();
    await expect.poll(path).toBe('/manage/logs/action');
  },
);

test('the welcome page of a user without any page says so', async () => {
  const { t } = await showConsole('/manage/welcome', { user: { root: false, keys: [] } });
  await sees(main().getByText(t('welcome:nothing')));
});
