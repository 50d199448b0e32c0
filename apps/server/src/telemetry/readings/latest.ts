import { MAX_CLOCK_LEAD_MS } from '@chargehand/domain';

/**
 * `replacesLatest` of the domain in SQL, for `on conflict`: whether the new row replaces the row of the table `kept`.
 * `now` is the parameter with the server's time in ms.
 */
export function givesWay(kept: string, now: `$${number}`): string {
  return `(${kept}.at <= excluded.at or ${kept}.at > to_timestamp((${now}::float8 + ${MAX_CLOCK_LEAD_MS}) / 1000))`;
}
