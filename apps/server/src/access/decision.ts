import {
  accessEndpoints,
  type CodeName,
  type Endpoint,
  type ExplainReason,
  PERMISSIONS,
  recoveryEndpoints,
  secondFactorEndpoints,
} from '@chargehand/contract';
import { levelsAll, type Scope, scopeOf } from '@chargehand/domain';
import type { Caller } from '../platform/http/caller.ts';
import type { AccountStateRow } from './callers.store.ts';

/** One step of a decision: the fact that decided it, and the code of the response if the call ends here. */
export interface Decided {
  reason: ExplainReason;
  refusedWith: CodeName | null;
}

const admitted = (reason: ExplainReason): Decided => ({ reason, refusedWith: null });
const refused = (reason: ExplainReason, refusedWith: CodeName): Decided => ({ reason, refusedWith });

/** Effects that change something. Users of a read-only customer may not use them. */
const CHANGING: ReadonlySet<Endpoint['effect']> = new Set(['create', 'update', 'delete', 'control']);

/** Effects without a lasting change: the only ones during an impersonation. */
const READING: ReadonlySet<Endpoint['effect']> = new Set(['list', 'read', 'export']);

type Facts<K extends keyof AccountStateRow> = Pick<AccountStateRow, K>;

/** May the account be used at all? */
export function decideAccount({ enabled, customer_enabled }: Facts<'enabled' | 'customer_enabled'>): Decided {
  if (!enabled) return refused('userDisabled', 'accountDisabled');
  if (!customer_enabled) return refused('customerDisabled', 'accountDisabled');
  return admitted('signedIn');
}

/** A user whose password was chosen by someone else may only change it. */
export function decidePassword({ password_state }: Facts<'password_state'>, endpoint: Pick<Endpoint, 'id'>): Decided {
  const given = password_state !== 'own' && endpoint.id !== recoveryEndpoints.chooseFirstPassword.id;
  return given ? refused('passwordGiven', 'passwordGiven') : admitted('passwordOwn');
}

/** The calls that set up two-factor authentication. */
const SETS_UP: ReadonlySet<string> = new Set([
  secondFactorEndpoints.readSecondFactor.id,
  secondFactorEndpoints.beginSecondFactor.id,
  secondFactorEndpoints.confirmSecondFactor.id,
]);

/** Users whose role requires two-factor authentication set it up first. */
export function decideSecondFactor(
  { second_factor_due }: Facts<'second_factor_due'>,
  endpoint: Pick<Endpoint, 'id'>,
): Decided {
  const due = second_factor_due && !SETS_UP.has(endpoint.id);
  return due ? refused('secondFactorDue', 'secondFactorDue') : admitted('secondFactorReady');
}

/** Before the newest privacy policy is accepted, the only allowed call is accepting it. */
export function decidePrivacy({ privacy_waits }: Facts<'privacy_waits'>, endpoint: Pick<Endpoint, 'id'>): Decided {
  const waits = privacy_waits && endpoint.id !== accessEndpoints.acceptPrivacy.id;
  return waits ? refused('privacyWaits', 'privacyNotAccepted') : admitted('privacyAccepted');
}

/** Does a menu of the user, or a common one, include the interface? Root needs no menu. */
export function decideRoute({ root, reaches }: Facts<'root' | 'reaches'>): Decided {
  if (root) return admitted('root');
  return reaches ? admitted('menuHeld') : refused('menuMissing', 'noPermission');
}

/** Users of a read-only customer change nothing, except root accounts. */
export function decideReadOnly(accountState: Facts<'root' | 'read_only'>, endpoint: Pick<Endpoint, 'effect'>): Decided {
  if (!CHANGING.has(endpoint.effect)) return admitted('readsOnly');
  return isReadOnly(accountState) ? refused('readOnlyCustomer', 'noPermission') : admitted('changes');
}

/** True if a call changes nothing, by its method and its declared effect. Deny by default. */
export function onlyReads(method: string, endpoint: Pick<Endpoint, 'effect'>): boolean {
  return method === 'GET' && READING.has(endpoint.effect);
}

function isReadOnly({ root, read_only }: Facts<'root' | 'read_only'>): boolean {
  return read_only && !root;
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
    readOnly: isReadOnly(row),
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
