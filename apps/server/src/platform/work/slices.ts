import { setImmediate } from 'node:timers/promises';

/** Work goes on for so long before everything else has its turn. Milliseconds. */
const SLICE_MS = 10;

/** Does something for each item, in order, and lets the event loop go round every few milliseconds. */
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
