import { describe, expect, test } from 'vitest';
import { clustersOf, windowOf } from './clusters.ts';
import { OUTLINE_SCALE, PLANE, SITES_SCALE, WHOLE } from './plane.ts';

const point = (id: number, x: number, y: number) => ({
  place: { id, name: `Site ${id}`, latitude: 0, longitude: 0, state: 'normal' as const },
  x,
  y,
});
const ids = (clusters: ReturnType<typeof clustersOf>) =>
  clusters.map(({ members }) => members.map(({ place }) => place.id));

describe('clusters', () => {
  const points = [point(1, 810, 440), point(2, 811, 441), point(3, 200, 300)];
  test('contain the places whose markers would overlap', () => {
    const clusters = clustersOf(points, WHOLE, 0.5, 600);
    expect(ids(clusters)).toEqual([[1, 2], [3]]);
    expect(clusters[0]).toMatchObject({ x: 810.5, y: 440.5 });
  });
  test('separate when the map is zoomed in, and leave out places that are not in the window', () => {
    expect(ids(clustersOf(points, { x: 810.5, y: 440.5, width: 4 }, 0.5, 600))).toEqual([[1], [2]]);
  });
  test('stay the same while the map moves', () => {
    const keys = (x: number) => clustersOf(points, { x, y: 440, width: 40 }, 0.5, 600).map(({ key }) => key);
    expect(keys(808)).toEqual(keys(812));
  });
});

describe('the window of all places', () => {
  test('shows them with some room', () => {
    const { x, y, width } = windowOf([point(1, 400, 400), point(2, 500, 420)], 0.5, OUTLINE_SCALE);
    expect([x, y]).toEqual([450, 410]);
    expect(width).toBeCloseTo(130);
  });
  test('is high enough', () => {
    expect(windowOf([point(1, 400, 400), point(2, 410, 500)], 0.5, OUTLINE_SCALE).width).toBeCloseTo(260);
  });
  test('of six places in two neighboring cities separates them from the start', () => {
    const places = [
      ...[point(1, 817.1, 437), point(2, 817.3, 437.1), point(3, 817.5, 436.9)],
      ...[point(4, 816.5, 436.3), point(5, 816.7, 436.4), point(6, 816.9, 436.2)],
    ];
    const window = windowOf(places, 0.5, SITES_SCALE);
    expect(window.width).toBeLessThan(4);
    const clusters = ids(clustersOf(places, window, 0.5, 600));
    expect(clusters.length).toBeGreaterThan(4);
    expect(clusters.filter((one) => one.some((id) => id < 4) && one.some((id) => id > 3))).toEqual([]);
  });
  test('of one place is a region, and of none the world', () => {
    expect(windowOf([point(1, 400, 400)], 0.5, OUTLINE_SCALE)).toEqual({ x: 400, y: 400, width: OUTLINE_SCALE.around });
    expect(windowOf([], 0.5, OUTLINE_SCALE)).toEqual(WHOLE);
    expect(windowOf([point(1, 0, 0), point(2, PLANE, PLANE)], 0.5, OUTLINE_SCALE).width).toBe(PLANE);
  });
});
