import type { ExplainStep, Explanation, Locale } from '@chargehand/contract';
import { Problem } from '../../platform/http/problem.ts';
import type { AccountStateRow } from '../callers.store.ts';
import type { Decided } from '../decision.ts';

/** A step, and the problem of the call if the step fails. */
export interface Taken extends ExplainStep {
  problem: Problem | null;
}

/** A step with the place where its cause can be changed, if there is one. */
export function step(
  name: ExplainStep['step'],
  decided: Decided,
  more: {
    names?: string[];
    menus?: readonly MenuName[];
    levels?: ExplainStep['levels'];
    fix?: ExplainStep['fix'];
  } = {},
): Taken {
  const { reason, refusedWith } = decided;
  return {
    step: name,
    state: refusedWith === null ? 'pass' : 'fail',
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
export function roleFix(place: 'roleMenus' | 'roleData', subject: AccountStateRow): ExplainStep['fix'] {
  return subject.role_id === null ? { place: 'user', id: subject.user_id } : { place, id: subject.role_id };
}

/** The result of a decision: the first failed step refuses the call. */
export function explanationOf(steps: readonly Taken[], locale: Locale): Explanation {
  const failed = steps.find((one) => one.state === 'fail');
  const envelope = failed?.problem?.envelope(locale);
  return {
    result: failed ? 'refused' : steps.some((one) => one.state === 'open') ? 'depends' : 'allowed',
    code: envelope?.code ?? 0,
    message: envelope?.message ?? '',
    steps: steps.map(({ problem: _, ...one }) => one),
  };
}
