import { reportedTime } from '@chargehand/domain';
import type { IMetric } from './proto.ts';

/** Data types of metrics that are stored (Sparkplug 3.0 §6.4.16), by number. */
const TYPES = {
  1: 'Int8',
  2: 'Int16',
  3: 'Int32',
  4: 'Int64',
  5: 'UInt8',
  6: 'UInt16',
  7: 'UInt32',
  8: 'UInt64',
  9: 'Float',
  10: 'Double',
  11: 'Boolean',
  12: 'String',
  13: 'DateTime',
  14: 'Text',
  15: 'UUID',
} as const;
export type MetricType = (typeof TYPES)[keyof typeof TYPES];

/** A metric's value: numbers and booleans are readings, strings and times are texts. Null: the metric has none. */
export type MetricValue = number | boolean | string | null;

const INTEGERS: ReadonlySet<string> = new Set([
  'Int8',
  'Int16',
  'Int32',
  'Int64',
  'UInt8',
  'UInt16',
  'UInt32',
  'UInt64',
]);
const TEXTS: ReadonlySet<string> = new Set(['String', 'Text', 'UUID']);

/** True for whole numbers of any length. */
export function isInteger(type: MetricType): boolean {
  return INTEGERS.has(type);
}

/** True for types whose values are numbers (booleans count as 0 and 1). */
export function isNumeric(type: MetricType): boolean {
  return INTEGERS.has(type) || type === 'Float' || type === 'Double' || type === 'Boolean';
}

/** The name of a type; null for types that are not stored: data sets, templates, bytes, files, arrays. */
export function metricType(datatype: number | null | undefined): MetricType | null {
  return TYPES[datatype as keyof typeof TYPES] ?? null;
}

/**
 * The value of a metric that was born with `type`. `undefined` when the value is of another type, because its number
 * would mean something else.
 */
export function readValue(metric: IMetric, type: MetricType): MetricValue | undefined {
  if (metric.isNull === true) return null;
  const { intValue, longValue, floatValue, doubleValue, booleanValue, stringValue } = metric;
  if (INTEGERS.has(type)) return readInteger(intValue ?? longValue ?? undefined, type);
  if (type === 'DateTime') {
    const at = longValue == null ? Number.NaN : Number(longValue);
    const time = new Date(at);
    return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
  }
  if (type === 'Float' || type === 'Double') {
    // A wider or narrower number of the same kind has the same meaning.
    const value = type === 'Float' ? (floatValue ?? doubleValue) : (doubleValue ?? floatValue);
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }
  if (type === 'Boolean') return typeof booleanValue === 'boolean' ? booleanValue : undefined;
  return TEXTS.has(type) && typeof stringValue === 'string' ? stringValue : undefined;
}

/** The special value of a metric: NaN or an infinity; null for a normal number. */
export function notFinite({ floatValue, doubleValue, isNull }: IMetric): number | null {
  const value = floatValue ?? doubleValue;
  return isNull !== true && typeof value === 'number' && !Number.isFinite(value) ? value : null;
}

/**
 * Small integers are sent in 32 bits, large ones in 64, signed ones as their two's complement. An integer that a double
 * cannot hold is returned as its digits.
 */
function readInteger(
  raw: IMetric['intValue'] | IMetric['longValue'] | undefined,
  type: MetricType,
): number | string | undefined {
  if (raw === undefined || raw === null) return undefined;
  const whole = BigInt(String(raw));
  const bits = /\d{1,2}$/.exec(type)?.[0] ?? '64';
  const value = type.startsWith('U') ? BigInt.asUintN(Number(bits), whole) : BigInt.asIntN(Number(bits), whole);
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

/** A value as text. A 32-bit float is the shortest decimal that represents it: 0.1, not 0.10000000149. */
export function writeValue(value: Exclude<MetricValue, null>, type: MetricType): string {
  if (typeof value !== 'number' || type !== 'Float') return String(value);
  for (let digits = 6; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return String(short);
  }
  return String(value);
}

/** A value that a user entered, converted to a type; undefined when that is impossible. */
export function enteredValue(text: string, type: MetricType): Exclude<MetricValue, null> | undefined {
  if (TEXTS.has(type)) return text;
  if (type === 'Boolean')
    return text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : undefined;
  if (type === 'DateTime') {
    const at = reportedTime(text);
    return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
  }
  if (!/^\s*[+-]?(\d+(?:\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?\s*$/.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  if (!INTEGERS.has(type)) return value;
  if (!Number.isSafeInteger(value)) return undefined;
  const bits = Number(/\d{1,2}$/.exec(type)?.[0]);
  const [least, most] = type.startsWith('U') ? [0, 2 ** bits - 1] : [-(2 ** (bits - 1)), 2 ** (bits - 1) - 1];
  return value >= least && value <= most ? value : undefined;
}

/** True when a device reports the requested value, as exactly as the type can represent it. */
export function sameValue(wanted: MetricValue, reported: MetricValue, type: MetricType): boolean {
  if (type === 'Float' && typeof wanted === 'number' && typeof reported === 'number') {
    return Math.fround(wanted) === Math.fround(reported);
  }
  return wanted === reported;
}
