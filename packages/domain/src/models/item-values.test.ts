import { describe, expect, test } from 'vitest';
import {
  entryLabels,
  groupedDigits,
  inUnit,
  itemFinder,
  OLD_AFTER_MS,
  readingQuality,
  readsBack,
  sameItemValue,
  showReading,
  showText,
  type ValueItem,
  valueQuality,
} from './item-values.ts';

const item = (type: ValueItem['type'], range = '', unit = ''): ValueItem => ({ type, range, unit });
const STATES = 'Idle / 待机|0|number\nCharging / 充电|1|number';
const YES_NO = 'Yes|true|boolean\nNo|false|boolean';

describe('the item of a key', () => {
  const find = itemFinder(
    ['Voltage', 'Current.Import', 'Power', 'Power.Active.Import', 'SoC', 'Battery/SoC'].map((key) => ({ key })),
  );
  test.each([
    ['Voltage', 'Voltage', ''],
    ['Voltage.L1-N', 'Voltage', 'L1-N'],
    ['Current.Import.L2', 'Current.Import', 'L2'],
    ['Power.Active.Import.L1@Inlet', 'Power.Active.Import', 'L1@Inlet'],
    ['Power.Factor', 'Power', 'Factor'],
    ['SoC@EV', 'SoC', 'EV'],
    ['Battery/SoC', 'Battery/SoC', ''],
  ])('%s is %s, variant %j', (key, expected, variant) => {
    expect(find(key)).toEqual({ item: { key: expected }, variant });
  });
  test.each(['Current', 'VoltageX', 'voltage', '', 'Battery/SoCs', '.Voltage'])('%j has no item', (key) => {
    expect(find(key)).toBeNull();
  });
});

describe('a measured value with its item', () => {
  test('a unit with a different symbol elsewhere is shown as reported', () => {
    expect(showReading(item(3), 1, 'constructor', 'en')).toEqual({ text: '1', unit: 'constructor', problem: null });
  });

  test.each<[ValueItem, number, string, string, string, string | null]>([
    [item(2, '0~2000|1', 'V'), 231.40000915527344, 'V', '231.4', 'V', null],
    [item(2, '0~2000|1', 'V'), 231, 'V', '231.0', 'V', null],
    [item(2, '0~1000|2', 'A'), -0.001, 'A', '-0.00', 'A', null],
    [item(2, '0~100|1', '%'), 100.00000762939453, 'Percent', '100.0', '%', null],
    [item(2, '0~100|1', '%'), 100.2, 'Percent', '100.2', '%', 'valueTooLarge'],
    [item(2, '-60~200|1', '°C'), -61, 'Celsius', '-61.0', '°C', 'valueTooSmall'],
    [item(2, '', 'W'), 12_480, 'W', '12\u202f480', 'W', null],
    [item(2, '', 'W'), 0.129, 'W', '0.13', 'W', null],
    [item(2, '0~100|3', 'kW'), 7_212, 'W', '7.212', 'kW', null],
    [item(2, '0~100000|0', 'Wh'), 1.5, 'kWh', '1500', 'Wh', null],
    [item(2, '0~10|1', 'V'), 50, 'mV', '50', 'mV', null],
    [item(2, '0~10|1'), 5, 'bar', '5.0', 'bar', null],
    [item(1, '0~10'), 7, '', '7', '', null],
    [item(1, '0~10'), 11, '', '11', '', 'valueTooLarge'],
    [item(1, '0~10'), 7.5, '', '7.5', '', 'valueNotInteger'],
    [item(4, STATES), 1, '', 'Charging', '', null],
    [item(4, STATES), 9, '', '9', '', 'valueNotListed'],
    [item(4, YES_NO), 0, '', 'No', '', null],
    [item(3, '0~50'), 3, 'x', '3', 'x', null],
  ])('%j: %d %s is %s %s, %j', (of, value, unit, text, shownUnit, fault) => {
    const { problem, ...shown } = showReading(of, value, unit, 'en');
    expect({ ...shown, fault: problem?.fault ?? null }).toEqual({ text, unit: shownUnit, fault });
  });
});

test('an entry of an enumeration is shown in the language of the reader', () => {
  expect(showReading(item(4, STATES), 1, '', 'zh').text).toBe('充电');
  expect(showText(item(4, STATES), '0', 'zh').text).toBe('待机');
  expect(showText(item(4, STATES), '0', 'en').text).toBe('Idle');
});

test.each<[string, [number, string][]]>([
  [
    STATES,
    [
      [0, '待机'],
      [1, '充电'],
    ],
  ],
  [
    'Yes / 是|true|boolean\nNo|false|boolean',
    [
      [1, '是'],
      [0, 'No'],
    ],
  ],
  ['Idle|idle\nTwo|2', [[2, 'Two']]],
  ['', []],
  ['0~5', []],
])('the measured values of %j have labels', (entries, labels) => {
  expect([...entryLabels(entries, 'zh')]).toEqual(labels);
});

describe('a reported text with its item', () => {
  test.each<[ValueItem, string, string, string | null]>([
    [item(1, '0~3600', 's'), '60', '60', null],
    [item(1, '0~3600', 's'), '4000', '4000', 'valueTooLarge'],
    [item(1, '0~3600', 's'), 'soon', 'soon', 'valueNotInteger'],
    [item(4, YES_NO), 'TRUE', 'Yes', null],
    [item(4, YES_NO), 'maybe', 'maybe', 'valueNotListed'],
    [item(3, '0~3'), 'long', 'long', 'valueTooLong'],
    [item(4, 'broken'), 'x', 'x', null],
  ])('%j: %s is %s, %j', (of, value, text, fault) => {
    const { problem, ...shown } = showText(of, value, 'en');
    expect({ ...shown, fault: problem?.fault ?? null }).toEqual({ text, unit: of.unit, fault });
  });
});

test.each([
  ['1234', '1234'],
  ['12345', '12\u202f345'],
  ['-1234567.891', '-1\u202f234\u202f567.891'],
  ['1e21', '1e21'],
])('%s with grouped digits is %s', (text, grouped) => expect(groupedDigits(text)).toBe(grouped));

test.each<[number, string, string, number | null]>([
  [5, 'W', 'W', 5],
  [5, 'Celsius', '°C', 5],
  [5, '', 'V', 5],
  [1_500, 'W', 'kW', 1.5],
  [1.1, 'kWh', 'Wh', 1_100],
  [5, 'W', 'Wh', null],
])('%d %s in %s is %j', (value, from, to, expected) => expect(inUnit(value, from, to)).toBe(expected));

describe('equal values', () => {
  test.each<[ValueItem | null, string, string, boolean]>([
    [item(1, '0~100'), '60', '060', true],
    [item(1, '0~100'), '60', '61', false],
    [item(2, '0~100|2'), '1.50', '1.5', true],
    [item(2, '0~1|2'), '1.50', '1.5', true],
    [item(4, YES_NO), 'true', 'TRUE', true],
    [item(4, STATES), '1', '1.0', true],
    [item(4, STATES), '7', '8', false],
    [item(3), '60', '060', false],
    [item(3), 'a', 'A', false],
    [null, '60', '060', false],
    [null, 'same', 'same', true],
  ])('%j: %j and %j: %j', (of, one, other, expected) => expect(sameItemValue(of, one, other)).toBe(expected));
});

describe('a value read back', () => {
  test.each([
    ['45', '45', true],
    ['45', '45.0', true],
    ['45', ' 45 ', true],
    ['true', 'True', true],
    ['a', 'A', false],
    ['45', '60', false],
    ['45', '', false],
  ])('set to %j, reported %j: %j', (set, reported, expected) => expect(readsBack(set, reported)).toBe(expected));
});

test.each<[number | null, boolean, string]>([
  [null, true, 'never'],
  [0, true, 'present'],
  [-OLD_AFTER_MS, true, 'present'],
  [-OLD_AFTER_MS - 1, true, 'old'],
  [0, false, 'old'],
])('a value %j ms old, connected %j, is %s', (at, connected, expected) => {
  expect(valueQuality(at, 0, connected)).toBe(expected);
});

test.each<[string, number, boolean, number | null, string]>([
  ['of this minute, while charging', -10_000, true, -60_000, 'present'],
  ['measured with the status', -60_000, true, -60_000, 'present'],
  // The session ended or the connector failed after the reading.
  ['from before the status', -60_001, true, -60_000, 'old'],
  ['of a connector that is idle since long, measured now', 0, true, -86_400_000, 'present'],
  ['of a connector without a status', -10_000, true, null, 'present'],
  ['of an offline device', -10_000, false, -60_000, 'old'],
  ['of a silent device', -OLD_AFTER_MS - 1, true, -86_400_000, 'old'],
])('a reading %s', (_, at, connected, statusSince, expected) => {
  expect(readingQuality(at, 0, { connected, statusSince })).toBe(expected);
});
