/** The number of its own heartbeats that a device may miss when it answers no pings. */
const MISSED_HEARTBEATS = 3;
/** The longest heartbeat interval that is accepted, in seconds; 0 means that the device sends no heartbeats. */
const LONGEST_INTERVAL = 86_400;

/**
 * Whether a connection is alive. Every message and every pong counts. A device that answers pings may miss two of them.
 * A device that never answered a ping may be silent for three of its heartbeat intervals, as set by the answer to its
 * BootNotification or changed since. Times are in ms since the epoch.
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

  /** A message arrived, or the connection is silent because we do not read it. */
  alive(now: number): void {
    this.#aliveAt = now;
  }

  pong(now: number): void {
    this.#aliveAt = now;
    this.#answersPings = true;
  }

  /** Sets the heartbeat interval of the device, in seconds. */
  setInterval(seconds: number): void {
    const believed = seconds > 0 ? Math.min(seconds, LONGEST_INTERVAL) : LONGEST_INTERVAL;
    this.#intervalMs = believed * 1_000;
  }

  /** Seconds of silence when the connection counts as dead; else null. */
  deadFor(now: number): number | null {
    const twoPings = 2 * this.#pingMs;
    const limit = this.#answersPings ? twoPings : Math.max(twoPings, MISSED_HEARTBEATS * this.#intervalMs);
    const silence = now - this.#aliveAt;
    return silence > limit ? Math.round(silence / 1_000) : null;
  }

  /** True once for each time a ping is due. */
  isPingDue(now: number): boolean {
    if (now - this.#pingedAt < this.#pingMs) return false;
    this.#pingedAt = now;
    return true;
  }
}
