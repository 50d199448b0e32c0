/** Which rows a person may see at all (spec §6): customers and sites, each all or a list of ids. Both must admit a row. */
export interface Scope {
  customers: 'all' | readonly number[];
  sites: 'all' | readonly number[];
}

/** Customer access of a role (spec §6). */
export const CUSTOMER_ACCESS = { all: 0, own: 1, assigned: 2 } as const;
/** Site access of a role (spec §6). */
export const SITE_ACCESS = { all: 0, assigned: 1 } as const;

/** What decides the scope of somebody. */
export interface ScopeFacts {
  root: boolean;
  customerAccess: number;
  siteAccess: number;
  ownCustomerId: number;
  assignedCustomerIds: readonly number[];
  assignedSiteIds: readonly number[];
}

/** The scope of somebody: root sees everything; an access number outside the spec's sees nothing. */
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

/** Which of the two keeps a row out of a scope, the customer first; null when neither does. A row without a site is not admitted to who sees assigned sites only. */
export function refusedBy(
  scope: Scope,
  row: { customerId: number; siteId: number | null },
): 'customer' | 'site' | null {
  if (scope.customers !== 'all' && !scope.customers.includes(row.customerId)) return 'customer';
  if (scope.sites !== 'all' && (row.siteId === null || !scope.sites.includes(row.siteId))) return 'site';
  return null;
}

/** True when a row of a customer and a site lies in the scope. */
export function inScope(scope: Scope, row: { customerId: number; siteId: number | null }): boolean {
  return refusedBy(scope, row) === null;
}
