import type { SecureContext } from 'node:tls';
import WebSocket from 'ws';
import type { Random } from '../behaviour/random.ts';
import type { Timer, Timers } from '../behaviour/timers.ts';

/** The connection settings for the central system. */
export interface LinkSettings {
  /** `ws://` or `wss://` address without the SN. */
  url: string;
  sn: string;
  protocol: '1.6' | '2.0.1' | '2.1';
  /** HTTP basic authentication (OCPP-J 1.6 section 6.2.2): the user is the SN. */
  password: string | undefined;
  secureContext: SecureContext | undefined;
  insecure: boolean;
  reconnectMinMs: number;
  reconnectMaxMs: number;
}

/** Events of a link for the charge point. */
export interface LinkEvents {
  opened(): void;
  closed(code: number): void;
  /** A connection attempt ended without an open socket. */
  refused(reason: string): void;
  text(text: string): void;
}

const HANDSHAKE_TIMEOUT_MS = 20_000;
/** Timeout of a close handshake before the socket is cut. */
const CLOSE_TIMEOUT_MS = 2_000;

/** The WebSocket of a charge point, reconnected with a growing, randomized delay (OCPP-J 1.6 section 5.3). */
export class Link {
  readonly #settings: LinkSettings;
  readonly #events: LinkEvents;
  readonly #timers: Timers;
  readonly #random: Random;
  #socket: WebSocket | null = null;
  #reconnectTimer: Timer | null = null;
  #failures = 0;
  #wanted = false;

  constructor(settings: LinkSettings, events: LinkEvents, timers: Timers, random: Random) {
    this.#settings = settings;
    this.#events = events;
    this.#timers = timers;
    this.#random = random;
  }

  get open(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Connects now and reconnects until `close` or `cut`. */
  connect(): void {
    this.#wanted = true;
    this.#timers.cancel(this.#reconnectTimer);
    this.#reconnectTimer = null;
    if (this.#socket === null) this.#dial();
  }

  /** Sends a text. It is lost when the socket is not open. */
  send(text: string): void {
    if (this.open) this.#socket?.send(text);
  }

  /** The central system has responded: the next reconnect uses the shortest delay again. */
  proven(): void {
    this.#failures = 0;
  }

  /** Closes with a code and a reason and stays disconnected until `connect`. Resolves when the socket is closed. */
  async close(code: number, reason: string): Promise<void> {
    this.#giveUp();
    const socket = this.#socket;
    if (socket === null) return;
    const gone = new Promise((resolve) => socket.once('close', resolve));
    const cutter = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS);
    socket.close(code, reason);
    await gone;
    clearTimeout(cutter);
  }

  /**
   * Cuts the socket without a close frame. With `reconnect` it reconnects after the usual delay, otherwise it stays
   * disconnected until `connect`.
   */
  cut(reconnect: boolean): void {
    if (!reconnect) this.#giveUp();
    this.#socket?.terminate();
  }

  #giveUp(): void {
    this.#wanted = false;
    this.#timers.cancel(this.#reconnectTimer);
    this.#reconnectTimer = null;
  }

  #dial(): void {
    const { url, sn, protocol, password, secureContext, insecure } = this.#settings;
    const socket = new WebSocket(`${url}/${encodeURIComponent(sn)}`, [`ocpp${protocol}`], {
      perMessageDeflate: false,
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      rejectUnauthorized: !insecure,
      ...(secureContext === undefined ? {} : { secureContext }),
      ...(password === undefined ? {} : { headers: { authorization: basic(sn, password) } }),
    });
    this.#socket = socket;
    let opened = false;
    let failure = '';
    socket.on('open', () => {
      opened = true;
      this.#events.opened();
    });
    socket.on('message', (data) => this.#events.text(String(data)));
    socket.on('error', (error) => {
      failure = error.message;
    });
    socket.on('close', (code) => {
      this.#socket = null;
      if (opened) this.#events.closed(code);
      else this.#events.refused(failure);
      if (this.#wanted && this.#socket === null) this.#dialLater();
    });
  }

  #dialLater(): void {
    const { reconnectMinMs, reconnectMaxMs } = this.#settings;
    const delay = Math.min(reconnectMaxMs, reconnectMinMs * 2 ** Math.min(this.#failures, 16));
    this.#failures++;
    this.#timers.cancel(this.#reconnectTimer);
    this.#reconnectTimer = this.#timers.after(delay * this.#random.between(0.5, 1.5), () => {
      this.#reconnectTimer = null;
      if (this.#wanted && this.#socket === null) this.#dial();
    });
  }
}

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
