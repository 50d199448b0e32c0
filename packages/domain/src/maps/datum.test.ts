import { describe, expect, test } from 'vitest';
import { fromDatum, inDatum } from './datum.ts';
import type { GeoPosition } from './geo.ts';

const at = (latitude: number, longitude: number): GeoPosition => ({ latitude, longitude });

// The test points of eviltransform (https://github.com/googollee/eviltransform).
const POINTS: [place: string, wgs: GeoPosition, gcj: GeoPosition][] = [
  ['Shanghai', at(31.1774276, 121.5272106), at(31.17530398364597, 121.531541859215)],
  ['Shenzhen', at(22.543847, 113.912316), at(22.540796131694766, 113.9171764808363)],
  ['Beijing', at(39.911954, 116.377817), at(39.91334545536069, 116.38404722455657)],
];

describe.each(POINTS)('%s', (_, wgs, gcj) => {
  test('in GCJ-02 is the published position', () => {
    const found = inDatum(wgs, 'GCJ-02');
    expect(found.latitude).toBeCloseTo(gcj.latitude, 9);
    expect(found.longitude).toBeCloseTo(gcj.longitude, 9);
  });
  test('is found again', () => {
    const found = fromDatum(gcj, 'GCJ-02');
    expect(found.latitude).toBeCloseTo(wgs.latitude, 7);
    expect(found.longitude).toBeCloseTo(wgs.longitude, 7);
  });
  test('is unchanged in WGS-84', () => {
    expect(inDatum(wgs, 'WGS-84')).toEqual(wgs);
    expect(fromDatum(wgs, 'WGS-84')).toEqual(wgs);
  });
});

test.each([
  ['Sydney', at(-33.8568, 151.2153)],
  ['Berlin', at(52.5163, 13.3777)],
  ['Tokyo', at(35.6812, 139.7671)],
])('%s is the same in both datums', (_, position) => {
  expect(inDatum(position, 'GCJ-02')).toEqual(position);
  expect(fromDatum(position, 'GCJ-02')).toEqual(position);
});
