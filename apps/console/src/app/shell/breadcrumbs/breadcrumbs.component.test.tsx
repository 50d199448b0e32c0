import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Answer } from '../../../shared/api/client.ts';
import { deviceDetail } from '../../../testing/devices.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { misses, sees } from '../../../testing/on-screen.ts';
import { sample } from '../../../testing/sample.ts';
import { showConsole } from '../../../testing/show-console.tsx';

type Stage = Awaited<ReturnType<typeof showConsole>>;
const trail = ({ t }: Stage) => page.getByRole('navigation', { name: t('common:shell.breadcrumbs') });
const texts = (stage: Stage) =>
  trail(stage)
    .getByRole('listitem')
    .elements()
    .map((item) => item.textContent);

describe('the breadcrumbs', () => {
  test.each(LANGUAGES)('name area, list and device, whose parents are links (%s)', async (locale) => {
    const stage = await showConsole('/manage/device/detail/7', { locale, answers: { readDevice: deviceDetail() } });
    const { t } = stage;
    const parents = [t('routes:device'), t('routes:deviceList')];
    await expect.poll(() => texts(stage)).toEqual([...parents, 'Pile 7']);
    expect(trail(stage).element().querySelector('[aria-current="page"]')?.textContent).toBe('Pile 7');
    await trail(stage).getByRole('link', { name: parents[1]!, exact: true }).click();
    await expect.poll(stage.path).toBe('/manage/device/list');
    await misses(trail(stage));
  });

  test('lead to the site from which a device was opened', async () => {
    const stage = await showConsole('/manage/device/site/detail/7', {
      answers: {
        readDevice: { ...deviceDetail(), siteId: 4, siteName: 'North quay' },
        readSite: sample('readSite', { id: 4, name: 'North quay' }),
      },
    });
    const { t } = stage;
    await expect.poll(() => texts(stage)).toEqual([t('routes:site'), t('routes:siteList'), 'North quay', 'Pile 7']);
    await trail(stage).getByRole('link', { name: 'North quay' }).click();
    await expect.poll(stage.path).toBe('/manage/site/detail/4?tab=devices');
  });

  test('show the page title while the name loads, and move nothing when it arrives', async () => {
    const site = Promise.withResolvers<Answer<'readSite'>>();
    const stage = await showConsole('/manage/site/update/4', { answers: { readSite: () => site.promise } });
    const { t } = stage;
    const parents = [t('routes:site'), t('routes:siteList')];
    await expect.poll(() => texts(stage)).toEqual([...parents, t('routes:siteDetail'), t('routes:siteEdit')]);
    const { top } = page.getByRole('heading', { level: 1 }).element().getBoundingClientRect();
    site.resolve(sample('readSite', { id: 4, name: 'North quay' }));
    await expect.poll(() => texts(stage)).toEqual([...parents, 'North quay', t('routes:siteEdit')]);
    expect(page.getByRole('heading', { level: 1 }).element().getBoundingClientRect().top).toBe(top);
  });

  test('have no links to pages that the user may not open', async () => {
    const stage = await showConsole('/manage/device/detail/7', {
      user: { root: false, platformVendor: false, keys: ['auth_device_detail'] },
      answers: { readDevice: deviceDetail() },
    });
    await sees(trail(stage).getByText('Pile 7'));
    expect(trail(stage).getByRole('link').elements()).toEqual([]);
  });

  test('are one line on a phone: the page before', async () => {
    const name = 'A pile with a very long name that would need several lines on a phone';
    const stage = await showConsole('/manage/device/detail/7', {
      size: [390, 844],
      answers: { readDevice: { ...deviceDetail(), name } },
    });
    await sees(page.getByRole('heading', { level: 1, name }));
    const shown = trail(stage).element().querySelectorAll<HTMLElement>('li');
    expect([...shown].filter((item) => item.offsetParent !== null).map((item) => item.textContent)).toEqual([
      stage.t('routes:deviceList'),
    ]);
    expect(trail(stage).element().getBoundingClientRect().height).toBe(30);
  });
});
