import type { ModelControl, ModelItem, ModelRule } from '@chargehand/contract';
import {
  controlLevelIsValid,
  controlProblem,
  formatRange,
  type ItemKind,
  type ItemType,
  type Level,
  parseRange,
  type RuleFault,
  ruleFault,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import type { ItemValues, OwnItem, OwnRule } from './contents.store.ts';
import { type DataItemRecord, dataItemsById } from './data-items/data-items.store.ts';
import { enteredNames } from './editing.ts';

type Field = 'configs' | 'parameters';
const KIND: Record<Field, ItemKind> = { configs: 'config', parameters: 'parameter' };

/**
 * Converts the entered items for writing. When a client leaves out `secret`, it is unchanged.
 * @throws Problem with the item and its error
 */
export async function enteredItems(
  db: Kysely<Database>,
  body: Record<Field, readonly ModelItem[]>,
  former: readonly OwnItem[],
): Promise<ItemValues[]> {
  const ids = [...body.configs, ...body.parameters].map(({ dataItemId }) => dataItemId);
  const wasSecret = new Set(former.filter(({ secret }) => secret).map(({ dataItemId }) => dataItemId));
  const known = new Map((await dataItemsById(db, ids)).map((item) => [item.id, item]));
  return (['configs', 'parameters'] as const).flatMap((field) => {
    const seen = new Set<number>();
    return body[field].map((item) => {
      const of = known.get(item.dataItemId);
      if (!of) throw new Problem('dataItemUnknown', { field });
      if (seen.has(of.id)) throw new Problem('modelItemTwice', { field, values: { key: of.key } });
      seen.add(of.id);
      return {
        ...item,
        kind: KIND[field],
        type: of.type,
        unit: item.unit?.trim() ?? null,
        secret: secretOf(field, of, item) ?? wasSecret.has(of.id),
        range: enteredRange(field, of, item),
      };
    });
  });
}

/** @throws Problem `modelItemSecret`: a value that a device reports by itself cannot be secret */
function secretOf(field: Field, { key }: DataItemRecord, { secret }: ModelItem): boolean | undefined {
  if (secret && field === 'configs') throw new Problem('modelItemSecret', { field, values: { key } });
  return field === 'configs' ? false : secret;
}

/** The item's own range in its stored notation, or null. @throws Problem `modelItemRange` */
function enteredRange(field: Field, of: DataItemRecord, item: ModelItem): string | null {
  if (item.range === null) return null;
  const { range, problem } = parseRange(of.type, item.range);
  if (problem) {
    const reason = { code: problem.fault, values: problem.values };
    throw new Problem('modelItemRange', { field, values: { key: of.key }, reason });
  }
  return item.range.trim() === '' ? '' : formatRange(range);
}

/** Converts the entered controls. @throws Problem with the control type and its error */
export function enteredControls(
  model: { name: string; parameterWriteLevel: Level },
  controls: readonly ModelControl[],
): ModelControl[] {
  const seen = new Set<number>();
  return controls.map((control) => {
    const { type } = control;
    if (seen.has(type)) throw new Problem('controlTypeTwice', { field: 'controls', values: { type } });
    seen.add(type);
    const problem = control.removed ? null : controlProblem(control, model.parameterWriteLevel);
    if (problem) {
      const values = { type, level: model.parameterWriteLevel, model: model.name };
      throw new Problem(problem, { field: 'controls', values });
    }
    return { ...control, name: enteredNames(control.name) };
  });
}

/** The parameters of the message about an error in a rule. */
export const RULE_PROBLEM = {
  type: 'ruleType',
  bounds: 'ruleBounds',
  order: 'ruleOrder',
  values: 'ruleValues',
  hysteresis: 'ruleHysteresis',
  duration: 'ruleDuration',
} as const satisfies Record<RuleFault, string>;

/** Converts the entered alarm rules. @throws Problem with the rule and its error */
export async function enteredRules(
  db: Kysely<Database>,
  rules: readonly ModelRule[],
): Promise<(ModelRule & { type: ItemType })[]> {
  const ids = rules.map(({ dataItemId }) => dataItemId);
  const types = new Map((await dataItemsById(db, ids)).map(({ id, type }) => [id, type]));
  const seen = new Set<string>();
  return rules.map((rule) => {
    const { code } = rule;
    const type = types.get(rule.dataItemId);
    if (type === undefined) throw new Problem('dataItemUnknown', { field: 'rules' });
    if (seen.has(code)) throw new Problem('modelItemTwice', { field: 'rules', values: { key: code } });
    seen.add(code);
    const fault = rule.removed ? null : ruleFault(rule, type);
    if (fault) throw new Problem(RULE_PROBLEM[fault], { field: 'rules', values: { code } });
    return { ...rule, name: enteredNames(rule.name), type };
  });
}

/** The alarm rules of a model in the form of the contract. */
export function toModelRules(rules: readonly OwnRule[]): ModelRule[] {
  return rules.map(({ key: _, itemName: __, type: ___, unit: ____, ...rule }) => rule);
}

/** Alarm rules by code, as the action log compares them. */
export function loggedRules(rules: readonly ModelRule[]): Record<string, unknown> {
  const loggedRule = ({ code: _, removed, enabled, name, kind, level, dataItemId, connector, ...terms }: ModelRule) => {
    const { condition, low, high, values, hysteresis, durationSeconds } = terms;
    const what = { condition, low, high, values, hysteresis, durationSeconds };
    return removed ? { removed } : { enabled, name, kind, level, dataItemId, connector, ...what };
  };
  return Object.fromEntries(rules.map((rule) => [`rule.${rule.code}`, loggedRule(rule)]));
}

/** @throws Problem `modelLevelsOrder` (spec §5: a control level is greater than the write level) */
export function requireLevels(base: { controlLevel: Level; parameterWriteLevel: Level }): void {
  if (!controlLevelIsValid(base.controlLevel, base.parameterWriteLevel)) {
    throw new Problem('modelLevelsOrder', { field: 'controlLevel' });
  }
}

/** The items of a model in the form of the contract. */
export function toModelItems(items: readonly OwnItem[], kind: ItemKind): ModelItem[] {
  return items
    .filter((item) => item.kind === kind)
    .map(({ dataItemId, groupId, removed, priority, readLevel, writeLevel, batch, range, unit, secret }) => ({
      ...{ dataItemId, groupId, removed, priority, readLevel, writeLevel, batch, range, unit },
      ...(secret && { secret }),
    }));
}

/** Items and controls by name, as the action log compares them. */
export function loggedContents(
  items: readonly (Pick<OwnItem, 'kind' | 'dataItemId'> & object)[],
  controls: readonly ModelControl[],
  keyOf: (dataItemId: number) => string,
): Record<string, unknown> {
  const ofItems = items.map((item): [string, unknown] => {
    const { groupId, removed, priority, readLevel, writeLevel, batch, range, unit, secret } = item as ItemValues;
    const rules = { groupId, priority, readLevel, writeLevel, batch, range, unit, ...(secret && { secret }) };
    const logged = removed ? { removed } : rules;
    return [`${item.kind}.${keyOf(item.dataItemId)}`, logged];
  });
  const ofControls = controls.map(
    ({ type, removed, name, level, param1, param2, reading, precondition }): [string, unknown] => [
      `control.${type}`,
      removed ? { removed } : { name, level, param1, param2, reading, precondition },
    ],
  );
  return Object.fromEntries([...ofItems, ...ofControls]);
}
