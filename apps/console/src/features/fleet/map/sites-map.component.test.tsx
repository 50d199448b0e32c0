import type { SiteState } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { misses, sees } from '../../../testing/on-screen.ts';
import { show } from '../../../testing/show.tsx';
import { SitesMap } from './sites-map.tsx';

const place = (id: number, latitude: number, longitude: number, state: SiteState = 'normal') => ({
  ...{ id, name: `Site ${id}`, latitude, longitude, state },
});
const positions = {
  items: [place(1, 22.3, 114.2), place(2, 22.31, 114.21, 'offline'), place(3, 31.2, 121.5, 'empty')],
  unplaced: 2,
  more: false,
};

async function open(answer = positions, locale: 'en-US' | 'zh-CN' = 'en-US') {
  const stage = await show(<SitesMap query={{ search: 'Site' }} />, {
    ...{ locale, answers: { listSitePositions: answer } },
  });
  await stage.button('places:map.show').click();
  return stage;
}

describe('the map of sites', () => {
  test('fits all sites, opens one by a link, and counts those that are close to each other', async () => {
    const { server, text } = await open();
    const link = page.getByRole('link', { name: 'Site 3: No devices' });
    await expect.element(link).toHaveAttribute('href', '/manage/site/detail/3');
    await sees(
      page.getByRole('button', { name: '2 sites, worst state: Offline, zoom in' }),
      text('places:map.unplaced', { count: 2 }),
    );
    expect(server.sent('listSitePositions').map(({ query }) => query)).toEqual([{ search: 'Site' }]);
  });

  test('shows the sites of a cluster when it is pressed, and all sites again', async () => {
    const { button } = await open();
    await page.getByRole('button', { name: '2 sites, worst state: Offline, zoom in' }).click();
    await sees(page.getByRole('link', { name: 'Site 1: Normal' }), page.getByRole('link', { name: 'Site 2: Offline' }));
    await misses(page.getByRole('link', { name: 'Site 3: No devices' }));
    await button('places:map.fit').click();
    await sees(page.getByRole('link', { name: 'Site 3: No devices' }));
  });

  test.each(LANGUAGES)('names and colors each mark by its state, with a legend (%s)', async (locale) => {
    const { t } = await open(positions, locale);
    const state = (of: SiteState) => t(`common:siteState.${of}`);
    // A site without devices is not offline.
    const empty = page.getByRole('link', { name: t('places:map.site', { name: 'Site 3', state: state('empty') }) });
    await expect.element(empty).toHaveClass('tag-plain');
    const cluster = t('places:map.cluster', { count: 2, state: state('offline') });
    await expect.element(page.getByRole('button', { name: cluster })).toHaveClass('tag-offline');
    const legend = page.getByRole('list', { name: t('places:map.legend') });
    await expect.element(legend).toBeVisible();
    expect(
      legend
        .getByRole('listitem')
        .elements()
        .map((item) => item.textContent),
    ).toEqual([`${state('offline')} 1`, `${state('normal')} 1`, `${state('empty')} 1`]);
    // Glyphs differ, so that states can be distinguished without colors.
    const glyphs = legend
      .getByRole('listitem')
      .elements()
      .map((item) => item.querySelector('svg')?.innerHTML);
    expect(new Set(glyphs).size).toBe(3);
  });

  test('is empty without positions', async () => {
    const { text } = await open({ items: [], unplaced: 1, more: false });
    await sees(text('places:map.unplaced', { count: 1 }));
  });
});
