import type { DescribedItem, LatestValue } from '@chargehand/contract';
import { compareNaturally, itemFinder, type Levels, levelSuffices } from '@chargehand/domain';
import type { PresentDescription } from '../../models/index.ts';

/** A value as a device reported it. */
export interface ReportedValue {
  connector: number;
  key: string;
  unit: string;
  value: number | null;
  text: string | null;
  at: Date;
}

/** Definitions of a device's model: the current one, and the one in force at a time. */
export interface Descriptions {
  present: PresentDescription;
  at(time: Date): PresentDescription;
}

export interface DescribedValues {
  /** the config items that values refer to, followed by those that were never reported */
  items: DescribedItem[];
  /** in the order of the model, with items that it does not name at the end */
  values: (Omit<LatestValue, 'at'> & { connector: number; at: Date })[];
  never: number[];
}

/**
 * Reads reported values by the model: each value by the item of its time, at the place of its current item. Items above
 * the caller's levels are left out. Items that the model does not name are for callers who may read data without its
 * own level (`undescribed`).
 * @param reportedKeys keys that the device reported as parameters; they count as reported too
 */
export function describeValues(
  reported: readonly ReportedValue[],
  descriptions: Descriptions,
  reader: { levels: Levels; undescribed: boolean },
  reportedKeys: ReadonlySet<string>,
): DescribedValues {
  const present = itemsOf(descriptions.present);
  const items: DescribedItem[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (item: DescribedItem, version: number): number => {
    const known = indexes.get(`${version} ${item.key}`);
    if (known !== undefined) return known;
    indexes.set(`${version} ${item.key}`, items.length);
    return items.push(item) - 1;
  };
  const reportedPlaces = new Set<string>();
  const older = new Map<PresentDescription, ReturnType<typeof itemsOf>>();
  const itemsThen = (then: PresentDescription) => {
    const known = then === descriptions.present ? present : (older.get(then) ?? itemsOf(then));
    older.set(then, known);
    return known;
  };
  const values = reported.flatMap(({ at, ...one }): Ranked[] => {
    const then = descriptions.at(at);
    const now = present.find(one.key);
    const found = itemsThen(then).find(one.key) ?? now;
    if (!found) {
      const rank = present.count + 1;
      return reader.undescribed ? [{ ...one, at, item: null, variant: '', rank }] : [];
    }
    const place = now?.item ?? found.item;
    reportedPlaces.add(place.key);
    if (!mayRead(place, reader.levels)) return [];
    const { groupId, groupName, priority } = place.item;
    const item = indexOf({ ...found.item.item, groupId, groupName, priority }, then.version);
    return [{ ...one, at, item, variant: found.variant, rank: now ? place.rank : present.count }];
  });
  const never = present.all
    .filter((one) => one.area === 'device' && mayRead(one, reader.levels))
    .filter(({ key }) => !reportedPlaces.has(key) && !reportedKeys.has(key.toLowerCase()))
    .map(({ item }) => indexOf(item, descriptions.present.version));
  return {
    items,
    never,
    values: values
      .sort((one, other) => one.rank - other.rank || compareNaturally(one.key, other.key))
      .map(({ rank: _, ...value }) => value),
  };
}

type Ranked = DescribedValues['values'][number] & { rank: number };

/** An item with the area of its read level, and its place. */
interface PlacedItem {
  key: string;
  area: 'device' | 'params';
  rank: number;
  item: DescribedItem;
}

function mayRead({ area, item }: PlacedItem, levels: Levels): boolean {
  return !item.secret && levelSuffices(levels[area].read, item.readLevel);
}

/**
 * Some devices report their parameters like any other value. An item that the model names as both is a config item
 * here.
 */
function itemsOf({ configs, parameters }: PresentDescription) {
  const own = new Set(configs.map(({ key }) => key));
  const all = [
    ...configs.map((item) => ({ area: 'device' as const, item })),
    ...parameters.filter(({ key }) => !own.has(key)).map((item) => ({ area: 'params' as const, item })),
  ].map((one, rank): PlacedItem => ({ ...one, key: one.item.key, rank }));
  return { all, find: itemFinder(all), count: all.length };
}
