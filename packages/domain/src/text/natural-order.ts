// One locale everywhere, so that the server, the database and every browser sort alike: `natural_sort` is the same.
const NATURAL = new Intl.Collator('zh', { numeric: true });

/**
 * Compares names, keys and codes for sorting: numbers in them by value, `Item2` before `Item10`, and Chinese by pinyin,
 * before Latin letters. Only equal texts compare as equal.
 */
export function compareNaturally(one: string, other: string): number {
  return NATURAL.compare(one, other) || (one < other ? -1 : Number(one > other));
}
