import type { EventsMessage, SessionMessage } from '@chargehand/contract';
import { POLL_MS, STREAM_BEAT_MS } from '@chargehand/contract/constants';

/** Whether changes arrive by themselves. */
export type Live =
  | { state: 'connecting' }
  | { state: 'live' }
  /** the stream is down: everything shown is asked for every 30 s */
  | { state: 'polling'; since: Date };

/** The part of an EventSource that is used here. */
export interface EventConnection {
  /** 2, CLOSED: the server answered, but with no stream; else the connection is down and may come back */
  readonly readyState: number;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

export interface StreamParts {
  open(): EventConnection;
  /** what changed */
  events(message: EventsMessage): void;
  /** events may have been missed: fetch again what follows events, or with `everything` all that is shown */
  missed(what: 'followed' | 'everything'): void;
  sessionEnded(end: SessionMessage): void;
  /** the session sees as somebody else now, or no longer */
  identityChanged(): void;
  /** the server answered, but with no stream: only a call can tell why */
  refused(): void;
  /** told of every change of state */
  tell(live: Live): void;
}

/** Waits between attempts, in seconds: quick at first, then patient; a little chance keeps many browsers apart. */
const BACK_OFF_S = [1, 2, 4, 8, 15, 30];
/**
 * A connection that has been silent for so long is dead, though no error says so: a lost network, or a proxy that holds
 * it back.
 */
const SILENCE_MS = 2.5 * STREAM_BEAT_MS;
/** `EventSource.CLOSED`. */
const CLOSED = 2;

/**
 * Follows the server's stream of events: keeps it open, hands on what it carries, and has everything fetched again every
 * 30 s while it is down. Returns what closes it.
 */
export function followStream(parts: StreamParts): () => void {
  let connection: EventConnection | null = null;
  let live: Live = { state: 'connecting' };
  let attempts = 0;
  let closed = false;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  function turn(next: Live): void {
    live = next;
    parts.tell(next);
  }

  function hear(from: EventConnection, type: string, listener: (event: MessageEvent<string>) => void): void {
    from.addEventListener(type, (event) => {
      wait();
      listener(event);
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
    hear(opened, 'alive', () => undefined);
    hear(opened, 'ready', () => {
      const wasDown = live.state === 'polling';
      attempts = 0;
      clearInterval(poll);
      turn({ state: 'live' });
      // A page fetches before its stream is open: events in between reached nobody.
      parts.missed(wasDown ? 'everything' : 'followed');
    });
    hear(opened, 'events', (event) => parts.events(JSON.parse(event.data) as EventsMessage));
    hear(opened, 'resync', () => parts.missed('everything'));
    hear(opened, 'session', (event) => {
      close();
      parts.sessionEnded(JSON.parse(event.data) as SessionMessage);
    });
    hear(opened, 'identity', () => {
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
      turn({ state: 'polling', since: new Date() });
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
