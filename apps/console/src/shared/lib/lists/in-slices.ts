import { BULK_SLICE } from '@chargehand/contract/constants';

/** How a change of many rows ended. `error`: why the rows that are missing in `results` were not tried. */
export interface Sliced<R> {
  results: R[];
  error: unknown;
}

/**
 * Changes many rows with several requests, one after the other, so that each is short and the progress is known. An
 * error ends it; so does `stopped`, before the next request.
 */
export async function inSlices<R>(
  ids: readonly number[],
  change: (ids: number[]) => Promise<{ results: R[] }>,
  options: { onProgress?(done: number): void; stopped?(): boolean; size?: number } = {},
): Promise<Sliced<R>> {
  const { onProgress, stopped, size = BULK_SLICE } = options;
  const results: R[] = [];
  for (let from = 0; from < ids.length && !stopped?.(); from += size) {
    try {
      results.push(...(await change(ids.slice(from, from + size))).results);
    } catch (error) {
      return { results, error };
    }
    onProgress?.(Math.min(from + size, ids.length));
  }
  return { results, error: null };
}
