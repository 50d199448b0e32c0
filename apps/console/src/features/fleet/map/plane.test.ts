import { describe, expect, test } from 'vitest';
import {
  cameraOf,
  drawnPart,
  graticule,
  PLANE,
  pointOf,
  positionAt,
  scaleBar,
  TILE_SCALE,
  tilesOf,
  WHOLE,
  windowAround,
  within,
} from './plane.ts';

test.each([
  [22.3, 114.2],
  [-33.9, 151.2],
  [0, 0],
  [64.1, -21.9],
])('the position %d, %d is converted to the plane and back', (latitude, longitude) => {
  const found = positionAt(...pointOf({ latitude, longitude }));
  expect(found.latitude).toBeCloseTo(latitude, 6);
  expect(found.longitude).toBeCloseTo(longitude, 6);
});

test('north is up and east is right; a pole is at the edge of the map', () => {
  const [x, y] = pointOf({ latitude: 22.3, longitude: 114.2 });
  expect(x).toBeGreaterThan(PLANE / 2);
  expect(y).toBeLessThan(PLANE / 2);
  expect(pointOf({ latitude: 90, longitude: 0 })).toEqual(pointOf({ latitude: 85, longitude: 0 }));
});

test.each([
  [
    { x: -50, y: -50, width: 100 },
    { x: 50, y: 25, width: 100 },
  ],
  [
    { x: 500, y: 2_000, width: 5_000 },
    { x: 500, y: 750, width: 1_000 },
  ],
  [
    { x: 500, y: 500, width: 0.0001 },
    { x: 500, y: 500, width: 0.4 },
  ],
])('a window stays on the plane: %j', (window, kept) => expect(within(window)).toEqual(kept));

describe('the graticule', () => {
  test('of the whole earth has lines every 30 degrees', () => {
    const { meridians } = graticule(WHOLE, 0.5, 12);
    expect(meridians.map(({ label }) => label)).toContain('120° E');
    expect(meridians.map(({ label }) => label)).toContain('0°');
    expect(meridians).toHaveLength(13);
  });
  test('of a region has a few lines in each direction', () => {
    const { meridians, parallels } = graticule(windowAround({ latitude: 22.3, longitude: 114.2 }), 0.5);
    expect(meridians.map(({ label }) => label)).toEqual(['110° E', '112° E', '114° E', '116° E', '118° E']);
    expect(parallels.map(({ label }) => label)).toEqual(['20° N', '22° N', '24° N']);
  });
});

test.each([WHOLE, windowAround({ latitude: 22.3, longitude: 114.2 }), { x: 17.3, y: 401, width: 0.9 }])(
  'the rendered part covers the window %j',
  (window) => {
    const { x, y, reach } = drawnPart(window);
    expect(Math.abs(window.x - x) + window.width / 2).toBeLessThan(reach);
    expect(Math.abs(window.y - y) + window.width / 4).toBeLessThan(reach);
  },
);

test('the scale bar is a round length that fits', () => {
  const window = windowAround({ latitude: 22.3, longitude: 114.2 });
  const { km, units } = scaleBar(window);
  expect(km).toBe(200);
  expect(units).toBeLessThan(window.width / 5);
});

test('MapLibre shows the same part of the earth', () => {
  expect(cameraOf({ x: PLANE / 2, y: PLANE / 2, width: PLANE }, 512)).toEqual({ center: [0, 0], zoom: 0 });
  const { center, zoom } = cameraOf(windowAround({ latitude: 22.3, longitude: 114.2 }, TILE_SCALE), 600);
  expect(center[0]).toBeCloseTo(114.2, 6);
  expect(center[1]).toBeCloseTo(22.3, 6);
  // A tile of 512 pixels at this zoom has the width of the window, times 512 / 600.
  expect((PLANE / 2 ** zoom) * (600 / 512)).toBeCloseTo(TILE_SCALE.around, 9);
});

describe('tiles', () => {
  test('of the whole earth are few', () => {
    expect(tilesOf(WHOLE, 0.5, 512).map(({ zoom, column, row }) => `${zoom}/${column}/${row}`)).toEqual([
      '1/0/0',
      '1/1/0',
      '1/0/1',
      '1/1/1',
    ]);
  });
  test('of a district are those of its place, and cover the window', () => {
    const window = windowAround({ latitude: 22.3027, longitude: 114.1772 }, TILE_SCALE);
    const tiles = tilesOf(window, 0.5, 600);
    // The tile of this place at zoom 15, as computed by the formula of the OpenStreetMap wiki.
    expect(tiles.map(({ zoom }) => zoom)).toContain(15);
    expect(tiles.some(({ column, row }) => column === 26_776 && row === 14_300)).toBe(true);
    expect(Math.min(...tiles.map(({ x }) => x))).toBeLessThanOrEqual(window.x - window.width / 2);
    expect(Math.max(...tiles.map(({ x, size }) => x + size))).toBeGreaterThanOrEqual(window.x + window.width / 2);
    expect(tiles.length).toBeLessThan(20);
  });
  test('end at the edge of the earth and at the deepest zoom', () => {
    const corner = { x: 0.001, y: 0.001, width: 0.0001 };
    expect(tilesOf(corner, 0.5, 600).every(({ zoom, column, row }) => zoom === 19 && column >= 0 && row >= 0)).toBe(
      true,
    );
  });
});
