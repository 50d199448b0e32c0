import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkValue,
  formatRange,
  ITEM_TYPES,
  type ItemRange,
  type ItemType,
  parseRange,
  rangeSummary,
} from './item-range.ts';

const read = (type: ItemType, text: string) => parseRange(type, text).range;
const fault = (type: ItemType, text: string) => {
  const { problem } = parseRange(type, text);
  return problem && [problem.fault, problem.line, problem.values];
};

describe('valid ranges', () => {
  test.each<[ItemType, string, ItemRange]>([
    [1, '0~100', { type: 1, min: 0, max: 100 }],
    [1, ' -5 ~ 007 ', { type: 1, min: -5, max: 7 }],
    [1, '-0~1', { type: 1, min: 0, max: 1 }],
    [1, '', { type: 1, min: -100_000_000, max: 100_000_000 }],
    [1, '-100000000~100000000', { type: 1, min: -100_000_000, max: 100_000_000 }],
    [2, '0~100', { type: 2, min: '0', max: '100', decimals: 2 }],
    [2, '-0.50~10.25|3', { type: 2, min: '-0.5', max: '10.25', decimals: 3 }],
    [2, '0~1|0', { type: 2, min: '0', max: '1', decimals: 0 }],
    [2, '0~1|99', { type: 2, min: '0', max: '1', decimals: 99 }],
    [2, '  ', { type: 2, min: '-10000000', max: '10000000', decimals: 2 }],
    [3, '1~50', { type: 3, min: 1, max: 50 }],
    [3, '', { type: 3, min: 0, max: 10_000_000 }],
    [4, 'On|1', { type: 4, entries: [{ label: 'On', value: '1', type: 'string' }] }],
    [
      4,
      '\nOff | 00 | number\r\n\r\nOn|1.0|number\n直流|TRUE|boolean\n',
      {
        type: 4,
        entries: [
          { label: 'Off', value: '0', type: 'number' },
          { label: 'On', value: '1', type: 'number' },
          { label: '直流', value: 'true', type: 'boolean' },
        ],
      },
    ],
  ])('type %j, %j', (type, text, range) => {
    expect(parseRange(type, text)).toEqual({ range, problem: null });
  });
});

test.each<[ItemType, string, string]>([
  [1, '1～10', '1~10'],
  [1, '－５　～　１０', '-5~10'],
  [1, '1〜10', '1~10'],
  [2, '0．5～10｜2', '0.5~10|2'],
  [3, '1∼8', '1~8'],
])('a range of type %d may be typed as %s with a Chinese keyboard', (type, text, plain) => {
  expect(parseRange(type, text)).toEqual(parseRange(type, plain));
  expect(read(type, text)).not.toBeNull();
});

describe('errors of a range give the place and the reason', () => {
  test.each<[ItemType, string, unknown[]]>([
    [1, '5~1', ['rangeOrder', 1, { min: '5', max: '1' }]],
    [1, '5~5', ['rangeOrder', 1, { min: '5', max: '5' }]],
    [1, '1~1e99', ['rangeNotInteger', 1, { text: '1e99' }]],
    [1, '1~2.5', ['rangeNotInteger', 1, { text: '2.5' }]],
    [1, '1~100000001', ['rangeTooFar', 1, { text: '100000001', least: -100_000_000, most: 100_000_000 }]],
    [1, `1~${'9'.repeat(99)}`, ['rangeTooFar', 1, { text: '9'.repeat(99), least: -100_000_000, most: 100_000_000 }]],
    [1, '1', ['rangeForm', 1, {}]],
    [1, '1-5', ['rangeForm', 1, {}]],
    [1, '~5', ['rangeForm', 1, {}]],
    [1, '1~2~3', ['rangeForm', 1, {}]],
    [1, '1~5|2', ['rangeNotInteger', 1, { text: '5|2' }]],
    [2, '1~x', ['rangeNotNumber', 1, { text: 'x' }]],
    [2, '1~1e99', ['rangeNotNumber', 1, { text: '1e99' }]],
    [2, '2.50~2.5|1', ['rangeOrder', 1, { min: '2.5', max: '2.5' }]],
    [2, '0~10000000.1', ['rangeTooFar', 1, { text: '10000000.1', least: -10_000_000, most: 10_000_000 }]],
    [2, '0~1|100', ['rangeDecimals', 1, { text: '100', most: 99 }]],
    [2, '0~1|-1', ['rangeDecimals', 1, { text: '-1', most: 99 }]],
    [2, '0~1|', ['rangeDecimals', 1, { text: '', most: 99 }]],
    [2, '0~1|2|3', ['rangeFloatForm', 1, {}]],
    [2, '|2', ['rangeFloatForm', 1, {}]],
    [3, '-1~5', ['rangeTooFar', 1, { text: '-1', least: 0, most: 10_000_000 }]],
    [3, '0~10000001', ['rangeTooFar', 1, { text: '10000001', least: 0, most: 10_000_000 }]],
    [4, '', ['enumEmpty', 1, {}]],
    [4, '\n \n', ['enumEmpty', 1, {}]],
    [4, 'On|1\nOff', ['enumBarMissing', 2, { line: 2, text: 'Off' }]],
    [4, 'On|1|string|x', ['enumBarTooMany', 1, { line: 1, text: 'On|1|string|x' }]],
    [4, '|1', ['enumLabelMissing', 1, { line: 1, text: '|1' }]],
    [4, 'On|', ['enumValueMissing', 1, { line: 1, text: 'On|' }]],
    [4, 'On|1|int', ['enumTypeUnknown', 1, { line: 1, text: 'int' }]],
    [4, 'On|one|number', ['enumNotNumber', 1, { line: 1, text: 'one' }]],
    [4, 'On|1|boolean', ['enumNotBoolean', 1, { line: 1, text: '1' }]],
    [4, 'On|1\n\nAlso on|1', ['enumValueTwice', 3, { line: 3, text: '1', other: 1 }]],
    [4, 'On|1|number\nAlso on|1.0|number', ['enumValueTwice', 2, { line: 2, text: '1', other: 1 }]],
    [4, 'On|1\nOn|2', ['enumLabelTwice', 2, { line: 2, text: 'On', other: 1 }]],
    [4, 'On / 开|1\nOn / 合|2', ['enumLabelTwice', 2, { line: 2, text: 'On / 合', other: 1 }]],
    [4, 'On / 开|1\n开|2', ['enumLabelTwice', 2, { line: 2, text: '开', other: 1 }]],
    [4, Array.from({ length: 501 }, (_, n) => `L${n}|${n}`).join('\n'), ['enumTooMany', 501, { most: 500 }]],
  ])('type %j, %j', (type, text, expected) => {
    expect(fault(type, text)).toEqual(expected);
  });
});

const range = (type: ItemType, text: string) => read(type, text)!;

describe('values', () => {
  test.each<[ItemType, string, string, string]>([
    [1, '0~100', '007', '7'],
    [1, '0~100', ' 100 ', '100'],
    [2, '0~1|3', '0.1000', '0.1'],
    [2, '-1~1', '-0.0', '0'],
    [3, '0~3', '电🔌x', '电🔌x'],
    [4, 'On|1|number', '1.0', '1'],
    [4, 'Yes|true|boolean', 'TRUE', 'true'],
    [4, 'Slow|slow', 'slow', 'slow'],
  ])('type %j with %j accepts %j as %j', (type, text, value, plain) => {
    expect(checkValue(range(type, text), value)).toEqual({ value: plain, problem: null });
  });

  test.each<[ItemType, string, string, string, Record<string, unknown>]>([
    [1, '0~100', '101', 'valueTooLarge', { limit: '100' }],
    [1, '0~100', '-1', 'valueTooSmall', { limit: '0' }],
    [1, '0~100', '1.0', 'valueNotInteger', { value: '1.0' }],
    [1, '0~100', '', 'valueNotInteger', { value: '' }],
    [2, '0~1|1', '0.25', 'valueDecimals', { decimals: 1 }],
    [2, '0~1', '1.01', 'valueTooLarge', { limit: '1' }],
    [2, '0~1', 'a', 'valueNotNumber', { value: 'a' }],
    [3, '1~3', '', 'valueTooShort', { limit: 1 }],
    [3, '1~3', 'abcd', 'valueTooLong', { limit: 3 }],
    [4, 'On|1', '2', 'valueNotListed', { value: '2' }],
    [4, 'Slow|slow', 'SLOW', 'valueNotListed', { value: 'SLOW' }],
  ])('type %j with %j rejects %j', (type, text, value, expected, values) => {
    expect(checkValue(range(type, text), value).problem).toEqual({ fault: expected, line: 1, values });
  });
});

const integers = fc
  .tuple(fc.integer({ min: -100_000_000, max: 99_999_999 }), fc.nat(1_000))
  .map(([min, more]): ItemRange => ({ type: 1, min, max: Math.min(100_000_000, min + more + 1) }));
const floats = fc
  .tuple(fc.integer({ min: -9_000, max: 9_000 }), fc.nat(900), fc.nat(99))
  .map(
    ([min, more, decimals]): ItemRange => ({
      type: 2,
      min: String(min),
      max: `${min + more}.5`.replace(/^(-\d+)\.5$/, '$1.5'),
      decimals,
    }),
  )
  .filter((one) => one.type === 2 && Number(one.min) < Number(one.max));
const word = fc
  .stringMatching(/^[A-Za-z0-9 _.电压]{1,12}$/)
  .map((text) => text.trim())
  .filter((text) => text !== '');
const enumerations = fc
  .uniqueArray(fc.tuple(word, word), { minLength: 1, maxLength: 20, selector: ([label]) => label })
  .map((pairs) => pairs.filter(([, value], at) => pairs.findIndex(([, other]) => other === value) === at))
  .map((pairs): ItemRange => ({ type: 4, entries: pairs.map(([label, value]) => ({ label, value, type: 'string' })) }));
const ranges = fc.oneof(integers, floats, enumerations);

test('a formatted range is parsed as the same range', () => {
  fc.assert(
    fc.property(ranges, (one) => {
      expect(parseRange(one.type, formatRange(one))).toEqual({ range: one, problem: null });
    }),
  );
});

test('an accepted value is accepted again unchanged', () => {
  fc.assert(
    fc.property(ranges, fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (one, text) => {
      const { value } = checkValue(one, text);
      if (value !== null) expect(checkValue(one, value)).toEqual({ value, problem: null });
    }),
  );
});

test('any text gives a range or an error', () => {
  fc.assert(
    fc.property(fc.constantFrom<ItemType>(1, 2, 3, 4), fc.string({ unit: 'binary' }), (type, text) => {
      const { range: one, problem } = parseRange(type, text);
      expect(one === null).toBe(problem !== null);
    }),
  );
});

test.each([
  [ITEM_TYPES.enumeration, 'Yes / 是|true|boolean\nNo / 否|false|boolean', 'Yes, No', '是、否'],
  [ITEM_TYPES.enumeration, 'AC / DC|1|number', 'AC / DC', 'AC / DC'],
  [ITEM_TYPES.enumeration, '', '', ''],
  [ITEM_TYPES.integer, '0~5', '0~5', '0~5'],
  [ITEM_TYPES.float, '', '', ''],
])('the summary of a range of type %i, %j, is %j in English and %j in Chinese', (type, range, en, zh) => {
  expect([rangeSummary(type, range, 'en'), rangeSummary(type, range, 'zh')]).toEqual([en, zh]);
});
