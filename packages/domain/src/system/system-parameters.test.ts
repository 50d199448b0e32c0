import { describe, expect, test } from 'vitest';
import {
  isParameterKey,
  PARAMETER_GROUPS,
  PARAMETER_KEYS,
  type ParameterKey,
  type ParameterValues,
  parameterFault,
  systemParameter,
} from './system-parameters.ts';

const values = Object.fromEntries(PARAMETER_KEYS.map((key) => [key, systemParameter(key).fallback])) as ParameterValues;

describe('the catalogue', () => {
  test.each(PARAMETER_KEYS)('%s has a valid default, bounds and texts', (key) => {
    const { group, least, most, fallback, label, help, why } = systemParameter(key);
    expect(PARAMETER_GROUPS).toContain(group);
    expect(least).toBeGreaterThanOrEqual(1);
    expect(fallback).toBeGreaterThanOrEqual(least);
    expect(fallback).toBeLessThanOrEqual(most);
    for (const text of [label, help, why]) {
      expect(text.en).not.toMatch(/\p{Script=Han}/u);
      expect(text.zh).toMatch(/\p{Script=Han}/u);
    }
    expect(parameterFault(key, fallback, values)).toBeNull();
    for (const wrong of [least - 1, most + 1, least + 0.5, Number.NaN, String(least), null]) {
      expect(parameterFault(key, wrong, values)).toEqual({ kind: 'range' });
    }
  });

  test('labels are unique in each language, and names are names', () => {
    const labels = PARAMETER_KEYS.map((key) => systemParameter(key).label);
    expect(new Set(labels.map(({ en }) => en)).size).toBe(labels.length);
    expect(new Set(labels.map(({ zh }) => zh)).size).toBe(labels.length);
    expect(['sessionMinutes', 'toString', ''].map(isParameterKey)).toEqual([true, false, false]);
  });
});

test.each<[ParameterKey, number, Partial<ParameterValues>, ParameterKey | null, boolean]>([
  ['sessionMinutes', 5, {}, null, false],
  ['readingDays', 400, {}, null, false],
  ['readingDays', 401, {}, 'rollup5minDays', true],
  ['rollup5minDays', 399, {}, 'readingDays', false],
  ['rollup5minDays', 801, {}, 'rollupHourDays', true],
  ['rollupHourDays', 399, {}, 'rollup5minDays', false],
  ['rollupDayDays', 800, {}, null, false],
  ['rollupDayDays', 799, {}, 'rollupHourDays', false],
  ['readingDays', 500, { rollup5minDays: 500 }, null, false],
])('%s of %d with %j: in the way is %s', (key, value, others, other, above) => {
  const fault = parameterFault(key, value, { ...values, ...others });
  expect(fault).toEqual(other && { kind: 'order', other, above, value: { ...values, ...others }[other] });
});
