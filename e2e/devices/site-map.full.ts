import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

/** A tile server of one gray pixel per tile, which can fail. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);
const requested: string[] = [];
const tiles = createServer((request, response) => {
  requested.push(request.url ?? '');
  if (request.url?.startsWith('/broken')) response.writeHead(500).end();
  else response.writeHead(200, { 'content-type': 'image/png' }).end(PIXEL);
});
await new Promise<void>((resolve) => tiles.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(tiles.address() as AddressInfo).port}`;
afterAll(() => {
  tiles.close();
});

const tilesAt = (folder: string) => ({
  mapTiles: {
    kind: 'tiles' as const,
    url: `${origin}/${folder}/{z}/{x}/{y}.png`,
    attribution: '© Test tiles',
    datum: 'GCJ-02' as const,
  },
});
const PLACE = { latitude: 31.1774276, longitude: 121.5272106 };

describe.each(['works', 'broken'] as const)('with the tile server of /%s', (folder) => {
  const chargehand = product(tilesAt(folder));
  beforeAll(async () => {
    const { pool } = chargehand.server.database;
    await pool.query('update sites set latitude = $1, longitude = $2', [PLACE.latitude, PLACE.longitude]);
  });

  journey(
    chargehand,
    folder === 'works' ? 'shows a site on its tiles' : 'is named, and the site is shown on the outline map',
    { as: 'northAdmin', locales: ['en-US', 'zh-CN'] },
    async (visitor) => {
      const { page, t, locale } = visitor;
      visitor.expects(/500/);
      await page.goto(`/manage/site/detail/${chargehand.server.world.sites.northQuay}`);
      const map = page.locator('.map');
      const note = map.getByText(t('places:map.tilesFail'));
      if (folder === 'works') {
        await visitor.sees(map.getByText('© Test tiles'));
        // Tiles of a zoom that shows streets.
        await expect
          .poll(() => requested.some((path) => path.startsWith('/works/15/')), { timeout: 30_000 })
          .toBe(true);
        expect(await note.count()).toBe(0);
        expect(await map.locator('image').count()).toBeGreaterThan(0);
      } else {
        await visitor.sees(note);
        expect(await map.locator('image').count()).toBe(0);
      }
      const link = visitor.link(t('places:map.open'));
      const address = locale === 'zh-CN' ? 'https://uri.amap.com/marker?' : 'https://www.openstreetmap.org/?';
      expect(await link.getAttribute('href')).toContain(address);
      // The stored position and its datum, whatever the datum of the tiles.
      await visitor.sees('31.177428, 121.527211', t('places:map.datum'));
    },
  );
});
