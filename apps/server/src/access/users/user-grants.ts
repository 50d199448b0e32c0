import { type GrantRefusal, refusedGrants, type UserRights } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import { grantorOf, rightsOf } from '../holding.ts';
import { findRole } from '../roles/roles.store.ts';
import { type Assigned, findKnownPlaces } from './assignments.store.ts';
import type { UserRecord } from './users.store.ts';

/** The properties of a user that grant permissions, after the change. */
export interface RequestedRights {
  customerId: number;
  roleId: number | null;
  maxSites: number | null;
  email: string | null;
  customerIds: readonly number[];
  siteIds: readonly number[];
}

/**
 * The check for every way to create or change a user: throws unless the caller has all that the change grants.
 * @param user the current user, with the assignments that the caller sees; null for a new one
 * @throws {Problem} roleUnknown, userCustomerUnknown, siteUnknown, siteNotOfCustomer, vendorExceeds, maxSitesExceeds,
 * ownEmail
 */
export async function requireGrants(
  trx: Kysely<Database>,
  caller: Caller,
  user: { record: UserRecord; assigned: { customerIds: readonly number[]; siteIds: readonly number[] } } | null,
  wanted: RequestedRights,
): Promise<void> {
  // Locked until the end of the transaction, so that the role does not change after the check.
  const role = wanted.roleId === null ? null : await findRole(trx, wanted.roleId, 'share');
  if (wanted.roleId !== null && !role) throw new Problem('roleUnknown', { field: 'roleId' });
  const known = await findKnownPlaces(trx, [wanted.customerId, ...wanted.customerIds], wanted.siteIds);
  const grantor = await grantorOf(trx, caller);
  const after: UserRights = {
    ...wanted,
    root: user?.record.root ?? false,
    vendor: known.vendorIds.has(wanted.customerId),
    role: role && rightsOf(role),
  };
  const before: UserRights | null = user && {
    ...user.record,
    ...user.assigned,
    // The permissions of the role are compared only when the role changes.
    role: role?.id === user.record.roleId ? after.role : null,
  };
  const customerOfSite = new Map([...known.sites].map(([id, site]) => [id, site.customerId]));
  const places = { customerIds: known.customerIds, customerOfSite };
  const [refusal] = refusedGrants(grantor, user?.record.id ?? null, before, after, places);
  if (refusal) throw problemOf(refusal, grantor.maxSites, (id) => known.sites.get(id)?.name ?? '');
}

/** The ids of a user's assignments, in ascending order. */
export function assignedIds(assigned: Assigned): { customerIds: number[]; siteIds: number[] } {
  const ids = (rows: readonly { id: number }[]) => rows.map((row) => row.id).sort((a, b) => a - b);
  return { customerIds: ids(assigned.customers), siteIds: ids(assigned.sites) };
}

function problemOf(refusal: GrantRefusal, maxSites: number | null, siteName: (id: number) => string): Problem {
  const { field } = refusal;
  switch (field) {
    case 'customerId':
      return new Problem(refusal.reason === 'exceeds' ? 'vendorExceeds' : 'userCustomerUnknown', { field });
    case 'customerIds':
      return new Problem('userCustomerUnknown', { field });
    case 'roleId':
      return new Problem('roleUnknown', { field });
    case 'maxSites':
      return new Problem('maxSitesExceeds', { field, values: { max: maxSites ?? 0 } });
    case 'email':
      return new Problem('ownEmail', { field });
    case 'siteIds':
      if (refusal.reason === 'unknown') return new Problem('siteUnknown', { field });
      return new Problem('siteNotOfCustomer', { field, values: { site: siteName(refusal.siteId) } });
  }
}
