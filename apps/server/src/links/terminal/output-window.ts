/**
 * Output that the other side has not acknowledged yet. It is sent again after a reconnection. Positions are bytes since
 * the start.
 */
export interface OutputWindow {
  /** Adds output. */
  add(data: Buffer): void;
  /**
   * Forgets output up to a position. Positions that were not sent or are known already change nothing.
   * @returns how many bytes are forgotten
   */
  acknowledge(position: number): number;
  /** The output from a position; null when it is not available. */
  from(position: number): Buffer[] | null;
  /** the bytes that are not acknowledged */
  size(): number;
}

/** Enough for a window of some megabits a second over a second of delay. */
export const WINDOW_BYTES = 256 * 1024;

export function outputWindow(): OutputWindow {
  let chunks: Buffer[] = [];
  let start = 0;
  let end = 0;
  const from = (position: number): Buffer[] => {
    let skip = position - start;
    return chunks.flatMap((chunk) => {
      const left = skip < chunk.length ? [chunk.subarray(Math.max(0, skip))] : [];
      skip -= chunk.length;
      return left;
    });
  };
  return {
    add(data) {
      chunks.push(data);
      end += data.length;
    },
    acknowledge(position) {
      if (position <= start || position > end) return 0;
      const bytes = position - start;
      chunks = from(position);
      start = position;
      return bytes;
    },
    from: (position) => (position < start || position > end ? null : from(position)),
    size: () => end - start,
  };
}
