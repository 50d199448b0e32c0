/** Below this a device's clock counts as right: the answer to a Heartbeat corrects it no finer (OCPP 1.6 §4.6). */
const RIGHT_MS = 60_000;
/** A known skew is told again when it moved by more than this. */
const MOVED_MS = 30_000;

/**
 * How far a device's clock is ahead of ours (behind when negative), in milliseconds, when that is worth telling: it left
 * or entered the range that counts as right (then 0), or has moved notably since `told`, what was told last; else null.
 */
export function skewToTell(reported: number, deviceTime: Date, receivedAt: Date): number | null {
  const skew = deviceTime.getTime() - receivedAt.getTime();
  if (Number.isNaN(skew)) return null;
  const worth = Math.abs(skew) > RIGHT_MS ? skew : 0;
  if (worth === reported || (worth !== 0 && reported !== 0 && Math.abs(worth - reported) <= MOVED_MS)) return null;
  return worth;
}
