/**
 * Below this difference a device's clock counts as correct: the answer to a Heartbeat cannot correct it more precisely
 * (OCPP 1.6 §4.6).
 */
const RIGHT_MS = 60_000;
/** A known difference is reported again when it has changed by more than this. */
const MOVED_MS = 30_000;

/**
 * How far a device's clock is ahead of ours (negative when behind), in milliseconds, when that should be reported: it
 * left or returned to the accepted range (then 0), or changed notably since `told`, the value reported last. Otherwise
 * null.
 */
export function skewToTell(reported: number, deviceTime: Date, receivedAt: Date): number | null {
  const skew = deviceTime.getTime() - receivedAt.getTime();
  if (Number.isNaN(skew)) return null;
  const worth = Math.abs(skew) > RIGHT_MS ? skew : 0;
  if (worth === reported || (worth !== 0 && reported !== 0 && Math.abs(worth - reported) <= MOVED_MS)) return null;
  return worth;
}
