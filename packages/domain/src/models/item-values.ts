import { compareDecimals, plainDecimal } from '../values/decimal.ts';
import type { Bilingual } from './device-models.ts';
import { labelIn } from './enum-labels.ts';
import { checkValue, type Fault, type ItemRange, type ItemType, parseRange, type ValueFault } from './item-range.ts';

/** The properties of an item that decide how its values are shown and which are allowed. */
export interface ValueItem {
  type: ItemType;
  range: string;
  unit: string;
}

/** A value in the form in which it is shown. */
export interface ShownValue {
  text: string;
  unit: string;
  /** how it violates the range of its item; null when it does not */
  problem: Fault<ValueFault> | null;
}

/**
 * Finds the item of a reported key. Devices append a phase (`.L1`) or a location (`@Body`) to the key of a quantity.
 * The longest item key that is a prefix is used, and the rest is the variant.
 */
export function itemFinder<T extends { key: string }>(
  items: readonly T[],
): (key: string) => { item: T; variant: string } | null {
  const known = new Map(items.map((item) => [item.key, item]));
  return (key) => {
    const whole = known.get(key);
    if (whole) return { item: whole, variant: '' };
    for (let end = key.length - 1; end > 0; end -= 1) {
      const sign = key[end];
      if (sign !== '.' && sign !== '@') continue;
      const item = known.get(key.slice(0, end));
      if (item) return { item, variant: key.slice(end + 1) };
    }
    return null;
  };
}

/** Symbols of units, by the names that OCPP and others use. */
const SIGNS: ReadonlyMap<string, string> = new Map([
  ['Celsius', '°C'],
  ['Percent', '%'],
]);

/** The symbol of a unit, as it is shown. */
export function unitSign(unit: string): string {
  return SIGNS.get(unit) ?? unit;
}

/**
 * A value in another unit: the same unit, or a thousand times or one thousandth of it. Null when the units are not
 * compatible.
 */
export function inUnit(value: number, from: string, to: string): number | null {
  const [one, other] = [unitSign(from), unitSign(to)];
  if (one === other || one === '' || other === '') return value;
  if (other === `k${one}`) return Number((value / 1_000).toPrecision(12));
  if (one === `k${other}`) return Number((value * 1_000).toPrecision(12));
  return null;
}

/** The maximum number of digits that a binary number can distinguish. */
const MOST_FIXED = 15;

/**
 * A measured number with its item: in the item's unit with the decimals of its range, an enumeration by its label
 * in a language, and whether the value is outside the range. An empty range does not add decimals. A number in an
 * incompatible unit is shown as reported and not checked.
 */
export function showReading(item: ValueItem, value: number, unit: string, language: keyof Bilingual): ShownValue {
  const { range } = parseRange(item.type, item.range);
  if (!range || range.type === 3) return { text: groupedDigits(String(value)), unit: unitSign(unit), problem: null };
  if (range.type === 4) return showEntry(range, textOfBoolean(range, value), item.unit, language);
  const own = inUnit(value, unit, item.unit);
  if (own === null) return { text: groupedDigits(String(value)), unit: unitSign(unit), problem: null };
  const decimals = range.type === 1 ? 0 : Math.min(range.decimals, MOST_FIXED);
  const whole = range.type === 2 || Number.isInteger(own);
  const fixed = whole ? own.toFixed(decimals) : String(own);
  const plain = plainDecimal(fixed) ?? fixed;
  const { problem } = checkValue(range, plain);
  const hasRange = range.type === 2 && item.range.trim() !== '';
  return {
    text: groupedDigits(hasRange ? fixed : plain),
    unit: unitSign(item.unit === '' ? unit : item.unit),
    problem,
  };
}

/** A reported text with its item: an enumeration by its label in a language, anything else unchanged. */
export function showText(item: ValueItem, text: string, language: keyof Bilingual): ShownValue {
  const { range } = parseRange(item.type, item.range);
  if (!range) return { text, unit: item.unit, problem: null };
  if (range.type === 4) return showEntry(range, text, item.unit, language);
  return { text, unit: unitSign(item.unit), problem: checkValue(range, text).problem };
}

/**
 * The labels of the entries of an enumeration by their measured number, in a language. Empty for a text that is not an
 * enumeration.
 */
export function entryLabels(entries: string, language: keyof Bilingual): ReadonlyMap<number, string> {
  const { range } = entries === '' ? { range: null } : parseRange(4, entries);
  if (range?.type !== 4) return new Map();
  return new Map(
    range.entries.flatMap(({ label, value, type }): [number, string][] => {
      const number = type === 'boolean' ? Number(value === 'true') : Number(value);
      return Number.isNaN(number) ? [] : [[number, labelIn(label, language)]];
    }),
  );
}

function showEntry(
  range: Extract<ItemRange, { type: 4 }>,
  text: string,
  unit: string,
  language: keyof Bilingual,
): ShownValue {
  const { value, problem } = checkValue(range, text);
  const entry = range.entries.find((one) => one.value === value);
  return { text: entry ? labelIn(entry.label, language) : text, unit: unitSign(unit), problem };
}

/** Booleans are measured as 1 and 0. */
function textOfBoolean(range: Extract<ItemRange, { type: 4 }>, value: number): string {
  const boolean = range.entries.some(({ type }) => type === 'boolean') && (value === 0 || value === 1);
  return boolean ? String(value === 1) : String(value);
}

/** Numbers with five or more digits are grouped in threes. */
const GROUPED_FROM = 5;

/** The integer digits of a number in groups of three, separated by narrow no-break spaces. */
export function groupedDigits(text: string): string {
  const parts = /^(-?)(\d+)(\.\d+)?$/.exec(text);
  const digits = parts?.[2];
  if (!parts || digits === undefined || digits.length < GROUPED_FROM) return text;
  const first = digits.length % 3 || 3;
  const groups = [digits.slice(0, first)];
  for (let at = first; at < digits.length; at += 3) groups.push(digits.slice(at, at + 3));
  return `${parts[1]}${groups.join('\u202f')}${parts[3] ?? ''}`;
}

/**
 * True when two texts are the same value of an item (spec §5: setting the same value is rejected): numbers are compared
 * by value, entries of an enumeration by their type, texts by their characters. Without an item, only the characters
 * count.
 */
export function sameItemValue(item: ValueItem | null, one: string, other: string): boolean {
  if (one === other) return true;
  const range = item && parseRange(item.type, item.range).range;
  if (!range || range.type === 3) return false;
  if (range.type === 4) {
    const entry = checkValue(range, one).value;
    return entry !== null && entry === checkValue(range, other).value;
  }
  return sameNumber(one, other);
}

function sameNumber(one: string, other: string): boolean {
  const [first, second] = [plainDecimal(one.trim()), plainDecimal(other.trim())];
  return first !== null && second !== null && compareDecimals(first, second) === 0;
}

/**
 * True when a reported value can be the value that was set: devices have their own notations for numbers and booleans,
 * and some add blanks.
 */
export function readsBack(set: string, reported: string): boolean {
  const [one, other] = [set.trim(), reported.trim()];
  if (one === other || sameNumber(one, other)) return true;
  return /^(true|false)$/i.test(one) && one.toLowerCase() === other.toLowerCase();
}

/** A value older than this says little about the present. */
export const OLD_AFTER_MS = 10 * 60_000;

/** How current a value is: `never` reported, `old`, or `present`. A disconnected device reports nothing new. */
export type ValueQuality = 'present' | 'old' | 'never';

/** @param at when the value was measured, milliseconds; null: never */
export function valueQuality(at: number | null, now: number, connected: boolean): ValueQuality {
  if (at === null) return 'never';
  return connected && now - at <= OLD_AFTER_MS ? 'present' : 'old';
}

/** Everything that decides how current the readings of a connector are. */
export interface ReadingSource {
  /** the device is connected */
  connected: boolean;
  /** when the connector got its current status, milliseconds; null if it has not reported one */
  statusSince: number | null;
}

/**
 * How current a reading of a connector is. One from before the current status says nothing about it: the power of the
 * last session is not the power of an idle or faulted connector.
 * @param at when the value was measured, milliseconds
 */
export function readingQuality(at: number, now: number, { connected, statusSince }: ReadingSource): ValueQuality {
  return statusSince !== null && at < statusSince ? 'old' : valueQuality(at, now, connected);
}
