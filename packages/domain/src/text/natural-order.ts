// One locale everywhere, so that the server and every browser sort alike.
const NATURAL = new Intl.Collator('en', { numeric: true });

/**
 * Compares keys and codes for sorting: numbers in them by value, `Item2` before `Item10`. Only equal texts compare as
 * equal.
 */
export function compareNaturally(one: string, other: string): number {
  return NATURAL.compare(one, other) || (one < other ? -1 : Number(one > other));
}
