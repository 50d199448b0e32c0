import { setImmediate } from 'node:timers/promises';

/** How long work runs before the event loop continues. Milliseconds. */
const SLICE_MS = 10;

/** Calls a function for each item, in order, and yields to the event loop every few milliseconds. */
export async function mapInSlices<T, R>(items: readonly T[], work: (item: T, index: number) => R): Promise<R[]> {
  const results: R[] = [];
  let begun = performance.now();
  for (const [index, item] of items.entries()) {
    results.push(work(item, index));
    if (performance.now() - begun < SLICE_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
  return results;
}
