import type { EventsMessage, ReadyMessage, SessionMessage } from '@chargehand/contract';
import { POLL_MS, STREAM_HEARTBEAT_MS } from '@chargehand/contract/constants';

/** Whether live updates work. */
export type Live =
  | { state: 'connecting' }
  | { state: 'live' }
  /** the stream is down: everything displayed is refetched every 30 s */
  | { state: 'polling'; since: Date };

/** The part of an EventSource that is used here. */
export interface EventConnection {
  /** 2, CLOSED: the server responded without a stream; otherwise the connection is down and may recover */
  readonly readyState: number;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

export interface StreamParts {
  open(): EventConnection;
  /** the changes */
  events(message: EventsMessage): void;
  /** all events up to a position have arrived: the next stream may continue there */
  reached(position: string): void;
  /**
   * events may be missing: refetch the queries that follow events, or with `everything` all displayed ones. `restart`:
   * all displayed ones, also if they are being fetched, because the connection was lost
   */
  missed(what: 'followed' | 'everything' | 'restart'): void;
  sessionEnded(end: SessionMessage): void;
  /** impersonation started or ended for the session */
  identityChanged(): void;
  /** the server responded without a stream: only a call returns the reason */
  refused(): void;
  /** called after every change of state */
  onChange(live: Live): void;
}

/** Delays between attempts, in seconds: short at first, then longer. A random part distributes many browsers. */
const BACK_OFF_S = [1, 2, 4, 8, 15, 30];
/**
 * A connection that is silent for this long is dead, even without an error: a lost network, or a proxy that buffers it.
 */
const SILENCE_MS = 2.5 * STREAM_HEARTBEAT_MS;
/** `EventSource.CLOSED`. */
const CLOSED = 2;

/**
 * Follows the server's event stream: keeps it open, passes on its events, and triggers a refetch of everything every 30
 * s while it is down. Returns a function that closes it.
 */
export function followStream(parts: StreamParts): () => void {
  let connection: EventConnection | null = null;
  let live: Live = { state: 'connecting' };
  let attempts = 0;
  let closed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  function setState(next: Live): void {
    live = next;
    parts.onChange(next);
  }

  function listen(from: EventConnection, type: string, listener: (event: MessageEvent<string>) => void): void {
    from.addEventListener(type, (event) => {
      wait();
      listener(event);
      if (event.lastEventId) parts.reached(event.lastEventId);
    });
  }

  function wait(): void {
    clearTimeout(silence);
    silence = setTimeout(lost, SILENCE_MS);
  }

  function connect(): void {
    const opened = parts.open();
    connection = opened;
    wait();
    listen(opened, 'alive', () => undefined);
    listen(opened, 'ready', (event) => {
      const { complete } = JSON.parse(event.data) as ReadyMessage;
      const wasDown = live.state === 'polling';
      attempts = 0;
      clearInterval(poll);
      setState({ state: 'live' });
      // A page fetches before its stream is open, so events in between were missed, unless the stream sends them now.
      if (wasDown) parts.missed('restart');
      else if (!complete) parts.missed('followed');
    });
    listen(opened, 'events', (event) => parts.events(JSON.parse(event.data) as EventsMessage));
    listen(opened, 'resync', () => parts.missed('everything'));
    listen(opened, 'session', (event) => {
      close();
      parts.sessionEnded(JSON.parse(event.data) as SessionMessage);
    });
    listen(opened, 'identity', () => {
      close();
      parts.identityChanged();
    });
    opened.addEventListener('error', lost);
  }

  function lost(): void {
    const refused = connection?.readyState === CLOSED;
    connection?.close();
    clearTimeout(silence);
    if (closed) return;
    if (refused) parts.refused();
    if (live.state !== 'polling') {
      setState({ state: 'polling', since: new Date() });
      clearInterval(poll);
      poll = setInterval(() => parts.missed('everything'), POLL_MS);
    }
    const seconds = BACK_OFF_S[Math.min(attempts, BACK_OFF_S.length - 1)] ?? 30;
    attempts += 1;
    clearTimeout(retry);
    retry = setTimeout(connect, seconds * 1_000 * (0.8 + Math.random() * 0.4));
  }

  function close(): void {
    closed = true;
    connection?.close();
    clearTimeout(silence);
    clearTimeout(retry);
    clearInterval(poll);
  }

  connect();
  return close;
}
