import type { DecidedStep, ExplainStep, Explanation, Locale } from '@chargehand/contract';
import { Problem } from '../../platform/http/problem.ts';
import type { AccountStateRow } from '../callers.store.ts';

/** A step, and the problem of the call if the step fails. */
export interface ExplainedStep extends ExplainStep {
  problem: Problem | null;
}

/** A step with the place where its cause can be changed, if there is one. */
export function step(
  name: ExplainStep['step'],
  { reason, refusedWith, open }: Pick<DecidedStep, 'reason' | 'refusedWith' | 'open'>,
  more: {
    names?: string[];
    menus?: readonly MenuName[];
    levels?: ExplainStep['levels'];
    fix?: ExplainStep['fix'];
  } = {},
): ExplainedStep {
  return {
    step: name,
    state: open ? 'open' : refusedWith === null ? 'pass' : 'fail',
    reason,
    names: more.names ?? [],
    menus: (more.menus ?? []).map(({ key, nameEn, nameZh }) => ({ key, nameEn, nameZh })),
    levels: more.levels ?? [],
    fix: refusedWith === null ? null : (more.fix ?? null),
    problem: refusedWith === null ? null : new Problem(refusedWith),
  };
}

type MenuName = ExplainStep['menus'][number];

/** The page of the user's role, or the page of the user if they have no role. */
function roleFix(place: 'roleMenus' | 'roleData', subject: AccountStateRow): ExplainStep['fix'] {
  return subject.role_id === null ? { place: 'user', id: subject.user_id } : { place, id: subject.role_id };
}

/** Where to change what refused a step; null if no page changes it. */
export function fixOf({ step: name, reason }: DecidedStep, subject: AccountStateRow): ExplainStep['fix'] {
  const { user_id, customer_id } = subject;
  switch (reason) {
    case 'userDisabled':
    case 'passwordGiven':
    case 'secondFactorDue':
    case 'privacyWaits':
      return name === 'account' ? { place: 'user', id: user_id } : null;
    case 'customerDisabled':
    case 'readOnlyCustomer':
      return { place: 'customer', id: customer_id };
    case 'menuMissing':
    case 'screenMissing':
      return roleFix('roleMenus', subject);
    case 'noMenu':
      return { place: 'menus', id: null };
    case 'customerNotAssigned':
    case 'siteNotAssigned':
    case 'userNotOfSites':
      return { place: 'assignment', id: user_id };
    case 'otherCustomer':
    case 'wholeCustomerNeeded':
    case 'allCustomersNeeded':
    case 'levelMissing':
    case 'remoteMissing':
      return roleFix('roleData', subject);
    default:
      return null;
  }
}

/** The result of a decision: the first failed step refuses the call. */
export function explanationOf(steps: readonly ExplainedStep[], locale: Locale): Explanation {
  const failed = steps.find((one) => one.state === 'fail');
  const envelope = failed?.problem?.envelope(locale);
  return {
    result: failed ? 'refused' : steps.some((one) => one.state === 'open') ? 'depends' : 'allowed',
    code: envelope?.code ?? 0,
    message: envelope?.message ?? '',
    steps: steps.map(({ problem: _, ...one }) => one),
  };
}
