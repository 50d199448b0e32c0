import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inDatum } from '@chargehand/domain';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const PLACE = { latitude: 31.1774276, longitude: 121.5272106 };
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGO4AAAA0gDR29kOtwAAAABJRU5ErkJggg==',
  'base64',
);

/** What the servers of the map answer. */
let serve: 'works' | 'no style' | 'no tiles' | 'elsewhere' = 'works';
/** The requests of browsers, by server. */
const requested: Record<'style' | 'sources' | 'elsewhere', string[]> = { style: [], sources: [], elsewhere: [] };

async function mapServer(name: keyof typeof requested, answer: (path: string, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    requested[name].push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*');
    answer(request.url ?? '', response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
function json(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
}

/** A red spot at the place in the datum of the map. The sources are on another server than the style. */
function style(from: string) {
  return {
    version: 8,
    projection: { type: 'globe' },
    sources: {
      ground: {
        type: 'raster',
        tiles: [`${from}/{z}/{x}/{y}.png`],
        tileSize: 256,
        attribution: '<a href="https://maps.example.com/terms">© Test maps</a> and <b>others</b>',
      },
      spots: { type: 'geojson', data: `${from}/spots.json` },
    },
    layers: [
      { id: 'ground', type: 'raster', source: 'ground' },
      { id: 'spot', type: 'circle', source: 'spots', paint: { 'circle-radius': 9, 'circle-color': '#ff0000' } },
      { id: 'name', type: 'symbol', source: 'spots', layout: { 'text-field': '{name}', 'text-offset': [0, 2] } },
    ],
  };
}
const spots = () => {
  const { latitude, longitude } = inDatum(PLACE, 'GCJ-02');
  return {
    type: 'Feature',
    properties: { name: '码头', 'name:en': 'Quay' },
    geometry: { type: 'Point', coordinates: [longitude, latitude] },
  };
};
const sources = (path: string, response: ServerResponse) => {
  if (serve === 'no tiles') response.writeHead(404).end();
  else if (path === '/spots.json') json(response, spots());
  else response.setHeader('content-type', 'image/png').end(PIXEL);
};

const sourceOrigin = await mapServer('sources', sources);
const elsewhere = await mapServer('elsewhere', sources);
const styleOrigin = await mapServer('style', (_, response) => {
  if (serve === 'no style') response.writeHead(500).end();
  else json(response, style(serve === 'elsewhere' ? elsewhere : sourceOrigin));
});

/** The color of a page at a point next to the center of an element, as [red, green, blue]. */
async function colorAt(page: Page, element: Locator, below: number): Promise<number[]> {
  const picture = (await element.screenshot()).toString('base64');
  return page.evaluate(`(async () => {
    const image = new Image();
    image.src = 'data:image/png;base64,${picture}';
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context.drawImage(image, 0, 0);
    return [...context.getImageData(image.width / 2, image.height / 2 + ${below}, 1, 1).data].slice(0, 3);
  })()`);
}

describe('with a MapLibre style', () => {
  const chargehand = product({
    mapTiles: { kind: 'style', url: `${styleOrigin}/style.json`, attribution: '© Operator', datum: 'GCJ-02' },
    mapOrigins: [sourceOrigin],
  });
  const site = () => chargehand.server.world.sites.northQuay;
  beforeAll(async () => {
    const { pool } = chargehand.server.database;
    await pool.query('update sites set latitude = $1, longitude = $2', [PLACE.latitude, PLACE.longitude]);
  });
  beforeEach(() => {
    serve = 'works';
  });

  journey(
    chargehand,
    'shows a site on the style, at its place, with the attribution of all sources',
    { as: 'northAdmin', locales: ['en-US', 'zh-CN'] },
    async (visitor) => {
      const { page, t } = visitor;
      await page.goto(`/manage/site/detail/${site()}`);
      const map = page.locator('.map');
      await visitor.sees(map.getByText('© Operator'));
      const terms = map.getByRole('link', { name: '© Test maps' });
      expect(await terms.getAttribute('href')).toBe('https://maps.example.com/terms');
      // Below the tip of the marker.
      await expect.poll(() => colorAt(page, map, 4), { timeout: 30_000 }).toEqual([255, 0, 0]);
      expect(requested.sources.some((path) => /^\/1[45]\//.test(path))).toBe(true);
      await visitor.misses(map.getByText(t('places:map.loading')));
      expect(await map.getByText(t('places:map.tilesFail')).count()).toBe(0);
      // Moving the map moves the style with it.
      await map.getByRole('application').press('ArrowUp');
      await expect.poll(() => colorAt(page, map, 4), { timeout: 30_000 }).not.toEqual([255, 0, 0]);
    },
  );

  journey(chargehand, 'selects a position above the style', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto(`/manage/site/update/${site()}`);
    await visitor.button(t('places:map.pick')).click();
    const map = page.locator('.map');
    await map.locator('canvas').waitFor();
    await map.getByRole('application').press('ArrowRight');
    await map.getByRole('application').click();
    const longitude = page.getByLabel(t('places:site.longitude'));
    // An eighth of a window of about 4 km to the east.
    await expect.poll(async () => Number(await longitude.inputValue())).toBeCloseTo(PLACE.longitude + 0.0045, 3);
  });

  journey(chargehand, 'shows the sites as on any other map', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/site/list');
    await visitor.button(t('places:map.show')).click();
    await visitor.sees(
      page.locator('.map canvas'),
      page.locator('.map').getByRole('button', { name: /^\d+ sites, .+, zoom in$/ }),
    );
  });

  journey(chargehand, 'names a style that fails, and shows the outline map', { as: 'northAdmin' }, async (visitor) => {
    serve = 'no style';
    visitor.expects(/500/);
    await outlined(visitor.page, visitor.t('places:map.tilesFail'));
  });

  journey(chargehand, 'names missing tiles, and shows the outline map', { as: 'northAdmin' }, async (visitor) => {
    serve = 'no tiles';
    visitor.expects(/404/);
    await outlined(visitor.page, visitor.t('places:map.tilesFail'));
  });

  journey(chargehand, 'loads nothing from an origin that is not set', { as: 'northAdmin' }, async (visitor) => {
    serve = 'elsewhere';
    visitor.expects(/Content Security Policy|csp/i);
    await outlined(visitor.page, visitor.t('places:map.tilesFail'));
    expect(requested.elsewhere).toEqual([]);
  });

  journey(
    chargehand,
    'names code that cannot be loaded, and shows the outline map',
    { as: 'northAdmin', locales: ['en-US', 'zh-CN'] },
    async (visitor) => {
      await visitor.page.context().route(/maplibre-gl-worker/, (route) => route.fulfill({ status: 404 }));
      visitor.expects(/maplibre-gl-worker/, /Worker failed to load/);
      await outlined(visitor.page, visitor.t('places:map.codeFails'));
      await visitor.misses(visitor.page.locator('.map').getByText(visitor.t('places:map.loading')));
    },
  );

  journey(chargehand, 'names missing WebGL, and shows the outline map', { as: 'northAdmin' }, async (visitor) => {
    await visitor.page.addInitScript('HTMLCanvasElement.prototype.getContext = () => null');
    await outlined(visitor.page, visitor.t('places:map.noWebgl'));
  });

  async function outlined(page: Page, note: string): Promise<void> {
    await page.goto(`/manage/site/detail/${site()}`);
    const map = page.locator('.map');
    await map.getByText(note).waitFor();
    expect(await map.locator('canvas').count()).toBe(0);
  }
});
