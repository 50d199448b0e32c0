import { describe, expect, test } from 'vitest';
import { levelsAll } from '../access/levels.ts';
import {
  customerRights,
  isPlaceCode,
  type SiteFacts,
  type SiteState,
  seesWholeCustomer,
  siteRights,
  siteState,
  worstSiteState,
} from './places.ts';

describe('the code of a customer or a site', () => {
  test.each(['A', '7', 'HK-KLB', 'north_quay.2', 'x'.repeat(32)])('may be %s', (code) => {
    expect(isPlaceCode(code)).toBe(true);
  });
  test.each(['', '-A', '.', 'A B', 'A/B', '站点', 'A\n', 'x'.repeat(33)])('may not be %j', (code) => {
    expect(isPlaceCode(code)).toBe(false);
  });
});

describe('levels', () => {
  test.each([0, 1, 2, 3, 4] as const)('%i edits and downloads', (level) => {
    expect(siteRights(levelsAll(level))).toEqual({ edit: true, download: true });
    expect(customerRights(levelsAll(level))).toEqual({ edit: true, download: true });
  });
  test('the lowest level does neither', () => {
    expect(siteRights(levelsAll(5))).toEqual({ edit: false, download: false });
    expect(customerRights(levelsAll(5))).toEqual({ edit: false, download: false });
  });
  test('customers require levels of the area of users, sites of that of devices', () => {
    const levels = { ...levelsAll(5), user: levelsAll(1).user };
    expect(customerRights(levels).edit).toBe(true);
    expect(siteRights(levels).edit).toBe(false);
  });
});

test.each([
  ['all', 'all', true],
  [[7], 'all', true],
  [[8], 'all', false],
  ['all', [1], false],
  [[7], [1], false],
] as const)('with customers %j and sites %j, the whole customer 7 is visible: %s', (customers, sites, seen) => {
  expect(seesWholeCustomer({ customers, sites }, 7)).toBe(seen);
});

const WELL: SiteFacts = {
  enabled: true,
  devices: 4,
  served: 4,
  faulted: 0,
  offline: 0,
  openAlarms: 0,
  critical: 0,
};

test.each<[SiteState, Partial<SiteFacts>]>([
  ['normal', {}],
  ['disabled', { enabled: false, faulted: 1 }],
  ['empty', { devices: 0, served: 0 }],
  ['faulted', { faulted: 1, offline: 3 }],
  ['faulted', { openAlarms: 1, critical: 1 }],
  // One of many devices does not colour its site; a quarter of them does.
  ['attention', { devices: 95, served: 95, faulted: 1 }],
  ['attention', { devices: 95, served: 95, faulted: 1, openAlarms: 1, critical: 1 }],
  ['attention', { devices: 95, served: 95, faulted: 23 }],
  ['faulted', { devices: 95, served: 95, faulted: 24 }],
  ['faulted', { devices: 95, served: 95, openAlarms: 30, critical: 24 }],
  ['offline', { devices: 95, served: 95, offline: 95, openAlarms: 1, critical: 1 }],
  ['faulted', { served: 0, openAlarms: 1, critical: 1 }],
  ['offline', { offline: 4, openAlarms: 4 }],
  ['offline', { served: 2, offline: 2 }],
  ['attention', { offline: 1 }],
  ['attention', { openAlarms: 1 }],
  ['normal', { served: 0 }],
])('a site is %s with %j', (state, facts) => {
  expect(siteState({ ...WELL, ...facts })).toBe(state);
});

test.each<[SiteState | null, SiteState[]]>([
  [null, []],
  ['empty', ['empty', 'disabled']],
  ['normal', ['empty', 'normal', 'disabled']],
  ['attention', ['normal', 'attention']],
  ['offline', ['attention', 'offline', 'normal']],
  ['faulted', ['offline', 'normal', 'faulted', 'empty']],
])('the worst state is %s of %j', (worst, states) => {
  expect(worstSiteState(states)).toBe(worst);
});
