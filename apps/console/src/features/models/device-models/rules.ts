import type { DescribedRule, ModelRule } from '@chargehand/contract';
import { compareNaturally } from '@chargehand/domain';
import type { State } from './contents.ts';

/** An alarm rule of a model, or an inherited rule that the model removes. */
export interface RuleLine {
  code: string;
  state: State;
  /** the effective rule; for a removed one, the inherited rule */
  rule: ModelRule;
  inherited: DescribedRule | null;
}

/** The alarm rules of a model by code, its own and the inherited ones. */
export function ruleLines(own: readonly ModelRule[], inherited: readonly DescribedRule[]): RuleLine[] {
  const ownRules = new Map(own.map((rule) => [rule.code, rule]));
  const given = new Map(inherited.map((rule) => [rule.code, rule]));
  return [...new Set([...given.keys(), ...ownRules.keys()])].sort(compareNaturally).flatMap((code): RuleLine[] => {
    const entry = ownRules.get(code);
    const from = given.get(code) ?? null;
    if (!from && (!entry || entry.removed)) return [];
    const state = !entry ? 'inherited' : entry.removed ? 'removed' : from ? 'overridden' : 'own';
    return [{ code, state, rule: entry && !entry.removed ? entry : asOwn(from!), inherited: from }];
  });
}

function asOwn({ key: _, itemName: __, type: ___, unit: ____, origin: _____, ...rule }: DescribedRule): ModelRule {
  return rule;
}

/** The model's own rules after one was set, removed, or reset to the inherited one. */
export function withRule(
  own: readonly ModelRule[],
  line: RuleLine,
  next: ModelRule | 'removed' | 'inherited',
): ModelRule[] {
  const rest = own.filter(({ code }) => code !== line.code);
  if (next === 'inherited') return rest;
  if (next === 'removed') return line.inherited ? [...rest, { ...asOwn(line.inherited), removed: true }] : rest;
  return [...rest, { ...next, removed: false }].sort((a, b) => compareNaturally(a.code, b.code));
}
