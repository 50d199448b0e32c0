import { accessEndpoints } from '../access/access.ts';
import type { ExplainReason } from '../access/explain.ts';
import { recoveryEndpoints } from '../access/recovery.ts';
import { secondFactorEndpoints } from '../access/second-factor.ts';
import type { CodeName } from '../codes.ts';
import type { Endpoint } from '../endpoint.ts';
import type { DecidedStep } from './decide.ts';

/** The state of an account, as far as it decides which endpoints its user reaches. */
export interface AccountFacts {
  enabled: boolean;
  customerEnabled: boolean;
  /** someone else chose the password */
  passwordGiven: boolean;
  /** the role requires two-factor authentication, and none is set up */
  secondFactorDue: boolean;
  /** the user has not accepted the newest privacy policy */
  privacyWaits: boolean;
  root: boolean;
  readOnlyCustomer: boolean;
  /** the interface belongs to a menu of the role or a common menu, or is itself common */
  reaches: boolean;
}

/** Effects that change something. Users of a read-only customer may not use them. */
const CHANGING: ReadonlySet<Endpoint['effect']> = new Set(['create', 'update', 'delete', 'control']);

/** Effects without a lasting change: the only ones during an impersonation. */
const READING: ReadonlySet<Endpoint['effect']> = new Set(['list', 'read', 'export']);

/** The calls that set up two-factor authentication. */
const SETS_UP: ReadonlySet<string> = new Set([
  secondFactorEndpoints.readSecondFactor.id,
  secondFactorEndpoints.beginSecondFactor.id,
  secondFactorEndpoints.confirmSecondFactor.id,
]);

/**
 * Decides whether an account reaches an endpoint, before `decide` looks at the rest of its policy. Without `signsIn` for
 * users who are looked at by root or for whom other software calls: password, second factor and privacy policy do not
 * matter.
 */
export function decideSession(account: AccountFacts, endpoint: Endpoint, { signsIn = true } = {}): DecidedStep[] {
  if (endpoint.policy.route === 'public') return [pass('route', 'public')];
  const steps = [decideAccount(account)];
  if (signsIn) {
    const chooses = endpoint.id === recoveryEndpoints.chooseFirstPassword.id;
    const given = account.passwordGiven;
    steps.push(
      given && !chooses ? deny('password', 'passwordGiven', 'passwordGiven') : pass('password', 'passwordOwn'),
    );
    // Deny by default: such a session can do nothing else, whatever its role is.
    if (given && chooses) return steps;
    const due = account.secondFactorDue;
    if (due && !SETS_UP.has(endpoint.id)) steps.push(deny('secondFactor', 'secondFactorDue', 'secondFactorDue'));
    else if (due) return [...steps, pass('secondFactor', 'secondFactorReady')];
    const waits = account.privacyWaits && endpoint.id !== accessEndpoints.acceptPrivacy.id;
    steps.push(waits ? deny('privacy', 'privacyWaits', 'privacyNotAccepted') : pass('privacy', 'privacyAccepted'));
  }
  return [...steps, decideRoute(account), decideReadOnly(account, endpoint)];
}

/** May the account be used at all? */
export function decideAccount({
  enabled,
  customerEnabled,
}: Pick<AccountFacts, 'enabled' | 'customerEnabled'>): DecidedStep {
  if (!enabled) return deny('account', 'userDisabled', 'accountDisabled');
  if (!customerEnabled) return deny('account', 'customerDisabled', 'accountDisabled');
  return pass('account', 'signedIn');
}

/** Does a menu of the user, or a common one, include the interface? Root needs no menu. */
export function decideRoute({ root, reaches }: Pick<AccountFacts, 'root' | 'reaches'>): DecidedStep {
  if (root) return pass('route', 'root');
  return reaches ? pass('route', 'menuHeld') : deny('route', 'menuMissing', 'noPermission');
}

/** Users of a read-only customer change nothing, except root accounts. */
function decideReadOnly({ root, readOnlyCustomer }: AccountFacts, { effect }: Endpoint): DecidedStep {
  if (!CHANGING.has(effect)) return pass('readOnly', 'readsOnly');
  return readOnlyCustomer && !root ? deny('readOnly', 'readOnlyCustomer', 'noPermission') : pass('readOnly', 'changes');
}

/** True if a call changes nothing, by its method and its declared effect. Deny by default. */
export function onlyReads(method: string, endpoint: Pick<Endpoint, 'effect'>): boolean {
  return method === 'GET' && READING.has(endpoint.effect);
}

const pass = (step: DecidedStep['step'], reason: ExplainReason): DecidedStep => ({ step, reason, refusedWith: null });
const deny = (step: DecidedStep['step'], reason: ExplainReason, refusedWith: CodeName): DecidedStep => ({
  ...{ step, reason, refusedWith },
});
