import { expect, test } from 'vitest';
import { offeredRegions } from './offered-regions.ts';
import type { RegionOption } from './regions.ts';

const option = (value: string, off = false, children?: RegionOption[]): RegionOption => ({
  ...{ value, label: value, words: value, off },
  ...(children && { children }),
});
const REGIONS = [
  option('CN', false, [option('GD', true, [option('SZ', true), option('GZ')]), option('ZJ')]),
  option('DE', true),
];
const codes = (options: readonly RegionOption[]): string[] =>
  options.flatMap(({ value, children = [] }) => [value, ...codes(children)]);

test.each([
  [[], ['CN', 'ZJ']],
  [['DE'], ['CN', 'ZJ', 'DE']],
  [
    ['CN', 'GD'],
    ['CN', 'GD', 'GZ', 'ZJ'],
  ],
  [
    ['CN', 'GD', 'SZ'],
    ['CN', 'GD', 'SZ', 'GZ', 'ZJ'],
  ],
])('with the value %j, the regions %j are offered', (value, expected) => {
  expect(codes(offeredRegions(REGIONS, value))).toEqual(expected);
});
