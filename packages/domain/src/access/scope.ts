/**
 * The rows that a user can see (spec §6): all customers or a list of ids, and all sites or a list of ids. Both must
 * include a row.
 */
export interface Scope {
  customers: 'all' | readonly number[];
  sites: 'all' | readonly number[];
}

/** Customer access of a role (spec §6). */
export const CUSTOMER_ACCESS = { all: 0, own: 1, assigned: 2 } as const;
/** Site access of a role (spec §6). */
export const SITE_ACCESS = { all: 0, assigned: 1 } as const;

/** Everything that decides the scope of a user. */
export interface ScopeFacts {
  root: boolean;
  customerAccess: number;
  siteAccess: number;
  ownCustomerId: number;
  assignedCustomerIds: readonly number[];
  assignedSiteIds: readonly number[];
}

/** The scope of a user. Root sees everything; an access number that the spec does not define sees nothing. */
export function scopeOf(facts: ScopeFacts): Scope {
  if (facts.root) return { customers: 'all', sites: 'all' };
  const customers =
    facts.customerAccess === CUSTOMER_ACCESS.all
      ? 'all'
      : facts.customerAccess === CUSTOMER_ACCESS.own
        ? [facts.ownCustomerId]
        : facts.customerAccess === CUSTOMER_ACCESS.assigned
          ? facts.assignedCustomerIds
          : [];
  return { customers, sites: facts.siteAccess === SITE_ACCESS.all ? 'all' : facts.assignedSiteIds };
}

/**
 * Which of the two excludes a row from a scope, the customer first; null when neither does. Users with assigned sites
 * do not see rows without a site.
 */
export function refusedBy(
  scope: Scope,
  row: { customerId: number; siteId: number | null },
): 'customer' | 'site' | null {
  if (scope.customers !== 'all' && !scope.customers.includes(row.customerId)) return 'customer';
  if (scope.sites !== 'all' && (row.siteId === null || !scope.sites.includes(row.siteId))) return 'site';
  return null;
}

/** True when a row of a customer and a site is in the scope. */
export function inScope(scope: Scope, row: { customerId: number; siteId: number | null }): boolean {
  return refusedBy(scope, row) === null;
}
