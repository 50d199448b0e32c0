import { type AccountFacts, PERMISSIONS } from '@chargehand/contract';
import { levelsAll, type Scope, scopeOf } from '@chargehand/domain';
import type { Caller } from '../platform/http/caller.ts';
import type { AccountStateRow } from './callers.store.ts';

/** The state of an account, for `decideSession`. */
export function accountOf(row: AccountStateRow): AccountFacts {
  return {
    enabled: row.enabled,
    customerEnabled: row.customer_enabled,
    passwordGiven: row.password_state !== 'own',
    secondFactorDue: row.second_factor_due,
    privacyWaits: row.privacy_waits,
    root: row.root,
    readOnlyCustomer: row.read_only,
    reaches: row.reaches,
  };
}

/** What a user may see and change, for all modules. */
export type AccountState = Pick<
  Caller,
  | 'userId'
  | 'userName'
  | 'customerId'
  | 'platformVendor'
  | 'readOnly'
  | 'root'
  | 'keys'
  | 'levels'
  | 'remoteAccess'
  | 'scope'
>;

/** Steps two and three of design §5: the rows and the levels of a user. */
export function accountStateOf(row: AccountStateRow): AccountState {
  return {
    userId: row.user_id,
    userName: row.user_name,
    customerId: row.customer_id,
    platformVendor: row.platform_vendor,
    readOnly: row.read_only && !row.root,
    root: row.root,
    keys: new Set(row.root ? Object.keys(PERMISSIONS) : row.keys),
    levels: row.root ? levelsAll(0) : (row.levels ?? levelsAll(5)),
    remoteAccess: row.remote_access,
    scope: scopeOfState(row),
  };
}

function scopeOfState(row: AccountStateRow): Scope {
  return scopeOf({
    root: row.root,
    customerAccess: row.customer_access ?? -1,
    siteAccess: row.site_access ?? -1,
    ownCustomerId: row.customer_id,
    assignedCustomerIds: row.customer_ids,
    assignedSiteIds: row.site_ids,
  });
}
