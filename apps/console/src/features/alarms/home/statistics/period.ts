import { STATISTICS_DAYS } from '@chargehand/contract/constants';
import { DEFAULT_ZONE, formatTime } from '@chargehand/domain';
import { useCallback } from 'react';
import { useAddress } from '../../../../shared/hooks/lists/use-address.ts';
import { instantOf } from '../../../../shared/lib/time/wall-time.ts';

export type Days = (typeof STATISTICS_DAYS)[number];

const DAY_MS = 86_400_000;

/** The period of the statistics, stored in the URL. */
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

/** The start of the first day of a period in the installation's time zone, as on the server. Today is the last day. */
export function startOf(days: Days, now: number): string {
  return startOfDay(formatTime(now - (days - 1) * DAY_MS, DEFAULT_ZONE).slice(0, 10));
}

/** The start of a day (`yyyy-MM-dd`) in the installation's time zone. */
export function startOfDay(day: string): string {
  return new Date(instantOf(`${day}T00:00`)).toISOString();
}

/** The end of a day in the installation's time zone. */
export function endOfDay(day: string): string {
  return new Date(Date.parse(startOfDay(day)) + DAY_MS).toISOString();
}
