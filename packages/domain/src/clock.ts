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
