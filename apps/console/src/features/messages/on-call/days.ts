import { instantOf, wallTimeOf } from '../../../shared/lib/time/wall-time.ts';

/** The number of days that the schedule shows. */
export const SHOWN_DAYS = 7;

/** The day of a time in the zone of the installation, `2026-01-05`. */
export function dayOf(at: number): string {
  return wallTimeOf(at).slice(0, 10);
}

/** The shown days, some weeks after the first one. The ends are midnights in the zone of the installation. */
export function spanOf(day: string, weeks: number): { from: string; to: string } {
  const midnight = (days: number) => {
    const date = new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
    return new Date(instantOf(`${date}T00:00`)).toISOString();
  };
  return { from: midnight(weeks * SHOWN_DAYS), to: midnight((weeks + 1) * SHOWN_DAYS) };
}
