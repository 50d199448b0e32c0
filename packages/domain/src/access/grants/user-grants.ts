import { CUSTOMER_ACCESS, inScope, type Scope } from '../scope.ts';
import { excessOf, type Holding } from './grants.ts';

/** The user who changes another user, or themselves. */
export interface Grantor {
  userId: number;
  holding: Holding;
  /** belongs to the platform vendor, or is root */
  vendor: boolean;
  scope: Scope;
  /** maximum number of sites assigned to them; null: no limit */
  maxSites: number | null;
}

/** Everything that decides what a user can see and do. */
export interface UserRights {
  customerId: number;
  /** the customer is the platform vendor */
  vendor: boolean;
  /** null: no role and no rights */
  role: (Omit<Holding, 'root'> & { id: number }) | null;
  root: boolean;
  customerIds: readonly number[];
  siteIds: readonly number[];
  maxSites: number | null;
  email: string | null;
}

/**
 * Why a property is rejected. `unknown`: it does not exist, or the grantor cannot see it; both look the same.
 * `exceeds`: it gives more than the grantor has. `unseen`: the user could not see a site that they are assigned.
 * `owner`: only the owner of the account may change it, and only with the current password.
 */
export type GrantRefusal =
  | { field: 'customerId' | 'customerIds' | 'siteIds'; reason: 'unknown' }
  | { field: 'customerId' | 'roleId' | 'maxSites'; reason: 'exceeds' }
  | { field: 'siteIds'; reason: 'unseen'; siteId: number }
  | { field: 'email'; reason: 'owner' };

/** The existing places of `after`: customers, and sites with their customers. */
export interface KnownPlaces {
  customerIds: ReadonlySet<number>;
  customerOfSite: ReadonlyMap<number, number>;
}

/**
 * The properties that a change of a user must not contain, because nobody grants what they do not have. Only properties
 * that differ between `before` and `after` are checked, so that other properties of a user with more rights than the
 * grantor can be changed.
 * @param userId of the changed user; null for a new one
 * @param before null for a new user
 */
export function refusedGrants(
  grantor: Grantor,
  userId: number | null,
  before: UserRights | null,
  after: UserRights,
  known: KnownPlaces,
): GrantRefusal[] {
  const refused: GrantRefusal[] = [];
  const { scope, holding } = grantor;
  if (!before || !sameIds(before.customerIds, after.customerIds) || !sameIds(before.siteIds, after.siteIds)) {
    refused.push(...refusedPlaces(scope, after, known));
  }
  if (before?.customerId !== after.customerId) {
    if (!seesCustomer(scope, known, after.customerId)) refused.push({ field: 'customerId', reason: 'unknown' });
    else if (after.vendor && !grantor.vendor) refused.push({ field: 'customerId', reason: 'exceeds' });
  }
  if (after.role && before?.role?.id !== after.role.id) {
    if (excessOf(holding, after.role).length > 0) refused.push({ field: 'roleId', reason: 'exceeds' });
  }
  if (before?.maxSites !== after.maxSites && !holding.root && exceedsLimit(after.maxSites, grantor.maxSites)) {
    const lowered = before !== null && !exceedsLimit(after.maxSites, before.maxSites);
    if (!lowered) refused.push({ field: 'maxSites', reason: 'exceeds' });
  }
  if (before && userId === grantor.userId && before.email !== after.email) {
    refused.push({ field: 'email', reason: 'owner' });
  }
  return refused;
}

/**
 * True when a user has rights that the grantor lacks. A caller who changes such a user could gain these rights, for example
 * by setting the password.
 */
export function holdsMore(
  grantor: Pick<Grantor, 'holding' | 'vendor'>,
  user: Pick<UserRights, 'root' | 'vendor' | 'role'>,
): boolean {
  if (grantor.holding.root) return false;
  if (user.root || (user.vendor && !grantor.vendor)) return true;
  return user.role !== null && excessOf(grantor.holding, user.role).length > 0;
}

/** True when one site limit is higher than another. Null is no limit. */
function exceedsLimit(one: number | null, other: number | null): boolean {
  return other !== null && (one === null || one > other);
}

function seesCustomer(scope: Scope, known: KnownPlaces, id: number): boolean {
  return known.customerIds.has(id) && (scope.customers === 'all' || scope.customers.includes(id));
}

function refusedPlaces(scope: Scope, after: UserRights, known: KnownPlaces): GrantRefusal[] {
  const hidden = after.customerIds.some((id) => !seesCustomer(scope, known, id));
  const refused: GrantRefusal[] = hidden ? [{ field: 'customerIds', reason: 'unknown' }] : [];
  const places = after.siteIds.map((siteId) => ({ siteId, customerId: known.customerOfSite.get(siteId) }));
  if (places.some(({ siteId, customerId }) => customerId === undefined || !inScope(scope, { customerId, siteId }))) {
    return [...refused, { field: 'siteIds', reason: 'unknown' }];
  }
  const seen = seenCustomers(after);
  const lost = seen === 'all' ? undefined : places.find(({ customerId }) => !seen.includes(customerId!));
  return lost ? [...refused, { field: 'siteIds', reason: 'unseen', siteId: lost.siteId }] : refused;
}

/** The customers that a user can see. */
function seenCustomers(user: UserRights): 'all' | readonly number[] {
  if (user.root || user.role?.customerAccess === CUSTOMER_ACCESS.all) return 'all';
  return user.role?.customerAccess === CUSTOMER_ACCESS.own ? [user.customerId] : user.customerIds;
}

function sameIds(some: readonly number[], others: readonly number[]): boolean {
  const known = new Set(others);
  return some.length === known.size && some.every((id) => known.has(id));
}
