import { expect, test } from 'vitest';
import { type MapWindow, pointOf, windowAround } from '../plane.ts';
import { ALL_CITIES } from './cities.ts';
import { citiesIn } from './city-labels.ts';

const around = (latitude: number, longitude: number, width: number): MapWindow => ({
  ...windowAround({ latitude, longitude }),
  width,
});

test('cities have names in both languages and a position on land that people live on', () => {
  for (const { names, latitude, longitude } of ALL_CITIES) {
    expect(names['en-US']).toMatch(/^\p{Lu}[\p{L}' ]+$/u);
    expect(names['zh-CN']).toMatch(/^\p{Script=Han}+$/u);
    expect([Math.abs(latitude) < 66, Math.abs(longitude) <= 180]).toEqual([true, true]);
  }
  expect(new Set(ALL_CITIES.map(({ names }) => names['en-US'])).size).toBe(ALL_CITIES.length);
});

test('a wide map names few cities, a narrow one those of the province', () => {
  expect(citiesIn(around(22.5, 114, 1_000), 0.5, 600, 'en-US')).toEqual([]);
  expect(citiesIn(around(22.5, 114, 300), 0.5, 600, 'en-US').map(({ name }) => name)).toContain('Hong Kong');
  const near = citiesIn(around(22.5, 114, 8), 0.5, 600, 'zh-CN').map(({ name }) => name);
  expect(near).toEqual(expect.arrayContaining(['香港', '广州', '深圳']));
});

test('names do not overlap', () => {
  const labels = citiesIn(around(31.2, 120.5, 40), 0.5, 300, 'en-US');
  const unit = 40 / 300;
  for (const [index, one] of labels.entries()) {
    for (const other of labels.slice(index + 1)) {
      expect(Math.abs(one.y - other.y) >= 16 * unit || Math.abs(one.x - other.x) >= 5 * unit).toBe(true);
    }
  }
  const [shanghaiX] = pointOf({ latitude: 31.23, longitude: 121.47 });
  expect(labels[0]).toMatchObject({ name: 'Shanghai', x: shanghaiX });
});
