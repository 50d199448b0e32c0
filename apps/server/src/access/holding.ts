import { CUSTOMER_ACCESS, type Excess, excessOf, type Grantor, type Holding, SITE_ACCESS } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import type { AccountState } from './decision.ts';
import { findOwnLimits, type RoleRecord } from './roles/roles.store.ts';
import { isVendor } from './vendor.ts';

/** The rights of a user that they may grant to others. */
export async function holdingOf(db: Kysely<Database>, caller: AccountState): Promise<Holding> {
  return (await grantorOf(db, caller)).holding;
}

/** A user who grants rights to others. */
export async function grantorOf(db: Kysely<Database>, caller: AccountState): Promise<Grantor> {
  const { remoteAccess, maxSites } = await findOwnLimits(db, caller.userId);
  const holding: Holding = {
    root: caller.root,
    customerAccess: caller.scope.customers === 'all' ? CUSTOMER_ACCESS.all : CUSTOMER_ACCESS.assigned,
    siteAccess: caller.scope.sites === 'all' ? SITE_ACCESS.all : SITE_ACCESS.assigned,
    remoteAccess,
    levels: caller.levels,
    keys: caller.keys,
  };
  return { userId: caller.userId, holding, vendor: isVendor(caller), scope: caller.scope, maxSites };
}

/** True if the granter has everything that a role gives. */
export function isGrantable(holder: Holding, role: Pick<RoleRecord, keyof Given>): boolean {
  return excess(holder, role).length === 0;
}

/** @throws {Problem} grantExceeds, with the first part that the holder lacks */
export function requireGrantable(holder: Holding, given: Given): void {
  const [field] = excess(holder, given);
  if (field) throw new Problem('grantExceeds', { field });
}

type Given = Pick<RoleRecord, 'customerAccess' | 'siteAccess' | 'remoteAccess' | 'levels' | 'keys'>;

/** The rights of a role, for comparison. */
export function rightsOf<G extends Given>(given: G): Omit<G, 'keys'> & { keys: ReadonlySet<string> } {
  return { ...given, keys: new Set(given.keys) };
}

function excess(holder: Holding, given: Given): Excess[] {
  return excessOf(holder, rightsOf(given));
}
