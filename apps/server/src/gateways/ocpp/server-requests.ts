import { CALLERROR, type ErrorFrame, type ResultFrame } from './wire.ts';

/** A message that a device is asked to send by itself: a trigger message in its protocol. */
export interface ServerRequest {
  action: string;
  payload: object;
  /** the message that it should send */
  message: string;
  /**
   * For requests that are not triggers: reads the answer and its time of receipt. `note` is the note for the protocol
   * log.
   */
  readAnswer?(frame: ResultFrame | ErrorFrame, at: Date): { note: string | null; stored: Promise<void> | null };
}

interface PendingRequest {
  id: string;
  request: ServerRequest;
  /** the time since which it waits for its answer */
  since: number;
}

/** A device that has not answered within this time is not queried again. */
export const ANSWER_MS = 30_000;

/** The prefix of the ids of these requests, which are not executions. */
const ID_PREFIX = 'trigger-';

const NONE: readonly ServerRequest[] = [];

/**
 * The requests that the server sends to a device on one connection by itself. A rule without a clock: times are passed
 * in, in ms since the epoch. There is one for each connection, and most have nothing to request.
 */
export class ServerRequests {
  readonly #delayMs: number | null;
  #dueAt: number | null;
  /** the device has booted since everything was requested */
  #booted = false;
  #left = NONE;
  #open: PendingRequest | null = null;
  /** what the device has requested; it is sent whether or not the device supports triggers */
  #requested: ServerRequest[] | null = null;
  /** the latest one that timed out or gave way: the device may take long to answer, and its answer still counts */
  #late: PendingRequest | null = null;
  /** what the device refuses to send */
  #refused: Set<string> | null = null;
  /** nothing more is requested on this connection */
  #silent = false;

  /** @param delayMs how long after its connection or its boot a device is queried; null: never */
  constructor(openedAt: number, delayMs: number | null) {
    this.#delayMs = delayMs;
    this.#dueAt = delayMs === null ? null : openedAt + delayMs;
  }

  /** A CALL of the device was processed. */
  onCall(action: string, now: number): void {
    if (action !== 'BootNotification') return;
    this.#booted = true;
    this.#dueAt = this.#delayMs === null ? null : now + this.#delayMs;
    this.#left = NONE;
  }

  /**
   * A device that boots reports everything by itself (OCPP 1.6 §4.2, OCPP 2.0.1 B01.FR.05), except for what it does with
   * firmware and logs.
   */
  get booted(): boolean {
    return this.#booted;
  }

  /** Requests everything again. */
  requestAll(now: number): void {
    this.#booted = false;
    this.#dueAt = now;
  }

  /** True, once for each reason, when it is time to determine what to request. */
  isDue(now: number): boolean {
    if (this.#dueAt === null || now < this.#dueAt) return false;
    this.#dueAt = null;
    return !this.#silent;
  }

  /** The requests to send, one after the other. */
  put(requests: readonly ServerRequest[]): void {
    this.#left = requests;
  }

  /** What the device has requested is sent before what the server wants to know. */
  request(request: ServerRequest): void {
    this.#requested ??= [];
    this.#requested.push(request);
  }

  /** The next request, which is pending from now on with an id; null while one is pending or none is left. */
  next(now: number, id: () => string): PendingRequest | null {
    if (this.open(now)) return null;
    const request = this.#requested?.shift() ?? this.#nextTrigger();
    if (!request) return null;
    this.#open = { id: ID_PREFIX + id(), request, since: now };
    return this.#open;
  }

  #nextTrigger(): ServerRequest | undefined {
    if (this.#left.length === 0 || this.#silent) return undefined;
    const at = this.#left.findIndex(({ message }) => !this.#refused?.has(message));
    const request = this.#left[at];
    this.#left = request ? this.#left.slice(at + 1) : NONE;
    return request;
  }

  /** The request that waits for its answer. One that is not answered in time is the last on this connection. */
  open(now: number): PendingRequest | null {
    if (this.#open && now - this.#open.since >= ANSWER_MS) this.abandon();
    return this.#open;
  }

  /** A command of a person is sent before the pending request is answered. */
  giveWay(): void {
    this.#late = this.#open ?? this.#late;
    this.#open = null;
  }

  /** The device does not answer, so it is not queried again. */
  abandon(): void {
    if (!this.#open?.request.readAnswer) this.#silent = true;
    this.giveWay();
  }

  /** Reads the answer to the pending request; null when the frame answers another call. */
  answered(frame: ResultFrame | ErrorFrame): { request: ServerRequest; note: string | null } | null {
    const pending = [this.#open, this.#late].find((one) => one?.id === frame.id);
    if (!pending) return null;
    if (pending === this.#open) this.#open = null;
    else this.#late = null;
    const { request } = pending;
    if (request.readAnswer) return { request, note: null };
    if (frame.type === CALLERROR) {
      this.#silent = true;
      return { request, note: 'the device does not support triggers; nothing more is requested on this connection' };
    }
    if (isAgreed(frame.payload)) return { request, note: null };
    this.#refused ??= new Set();
    this.#refused.add(request.message);
    return { request, note: `${request.message} is not requested again on this connection` };
  }
}

/** TriggerMessageStatus (OCPP 1.6 §7.51, OCPP 2.0.1 part 2 §3.83): Accepted, Rejected or NotImplemented. */
function isAgreed(payload: unknown): boolean {
  return (payload as { status?: unknown } | null)?.status === 'Accepted';
}
