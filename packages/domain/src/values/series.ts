/** A stretch of a quantity's course: one reading, or the readings of a bucket. Times in epoch seconds. */
export interface SeriesPoint {
  /** where it is drawn */
  at: number;
  /** of its first and last reading */
  first: number;
  last: number;
  readings: number;
  value: number;
  low: number;
  high: number;
}

/** Shorter silences are never gaps: devices report when it suits them. Seconds. */
export const LEAST_GAP_SECONDS = 300;
/** A silence this many times the usual interval is a gap. */
const GAP_FACTOR = 3;

/** The usual time between two readings in seconds: the (lower) median over the points, in order of time; null when there is no telling. */
export function typicalInterval(points: readonly SeriesPoint[]): number | null {
  const within = points.filter(({ readings }) => readings > 1).map((p) => (p.last - p.first) / (p.readings - 1));
  const between = points.slice(1).map((point, index) => point.first - points[index]!.last);
  const intervals = (within.length > 0 ? within : between).toSorted((a, b) => a - b);
  return intervals[Math.floor((intervals.length - 1) / 2)] ?? null;
}

/**
 * The points with a null in the middle of every silence that is a gap: longer than three times the usual interval, than
 * five minutes, and than `step`, the seconds that a point stands for: a shorter one would not show within a point, either.
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
