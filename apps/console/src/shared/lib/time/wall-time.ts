import { DEFAULT_ZONE, formatTime } from '@chargehand/domain';

/** A moment as an input of the type `datetime-local` wants it, in a zone: `2026-01-31T18:30`. */
export function wallTimeOf(at: number, zone: string = DEFAULT_ZONE): string {
  return formatTime(at, zone).slice(0, 16).replace(' ', 'T');
}

/**
 * The moment (epoch milliseconds) at which clocks in a zone show a wall time; NaN for what is none. Where a clock shows
 * a time twice or never, one of the two moments nearest.
 */
export function instantOf(wallTime: string, zone: string = DEFAULT_ZONE): number {
  const asUtc = Date.parse(`${wallTime}Z`);
  if (Number.isNaN(asUtc)) return Number.NaN;
  // The offset at the moment sought is that at the first guess, unless the clocks change in between.
  const guess = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(guess, zone);
}

function offsetAt(at: number, zone: string): number {
  return Date.parse(`${formatTime(at, zone).replace(' ', 'T')}Z`) - Math.floor(at / 1_000) * 1_000;
}
