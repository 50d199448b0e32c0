/** How far ahead a device's clock may be before its times are ignored: readings would appear in the future. */
export const MAX_CLOCK_LEAD_MS = 5 * 60_000;
/** The maximum age of a reported time. Piles send what they stored while offline, but nothing older than a year. */
export const MAX_CLOCK_LAG_MS = 366 * 86_400_000;

/**
 * The stored time of a report: the time of the device if it is plausible (OCPP 1.6 §3.13: the Central System sets the
 * clock, and a pile may report queued data late), otherwise the time of receipt.
 */
export function trustedTime(reported: Date | null, received: Date): { at: Date; trusted: boolean } {
  if (reported === null || Number.isNaN(reported.getTime())) return { at: received, trusted: reported === null };
  const lead = reported.getTime() - received.getTime();
  if (lead > MAX_CLOCK_LEAD_MS || -lead > MAX_CLOCK_LAG_MS) return { at: received, trusted: false };
  return { at: reported, trusted: true };
}

/**
 * The time of a reading, or why it is refused. A reading without a time is of the time of receipt. A reading with a
 * wrong one is refused: drawn at the time of receipt, it would falsify means and the latest value.
 */
export function readingTime(reported: Date | null, received: Date): { at: Date } | { at: null; problem: string } {
  const { at, trusted } = trustedTime(reported, received);
  if (reported === null || trusted) return { at };
  const lead = reported.getTime() - received.getTime();
  if (Number.isNaN(lead)) return { at: null, problem: 'is not a time' };
  return { at: null, problem: lead > 0 ? 'is more than 5 minutes in the future' : 'is more than a year old' };
}

/** No wrong time zone or drift explains a clock that is this far ahead. Such times are never correct. */
export const IMPOSSIBLE_LEAD_MS = 86_400_000;

/** True for a reported time that no clock error of a working device explains. It is not stored. */
export function isImpossibleTime(reported: Date, received: Date): boolean {
  return reported.getTime() - received.getTime() > IMPOSSIBLE_LEAD_MS;
}

/**
 * True if a value replaces the latest one: it is not older, or the latest one has a time in the future. A server whose
 * own clock was ahead leaves such times behind.
 */
export function replacesLatest(latest: Date, at: Date, now: Date): boolean {
  return at >= latest || latest.getTime() - now.getTime() > MAX_CLOCK_LEAD_MS;
}

/** A local date and time without a zone, in the notations of devices. */
const WITHOUT_ZONE = /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/i;
/** The end of a text, with the zone of its time. */
const WITH_ZONE = /:\d{2}(?:\.\d+)? ?(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)$/i;
/** A zone in whole hours (ISO 8601 basic format), which `Date` does not read. */
const HOURS_ONLY = /:\d{2}(?:\.\d+)? ?[+-]\d{2}$/;

/**
 * The time in a text of a device; an invalid date if there is none. A time without a zone is UTC, as OCPP recommends.
 * The zone of this server says nothing about the device.
 */
export function reportedTime(text: string): Date {
  const trimmed = text.trim();
  const [, year, month, day, time = '00:00'] = WITHOUT_ZONE.exec(trimmed) ?? [];
  if (year !== undefined) return new Date(`${year}-${month}-${day}T${time}Z`);
  const zoned = HOURS_ONLY.test(trimmed) ? `${trimmed}:00` : trimmed;
  return new Date(WITH_ZONE.test(zoned) ? zoned : Number.NaN);
}

/** The times that ISO 8601 writes with a year of four digits, as all stored times. */
const FIRST_WRITTEN = Date.parse('0001-01-01T00:00:00Z');
const LAST_WRITTEN = Date.parse('9999-12-31T23:59:59.999Z');

/** True for a time that can be stored; false for one that `Date` could not parse. */
export function isWritableTime(at: Date): boolean {
  const time = at.getTime();
  return time >= FIRST_WRITTEN && time <= LAST_WRITTEN;
}
