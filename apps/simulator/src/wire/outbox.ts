import type { FleetStats } from '../behaviour/stats.ts';
import type { Timer, Timers } from '../behaviour/timers.ts';
import { callText, type Payload } from './wire.ts';

/** The result of a CALL of the charge point. */
export type Reply = { ok: true; payload: unknown } | { ok: false; error: string };

/**
 * `transaction`: kept while offline, delivered in order, repeated (OCPP 1.6 section 3.7.1, 4.8, 4.10). `early`: may be
 * sent before the central system has accepted the charge point (section 4.2): BootNotification and messages requested
 * by TriggerMessage. `ordinary`: all others; lost without a connection.
 */
export type CallKind = 'transaction' | 'early' | 'ordinary';

/** What an outbox needs from the charge point. */
export interface OutboxEdges {
  transmit(text: string): void;
  nextId(): string;
  /** `TransactionMessageAttempts`. */
  attempts(): number;
  /** `TransactionMessageRetryInterval`, in seconds. */
  retryInterval(): number;
}

interface Call {
  id: string;
  action: string;
  kind: CallKind;
  build: () => Payload;
  onReply: ((reply: Reply) => void) | undefined;
  failures: number;
}

/** Above this number, the oldest meter values of a transaction are dropped, as section 4.7 allows. */
const MOST_QUEUED = 500;

/** The CALLs of a charge point: one in flight (OCPP-J 1.6 section 4.1.1), the others in a queue. */
export class Outbox {
  readonly #edges: OutboxEdges;
  readonly #timers: Timers;
  readonly #stats: FleetStats;
  readonly #callTimeoutMs: number;
  #queue: Call[] = [];
  #inFlight: Call | null = null;
  #answerTimer: Timer | null = null;
  #retryTimer: Timer | null = null;
  #online = false;
  #accepted = false;
  #onIdle: (() => void) | null = null;

  constructor(edges: OutboxEdges, timers: Timers, stats: FleetStats, callTimeoutMs: number) {
    this.#edges = edges;
    this.#timers = timers;
    this.#stats = stats;
    this.#callTimeoutMs = callTimeoutMs;
  }

  /** True when an ordinary CALL would be sent now or after the queued ones. */
  get ready(): boolean {
    return this.#online && this.#accepted;
  }

  get length(): number {
    return this.#queue.length;
  }

  /** True when a CALL of this action is queued or in flight. */
  holds(action: string): boolean {
    return this.#queue.some((call) => call.action === action);
  }

  /**
   * Queues a CALL. Its payload is built when it is sent, so that a transaction started offline can get its id first.
   * `onReply` is called at most once, and never if the charge point is stopped first.
   */
  add(action: string, kind: CallKind, build: () => Payload, onReply?: (reply: Reply) => void): void {
    if (kind !== 'transaction' && (!this.#online || (kind === 'ordinary' && !this.#accepted))) {
      onReply?.({ ok: false, error: 'offline' });
      return;
    }
    this.#queue.push({ id: this.#edges.nextId(), action, kind, build, onReply, failures: 0 });
    if (this.#queue.length > MOST_QUEUED) this.#dropOldestMeterValues();
    this.#pump();
  }

  /** The socket is open. */
  connected(): void {
    this.#online = true;
    this.#pump();
  }

  /** The socket is closed: transaction CALLs are kept, including the one in flight; the others fail. */
  disconnected(): void {
    this.#online = false;
    this.#settleTimers();
    this.#inFlight = null;
    const lost = this.#queue.filter((call) => call.kind !== 'transaction');
    this.#queue = this.#queue.filter((call) => call.kind === 'transaction');
    for (const call of lost) call.onReply?.({ ok: false, error: 'offline' });
    this.#notifyIdle();
  }

  /** Whether the central system has accepted this charge point's BootNotification. */
  setAccepted(accepted: boolean): void {
    this.#accepted = accepted;
    this.#pump();
  }

  /** Handles a CALLRESULT or CALLERROR. False when no CALL waits for it. */
  settle(id: string, reply: Reply): boolean {
    const call = this.#inFlight?.id === id ? this.#inFlight : this.#lateAnswered(id);
    if (call === undefined) return false;
    if (reply.ok) this.#stats.answered++;
    else this.#stats.callErrors++;
    if (call === this.#inFlight) {
      this.#timers.cancel(this.#answerTimer);
      this.#answerTimer = null;
      this.#inFlight = null;
    }
    if (!reply.ok && call.kind === 'transaction') {
      call.failures++;
      if (call.failures < this.#edges.attempts()) {
        this.#holdTransactions(this.#edges.retryInterval() * call.failures);
        this.#pump();
        return true;
      }
    }
    this.#finish(call, reply);
    return true;
  }

  /** Calls back once, as soon as nothing more can be sent: the queue is empty or the connection is lost. */
  whenIdle(action: () => void): void {
    this.#onIdle = action;
    this.#notifyIdle();
  }

  #pump(): void {
    if (this.#inFlight !== null || !this.#online) return;
    const call = this.#queue.find((candidate) => this.#maySend(candidate));
    if (call === undefined) {
      this.#notifyIdle();
      return;
    }
    this.#inFlight = call;
    this.#answerTimer = this.#timers.after(this.#callTimeoutMs, () => this.#timedOut(call));
    this.#stats.sent++;
    this.#edges.transmit(callText(call.id, call.action, call.build()));
  }

  #maySend(call: Call): boolean {
    if (call.kind === 'early') return true;
    return this.#accepted && (call.kind === 'ordinary' || this.#retryTimer === null);
  }

  /**
   * A missing response says nothing about the message, so a transaction CALL is repeated without counting an attempt.
   */
  #timedOut(call: Call): void {
    this.#stats.timeouts++;
    this.#inFlight = null;
    this.#answerTimer = null;
    if (call.kind === 'transaction') {
      this.#holdTransactions(this.#edges.retryInterval());
      this.#pump();
    } else {
      this.#finish(call, { ok: false, error: 'timeout' });
    }
  }

  #finish(call: Call, reply: Reply): void {
    this.#queue.splice(this.#queue.indexOf(call), 1);
    call.onReply?.(reply);
    this.#pump();
  }

  /** A repeated CALL keeps its id, so a late response to its first attempt completes it. */
  #lateAnswered(id: string): Call | undefined {
    if (this.#inFlight !== null || this.#retryTimer === null) return undefined;
    const first = this.#queue.find((call) => call.kind === 'transaction');
    return first?.id === id ? first : undefined;
  }

  #holdTransactions(seconds: number): void {
    this.#timers.cancel(this.#retryTimer);
    this.#retryTimer = this.#timers.after(seconds * 1000, () => {
      this.#retryTimer = null;
      this.#pump();
    });
  }

  #settleTimers(): void {
    this.#timers.cancel(this.#answerTimer);
    this.#timers.cancel(this.#retryTimer);
    this.#answerTimer = null;
    this.#retryTimer = null;
  }

  #dropOldestMeterValues(): void {
    const index = this.#queue.findIndex((call) => call.action === 'MeterValues' && call !== this.#inFlight);
    if (index >= 0) this.#queue.splice(index, 1);
  }

  #notifyIdle(): void {
    if (this.#onIdle === null || (this.#online && this.#queue.length > 0)) return;
    const action = this.#onIdle;
    this.#onIdle = null;
    action();
  }
}
