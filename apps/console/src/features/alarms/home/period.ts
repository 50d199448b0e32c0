import { STATISTICS_DAYS } from '@chargehand/contract/constants';
import { DEFAULT_ZONE, formatTime } from '@chargehand/domain';
import { useCallback } from 'react';
import { useAddress } from '../../../shared/hooks/lists/use-address.ts';
import { instantOf } from '../../../shared/lib/time/wall-time.ts';

export type Days = (typeof STATISTICS_DAYS)[number];

const DAY_MS = 86_400_000;

/** How far the statistics look back, kept in the address. */
export function usePeriod(): [Days, (days: Days) => void] {
  const [search, setSearch] = useAddress();
  const days = STATISTICS_DAYS.find((known) => String(known) === search.get('days')) ?? STATISTICS_DAYS[0];
  const change = useCallback(
    (next: Days) =>
      setSearch((now) => {
        now.set('days', String(next));
        return now;
      }),
    [setSearch],
  );
  return [days, change];
}

/** When the first of the last days began in the fleet's zone, as the server counts them; today is the last. */
export function startOf(days: Days, now: number): string {
  return startOfDay(formatTime(now - (days - 1) * DAY_MS, DEFAULT_ZONE).slice(0, 10));
}

/** When a day (`yyyy-MM-dd`) of the fleet's zone began. */
export function startOfDay(day: string): string {
  return new Date(instantOf(`${day}T00:00`)).toISOString();
}

/** When a day of the fleet's zone was over. */
export function endOfDay(day: string): string {
  return new Date(Date.parse(startOfDay(day)) + DAY_MS).toISOString();
}
