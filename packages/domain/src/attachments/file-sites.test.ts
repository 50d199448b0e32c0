import { describe, expect, test } from 'vitest';
import { isOfOtherSite, mayChangeOfSite, seesFilesOf, siteWithin } from './file-sites.ts';

const ALL = { customers: 'all', sites: 'all' } as const;
const QUAY = { customers: [1], sites: [7] } as const;
const NONE = { customers: [1], sites: [] } as const;

test.each([
  [null, null, null, false],
  [null, 7, 7, false],
  [7, null, 7, false],
  [7, 7, 7, false],
  [8, 7, 7, true],
])('site %s in a folder of site %s: %s, refused: %s', (own, folder, within, refused) => {
  expect(siteWithin(own, folder)).toBe(within);
  expect(isOfOtherSite(own, folder)).toBe(refused);
});

describe.each([
  ['a user of all sites', ALL, { null: [true, true], 7: [true, true], 8: [true, true] }],
  ['a user of site 7', QUAY, { null: [true, false], 7: [true, true], 8: [false, false] }],
  ['a user without sites', NONE, { null: [true, false], 7: [false, false], 8: [false, false] }],
])('%s', (_, scope, expected) => {
  test.each(Object.entries(expected))('site %s: sees and changes %s', (site, [sees, changes]) => {
    const id = site === 'null' ? null : Number(site);
    expect(seesFilesOf(scope, id)).toBe(sees);
    expect(mayChangeOfSite(scope, id)).toBe(changes);
  });
});
