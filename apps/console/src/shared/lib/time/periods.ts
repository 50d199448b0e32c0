import { instantOf, wallTimeOf } from './wall-time.ts';

/** Common periods that end now. */
export const PERIODS = ['hour', 'today', 'day', 'week', 'month'] as const;
export type Period = (typeof PERIODS)[number];

const MINUTE = 60_000;
const LENGTHS = { hour: 3_600_000, day: 86_400_000, week: 7 * 86_400_000, month: 30 * 86_400_000 } as const;

/**
 * The start of a period; its end is open, so that new entries are included. `today` starts at midnight of the
 * installation's time zone.
 * @param now epoch milliseconds
 */
export function periodOf(period: Period, now: number): { from: string; to: null } {
  const start = period === 'today' ? instantOf(`${wallTimeOf(now).slice(0, 10)}T00:00`) : now - LENGTHS[period];
  return { from: new Date(Math.floor(start / MINUTE) * MINUTE).toISOString(), to: null };
}
