import { describe, expect, test } from 'vitest';
import { formatPosition, isLatitude, isLongitude, mapLink, roundedDegrees, tileAt } from './geo.ts';

test.each([
  [0, true],
  [90, true],
  [-90, true],
  [90.000001, false],
  [-90.5, false],
  [114, false],
  [Number.NaN, false],
  [Number.POSITIVE_INFINITY, false],
])('latitude %d: %s', (degrees, valid) => expect(isLatitude(degrees)).toBe(valid));

test.each([
  [0, true],
  [180, true],
  [-180, true],
  [180.000001, false],
  [-181, false],
  [Number.NaN, false],
])('longitude %d: %s', (degrees, valid) => expect(isLongitude(degrees)).toBe(valid));

describe('a position', () => {
  test('is rounded to a millionth of a degree', () => {
    expect(roundedDegrees(22.3027114999)).toBe(22.302711);
    expect(Object.is(roundedDegrees(-0.0000001), 0)).toBe(true);
  });
  test('is formatted with the latitude first', () => {
    expect(formatPosition({ latitude: 22.3027111, longitude: 114.1772162 })).toBe('22.302711, 114.177216');
    expect(formatPosition({ latitude: -0.0000001, longitude: -70.5 })).toBe('0, -70.5');
  });
  test('is a link to a public map, by language', () => {
    const position = { latitude: -33.8568, longitude: 151.2153 };
    expect(mapLink(position, 'Quay', 'en')).toBe(
      'https://www.openstreetmap.org/?mlat=-33.8568&mlon=151.2153#map=16/-33.8568/151.2153',
    );
    expect(mapLink(position, '码头 & 1', 'zh')).toBe(
      'https://uri.amap.com/marker?position=151.2153%2C-33.8568&name=%E7%A0%81%E5%A4%B4+%26+1&coordinate=wgs84',
    );
  });
});

test('a tile has its zoom and its place in its URL', () => {
  expect(tileAt('https://tiles.example.com/{z}/{x}/{y}.png?k=1', 3, 6, 2)).toBe(
    'https://tiles.example.com/3/6/2.png?k=1',
  );
});
