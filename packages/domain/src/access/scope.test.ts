import { expect, test } from 'vitest';
import { inScope, refusedBy, type Scope, type ScopeFacts, scopeOf } from './scope.ts';

const NORTH = 1;
const SOUTH = 2;
const QUAY = 11;
const MILL = 12;

const facts = (change: Partial<ScopeFacts>): ScopeFacts => ({
  root: false,
  customerAccess: 1,
  siteAccess: 0,
  ownCustomerId: NORTH,
  assignedCustomerIds: [],
  assignedSiteIds: [],
  ...change,
});

test.each<[string, Partial<ScopeFacts>, Scope]>([
  ['root', { root: true, customerAccess: -1, siteAccess: -1 }, { customers: 'all', sites: 'all' }],
  ['customer access 0', { customerAccess: 0 }, { customers: 'all', sites: 'all' }],
  ['customer access 1', { customerAccess: 1 }, { customers: [NORTH], sites: 'all' }],
  ['customer access 2', { customerAccess: 2, assignedCustomerIds: [SOUTH] }, { customers: [SOUTH], sites: 'all' }],
  ['customer access 2 without assignments', { customerAccess: 2 }, { customers: [], sites: 'all' }],
  ['site access 1', { siteAccess: 1, assignedSiteIds: [QUAY] }, { customers: [NORTH], sites: [QUAY] }],
  ['site access 1 without assignments', { siteAccess: 1 }, { customers: [NORTH], sites: [] }],
  ['an unknown customer access', { customerAccess: 7 }, { customers: [], sites: 'all' }],
  ['an unknown site access', { siteAccess: 7 }, { customers: [NORTH], sites: [] }],
  ['no role at all', { customerAccess: -1, siteAccess: -1 }, { customers: [], sites: [] }],
])('%s', (_, change, scope) => {
  expect(scopeOf(facts(change))).toEqual(scope);
});

test.each<[Scope, number, number | null, boolean]>([
  [{ customers: 'all', sites: 'all' }, SOUTH, null, true],
  [{ customers: 'all', sites: 'all' }, NORTH, QUAY, true],
  [{ customers: [NORTH], sites: 'all' }, NORTH, QUAY, true],
  [{ customers: [NORTH], sites: 'all' }, SOUTH, QUAY, false],
  [{ customers: [NORTH], sites: [QUAY] }, NORTH, QUAY, true],
  [{ customers: [NORTH], sites: [QUAY] }, NORTH, MILL, false],
  [{ customers: [NORTH], sites: [QUAY] }, SOUTH, QUAY, false],
  [{ customers: [NORTH], sites: [QUAY] }, NORTH, null, false],
  [{ customers: [NORTH], sites: 'all' }, NORTH, null, true],
  [{ customers: [], sites: 'all' }, NORTH, QUAY, false],
])('%j includes a row of customer %i and site %s: %s', (scope, customerId, siteId, admitted) => {
  expect(inScope(scope, { customerId, siteId })).toBe(admitted);
});

test.each<[Scope, number, number | null, 'customer' | 'site' | null]>([
  [{ customers: 'all', sites: 'all' }, SOUTH, null, null],
  [{ customers: [NORTH], sites: [QUAY] }, SOUTH, MILL, 'customer'],
  [{ customers: [NORTH], sites: [QUAY] }, NORTH, MILL, 'site'],
  [{ customers: 'all', sites: [QUAY] }, SOUTH, null, 'site'],
])('%j excludes a row of customer %i and site %s because of its %s', (scope, customerId, siteId, by) => {
  expect(refusedBy(scope, { customerId, siteId })).toBe(by);
});
