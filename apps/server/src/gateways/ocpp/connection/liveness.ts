/** A device that answers no pings may miss so many of its own heartbeats. */
const MISSED_HEARTBEATS = 3;
/** The longest heartbeat interval that is believed, in seconds; 0 means that the device sends none by itself. */
const LONGEST_INTERVAL = 86_400;

/**
 * Whether a connection is alive. Every message and every pong is a sign of life. A device that answers pings is given
 * two of them; one that never did is given three of its own heartbeat intervals, as the BootNotification was answered or
 * as it was set since. Times are in ms since the epoch.
 */
export class Liveness {
  readonly #pingMs: number;
  #intervalMs: number;
  #aliveAt: number;
  #pingedAt: number;
  #answersPings = false;

  constructor(now: number, pingSeconds: number, heartbeatSeconds: number) {
    this.#pingMs = pingSeconds * 1_000;
    this.#intervalMs = 0;
    this.setInterval(heartbeatSeconds);
    this.#aliveAt = now;
    this.#pingedAt = now;
  }

  /** A message came, or the silence is ours because we do not read. */
  alive(now: number): void {
    this.#aliveAt = now;
  }

  pong(now: number): void {
    this.#aliveAt = now;
    this.#answersPings = true;
  }

  /** The device sends heartbeats every so many seconds from now on. */
  setInterval(seconds: number): void {
    const believed = seconds > 0 ? Math.min(seconds, LONGEST_INTERVAL) : LONGEST_INTERVAL;
    this.#intervalMs = believed * 1_000;
  }

  /** Seconds of silence when that means that the connection is dead; else null. */
  deadFor(now: number): number | null {
    const twoPings = 2 * this.#pingMs;
    const limit = this.#answersPings ? twoPings : Math.max(twoPings, MISSED_HEARTBEATS * this.#intervalMs);
    const silence = now - this.#aliveAt;
    return silence > limit ? Math.round(silence / 1_000) : null;
  }

  /** True, once for each time, when a ping is due. */
  isPingDue(now: number): boolean {
    if (now - this.#pingedAt < this.#pingMs) return false;
    this.#pingedAt = now;
    return true;
  }
}
