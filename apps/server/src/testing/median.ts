/**
 * The middle of an odd number of measurements. What a person waits for is promised of the usual case: one measurement
 * that another program held up says nothing of it.
 */
export function median(measurements: readonly number[]): number {
  return measurements.toSorted((a, b) => a - b)[Math.floor(measurements.length / 2)] ?? Number.POSITIVE_INFINITY;
}
