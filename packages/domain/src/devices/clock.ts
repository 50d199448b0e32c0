/** How far ahead of ours a device's clock may be before its times are not believed: readings would appear in the future. */
export const MAX_CLOCK_LEAD_MS = 5 * 60_000;
/** How old a reported time may be: piles deliver what they stored while offline, but nothing older than a year. */
export const MAX_CLOCK_LAG_MS = 366 * 86_400_000;

/**
 * The time under which something a device reported is stored: the device's own when it is believable (OCPP 1.6 §3.13:
 * the Central System sets the clock, a pile may report late what it queued), else the time of receipt.
 */
export function trustedTime(reported: Date | null, received: Date): { at: Date; trusted: boolean } {
  if (reported === null || Number.isNaN(reported.getTime())) return { at: received, trusted: reported === null };
  const lead = reported.getTime() - received.getTime();
  if (lead > MAX_CLOCK_LEAD_MS || -lead > MAX_CLOCK_LAG_MS) return { at: received, trusted: false };
  return { at: reported, trusted: true };
}

/** No clock is that far ahead by a wrong time zone or by drift: what is dated beyond this is not true at any time. */
export const IMPOSSIBLE_LEAD_MS = 86_400_000;

/** True for a reported time that no clock error of a working device explains; what is dated so is not stored. */
export function isImpossibleTime(reported: Date, received: Date): boolean {
  return reported.getTime() - received.getTime() > IMPOSSIBLE_LEAD_MS;
}

/**
 * True when a value takes the place of the latest one: it is no older, or the latest stands under a time that nothing can
 * have come from yet. Such times are left behind by a server whose own clock was ahead.
 */
export function replacesLatest(latest: Date, at: Date, now: Date): boolean {
  return at >= latest || latest.getTime() - now.getTime() > MAX_CLOCK_LEAD_MS;
}

/** A time of day on a date without a word on the zone; the parts as devices write them. */
const WITHOUT_ZONE = /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/i;
/** The end of a text that says in which zone its time of day is. */
const WITH_ZONE = /:\d{2}(?:\.\d+)? ?(?:Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i;

/**
 * The instant that a text of a device stands for, an invalid date when it is none. A time without a zone is UTC, as
 * OCPP recommends for all times: where this program runs says nothing of the device.
 */
export function reportedTime(text: string): Date {
  const trimmed = text.trim();
  const [, year, month, day, time = '00:00'] = WITHOUT_ZONE.exec(trimmed) ?? [];
  if (year !== undefined) return new Date(`${year}-${month}-${day}T${time}Z`);
  return new Date(WITH_ZONE.test(trimmed) ? trimmed : Number.NaN);
}

/** The times that ISO 8601 writes with a year of four digits, as everything that is kept here is written. */
const FIRST_WRITTEN = Date.parse('0001-01-01T00:00:00Z');
const LAST_WRITTEN = Date.parse('9999-12-31T23:59:59.999Z');

/** True for a time that can be kept and written again; false for one that `Date` could not read. */
export function isWritableTime(at: Date): boolean {
  const time = at.getTime();
  return time >= FIRST_WRITTEN && time <= LAST_WRITTEN;
}
