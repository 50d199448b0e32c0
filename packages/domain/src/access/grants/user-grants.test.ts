import { describe, expect, test } from 'vitest';
import { levelsAll } from '../levels.ts';
import { excessOf } from './grants.ts';
import { type Grantor, type GrantRefusal, holdsMore, refusedGrants, type UserRights } from './user-grants.ts';

const VENDOR = 1;
const NORTH = 2;
const SOUTH = 3;
const NORTH_SITE = 20;
const SOUTH_SITE = 30;

const role = (id: number, change: Partial<UserRights['role']> = {}) => ({
  ...{ id, customerAccess: 1, siteAccess: 1, remoteAccess: 0, levels: levelsAll(3), keys: new Set(['a']) },
  ...change,
});
const grantor = (change: Partial<Grantor> = {}): Grantor => ({
  userId: 7,
  holding: { ...role(0), root: false },
  vendor: false,
  scope: { customers: [VENDOR, NORTH], sites: 'all' },
  maxSites: 5,
  ...change,
});
const root = grantor({ holding: { ...role(0), root: true }, vendor: true, scope: { customers: 'all', sites: 'all' } });
const user = (change: Partial<UserRights> = {}): UserRights => ({
  ...{ customerId: NORTH, vendor: false, role: role(100), root: false },
  ...{ customerIds: [], siteIds: [], maxSites: 3, email: 'a@example.com', ...change },
});
const known = {
  customerIds: new Set([VENDOR, NORTH, SOUTH]),
  customerOfSite: new Map([
    [NORTH_SITE, NORTH],
    [SOUTH_SITE, SOUTH],
  ]),
};
const inVendor = { customerId: VENDOR, vendor: true };
const stronger = role(200, { levels: levelsAll(2) });

type Case = [title: string, change: Partial<UserRights>, refused: GrantRefusal[], who?: Partial<Grantor>];
const CASES: Case[] = [
  ['nothing', {}, []],
  ['the platform vendor by another customer', inVendor, [{ field: 'customerId', reason: 'exceeds' }]],
  ['the platform vendor by the vendor', inVendor, [], { vendor: true }],
  ['a customer out of scope', { customerId: SOUTH }, [{ field: 'customerId', reason: 'unknown' }]],
  ['a customer that does not exist', { customerId: 99 }, [{ field: 'customerId', reason: 'unknown' }]],
  ['a role with more', { role: stronger }, [{ field: 'roleId', reason: 'exceeds' }]],
  ['an equal role', { role: role(300) }, []],
  ['a limit up to the own one', { maxSites: 5 }, []],
  ['a limit beyond the own one', { maxSites: 6 }, [{ field: 'maxSites', reason: 'exceeds' }]],
  ['no limit', { maxSites: null }, [{ field: 'maxSites', reason: 'exceeds' }]],
  ['no limit by somebody without one', { maxSites: null }, [], { maxSites: null }],
  ['a customer in scope', { customerIds: [NORTH] }, []],
  ['an assigned customer out of scope', { customerIds: [SOUTH] }, [{ field: 'customerIds', reason: 'unknown' }]],
  ['a site in scope', { siteIds: [NORTH_SITE] }, []],
  ['a site out of scope', { siteIds: [SOUTH_SITE] }, [{ field: 'siteIds', reason: 'unknown' }]],
  ['a site that does not exist', { siteIds: [99] }, [{ field: 'siteIds', reason: 'unknown' }]],
  [
    'a site that the user could not see',
    { siteIds: [SOUTH_SITE] },
    [{ field: 'siteIds', reason: 'unseen', siteId: SOUTH_SITE }],
    { scope: { customers: 'all', sites: 'all' } },
  ],
  [
    'a site that does not exist, by somebody who sees everything',
    { siteIds: [99] },
    [{ field: 'siteIds', reason: 'unknown' }],
    { scope: { customers: 'all', sites: 'all' } },
  ],
  [
    'a site of an assigned customer',
    { role: role(100, { customerAccess: 2 }), customerIds: [SOUTH], siteIds: [SOUTH_SITE] },
    [],
    { scope: { customers: 'all', sites: 'all' } },
  ],
  [
    'a site of the own customer when only others are assigned',
    { role: role(100, { customerAccess: 2 }), customerIds: [SOUTH], siteIds: [NORTH_SITE] },
    [{ field: 'siteIds', reason: 'unseen', siteId: NORTH_SITE }],
    { scope: { customers: 'all', sites: 'all' } },
  ],
];

describe('a new user does not get', () => {
  test.each(CASES)('%s', (_title, change, refused, who = {}) => {
    expect(refusedGrants(grantor(who), null, null, user(change), known)).toEqual(refused);
  });
});

describe('an existing user does not get', () => {
  test.each(CASES)('%s', (_title, change, refused, who = {}) => {
    expect(refusedGrants(grantor(who), 8, user(), user(change), known)).toEqual(refused);
  });

  test('anything in a change that leaves it unchanged', () => {
    const strong = { ...inVendor, role: stronger, maxSites: null, siteIds: [SOUTH_SITE], customerIds: [SOUTH] };
    expect(refusedGrants(grantor(), 8, user(strong), user({ ...strong, email: null }), known)).toEqual([]);
  });
});

test('places are checked when one of several is replaced', () => {
  const before = user({ siteIds: [NORTH_SITE, 21] });
  const after = user({ siteIds: [NORTH_SITE, SOUTH_SITE] });
  expect(refusedGrants(grantor(), 8, before, after, known)).toEqual([{ field: 'siteIds', reason: 'unknown' }]);
});

test('a holder of access to everything grants it, unlike others', () => {
  const wide = role(0, { customerAccess: 0, siteAccess: 0 });
  expect(excessOf({ ...wide, root: false }, wide)).toEqual([]);
  expect(excessOf({ ...role(0), root: false }, wide)).toEqual(['customerAccess', 'siteAccess']);
});

test('nobody has more rights than root', () => {
  const another = { ...root, vendor: false };
  expect([holdsMore(another, user({ root: true })), holdsMore(another, user(inVendor))]).toEqual([false, false]);
});

test("a limit above the grantor's own may be lowered, but not raised", () => {
  expect(refusedGrants(grantor(), 8, user({ maxSites: null }), user({ maxSites: 50 }), known)).toEqual([]);
  expect(refusedGrants(grantor(), 8, user({ maxSites: 50 }), user({ maxSites: 40 }), known)).toEqual([]);
  expect(refusedGrants(grantor(), 8, user({ maxSites: 50 }), user({ maxSites: 51 }), known)).toHaveLength(1);
});

test('nobody extends their own rights', () => {
  const own = user({ maxSites: 5 });
  const wider = { ...inVendor, role: stronger, maxSites: 6 };
  expect(refusedGrants(grantor(), 7, own, { ...own, ...wider }, known).map(({ field }) => field)).toEqual([
    'customerId',
    'roleId',
    'maxSites',
  ]);
});

test("the caller's own email can only be changed by the owner endpoints, even for root", () => {
  const refused = [{ field: 'email', reason: 'owner' }];
  expect(refusedGrants(grantor(), 7, user(), user({ email: 'b@example.com' }), known)).toEqual(refused);
  expect(refusedGrants(root, 7, user(), user({ email: null }), known)).toEqual(refused);
  expect(refusedGrants(root, 8, user(), user({ email: 'b@example.com' }), known)).toEqual([]);
});

test('root can grant everything that exists', () => {
  const all = { ...inVendor, role: role(400, { customerAccess: 0, levels: levelsAll(0) }), maxSites: null };
  expect(refusedGrants(root, 8, user(), user({ ...all, siteIds: [SOUTH_SITE] }), known)).toEqual([]);
  expect(refusedGrants(root, null, null, user({ customerId: 99 }), known)).toHaveLength(1);
});

test.each<[string, Partial<UserRights>, Partial<Grantor>, boolean]>([
  ['an equal', {}, {}, false],
  ['a stronger role', { role: stronger }, {}, true],
  ['no role', { role: null }, {}, false],
  ['root', { root: true }, {}, true],
  ['users of the platform vendor', inVendor, {}, true],
  ['users of the platform vendor, by one of them', inVendor, { vendor: true }, false],
])('%s has more rights: see the table', (_title, change, who, expected) => {
  expect(holdsMore(grantor(who), user(change))).toBe(expected);
});
