/** A point of a series: one reading, or the readings of a bucket. Times in epoch seconds. */
export interface SeriesPoint {
  /** its position on the time axis */
  at: number;
  /** times of its first and last reading */
  first: number;
  last: number;
  readings: number;
  value: number;
  low: number;
  high: number;
}

/** A shorter silence is never a gap, because devices report at irregular intervals. Seconds. */
export const LEAST_GAP_SECONDS = 300;
/** A silence this many times the usual interval is a gap. */
const GAP_FACTOR = 3;

/**
 * The usual interval between two readings in seconds: the (lower) median over the points in order of time; null when it
 * cannot be determined.
 */
export function typicalInterval(points: readonly SeriesPoint[]): number | null {
  const within = points.filter(({ readings }) => readings > 1).map((p) => (p.last - p.first) / (p.readings - 1));
  const between = points.slice(1).map((point, index) => point.first - points[index]!.last);
  const intervals = (within.length > 0 ? within : between).toSorted((a, b) => a - b);
  return intervals[Math.floor((intervals.length - 1) / 2)] ?? null;
}

/**
 * The points with a null in the middle of every gap. A silence is a gap when it is longer than three times the usual
 * interval, than five minutes, and than `step`, the seconds per point.
 */
export function withGaps<P extends SeriesPoint>(points: readonly P[], step = 0): (P | { at: number; value: null })[] {
  const usual = typicalInterval(points);
  const limit = Math.max(LEAST_GAP_SECONDS, step, GAP_FACTOR * (usual ?? 0));
  return points.flatMap((point, index) => {
    const before = points[index - 1];
    if (before === undefined || point.first - before.last <= limit) return [point];
    return [{ at: (before.last + point.first) / 2, value: null }, point];
  });
}
