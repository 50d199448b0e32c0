import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterValue,
  afterWait,
  conditionHolds,
  conditionsOf,
  dueAt,
  keysOfRule,
  LATE_VALUE_MS,
  missingDueAt,
  RULE_CONDITIONS,
  type RuleFault,
  type RuleState,
  type RuleTerms,
  type RuleValue,
  ruleFault,
  rulePrint,
  timeOfStored,
  timeOfValue,
  worstValue,
} from './alarm-rules.ts';

const terms = (more: Partial<RuleTerms>): RuleTerms => ({
  ...{ condition: 'above', low: null, high: null, values: [], hysteresis: 0, durationSeconds: 0 },
  ...more,
});
const above = terms({ high: 60, hysteresis: 5 });
const between = { low: 10, high: 20, hysteresis: 2 };

describe('a condition', () => {
  test.each<[string, RuleTerms, RuleValue, boolean, boolean]>([
    ['above its bound', above, 60.1, false, true],
    ['at its bound', above, 60, false, false],
    ['returned by less than the hysteresis', above, 56, true, true],
    ['returned by the hysteresis', above, 55, true, false],
    ['below its bound', terms({ condition: 'below', low: 0 }), -1, false, true],
    ['below, returned by less', terms({ condition: 'below', low: 0, hysteresis: 2 }), 1, true, true],
    ['outside, below the lower bound', terms({ condition: 'outside', ...between }), 9, false, true],
    ['outside, between', terms({ condition: 'outside', ...between }), 11, false, false],
    ['outside, returned by less', terms({ condition: 'outside', ...between }), 11, true, true],
    ['outside, well back', terms({ condition: 'outside', ...between }), 15, true, false],
    ['inside, at the bound', terms({ condition: 'inside', ...between }), 10, false, true],
    ['inside, just left', terms({ condition: 'inside', ...between }), 21, true, true],
    ['inside, left', terms({ condition: 'inside', ...between }), 23, true, false],
    ['one of the values', terms({ condition: 'is', values: ['Slow', 'Off'] }), 'Off', false, true],
    ['a number among the values', terms({ condition: 'is', values: ['2'] }), 2, false, true],
    ['true as a number', terms({ condition: 'is', values: ['true'] }), 1, false, true],
    ['none of the values', terms({ condition: 'isNot', values: ['0', '1'] }), 7, false, true],
    ['a text with bounds', above, 'hot', false, false],
    ['a text that looks like a number', above, '99', false, false],
    ['at the bound of below', terms({ condition: 'below', low: 0 }), 0, false, false],
    ['above a bound of below', terms({ condition: 'below', low: 0 }), 5, false, false],
    ['below, returned by the hysteresis', terms({ condition: 'below', low: 0, hysteresis: 2 }), 2, true, false],
    ['outside, above the upper bound', terms({ condition: 'outside', ...between }), 21, false, true],
    ['outside, at the lower bound', terms({ condition: 'outside', ...between }), 10, false, false],
    ['outside, at the upper bound', terms({ condition: 'outside', ...between }), 20, false, false],
    ['outside, returned below the upper bound by less', terms({ condition: 'outside', ...between }), 19, true, true],
    [
      'outside, returned above the lower bound by the hysteresis',
      terms({ condition: 'outside', ...between }),
      12,
      true,
      false,
    ],
    [
      'outside, returned below the upper bound by the hysteresis',
      terms({ condition: 'outside', ...between }),
      18,
      true,
      false,
    ],
    ['inside, below the lower bound', terms({ condition: 'inside', ...between }), 9, false, false],
    ['inside, at the upper bound', terms({ condition: 'inside', ...between }), 20, false, true],
    ['inside, left at the top by the hysteresis', terms({ condition: 'inside', ...between }), 22, true, true],
    ['inside, left at the bottom by less', terms({ condition: 'inside', ...between }), 8, true, true],
    ['inside, left downwards', terms({ condition: 'inside', ...between }), 7, true, false],
    ['another word', terms({ condition: 'is', values: ['Slow', 'Off'] }), 'On', false, false],
    ['none of the texts', terms({ condition: 'isNot', values: ['Slow', 'Off'] }), 'Off', false, false],
    ['a text for true', terms({ condition: 'is', values: ['true'] }), 'false', false, false],
    ['false as a number', terms({ condition: 'is', values: ['false'] }), 0, false, true],
    ['true when false is listed', terms({ condition: 'is', values: ['false'] }), 1, false, false],
    ['false when true is listed', terms({ condition: 'is', values: ['true'] }), 0, false, false],
    ['an empty text is not 0', terms({ condition: 'is', values: [''] }), 0, false, false],
    ['blanks are not 0', terms({ condition: 'is', values: ['  '] }), 0, false, false],
    ['a change', terms({ condition: 'changed', durationSeconds: 5 }), 5, false, false],
    ['a silence', terms({ condition: 'missing', durationSeconds: 60 }), 5, false, false],
  ])('%s', (_, rule, value, goesOn, holds) => {
    expect(conditionHolds(rule, value, goesOn)).toBe(holds);
  });
});

test.each<[string, Partial<RuleTerms>, number, RuleFault | null]>([
  ['is sound', { high: 5 }, 2, null],
  ['without its bound', {}, 2, 'bounds'],
  ['with an unnecessary bound', { low: 1, high: 5 }, 2, 'bounds'],
  ['with swapped bounds', { condition: 'inside', low: 5, high: 5 }, 1, 'order'],
  ['on words', { high: 5 }, 4, 'type'],
  ['on texts by value', { condition: 'is', values: ['a'] }, 4, null],
  ['without values', { condition: 'is' }, 4, 'values'],
  ['with values and a bound', { high: 5, values: ['a'] }, 1, 'values'],
  ['with a hysteresis that never ends', { condition: 'outside', low: 0, high: 4, hysteresis: 3 }, 1, 'hysteresis'],
  ['with a hysteresis without bounds', { condition: 'changed', hysteresis: 1, durationSeconds: 5 }, 1, 'hysteresis'],
  ['of a change with a duration of 0', { condition: 'changed' }, 3, 'duration'],
  ['of a duration without values that is too short', { condition: 'missing', durationSeconds: 9 }, 1, 'duration'],
  ['longer than a week', { high: 5, durationSeconds: 604_801 }, 1, 'duration'],
  ['as long as a week', { high: 5, durationSeconds: 604_800 }, 1, null],
  ['below its bound', { condition: 'below', low: 1 }, 1, null],
  ['below without its bound', { condition: 'below', high: 1 }, 1, 'bounds'],
  ['below with an unnecessary bound', { condition: 'below', low: 0, high: 1 }, 1, 'bounds'],
  ['outside with one bound', { condition: 'outside', low: 1 }, 1, 'bounds'],
  ['above 0, a valid bound', { high: 0 }, 1, null],
  ['above a negative bound', { high: -5 }, 1, null],
  ['with the condition isNot', { condition: 'isNot', values: ['a'] }, 4, null],
  ['with the condition isNot without values', { condition: 'isNot' }, 4, 'values'],
  ['with the maximum number of values', { condition: 'is', values: Array(100).fill('a') }, 4, null],
  ['with too many values', { condition: 'is', values: Array(101).fill('a') }, 4, 'values'],
  ['with a negative hysteresis', { high: 5, hysteresis: -1 }, 1, 'hysteresis'],
  ['with a hysteresis above its bound', { high: 5, hysteresis: 9 }, 1, null],
  ['with a hysteresis of half the distance', { condition: 'outside', low: 2, high: 6, hysteresis: 2 }, 1, null],
  ['with a hysteresis inside its bounds', { condition: 'inside', low: 2, high: 6, hysteresis: 9 }, 1, null],
  ['with a hysteresis of less than half', { condition: 'outside', low: 2, high: 6, hysteresis: 1 }, 1, null],
  ['with a hysteresis of more than half', { condition: 'outside', low: 2, high: 6, hysteresis: 2.5 }, 1, 'hysteresis'],
])('a rule %s', (_, more, type, fault) => {
  expect(ruleFault(terms(more), type)).toBe(fault);
});

test('numbers support every condition, texts only those without bounds', () => {
  expect(conditionsOf(1)).toEqual([...RULE_CONDITIONS]);
  expect(conditionsOf(4)).toEqual(['is', 'isNot', 'changed', 'missing']);
});

describe('a duration', () => {
  const minute = terms({ high: 60, durationSeconds: 60 });
  const hot = afterValue(minute, null, { at: 0, value: 70 }).state;
  test('raises when it is over, not before, and only once', () => {
    expect(dueAt(minute, hot)).toBe(60_000);
    expect(afterWait(minute, hot, 59_999).action).toBeNull();
    const { state, action } = afterWait(minute, hot, 60_000);
    expect(action).toBe('raise');
    expect(afterWait(minute, state, 90_000).action).toBeNull();
    expect(afterValue(minute, state, { at: 95_000, value: 71 }).action).toBeNull();
    expect(afterValue(minute, state, { at: 96_000, value: 50 }).action).toBe('end');
  });
  test('starts again when the condition was interrupted', () => {
    const { state, action } = afterValue(minute, hot, { at: 30_000, value: 60 });
    expect([state.since, action]).toEqual([null, null]);
    expect(afterValue(minute, state, { at: 40_000, value: 61 }).state.since).toBe(40_000);
  });
});

test('a change raises immediately, repeats with each further change, and ends when the value stays the same', () => {
  const rule = terms({ condition: 'changed', durationSeconds: 10 });
  const first = afterValue(rule, null, { at: 0, value: 'A' });
  expect(first.action).toBeNull();
  const second = afterValue(rule, first.state, { at: 1_000, value: 'B' });
  expect(second.action).toBe('raise');
  const same = afterValue(rule, second.state, { at: 2_000, value: 'B' });
  expect([same.action, dueAt(rule, same.state)]).toEqual([null, 11_000]);
  expect(afterValue(rule, same.state, { at: 3_000, value: 'A' }).action).toBe('raise');
  expect(afterWait(rule, same.state, 11_000).action).toBe('end');
});

test.each([
  [null, 5_000, 65_000],
  [1_000, 5_000, 65_000],
  [9_000, 5_000, 69_000],
])('with the last value at %s and connected since %s, it is missing at %s', (lastAt, connectedAt, due) => {
  expect(missingDueAt(terms({ condition: 'missing', durationSeconds: 60 }), lastAt, connectedAt)).toBe(due);
});

test.each([
  ['as reported', 1_000, 1_500, 0, 1_000],
  ['with a clock an hour ahead', 3_601_000, 1_500, 3_600_000, 1_000],
  ['never later than the receipt', 9_000, 1_500, 0, 1_500],
  ['just in time', 0, LATE_VALUE_MS, 0, 0],
  ['two days late', 0, 2 * 86_400_000, 0, null],
  ['a millisecond too old', 1, 600_002, 0, null],
  ['late only by the clock of the device', 1_000_000, 1_000_100, -300_000, 1_000_100],
  ['late after correcting the clock', 1_000_000, 1_000_100, 700_000, null],
  ['that is implausible: the time of receipt', 1_500, 1_500, 3_600_000, 1_500],
])('the time of a value, %s', (_, at, receivedAt, skew, measured) => {
  expect(timeOfValue(at, receivedAt, skew)).toBe(measured);
});

describe('any input in any order', () => {
  const rules = fc.constantFrom(
    above,
    terms({ high: 60, hysteresis: 5, durationSeconds: 30 }),
    terms({ condition: 'outside', ...between, durationSeconds: 5 }),
    terms({ condition: 'is', values: ['12', '70'] }),
    terms({ condition: 'changed', durationSeconds: 20 }),
  );
  const step = fc.record({
    at: fc.integer({ min: 0, max: 120_000 }),
    value: fc.constantFrom(5, 12, 18, 57, 61, 70),
    twice: fc.boolean(),
    waits: fc.boolean(),
  });

  test('an alarm is raised before it ends, ends once, and a repeated value changes nothing', () => {
    fc.assert(
      fc.property(rules, fc.array(step, { maxLength: 60 }), (rule, steps) => {
        let state: RuleState | null = null;
        let raised = false;
        let newest = Number.NEGATIVE_INFINITY;
        const note = (step: { state: RuleState; action: 'raise' | 'end' | null }) => {
          if (step.action === 'end') expect(raised).toBe(true);
          if (step.action === 'raise' && rule.condition !== 'changed') expect(raised).toBe(false);
          if (step.action !== null) raised = step.action === 'raise';
          state = step.state;
          expect(state.raised).toBe(raised);
        };
        for (const { at, value, twice, waits } of steps) {
          const before = state;
          note(afterValue(rule, before, { at, value }));
          if (at < newest) expect(state).toBe(before);
          newest = Math.max(newest, at);
          if (twice) {
            const once = state!;
            const again = afterValue(rule, once, { at, value });
            expect([again.action, again.state]).toEqual([null, once]);
          }
          if (waits) note(afterWait(rule, state!, newest + 25_000));
        }
      }),
    );
  });
});

describe('a rule on a quantity', () => {
  test.each([
    ['Voltage', 'above', 'Voltage.L1', true],
    ['Voltage', 'missing', 'Voltage.L1-L2', true],
    ['Voltage', 'above', 'Voltage', true],
    ['Voltage', 'above', 'Voltage.L4', false],
    ['Voltage', 'above', 'Voltage.L1@Inlet', false],
    ['Voltage@Inlet', 'above', 'Voltage.L3@Inlet', true],
    ['Voltage.L1', 'above', 'Voltage.L1', true],
    ['Voltage.L1', 'above', 'Voltage.L2', false],
    ['Voltage.L1', 'above', 'Voltage', false],
    ['Voltage', 'changed', 'Voltage.L1', false],
    ['Voltage', 'changed', 'Voltage', true],
    ['Voltage.L1', 'above', 'Voltage.L1.L2', false],
    ['L1.Voltage', 'above', 'L1.Voltage.L2', true],
    ['.L1', 'above', '.L1.L2', false],
  ] as const)('%s %s matches %s: %s', (key, condition, reported, finds) => {
    expect(keysOfRule({ key, condition }).includes(reported)).toBe(finds);
  });

  test.each<[string, RuleTerms, [RuleValue, ...RuleValue[]], boolean, RuleValue]>([
    ['the highest above', terms({ high: 250 }), [240, 262, 255], false, 262],
    ['the lowest below', terms({ condition: 'below', low: 200 }), [230, 180, 190], false, 180],
    ['the value furthest outside', terms({ condition: 'outside', low: 200, high: 250 }), [252, 190, 230], false, 190],
    ['a value for which it holds', terms({ condition: 'inside', low: 10, high: 20 }), [5, 15, 30], false, 15],
    ['a value for which it still holds', terms({ high: 60, hysteresis: 5 }), [50, 57], true, 57],
    ['the first if it holds for none', terms({ high: 250 }), [240, 230], false, 240],
    ['one of the values', terms({ condition: 'is', values: ['3'] }), [1, 3], false, 3],
    ['the first of equal values', terms({ condition: 'outside', low: 0, high: 10 }), [12, -2], false, 12],
    ['the first text', terms({ condition: 'is', values: ['a', 'b'] }), ['b', 'a'], false, 'b'],
    ['the lowest below, in any order', terms({ condition: 'below', low: 0 }), [-1, -9, -5], false, -9],
  ])('evaluates %s of its phases', (_, rule, values, goesOn, worst) => {
    expect(worstValue(rule, values, goesOn)).toBe(worst);
  });
});

test.each([
  ['with a correct clock', 1_000, 0, 1_000],
  ['with a clock an hour behind', 1_000, -3_600_000, 9_000],
  ['with a clock a minute ahead', 69_000, 60_000, 9_000],
  ['with a clock whose times are implausible', 8_000, 3_600_000, 8_000],
])('the measurement time of a stored value, %s', (_, at, skew, measured) => {
  expect(timeOfStored(at, 9_000, skew)).toBe(measured);
});

test.each([
  ['without a duration it raises immediately', 0, 'raise', true],
  ['with a duration it waits', 60, null, false],
])('while the condition holds: %s', (_, durationSeconds, action, raised) => {
  const step = afterValue(terms({ high: 60, durationSeconds }), null, { at: 5, value: 70 });
  expect(step).toEqual({ state: { at: 5, value: 70, since: 5, raised }, action });
});

test('a value with the same time counts, an older one does not', () => {
  const hot = afterValue(above, null, { at: 5, value: 70 }).state;
  expect(afterValue(above, hot, { at: 5, value: 50 }).action).toBe('end');
  expect(afterValue(above, hot, { at: 4, value: 50 })).toEqual({ state: hot, action: null });
});

test('the fingerprint contains every term of a rule and what it raises', () => {
  const rule: Parameters<typeof rulePrint>[0] = {
    ...terms({ condition: 'outside', low: 1, high: 9, hysteresis: 1, durationSeconds: 5 }),
    ...({ key: 'Voltage', connector: null, code: 'A', kind: 'alarm', level: 'MA' } as const),
  };
  const changes = [
    ...[{ key: 'Current' }, { connector: 1 }, { condition: 'inside' }, { low: 2 }, { high: 8 }, { values: ['1'] }],
    ...[{ hysteresis: 2 }, { durationSeconds: 6 }, { kind: 'fault' }, { level: 'CR' }],
  ];
  const prints = [{}, ...changes].map((change) => rulePrint({ ...rule, ...(change as object) }));
  expect(new Set(prints).size).toBe(changes.length + 1);
  expect(rulePrint({ ...rule, code: 'B' })).toBe(prints[0]);
});
