import { MAX_CLOCK_LEAD_MS } from '../devices/clock.ts';
import type { AlarmKind, AlarmLevel } from './alarms.ts';

/**
 * What an alarm rule can say of an item: beyond a bound, outside or inside two bounds, one of some values or none of
 * them, another value than before, no value at all.
 */
export const RULE_CONDITIONS = ['above', 'below', 'outside', 'inside', 'is', 'isNot', 'changed', 'missing'] as const;
export type RuleCondition = (typeof RULE_CONDITIONS)[number];

/** The kinds of alarm that a rule raises; a lost connection is no matter of values. */
export const RULE_KINDS = ['alarm', 'fault', 'unavailable'] as const satisfies readonly AlarmKind[];
export type RuleKind = (typeof RULE_KINDS)[number];

/** A week: what lasts longer is no matter of an alarm. */
export const MAX_RULE_SECONDS = 7 * 86_400;
/** A device that reports every few seconds may be late; shorter silences are not to be told from it. */
export const MIN_MISSING_SECONDS = 10;
/** Shorter than this nobody would see that a value changed. */
export const MIN_CHANGED_SECONDS = 1;
/** More rules of one model than people can keep apart. */
export const MAX_RULES = 100;
/** More values than a rule is read with. */
export const MAX_RULE_VALUES = 100;

/**
 * A value that is told so long after it was measured is past: it raises and ends nothing. What a device sends again
 * after hours without a connection is kept as readings and shown in charts.
 */
export const LATE_VALUE_MS = 10 * 60_000;

/** When an item of a device is an alarm. */
export interface RuleTerms {
  condition: RuleCondition;
  /** the bound of `below`, the lower one of `outside` and `inside` */
  low: number | null;
  /** the bound of `above`, the upper one of `outside` and `inside` */
  high: number | null;
  /** the values of `is` and `isNot` */
  values: readonly string[];
  /** how far a value must come back behind the bound before the alarm is over; of conditions with bounds */
  hysteresis: number;
  /** how long it must hold before it is an alarm; `changed`: how long the value must stay the same until it is over */
  durationSeconds: number;
}

/** A rule with the alarm that it raises. */
export interface AlarmRule extends RuleTerms {
  code: string;
  kind: RuleKind;
  level: AlarmLevel;
  /** null: each connector by itself; for `missing`: the device with all its connectors */
  connector: number | null;
}

export type RuleValue = number | string;

/** What is wrong with the terms of a rule. */
export type RuleFault = 'bounds' | 'order' | 'values' | 'hysteresis' | 'duration' | 'type';

const NUMERIC: ReadonlySet<RuleCondition> = new Set(['above', 'below', 'outside', 'inside']);

/** The bounds that a condition has. */
export function boundsOf(condition: RuleCondition): { low: boolean; high: boolean } {
  const both = condition === 'outside' || condition === 'inside';
  return { low: both || condition === 'below', high: both || condition === 'above' };
}

/** True for conditions that name values. */
export function hasValues(condition: RuleCondition): boolean {
  return condition === 'is' || condition === 'isNot';
}

/** The conditions that an item of a type of spec §3 can have: words have no bounds. */
export function conditionsOf(itemType: number): RuleCondition[] {
  const numeric = itemType === 1 || itemType === 2;
  return RULE_CONDITIONS.filter((condition) => numeric || !NUMERIC.has(condition));
}

/** What is wrong with the terms of a rule on an item of a type, or null. */
export function ruleFault(terms: RuleTerms, itemType: number): RuleFault | null {
  const { condition, low, high, values, hysteresis, durationSeconds } = terms;
  if (!conditionsOf(itemType).includes(condition)) return 'type';
  const bounds = boundsOf(condition);
  if (bounds.low !== (low !== null) || bounds.high !== (high !== null)) return 'bounds';
  if (low !== null && high !== null && low >= high) return 'order';
  if (hasValues(condition) !== values.length > 0 || values.length > MAX_RULE_VALUES) return 'values';
  if (hysteresis < 0 || (hysteresis > 0 && !NUMERIC.has(condition))) return 'hysteresis';
  // Beyond half the distance no value between the bounds would end the alarm.
  if (condition === 'outside' && hysteresis * 2 > high! - low!) return 'hysteresis';
  const least = condition === 'missing' ? MIN_MISSING_SECONDS : condition === 'changed' ? MIN_CHANGED_SECONDS : 0;
  return durationSeconds < least || durationSeconds > MAX_RULE_SECONDS ? 'duration' : null;
}

/**
 * Whether the condition of a rule holds for a value; while it goes on, a value that came back by less than the
 * hysteresis still counts. `changed` and `missing` are no matter of one value: they never hold here.
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
 * The keys under which a rule on a quantity finds values: its own, and those of the phases. That a value changed is a
 * matter of one phase: such a rule has to name it.
 */
export function keysOfRule({ key, condition }: { key: string; condition: RuleCondition }): string[] {
  if (condition === 'changed') return [key];
  const [quantity = key, ...place] = key.split('@');
  if (PHASES.some((phase) => quantity.endsWith(`.${phase}`))) return [key];
  return [key, ...PHASES.map((phase) => [`${quantity}.${phase}`, ...place].join('@'))];
}

/** Of values that were measured at once, the one by which a rule judges: the worst. @param goesOn its condition holds */
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

/** A listed value and a reported one: numbers by what they are worth, truth as devices report it. */
function isSame(listed: string, value: RuleValue): boolean {
  if (typeof value === 'string') return listed === value;
  if (listed === 'true' || listed === 'false') return value === (listed === 'true' ? 1 : 0);
  return listed.trim() !== '' && Number(listed) === value;
}

/** What is known of a rule on one connector of a device; times in milliseconds since the epoch. */
export interface RuleState {
  /** the newest value, and when it was measured */
  at: number;
  value: RuleValue;
  /** since when the condition holds; of `changed`: when the value last changed. Null: it does not */
  since: number | null;
  raised: boolean;
}

/** What becomes of a rule's alarm. */
export type RuleVerdict = 'raise' | 'end' | null;

export interface RuleStep {
  state: RuleState;
  verdict: RuleVerdict;
}

/**
 * What is known of a rule after a value (null: nothing was known). A value older than the newest one changes nothing.
 * A condition without a duration raises its alarm at once, others when they are waited for (`afterWait`).
 */
export function afterValue(
  rule: RuleTerms,
  before: RuleState | null,
  reading: { at: number; value: RuleValue },
): RuleStep {
  const { at, value } = reading;
  if (before !== null && at < before.at) return { state: before, verdict: null };
  if (rule.condition === 'changed') {
    const changed = before !== null && before.value !== value;
    if (changed) return { state: { at, value, since: at, raised: true }, verdict: 'raise' };
    const { since, raised } = before ?? { since: null, raised: false };
    return { state: { at, value, since, raised }, verdict: null };
  }
  const since = before?.since ?? null;
  if (!conditionHolds(rule, value, since !== null)) {
    return { state: { at, value, since: null, raised: false }, verdict: before?.raised ? 'end' : null };
  }
  if (since !== null) return { state: { at, value, since, raised: before!.raised }, verdict: null };
  const raised = rule.durationSeconds === 0;
  return { state: { at, value, since: at, raised }, verdict: raised ? 'raise' : null };
}

/** When a rule is to be looked at without a new value, null when never: its duration is over then. */
export function dueAt(rule: RuleTerms, state: RuleState): number | null {
  if (state.since === null) return null;
  const waits = rule.condition === 'changed' ? state.raised : !state.raised;
  return waits ? state.since + rule.durationSeconds * 1_000 : null;
}

/** What is known of a rule when nothing was said until a time. */
export function afterWait(rule: RuleTerms, state: RuleState, now: number): RuleStep {
  const due = dueAt(rule, state);
  if (due === null || now < due) return { state, verdict: null };
  if (rule.condition === 'changed') return { state: { ...state, since: null, raised: false }, verdict: 'end' };
  return { state: { ...state, raised: true }, verdict: 'raise' };
}

/**
 * Until when a value of `missing` may be waited for: counted from the last one, and from when the connection opened,
 * because nobody can hear a device without one.
 */
export function missingDueAt(rule: RuleTerms, lastAt: number | null, connectedAt: number): number {
  return Math.max(lastAt ?? connectedAt, connectedAt) + rule.durationSeconds * 1_000;
}

/**
 * When a value was measured by the server's clock: the device's time without what its clock is ahead (negative: behind),
 * and never later than it came. Null when it is past: it says nothing of now.
 */
export function timeOfValue(at: number, receivedAt: number, skewMs: number): number | null {
  // What was not believed stands under the time of receipt already (`trustedTime`).
  const measured = at === receivedAt ? at : Math.min(at - skewMs, receivedAt);
  return receivedAt - measured > LATE_VALUE_MS ? null : measured;
}

/**
 * When a kept value was measured, as far as can be told without knowing when it came: the times of a clock so far ahead
 * are not believed, so that its values stand under the time of receipt.
 */
export function timeOfKept(at: number, now: number, skewMs: number): number {
  return Math.min(skewMs > MAX_CLOCK_LEAD_MS ? at : at - skewMs, now);
}

/** What of a rule decides what it raises, as one text: a rule with another print is another rule. */
export function rulePrint(rule: AlarmRule & { key: string }): string {
  const { key, connector, condition, low, high, values, hysteresis, durationSeconds, kind, level } = rule;
  return JSON.stringify([key, connector, condition, low, high, values, hysteresis, durationSeconds, kind, level]);
}
