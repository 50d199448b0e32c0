import { compareDecimals, decimalsOf, isWholeNumber, plainDecimal } from '../values/decimal.ts';
import type { Bilingual } from './device-models.ts';
import { labelIn, labelNames } from './enum-labels.ts';

/** The value types of a data item (spec §3). */
export const ITEM_TYPES = { integer: 1, float: 2, string: 3, enumeration: 4 } as const;
export type ItemType = (typeof ITEM_TYPES)[keyof typeof ITEM_TYPES];

/**
 * The limits of a range, and the defaults of an empty one (spec §5): integers to 1e8, floats to 1e7, texts to 1e7
 * characters.
 */
export const INTEGER_LIMIT = 100_000_000;
export const FLOAT_LIMIT = 10_000_000;
export const LENGTH_LIMIT = 10_000_000;

/** A float has two decimals by default, and at most 99 (spec §5). */
export const DEFAULT_DECIMALS = 2;
export const MAX_DECIMALS = 99;

/** The maximum number of entries of an enumeration. */
export const MAX_ENUM_ENTRIES = 500;

export const ENUM_VALUE_TYPES = ['number', 'string', 'boolean'] as const;
export type EnumValueType = (typeof ENUM_VALUE_TYPES)[number];

export interface EnumEntry {
  label: string;
  /** as sent to the device; numbers without unnecessary zeros */
  value: string;
  type: EnumValueType;
}

/** The allowed values of an item. The bounds of a float are plain decimals, which keep up to 99 decimals. */
export type ItemRange =
  | { type: 1; min: number; max: number }
  | { type: 2; min: string; max: string; decimals: number }
  | { type: 3; min: number; max: number }
  | { type: 4; entries: EnumEntry[] };

/** Errors of a range. Each has a message in both languages among the codes of the contract. */
export type RangeFault =
  | 'rangeForm'
  | 'rangeFloatForm'
  | 'rangeNotInteger'
  | 'rangeNotNumber'
  | 'rangeTooFar'
  | 'rangeOrder'
  | 'rangeDecimals'
  | 'enumEmpty'
  | 'enumTooMany'
  | 'enumBarMissing'
  | 'enumBarTooMany'
  | 'enumLabelMissing'
  | 'enumValueMissing'
  | 'enumTypeUnknown'
  | 'enumNotNumber'
  | 'enumNotBoolean'
  | 'enumValueTwice'
  | 'enumLabelTwice';

/** Errors of a value. */
export type ValueFault =
  | 'valueNotInteger'
  | 'valueNotNumber'
  | 'valueTooSmall'
  | 'valueTooLarge'
  | 'valueDecimals'
  | 'valueTooShort'
  | 'valueTooLong'
  | 'valueNotListed';

/** An error, the line of the text that contains it (from 1), and the values for its message. */
export interface Fault<F extends string> {
  fault: F;
  line: number;
  values: Record<string, string | number>;
}

export type RangeResult = { range: ItemRange; problem: null } | { range: null; problem: Fault<RangeFault> };
export type ValueResult = { value: string; problem: null } | { value: null; problem: Fault<ValueFault> };

/**
 * Parses the range of an item (spec §5): `min~max`, `min~max|decimals`, the length of a text as `min~max`, or one
 * `label|value|type` per line, where a label may be `English / 中文`. An empty range is the widest possible range; an enumeration must not be empty.
 */
export function parseRange(type: ItemType, text: string): RangeResult {
  switch (type) {
    case 1:
      return parseWhole(halfWidth(text), 1, -INTEGER_LIMIT, INTEGER_LIMIT);
    case 2:
      return parseFloatRange(halfWidth(text));
    case 3:
      return parseWhole(halfWidth(text), 3, 0, LENGTH_LIMIT);
    case 4:
      return parseEnumeration(text);
  }
}

/** Formats a range. `parseRange` returns the same range for the result. */
export function formatRange(range: ItemRange): string {
  switch (range.type) {
    case 1:
    case 3:
      return `${range.min}~${range.max}`;
    case 2:
      return `${range.min}~${range.max}|${range.decimals}`;
    case 4:
      return range.entries.map(({ label, value, type }) => `${label}|${value}|${type}`).join('\n');
  }
}

/**
 * Checks a value against a range. A valid value is returned in the form in which it is sent: numbers without
 * unnecessary zeros.
 */
export function checkValue(range: ItemRange, text: string): ValueResult {
  switch (range.type) {
    case 1: {
      const plain = isWholeNumber(text.trim()) ? plainDecimal(text.trim()) : null;
      if (plain === null) return refuse('valueNotInteger', { value: text });
      return within(plain, String(range.min), String(range.max));
    }
    case 2: {
      const plain = plainDecimal(text.trim());
      if (plain === null) return refuse('valueNotNumber', { value: text });
      if (decimalsOf(plain) > range.decimals) return refuse('valueDecimals', { decimals: range.decimals });
      return within(plain, range.min, range.max);
    }
    case 3: {
      const length = [...text].length;
      if (length < range.min) return refuse('valueTooShort', { limit: range.min });
      if (length > range.max) return refuse('valueTooLong', { limit: range.max });
      return { value: text, problem: null };
    }
    case 4: {
      const entry = range.entries.find(({ value, type }) => value === enumValue(type, text));
      return entry ? { value: entry.value, problem: null } : refuse('valueNotListed', { value: text });
    }
  }
}

function within(plain: string, min: string, max: string): ValueResult {
  if (compareDecimals(plain, min) < 0) return refuse('valueTooSmall', { limit: min });
  if (compareDecimals(plain, max) > 0) return refuse('valueTooLarge', { limit: max });
  return { value: plain, problem: null };
}

/** A text with the digits and signs that a Chinese keyboard writes in full width, such as `1～10`, in half width. */
function halfWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e\u301c\u223c\u3000]/g, (sign) =>
    sign === '\u301c' || sign === '\u223c'
      ? '~'
      : sign === '\u3000'
        ? ' '
        : String.fromCharCode(sign.charCodeAt(0) - 0xfee0),
  );
}

/** Integer bounds of a number or of the length of a text. */
function parseWhole(text: string, type: 1 | 3, least: number, most: number): RangeResult {
  if (text.trim() === '') return { range: { type, min: least, max: most }, problem: null };
  const bounds = text.split('~').map((part) => part.trim());
  if (bounds.length !== 2) return fail('rangeForm');
  const odd = bounds.find((bound) => !isWholeNumber(bound));
  if (odd !== undefined) return odd === '' ? fail('rangeForm') : fail('rangeNotInteger', { text: odd });
  const [min, max] = plainOf(bounds);
  const problem = boundsProblem([min, max], least, most);
  if (problem) return { range: null, problem };
  return { range: { type, min: Number(min), max: Number(max) }, problem: null };
}

function parseFloatRange(text: string): RangeResult {
  if (text.trim() === '') {
    const all = { min: String(-FLOAT_LIMIT), max: String(FLOAT_LIMIT), decimals: DEFAULT_DECIMALS };
    return { range: { type: 2, ...all }, problem: null };
  }
  const [span = '', places, ...rest] = text.split('|').map((part) => part.trim());
  const bounds = span.split('~').map((part) => part.trim());
  if (bounds.length !== 2 || rest.length > 0) return fail('rangeFloatForm');
  const odd = bounds.find((bound) => plainDecimal(bound) === null);
  if (odd !== undefined) return odd === '' ? fail('rangeFloatForm') : fail('rangeNotNumber', { text: odd });
  const plain = plainOf(bounds);
  const problem = boundsProblem(plain, -FLOAT_LIMIT, FLOAT_LIMIT);
  if (problem) return { range: null, problem };
  const decimals = places === undefined ? DEFAULT_DECIMALS : wholeUpTo(places, MAX_DECIMALS);
  if (decimals === null) return fail('rangeDecimals', { text: places ?? '', most: MAX_DECIMALS });
  return { range: { type: 2, min: plain[0], max: plain[1], decimals }, problem: null };
}

function plainOf(bounds: readonly string[]): [string, string] {
  return [plainDecimal(bounds[0] ?? '') ?? '0', plainDecimal(bounds[1] ?? '') ?? '0'];
}

function boundsProblem([min, max]: [string, string], least: number, most: number): Fault<RangeFault> | null {
  for (const bound of [min, max]) {
    if (compareDecimals(bound, String(least)) < 0 || compareDecimals(bound, String(most)) > 0) {
      return faultOf('rangeTooFar', { text: bound, least, most });
    }
  }
  return compareDecimals(min, max) < 0 ? null : faultOf('rangeOrder', { min, max });
}

/** An integer from 0 to a limit, or null. */
function wholeUpTo(text: string, most: number): number | null {
  return /^\d{1,4}$/.test(text) && Number(text) <= most ? Number(text) : null;
}

/** One entry per line; empty lines are ignored. */
function parseEnumeration(text: string): RangeResult {
  const entries: (EnumEntry & { line: number; names: Bilingual })[] = [];
  for (const [index, raw] of text.split(/\r\n|\r|\n/).entries()) {
    if (raw.trim() === '') continue;
    const line = index + 1;
    if (entries.length === MAX_ENUM_ENTRIES) return fail('enumTooMany', { most: MAX_ENUM_ENTRIES }, line);
    const read = parseEntry(raw);
    if ('fault' in read) return fail(read.fault, { line, text: read.text }, line);
    const sameValue = entries.find(({ value }) => value === read.value);
    if (sameValue) return fail('enumValueTwice', { line, text: read.value, other: sameValue.line }, line);
    const names = labelNames(read.label);
    const sameLabel = entries.find((other) => other.names.en === names.en || other.names.zh === names.zh);
    if (sameLabel) return fail('enumLabelTwice', { line, text: read.label, other: sameLabel.line }, line);
    entries.push({ ...read, line, names });
  }
  if (entries.length === 0) return fail('enumEmpty');
  return {
    range: { type: 4, entries: entries.map(({ label, value, type }) => ({ label, value, type })) },
    problem: null,
  };
}

function parseEntry(raw: string): EnumEntry | { fault: RangeFault; text: string } {
  const [label = '', value, type = 'string', ...rest] = raw.split('|').map((part) => part.trim());
  if (value === undefined) return { fault: 'enumBarMissing', text: raw.trim() };
  if (rest.length > 0) return { fault: 'enumBarTooMany', text: raw.trim() };
  if (label === '') return { fault: 'enumLabelMissing', text: raw.trim() };
  if (value === '') return { fault: 'enumValueMissing', text: raw.trim() };
  if (!isEnumValueType(type)) return { fault: 'enumTypeUnknown', text: type };
  const plain = enumValue(type, value);
  if (plain === null) return { fault: type === 'number' ? 'enumNotNumber' : 'enumNotBoolean', text: value };
  return { label, value: plain, type };
}

function isEnumValueType(text: string): text is EnumValueType {
  return (ENUM_VALUE_TYPES as readonly string[]).includes(text);
}

/** A value of an enumeration in the form of its type, or null when it is not a value of that type. */
function enumValue(type: EnumValueType, text: string): string | null {
  if (type === 'string') return text;
  const trimmed = text.trim();
  if (type === 'number') return plainDecimal(trimmed);
  return /^(true|false)$/i.test(trimmed) ? trimmed.toLowerCase() : null;
}

function faultOf<F extends string>(fault: F, values: Fault<F>['values'] = {}, line = 1): Fault<F> {
  return { fault, line, values };
}

function fail(fault: RangeFault, values: Fault<RangeFault>['values'] = {}, line = 1): RangeResult {
  return { range: null, problem: faultOf(fault, values, line) };
}

function refuse(fault: ValueFault, values: Fault<ValueFault>['values']): ValueResult {
  return { value: null, problem: faultOf(fault, values) };
}

/**
 * The range of an item as lists show it: the labels of an enumeration in one language, without their values; any other
 * range as it was entered.
 */
export function rangeSummary(type: ItemType, range: string, language: keyof Bilingual): string {
  if (type !== ITEM_TYPES.enumeration) return range;
  const labels = range.split('\n').map((line) => labelIn(line.split('|')[0] ?? '', language));
  return labels.join(language === 'zh' ? '、' : ', ');
}
