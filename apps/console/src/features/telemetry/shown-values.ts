import type { LatestValue, RuntimeItem } from '@chargehand/contract';
import { type Bilingual, inUnit, type ShownValue, showReading, showText, unitSign } from '@chargehand/domain';
import { inReadableUnit, valueText } from './reading-text.ts';

/** Values of one group of the model; null: not in the model. */
export interface ValueGroup<T> {
  id: number | null;
  name: Bilingual | null;
  values: T[];
}

/** Values by the groups of their items, in the given order; values without an item are the last group. */
export function inGroups<T>(values: readonly T[], itemOf: (value: T) => RuntimeItem | null): ValueGroup<T>[] {
  const groups = new Map<number | null, ValueGroup<T>>();
  for (const value of values) {
    const item = itemOf(value);
    const id = item?.groupId ?? null;
    const group = groups.get(id) ?? { id, name: item?.groupName ?? null, values: [] };
    groups.set(id, group);
    group.values.push(value);
  }
  return [...groups.values()].sort((one, other) => Number(one.id === null) - Number(other.id === null));
}

/** The key that documents about a reading have: that of its item, without the phase or location. */
export function itemKey({ key, item }: LatestValue, items: readonly RuntimeItem[] = []): string {
  return (item === null ? undefined : items[item]?.key) ?? key;
}

/** A float without a range in the model. */
const FREE_FLOAT = 2;

/**
 * The displayed value of a quantity. If the model does not define its format, the number of digits depends on its size,
 * and thousands of watts become kilowatts.
 */
export function shownValue(
  reading: Pick<LatestValue, 'value' | 'text' | 'unit'>,
  item: RuntimeItem | null,
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
