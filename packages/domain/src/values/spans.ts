import { splitDuration } from '../text/format.ts';

const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** Symbols of units, the same in all languages. */
const UNITS = { days: 'd', hours: 'h', minutes: 'min', seconds: 's' } as const;

/**
 * A measured time, with symbols of units that are the same in all languages: `2.5 ms`, `812 ms`, `1.3 s`, `12 min 5 s`,
 * `3 d 4 h`. A negative one has a sign unless it rounds to zero.
 */
export function formatSpan(ms: number): string {
  const text = sizeOf(Math.abs(ms));
  return ms < 0 && text !== sizeOf(0) ? `-${text}` : text;
}

/** The rounded value decides about the unit: 999.6 ms are `1 s`, not `1000 ms`. */
function sizeOf(ms: number): string {
  if (ms < 9.95) return `${GROUPED.format(ms)} ms`;
  if (Math.round(ms) < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${GROUPED.format(ms / 1_000)} s`;
  const split = splitDuration(Math.round(ms / 1_000));
  const parts = (['days', 'hours', 'minutes', 'seconds'] as const).map((unit) => ({ unit, count: split[unit] }));
  const first = parts.findIndex(({ count }) => count > 0);
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => `${GROUPED.format(count)} ${UNITS[unit]}`)
    .join(' ');
}
