import type { LatestValue, RuntimeItem } from '@chargehand/contract';
import type { Bilingual } from '@chargehand/domain';

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
