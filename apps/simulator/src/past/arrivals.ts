import type { Random } from '../behaviour/random.ts';
import type { Outlet } from '../ocpp16/transactions/charging.ts';

/** The kinds of places where vehicles charge, each busy at other hours. */
export type PlaceType = 'office' | 'retail' | 'highway' | 'depot' | 'homes';

interface Pattern {
  /** a digit for each hour of the day: how many vehicles arrive, compared with the other hours */
  weekday: string;
  weekend: string;
  /** arrivals at a connector on a weekday */
  perDay: Record<Outlet['kind'], number>;
}

const PATTERNS: Record<PlaceType, Pattern> = {
  office: {
    weekday: '000000259986777654321000',
    weekend: '000000011222222221110000',
    perDay: { ac: 2.2, dc: 5 },
  },
  retail: {
    weekday: '000000112345665556788630',
    weekend: '000000112467888888898641',
    perDay: { ac: 3, dc: 8 },
  },
  highway: {
    weekday: '211112345667776678877543',
    weekend: '211111235789999999887543',
    perDay: { ac: 2, dc: 10 },
  },
  depot: {
    weekday: '986421112334664333445789',
    weekend: '764321112223443333334567',
    perDay: { ac: 3, dc: 8 },
  },
  homes: {
    weekday: '321111234332222234689875',
    weekend: '321111123444444455678765',
    perDay: { ac: 2, dc: 4 },
  },
};

const HOUR_MS = 3_600_000;

/**
 * The time of the next arrival at a connector after `from`: random, and more likely at busy hours (thinning of P. Lewis
 * and G. Shedler, 1979). @param zoneOffsetMs local time minus UTC
 */
export function nextArrival(
  placeType: PlaceType,
  kind: Outlet['kind'],
  random: Random,
  { from, zoneOffsetMs }: { from: number; zoneOffsetMs: number },
): number {
  const { weekday, weekend, perDay } = PATTERNS[placeType];
  const total = [...weekday].reduce((sum, digit) => sum + Number(digit), 0);
  const busiest = (perDay[kind] * 9) / total;
  for (let at = from; ; ) {
    at += random.exponential(HOUR_MS / busiest);
    const local = new Date(at + zoneOffsetMs);
    const hours = [0, 6].includes(local.getUTCDay()) ? weekend : weekday;
    if (random.chance(Number(hours[local.getUTCHours()]) / 9)) return at;
  }
}
