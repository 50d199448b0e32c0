import { describe, expect, it } from 'vitest';
import type { ValueItem } from './item-values.ts';
import { inReadableUnit, shownReading, tickText, valueText } from './shown-reading.ts';

const item = (more: Partial<ValueItem>): ValueItem => ({ type: 2, range: '', unit: '', ...more });
const number = (value: number, unit = '') => ({ value, unit, text: null });

describe('a value with its item', () => {
  it.each<[string, ReturnType<typeof number>, ValueItem | null, string, string]>([
    ['without an item, in a readable unit', number(12_480, 'W'), null, '12.48', 'kW'],
    ['without a format in the model', number(12_480, 'W'), item({ unit: 'W' }), '12.48', 'kW'],
    ['in the unit of the item', number(12_480, 'W'), item({ unit: 'kW' }), '12.48', 'kW'],
    ['with the decimals of the range', number(231.40001, 'V'), item({ range: '0~2000|1', unit: 'V' }), '231.4', 'V'],
    ['in a unit that is not compatible with the item', number(5, 'A'), item({ unit: 'V' }), '5', 'A'],
    ['by its label', number(1), item({ type: 4, range: 'On|1|number\nOff|0|number' }), 'On', ''],
    ['of an integer', number(17), item({ type: 1, range: '0~20' }), '17', ''],
  ])('%s', (_, value, of, text, unit) => {
    expect(shownReading(value, of, 'en')).toMatchObject({ text, unit, problem: null });
  });

  it('shows texts unchanged, or with their label', () => {
    const shown = { value: null, unit: '', text: 'idle' };
    expect(shownReading(shown, null, 'en').text).toBe('idle');
    const waiting = item({ type: 4, range: 'Waiting / 等待中|idle' });
    expect(shownReading(shown, waiting, 'en').text).toBe('Waiting');
    expect(shownReading(shown, waiting, 'zh').text).toBe('等待中');
    expect(shownReading(shown, item({ type: 4, range: 'Waiting|other' }), 'en').problem?.fault).toBe('valueNotListed');
  });
});

describe('readings as text', () => {
  it.each([
    [3984.25, 0.05, '3984.25'],
    [3984.2, 0.1, '3984.2'],
    [3984, 1, '3984'],
    [128.75, 0.25, '128.75'],
    [12_000, 500, '12\u202f000'],
  ])('%d on an axis with steps of %d is %s', (value, step, text) => {
    expect(tickText(value, step)).toBe(text);
  });

  it.each([
    [0, '0'],
    [0.05234, '0.052'],
    [12.3456, '12.35'],
    [231.449, '231.4'],
    [1480.44, '1480.4'],
    [1234567.8, '1\u202f234\u202f568'],
    [-7.5, '-7.5'],
  ])('%d is shown as %s', (value, text) => {
    expect(valueText(value)).toBe(text);
  });

  it('shows watts from 1000 on in kilowatts, and volts unchanged', () => {
    expect(inReadableUnit(11_040, 'W')).toEqual({ value: 11.04, unit: 'kW' });
    expect(inReadableUnit(940, 'W')).toEqual({ value: 940, unit: 'W' });
    expect(inReadableUnit(2_000, 'V')).toEqual({ value: 2_000, unit: 'V' });
  });
});
