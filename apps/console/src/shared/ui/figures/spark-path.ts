/** The box that a line is drawn in. */
export const SPARK = { width: 96, height: 24, pad: 2 };

/** A scale that does not make noise look like change. */
export interface SparkScale {
  /** the smallest distance from the bottom to the top, in the unit of the values */
  span: number;
  /** the bottom, for quantities that start at zero; by default the smallest value */
  low?: number;
  /** the top is never higher, as for shares */
  high?: number;
}

/**
 * The pieces of a line through values at equal distances, as SVG points. A missing value is a gap; a value between two
 * gaps is a piece with one point.
 */
export function sparkPieces(values: readonly (number | null)[], scale: SparkScale): string[] {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return [];
  const [most, least] = [Math.max(...known), Math.min(...known)];
  const high = Math.min(scale.high ?? Number.POSITIVE_INFINITY, Math.max(most, (scale.low ?? least) + scale.span));
  const low = Math.min(scale.low ?? least, high - scale.span);
  const { width, height, pad } = SPARK;
  const step = values.length > 1 ? (width - 2 * pad) / (values.length - 1) : 0;
  const round = (value: number) => Math.round(value * 10) / 10;
  const pieces: string[][] = [[]];
  values.forEach((value, index) => {
    if (value === null) {
      pieces.push([]);
      return;
    }
    const y = height - pad - ((value - low) / (high - low || 1)) * (height - 2 * pad);
    pieces.at(-1)?.push(`${round(pad + index * step)},${round(y)}`);
  });
  return pieces.filter((piece) => piece.length > 0).map((piece) => piece.join(' '));
}
