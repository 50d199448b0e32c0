/**
 * Below this difference a device's clock counts as correct: the answer to a Heartbeat cannot correct it more precisely
 * (OCPP 1.6 §4.6).
 */
const RIGHT_MS = 60_000;
/** A known difference is reported again when it has changed by more than this. */
const MOVED_MS = 30_000;

/**
 * How far a device's clock is ahead of ours (negative when behind), in milliseconds, when that should be reported: it
 * left or returned to the accepted range (then 0), or changed notably since `reported`, the last reported value. Otherwise
 * null.
 */
export function changedSkew(reported: number, deviceTime: Date, receivedAt: Date): number | null {
  const skew = deviceTime.getTime() - receivedAt.getTime();
  if (Number.isNaN(skew)) return null;
  const reportable = Math.abs(skew) > RIGHT_MS ? skew : 0;
  // A difference outside the accepted range is larger than MOVED_MS, so leaving the range and returning count too.
  return Math.abs(reportable - reported) > MOVED_MS ? reportable : null;
}
