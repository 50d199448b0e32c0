import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { misses, sees } from '../../../testing/on-screen.ts';
import { show } from '../../../testing/show.tsx';
import { SitesMap } from './sites-map.tsx';

const place = (id: number, latitude: number, longitude: number) => ({ id, name: `Site ${id}`, latitude, longitude });
const positions = {
  items: [place(1, 22.3, 114.2), place(2, 22.31, 114.21), place(3, 31.2, 121.5)],
  unplaced: 2,
  more: false,
};

async function open(answer = positions) {
  const stage = await show(<SitesMap query={{ search: 'Site' }} />, { answers: { listSitePositions: answer } });
  await stage.button('places:map.show').click();
  return stage;
}

describe('the map of sites', () => {
  test('fits all sites, opens one by a link, and counts those that are close to each other', async () => {
    const { server, text } = await open();
    const link = page.getByRole('link', { name: 'Site 3' });
    await expect.element(link).toHaveAttribute('href', '/manage/site/detail/3');
    await sees(page.getByRole('button', { name: '2 sites, zoom in' }), text('places:map.unplaced', { count: 2 }));
    expect(server.sent('listSitePositions').map(({ query }) => query)).toEqual([{ search: 'Site' }]);
  });

  test('shows the sites of a cluster when it is pressed, and all sites again', async () => {
    const { button } = await open();
    await page.getByRole('button', { name: '2 sites, zoom in' }).click();
    await sees(page.getByRole('link', { name: 'Site 1' }), page.getByRole('link', { name: 'Site 2' }));
    await misses(page.getByRole('link', { name: 'Site 3' }));
    await button('places:map.fit').click();
    await sees(page.getByRole('link', { name: 'Site 3' }));
  });

  test('is empty without positions', async () => {
    const { text } = await open({ items: [], unplaced: 1, more: false });
    await sees(text('places:map.unplaced', { count: 1 }));
  });
});
