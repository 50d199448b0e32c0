import { DEFAULT_ZONE, formatTime } from '@chargehand/domain';

/** A time in a time zone, to the minute: `2026-01-31T18:30`. */
export function wallTimeOf(at: number, zone: string = DEFAULT_ZONE): string {
  return formatTime(at, zone).slice(0, 16).replace(' ', 'T');
}

/** A time as the time fields show it, in the installation's time zone: `2026-01-31 18:30`; empty when there is none. */
export function shownTime(iso: string | null | undefined): string {
  const at = Date.parse(iso ?? '');
  return Number.isNaN(at) ? '' : wallTimeOf(at).replace('T', ' ');
}

/**
 * The time (epoch milliseconds) of a wall-clock time in a time zone; NaN when invalid. For a wall-clock time that
 * occurs twice or never, one of the two nearest times.
 */
export function instantOf(wallTime: string, zone: string = DEFAULT_ZONE): number {
  const asUtc = Date.parse(`${wallTime}Z`);
  if (Number.isNaN(asUtc)) return Number.NaN;
  // The offset equals that of the first guess, unless the clocks change in between.
  const guess = asUtc - offsetAt(asUtc, zone);
  return asUtc - offsetAt(guess, zone);
}

function offsetAt(at: number, zone: string): number {
  return Date.parse(`${formatTime(at, zone).replace(' ', 'T')}Z`) - Math.floor(at / 1_000) * 1_000;
}
