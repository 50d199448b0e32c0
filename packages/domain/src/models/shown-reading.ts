import type { Bilingual } from './device-models.ts';
import { inUnit, type ShownValue, showReading, showText, unitSign, type ValueItem } from './item-values.ts';

/** A value with a number of digits that depends on its size: `231.4`, `12 480`, `0.052`. */
export function valueText(value: number): string {
  const size = Math.abs(value);
  const digits = size >= 10_000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3;
  return withDigits(value, digits);
}

/** The maximum number of decimals on a screen. */
const MOST_DIGITS = 6;

/** A value on an axis with the number of decimals of `step`, the distance to the next one: 0.25 has two. */
export function tickText(value: number, step: number): string {
  let digits = 0;
  while (digits < MOST_DIGITS && Math.abs(step * 10 ** digits - Math.round(step * 10 ** digits)) > 1e-6) digits += 1;
  return withDigits(value, digits);
}

function withDigits(value: number, digits: number): string {
  const size = Math.abs(value);
  return value
    .toLocaleString('en-US', { maximumFractionDigits: digits, useGrouping: size >= 10_000 })
    .replaceAll(',', '\u202f');
}

/** A value in a readable unit: watts and watt-hours from 1000 on are in kilo. */
export function inReadableUnit(value: number, unit: string): { value: number; unit: string } {
  if (['W', 'Wh', 'var', 'varh', 'VA'].includes(unit) && Math.abs(value) >= 1_000) {
    return { value: value / 1_000, unit: `k${unit}` };
  }
  return { value, unit: unitSign(unit) };
}

/** A float without a range in the model. */
const FREE_FLOAT = 2;

/**
 * The displayed value of a quantity. If the model does not define its format, the number of digits depends on its size,
 * and thousands of watts become kilowatts.
 */
export function shownReading(
  reading: { value: number | null; text: string | null; unit: string },
  item: ValueItem | null,
  language: keyof Bilingual,
): ShownValue {
  const { value, text, unit } = reading;
  if (value === null) return item ? showText(item, text ?? '', language) : { text: text ?? '', unit, problem: null };
  const open = !item || (item.type === FREE_FLOAT && item.range.trim() === '');
  if (!open) return showReading(item, value, unit, language);
  const own = item && item.unit !== '' ? inUnit(value, unit, item.unit) : null;
  const readable = item && own !== null ? inReadableUnit(own, item.unit) : inReadableUnit(value, unit);
  return { text: valueText(readable.value), unit: unitSign(readable.unit), problem: null };
}
