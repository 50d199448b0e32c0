import { MAX_CLOCK_LEAD_MS } from '../devices/clock.ts';
import type { AlarmKind, AlarmLevel } from './alarms.ts';

/**
 * The conditions of an alarm rule: above or below a bound, outside or inside two bounds, one of some values or none of
 * them, a value that changed, no value at all.
 */
export const RULE_CONDITIONS = ['above', 'below', 'outside', 'inside', 'is', 'isNot', 'changed', 'missing'] as const;
export type RuleCondition = (typeof RULE_CONDITIONS)[number];

/** The kinds of alarm that a rule can raise. A lost connection does not depend on values. */
export const RULE_KINDS = ['alarm', 'fault', 'unavailable'] as const satisfies readonly AlarmKind[];
export type RuleKind = (typeof RULE_KINDS)[number];

/** The maximum duration of a rule: a week. */
export const MAX_RULE_SECONDS = 7 * 86_400;
/**
 * The minimum of `missing`: a device that reports every few seconds may be late, which looks the same as a shorter
 * silence.
 */
export const MIN_MISSING_SECONDS = 10;
/** The minimum duration of `changed`: nobody would notice a shorter alarm. */
export const MIN_CHANGED_SECONDS = 1;
/** The maximum number of rules of a model. */
export const MAX_RULES = 100;
/** The maximum number of values of a rule. */
export const MAX_RULE_VALUES = 100;

/**
 * A value reported this long after it was measured is late: it raises and ends nothing. Values that a device sends
 * after hours without a connection are stored as readings and shown in charts.
 */
export const LATE_VALUE_MS = 10 * 60_000;

/** The condition under which an item of a device raises an alarm. */
export interface RuleTerms {
  condition: RuleCondition;
  /** the bound of `below`, the lower one of `outside` and `inside` */
  low: number | null;
  /** the bound of `above`, the upper one of `outside` and `inside` */
  high: number | null;
  /** the values of `is` and `isNot` */
  values: readonly string[];
  /** for conditions with bounds: how far a value must return within the bound before the alarm ends */
  hysteresis: number;
  /**
   * how long the condition must hold before it raises; for `changed`: how long the value must stay the same before the
   * alarm ends
   */
  durationSeconds: number;
}

/** A rule with the alarm that it raises. */
export interface AlarmRule extends RuleTerms {
  code: string;
  kind: RuleKind;
  level: AlarmLevel;
  /** null: each connector separately; for `missing`: the device with all its connectors */
  connector: number | null;
}

export type RuleValue = number | string;

/** Errors of the terms of a rule. */
export type RuleFault = 'bounds' | 'order' | 'values' | 'hysteresis' | 'duration' | 'type';

const NUMERIC: ReadonlySet<RuleCondition> = new Set(['above', 'below', 'outside', 'inside']);

/** The bounds that a condition has. */
export function boundsOf(condition: RuleCondition): { low: boolean; high: boolean } {
  const both = condition === 'outside' || condition === 'inside';
  return { low: both || condition === 'below', high: both || condition === 'above' };
}

/** True for conditions that have a list of values. */
export function hasValues(condition: RuleCondition): boolean {
  return condition === 'is' || condition === 'isNot';
}

/** The conditions that an item of a type of spec §3 supports. Texts have no bounds. */
export function conditionsOf(itemType: number): RuleCondition[] {
  const numeric = itemType === 1 || itemType === 2;
  return RULE_CONDITIONS.filter((condition) => numeric || !NUMERIC.has(condition));
}

/** The error of the terms of a rule on an item of a type, or null. */
export function ruleFault(terms: RuleTerms, itemType: number): RuleFault | null {
  const { condition, low, high, values, hysteresis, durationSeconds } = terms;
  if (!conditionsOf(itemType).includes(condition)) return 'type';
  const bounds = boundsOf(condition);
  if (bounds.low !== (low !== null) || bounds.high !== (high !== null)) return 'bounds';
  if (low !== null && high !== null && low >= high) return 'order';
  if (hasValues(condition) !== values.length > 0 || values.length > MAX_RULE_VALUES) return 'values';
  if (hysteresis < 0 || (hysteresis > 0 && !NUMERIC.has(condition))) return 'hysteresis';
  // With a hysteresis of more than half the distance, no value between the bounds would end the alarm.
  if (condition === 'outside' && hysteresis * 2 > high! - low!) return 'hysteresis';
  const least = condition === 'missing' ? MIN_MISSING_SECONDS : condition === 'changed' ? MIN_CHANGED_SECONDS : 0;
  return durationSeconds < least || durationSeconds > MAX_RULE_SECONDS ? 'duration' : null;
}

/**
 * True when the condition of a rule holds for a value. While it holds, a value that returned by less than the
 * hysteresis still counts. `changed` and `missing` depend on more than one value: here they are always false.
 */
export function conditionHolds(terms: RuleTerms, value: RuleValue, goesOn: boolean): boolean {
  const { condition, values } = terms;
  if (condition === 'is') return values.some((one) => isSame(one, value));
  if (condition === 'isNot') return !values.some((one) => isSame(one, value));
  if (typeof value !== 'number') return false;
  const back = goesOn ? terms.hysteresis : 0;
  const low = terms.low ?? Number.NEGATIVE_INFINITY;
  const high = terms.high ?? Number.POSITIVE_INFINITY;
  switch (condition) {
    case 'above':
      return value > high - back;
    case 'below':
      return value < low + back;
    case 'outside':
      return value < low + back || value > high - back;
    case 'inside':
      return value >= low - back && value <= high + back;
    default:
      return false;
  }
}

/** Phases in the keys of readings, `<Quantity>[.<Phase>][@<Location>]` (OCPP 1.6 §7.33, OCPP 2.0.1 part 2 §3.63). */
const PHASES = ['L1', 'L2', 'L3', 'N', 'L1-N', 'L2-N', 'L3-N', 'L1-L2', 'L2-L3', 'L3-L1'] as const;

/**
 * The keys under which a rule on a quantity finds values: its own key and those of the phases. A `changed` rule applies
 * to one key, so it must name the phase.
 */
export function keysOfRule({ key, condition }: { key: string; condition: RuleCondition }): string[] {
  if (condition === 'changed') return [key];
  const [quantity = key, ...place] = key.split('@');
  if (PHASES.some((phase) => quantity.endsWith(`.${phase}`))) return [key];
  return [key, ...PHASES.map((phase) => [`${quantity}.${phase}`, ...place].join('@'))];
}

/**
 * The worst of several values measured at the same time; the rule is evaluated with it. @param goesOn its condition
 * holds
 */
export function worstValue(terms: RuleTerms, values: readonly [RuleValue, ...RuleValue[]], goesOn: boolean): RuleValue {
  const holding = values.filter((value) => conditionHolds(terms, value, goesOn));
  if (holding.length === 0) return values[0];
  const far = (value: RuleValue) => {
    if (typeof value !== 'number') return 0;
    const below = terms.low === null ? Number.NEGATIVE_INFINITY : terms.low - value;
    const above = terms.high === null ? Number.NEGATIVE_INFINITY : value - terms.high;
    return Math.max(below, above);
  };
  return holding.reduce((worst, value) => (far(value) > far(worst) ? value : worst));
}

/** True when a listed value equals a reported one: numbers by value, booleans in the notations of devices. */
function isSame(listed: string, value: RuleValue): boolean {
  if (typeof value === 'string') return listed === value;
  if (listed === 'true' || listed === 'false') return value === (listed === 'true' ? 1 : 0);
  return listed.trim() !== '' && Number(listed) === value;
}

/** The state of a rule on one connector of a device. Times in milliseconds since the epoch. */
export interface RuleState {
  /** the latest value, and when it was measured */
  at: number;
  value: RuleValue;
  /** since when the condition holds; for `changed`: when the value last changed; null: the condition does not hold */
  since: number | null;
  raised: boolean;
}

/** What happens to the alarm of a rule. */
export type RuleAction = 'raise' | 'end' | null;

export interface RuleStep {
  state: RuleState;
  action: RuleAction;
}

/**
 * The state of a rule after a value (null: no state yet). A value older than the latest one changes nothing. Without a
 * duration, the condition raises its alarm immediately; otherwise `afterWait` raises it.
 */
export function afterValue(
  rule: RuleTerms,
  before: RuleState | null,
  reading: { at: number; value: RuleValue },
): RuleStep {
  const { at, value } = reading;
  if (before !== null && at < before.at) return { state: before, action: null };
  if (rule.condition === 'changed') {
    const changed = before !== null && before.value !== value;
    if (changed) return { state: { at, value, since: at, raised: true }, action: 'raise' };
    const { since, raised } = before ?? { since: null, raised: false };
    return { state: { at, value, since, raised }, action: null };
  }
  const since = before?.since ?? null;
  if (!conditionHolds(rule, value, since !== null)) {
    return { state: { at, value, since: null, raised: false }, action: before?.raised ? 'end' : null };
  }
  if (since !== null) return { state: { at, value, since, raised: before!.raised }, action: null };
  const raised = rule.durationSeconds === 0;
  return { state: { at, value, since: at, raised }, action: raised ? 'raise' : null };
}

/** When a rule must be evaluated without a new value, because its duration ends; null: never. */
export function dueAt(rule: RuleTerms, state: RuleState): number | null {
  if (state.since === null) return null;
  const waits = rule.condition === 'changed' ? state.raised : !state.raised;
  return waits ? state.since + rule.durationSeconds * 1_000 : null;
}

/** The state of a rule when no value arrived until a time. */
export function afterWait(rule: RuleTerms, state: RuleState, now: number): RuleStep {
  const due = dueAt(rule, state);
  if (due === null || now < due) return { state, action: null };
  if (rule.condition === 'changed') return { state: { ...state, since: null, raised: false }, action: 'end' };
  return { state: { ...state, raised: true }, action: 'raise' };
}

/**
 * When a value of `missing` is due: counted from the last value, or from the start of the connection if that is later,
 * because a disconnected device cannot report.
 */
export function missingDueAt(rule: RuleTerms, lastAt: number | null, connectedAt: number): number {
  return Math.max(lastAt ?? connectedAt, connectedAt) + rule.durationSeconds * 1_000;
}

/**
 * When a value was measured, by the server's clock: the time of the device minus its clock difference (positive when
 * the device is ahead), and never later than the time of receipt. Null when the value is late and says nothing about
 * the present.
 */
export function timeOfValue(at: number, receivedAt: number, skewMs: number): number | null {
  // An implausible time has already been replaced with the time of receipt (`trustedTime`).
  const measured = at === receivedAt ? at : Math.min(at - skewMs, receivedAt);
  return receivedAt - measured > LATE_VALUE_MS ? null : measured;
}

/**
 * When a stored value was measured, as far as it is known without the time of receipt. Times of a clock that is too far
 * ahead are ignored; such values are stored with the time of receipt.
 */
export function timeOfStored(at: number, now: number, skewMs: number): number {
  return Math.min(skewMs > MAX_CLOCK_LEAD_MS ? at : at - skewMs, now);
}

/**
 * The fingerprint of a rule: everything that decides what it raises, as one text. A rule with another fingerprint is
 * another rule.
 */
export function rulePrint(rule: AlarmRule & { key: string }): string {
  const { key, connector, condition, low, high, values, hysteresis, durationSeconds, kind, level } = rule;
  return JSON.stringify([key, connector, condition, low, high, values, hysteresis, durationSeconds, kind, level]);
}
