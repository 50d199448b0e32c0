import type { Fault, RangeFault, ValueFault } from '@chargehand/domain';
import type { Locale } from '../constants.ts';
import { type CodeEntry, textOf } from '../operations/message.ts';

/**
 * Errors of a range or a value (spec §5), with the line number and the fix. Separate from the other codes, because the
 * console shows these messages while the user types.
 */
export const RANGE_FAULTS = {
  rangeForm: {
    code: 10401,
    en: 'Write the range as min~max with the tilde ~, for example 0~100.',
    zh: '范围格式应为 最小值~最大值（使用半角 ~），例如 0~100。',
  },
  rangeFloatForm: {
    code: 10402,
    en: 'Write the range as min~max or min~max|decimals, for example 0~100|2.',
    zh: '范围格式应为 最小值~最大值 或 最小值~最大值|小数位数，例如 0~100|2。',
  },
  rangeNotInteger: {
    code: 10403,
    en: '“{text}” is not a whole number written in digits.',
    zh: '“{text}”不是用数字写成的整数。',
  },
  rangeNotNumber: {
    code: 10404,
    en: '“{text}” is not a number written in digits, such as 12 or -0.5.',
    zh: '“{text}”不是用数字写成的数值，例如 12 或 -0.5。',
  },
  rangeTooFar: {
    code: 10405,
    en: '{text} is out of range. Use a value from {least} to {most}.',
    zh: '{text} 超出允许范围，应在 {least} 到 {most} 之间。',
  },
  rangeOrder: {
    code: 10406,
    en: 'The first value must be below the second: {min} is not below {max}.',
    zh: '第一个值必须小于第二个值：{min} 不小于 {max}。',
  },
  rangeDecimals: {
    code: 10407,
    en: 'The number of decimals must be a whole number from 0 to {most}, not “{text}”.',
    zh: '小数位数应为 0 到 {most} 的整数，而不是“{text}”。',
  },
  enumEmpty: {
    code: 10408,
    en: 'An enumeration needs at least one line: label|value|type.',
    zh: '枚举至少需要一行：名称|值|类型。',
  },
  enumTooMany: { code: 10409, en: 'An enumeration has at most {most} entries.', zh: '枚举最多 {most} 项。' },
  enumBarMissing: {
    code: 10410,
    en: 'Line {line}: “{text}” has no vertical bar. Write label|value or label|value|type.',
    zh: '第 {line} 行：“{text}”缺少竖线，应写为 名称|值 或 名称|值|类型。',
  },
  enumBarTooMany: {
    code: 10411,
    en: 'Line {line}: “{text}” has too many vertical bars. Write label|value|type, one entry per line.',
    zh: '第 {line} 行：“{text}”竖线过多，应写为 名称|值|类型，每行一项。',
  },
  enumLabelMissing: {
    code: 10412,
    en: 'Line {line}: the label before the first vertical bar is missing.',
    zh: '第 {line} 行：第一个竖线前缺少名称。',
  },
  enumValueMissing: {
    code: 10413,
    en: 'Line {line}: the value after the first vertical bar is missing.',
    zh: '第 {line} 行：第一个竖线后缺少值。',
  },
  enumTypeUnknown: {
    code: 10414,
    en: 'Line {line}: the type must be number, string or boolean, not “{text}”.',
    zh: '第 {line} 行：类型应为 number、string 或 boolean，而不是“{text}”。',
  },
  enumNotNumber: {
    code: 10415,
    en: 'Line {line}: “{text}” is not a number.',
    zh: '第 {line} 行：“{text}”不是数值。',
  },
  enumNotBoolean: {
    code: 10416,
    en: 'Line {line}: a boolean must be true or false, not “{text}”.',
    zh: '第 {line} 行：布尔值应为 true 或 false，而不是“{text}”。',
  },
  enumValueTwice: {
    code: 10417,
    en: 'Line {line}: the value {text} is already in line {other}.',
    zh: '第 {line} 行：值 {text} 与第 {other} 行重复。',
  },
  enumLabelTwice: {
    code: 10418,
    en: 'Line {line}: the label {text} is already in line {other}.',
    zh: '第 {line} 行：名称 {text} 与第 {other} 行重复。',
  },
  valueNotInteger: { code: 10421, en: 'The value must be a whole number.', zh: '应填写整数。' },
  valueNotNumber: { code: 10422, en: 'The value must be a number.', zh: '应填写数值。' },
  valueTooSmall: { code: 10423, en: 'The value must be at least {limit}.', zh: '值不能小于 {limit}。' },
  valueTooLarge: { code: 10424, en: 'The value must be at most {limit}.', zh: '值不能大于 {limit}。' },
  valueDecimals: {
    code: 10425,
    en: 'The value can have at most {decimals} decimals.',
    zh: '最多保留 {decimals} 位小数。',
  },
  valueTooShort: {
    code: 10426,
    en: 'The value must have at least {limit} characters.',
    zh: '至少需要 {limit} 个字符。',
  },
  valueTooLong: { code: 10427, en: 'The value must have at most {limit} characters.', zh: '最多 {limit} 个字符。' },
  valueNotListed: { code: 10428, en: 'The value must be one from the list.', zh: '只能从列表中选择。' },
} as const satisfies Record<RangeFault | ValueFault, CodeEntry>;

/** The message of an error in a language. */
export function faultMessage({ fault, values }: Fault<RangeFault | ValueFault>, locale: Locale): string {
  return textOf(RANGE_FAULTS[fault], locale, values);
}
