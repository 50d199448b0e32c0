import { CUSTOMER_ACCESS, type Excess, excessOf, type Holding, SITE_ACCESS } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import type { Standing } from './decision.ts';
import { findRemoteAccess, type RoleRecord } from './roles.store.ts';

/** What somebody holds themselves, as far as they may grant it to others. */
export async function holdingOf(db: Kysely<Database>, caller: Standing): Promise<Holding> {
  return {
    root: caller.root,
    customerAccess: caller.scope.customers === 'all' ? CUSTOMER_ACCESS.all : CUSTOMER_ACCESS.assigned,
    siteAccess: caller.scope.sites === 'all' ? SITE_ACCESS.all : SITE_ACCESS.assigned,
    remoteAccess: caller.root ? 0 : await findRemoteAccess(db, caller.userId),
    levels: caller.levels,
    keys: caller.keys,
  };
}

/** True when a role gives nothing that its granter lacks. */
export function isGrantable(holder: Holding, role: Pick<RoleRecord, keyof Given>): boolean {
  return excess(holder, role).length === 0;
}

/** @throws {Problem} grantExceeds, naming the first part that goes beyond what the holder holds */
export function requireGrantable(holder: Holding, given: Given): void {
  const [field] = excess(holder, given);
  if (field) throw new Problem('grantExceeds', { field });
}

type Given = Pick<RoleRecord, 'customerAccess' | 'siteAccess' | 'remoteAccess' | 'levels' | 'keys'>;

function excess(holder: Holding, given: Given): Excess[] {
  return excessOf(holder, { ...given, keys: new Set(given.keys) });
}
