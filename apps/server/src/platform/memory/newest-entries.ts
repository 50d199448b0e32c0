/** The share of the entries that stay. Copying some at a time is cheaper than removing one with each new entry. */
const KEPT = 0.75;

/**
 * A map without its oldest entries if it has more than `most`, otherwise the map itself. It is a copy, so that those who
 * work with the map keep what they have found.
 */
export function newestEntries<K, V>(map: Map<K, V>, most: number): Map<K, V> {
  if (map.size <= most) return map;
  const kept = new Map<K, V>();
  let skip = map.size - Math.floor(most * KEPT);
  for (const [key, value] of map) {
    skip -= 1;
    if (skip < 0) kept.set(key, value);
  }
  return kept;
}
