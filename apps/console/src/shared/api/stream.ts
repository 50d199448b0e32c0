import type { ChangeMessage, SessionMessage } from '@chargehand/contract';
import { POLL_MS, STREAM_BEAT_MS } from '@chargehand/contract';
import { canChange, gather, isTouched, SESSION_READS, type Touched } from './changes.ts';

/** Whether changes arrive by themselves. */
export type Live =
  | { state: 'connecting' }
  | { state: 'live' }
  /** the stream is down: everything shown is asked for every 30 s */
  | { state: 'polling'; since: Date };

/** The part of an EventSource that is used here. */
export interface EventLine {
  /** 2, CLOSED: the server answered, but with no stream; else the line is down and may come back */
  readonly readyState: number;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

export interface StreamParts {
  open(url: string): EventLine;
  /** has the queries for which this is true asked again */
  refresh(wanted: (queryKey: readonly unknown[]) => boolean): void;
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
/** What arrives together is asked for together. */
const GATHER_MS = 50;
/** Queries are asked again at most once in this time, whatever arrives: short enough that a change which follows hard on
 * another is still seen within a second, on a laden machine too. */
const REST_MS = 250;
/** A line that has been silent for so long is dead, though no error says so: a lost network, or a proxy that holds it back. */
const SILENCE_MS = 2.5 * STREAM_BEAT_MS;
/** `EventSource.CLOSED`. */
const CLOSED = 2;

/**
 * Follows the server's stream of changes: keeps it open, turns what it says into queries to ask again, and asks for
 * everything every 30 s while it is down. Returns what closes it.
 */
export function followStream(url: string, parts: StreamParts): () => void {
  let line: EventLine | null = null;
  let live: Live = { state: 'connecting' };
  let attempts = 0;
  let closed = false;
  let touched: Touched = new Map();
  let delivered = Number.NEGATIVE_INFINITY;
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let poll: ReturnType<typeof setInterval> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;

  function turn(next: Live): void {
    live = next;
    parts.tell(next);
  }

  function hear(from: EventLine, type: string, listener: (event: MessageEvent<string>) => void): void {
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
    const opened = parts.open(url);
    line = opened;
    wait();
    hear(opened, 'alive', () => undefined);
    hear(opened, 'ready', () => {
      const wasDown = live.state === 'polling';
      attempts = 0;
      clearInterval(poll);
      turn({ state: 'live' });
      // A page asks before its stream is open: what changed in between was told to nobody.
      parts.refresh(wasDown ? () => true : canChange);
    });
    hear(opened, 'change', (event) => {
      gather(touched, JSON.parse(event.data) as ChangeMessage);
      deliverSoon();
    });
    hear(opened, 'sessions', () => {
      for (const name of SESSION_READS) touched.set(name, new Set());
      deliverSoon();
    });
    hear(opened, 'resync', () => parts.refresh(() => true));
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

  function deliverSoon(): void {
    gathering ??= setTimeout(deliver, Math.max(GATHER_MS, delivered + REST_MS - Date.now()));
  }

  function deliver(): void {
    gathering = undefined;
    delivered = Date.now();
    const now = touched;
    touched = new Map();
    parts.refresh((queryKey) => isTouched(now, queryKey));
  }

  function lost(): void {
    const refused = line?.readyState === CLOSED;
    line?.close();
    clearTimeout(silence);
    if (closed) return;
    if (refused) parts.refused();
    if (live.state !== 'polling') {
      turn({ state: 'polling', since: new Date() });
      clearInterval(poll);
      poll = setInterval(() => parts.refresh(() => true), POLL_MS);
    }
    const seconds = BACK_OFF_S[Math.min(attempts, BACK_OFF_S.length - 1)] ?? 30;
    attempts += 1;
    clearTimeout(retry);
    retry = setTimeout(connect, seconds * 1_000 * (0.8 + Math.random() * 0.4));
  }

  function close(): void {
    closed = true;
    line?.close();
    clearTimeout(silence);
    clearTimeout(retry);
    clearTimeout(gathering);
    clearInterval(poll);
  }

  connect();
  return close;
}
