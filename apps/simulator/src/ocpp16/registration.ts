import type { Station } from '../behaviour/station.ts';
import type { Timer } from '../behaviour/timers.ts';
import { requestCertificate } from '../identity/certificates.ts';
import { bootNotification } from '../identity/identity.ts';
import type { Reply } from '../wire/outbox.ts';

/**
 * The registration at the central system: BootNotification until it is accepted, then heartbeats (section 4.2, 4.6).
 */
export class Registration {
  readonly #station: Station;
  #retryTimer: Timer | null = null;
  #heartbeatTimer: Timer | null = null;
  #waiting: (() => void)[] = [];

  constructor(station: Station) {
    this.#station = station;
  }

  /** The socket is open. After a boot, the charge point sends BootNotification; otherwise it continues. */
  connected(): void {
    const { outbox, registration } = this.#station;
    outbox.connected();
    if (registration === 'Accepted') this.#resume();
    // During the interval of a Pending or Rejected response, a new socket does not allow another attempt.
    else if (this.#retryTimer === null) this.boot();
  }

  disconnected(): void {
    this.#station.timers.cancel(this.#heartbeatTimer);
    this.#station.outbox.disconnected();
  }

  /** A restart ends the registration. */
  restarted(): void {
    const { timers, outbox } = this.#station;
    timers.cancel(this.#retryTimer);
    timers.cancel(this.#heartbeatTimer);
    this.#retryTimer = null;
    this.#station.registration = 'none';
    outbox.setAccepted(false);
  }

  /** Sends a BootNotification. */
  boot(): void {
    const { outbox, identity } = this.#station;
    if (outbox.holds('BootNotification')) return;
    outbox.add(
      'BootNotification',
      'early',
      () => bootNotification(identity),
      (reply) => this.#answered(reply),
    );
  }

  /** Restarts the heartbeat timer after its interval has changed. */
  restartHeartbeat(): void {
    const { timers, outbox, configuration } = this.#station;
    timers.cancel(this.#heartbeatTimer);
    this.#heartbeatTimer = timers.after(configuration.integer('HeartbeatInterval') * 1000, () => {
      // One queued heartbeat is enough.
      if (!outbox.holds('Heartbeat')) outbox.add('Heartbeat', 'ordinary', () => ({}));
      this.restartHeartbeat();
    });
  }

  /** Resolves as soon as the central system has accepted the charge point. */
  whenAccepted(): Promise<void> {
    if (this.#station.registration === 'Accepted') return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #answered(reply: Reply): void {
    const { status, interval } = readBootAnswer(reply);
    const { timers, outbox, configuration, settings } = this.#station;
    timers.cancel(this.#retryTimer);
    this.#retryTimer = null;
    if (status === 'Accepted') {
      if (interval > 0 && settings.heartbeat === undefined) configuration.set('HeartbeatInterval', interval);
      this.#station.registration = 'Accepted';
      outbox.setAccepted(true);
      this.#station.sendStatuses('all');
      this.restartHeartbeat();
      if (settings.renewCertificates) void requestCertificate(this.#station);
      for (const resolve of this.#waiting.splice(0)) resolve();
      return;
    }
    // Without a response nothing has changed. The next connection tries again if necessary.
    const lost = !reply.ok && reply.error === 'offline';
    if (lost || (status === null && this.#station.registration === 'Accepted')) return;
    if (status !== null) this.#station.registration = status;
    outbox.setAccepted(false);
    timers.cancel(this.#heartbeatTimer);
    // With an interval of 0 the charge point chooses one (section 4.2).
    this.#retryTimer = timers.after(interval > 0 ? interval * 1000 : settings.bootRetryMs, () => {
      this.#retryTimer = null;
      this.boot();
    });
  }

  #resume(): void {
    this.#station.sendStatuses('changed');
    this.restartHeartbeat();
  }
}

function readBootAnswer(reply: Reply): { status: 'Accepted' | 'Pending' | 'Rejected' | null; interval: number } {
  if (!reply.ok) return { status: null, interval: 0 };
  const { status, interval } = (reply.payload ?? {}) as { status?: unknown; interval?: unknown };
  const known = status === 'Accepted' || status === 'Pending' || status === 'Rejected' ? status : null;
  return { status: known, interval: typeof interval === 'number' ? interval : 0 };
}
