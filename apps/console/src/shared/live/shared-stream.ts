import type { ReadyMessage } from '@chargehand/contract';
import type { EventConnection } from './stream.ts';

/** The Web Lock of the tab with the stream, and the channel on which it passes events to the other tabs. */
const NAME = 'chargehand.stream';
/** Tabs respond to a new owner within this time; then it opens one stream for all of them. Milliseconds. */
const JOIN_MS = 100;
/** `EventSource.CLOSED`. */
const CLOSED = 2;
/** The events of the server; `error` is sent by the browser. */
const TYPES = ['ready', 'alive', 'events', 'resync', 'session', 'identity', 'error'];

type Message =
  /** a tab also needs the events of these devices */
  | { kind: 'join'; tab: string; deviceIds: readonly number[]; position: string }
  | { kind: 'leave'; tab: string }
  /** a tab has the stream from now on: the others join it */
  | { kind: 'hold' }
  /** for all tabs, or for one */
  | { kind: 'event'; type: string; data: string; id: string; readyState: number; to?: string };

export interface SharedStreamOptions {
  /** the devices that this tab follows */
  deviceIds: readonly number[];
  /** the maximum number of devices of one stream */
  most: number;
  /** the position up to which this tab knows all events */
  position(): string;
  /** opens a separate stream that continues after a position */
  open(deviceIds: readonly number[], since: string): EventConnection;
  /** undefined outside a secure context: then every tab has its own stream */
  locks: LockManager | undefined;
}

/**
 * Opens connections to one stream per browser. The tab that holds a Web Lock has the stream and passes on its events;
 * when that tab closes, the next one takes over. With HTTP/1.1 a browser opens six connections to a server for all of
 * its tabs, so a stream for each tab would leave none for requests.
 *
 * A tab whose shared stream was rejected or became silent (its owner may be frozen) opens a separate one.
 */
export function sharedStream({ locks, ...options }: SharedStreamOptions): () => EventConnection {
  const { deviceIds, open, position } = options;
  let alone = locks === undefined;
  return () => {
    if (alone || !locks) return open(deviceIds, position());
    // Opening again without a previous error means that the connection became silent.
    alone = true;
    return shared(locks, options, (refused) => {
      alone = refused;
    });
  };
}

function shared(
  locks: LockManager,
  { deviceIds, most, position, open }: Omit<SharedStreamOptions, 'locks'>,
  failed: (refused: boolean) => void,
): EventConnection {
  const tab = crypto.randomUUID();
  const channel = new BroadcastChannel(NAME);
  const waiting = new AbortController();
  const listeners = new Map<string, ((event: MessageEvent<string>) => void)[]>();
  let readyState = 0;
  let release: (() => void) | undefined;
  /** only in the tab with the stream */
  let source: EventConnection | undefined;
  let ready: string | undefined;
  let opening: ReturnType<typeof setTimeout> | undefined;
  const members = new Map<string, readonly number[]>();
  /** from where the next stream must continue for tabs that know less than this one */
  let behind: string | undefined;
  let opened: ReadonlySet<number> = new Set();

  const post = (message: Message) => channel.postMessage(message);

  function emit(type: string, data: string, id: string): void {
    if (type === 'error') failed(readyState === CLOSED);
    for (const listener of listeners.get(type) ?? []) listener({ data, lastEventId: id } as MessageEvent<string>);
  }

  channel.onmessage = ({ data: message }: MessageEvent<Message>) => {
    if (message.kind === 'event') {
      if (message.to !== undefined && message.to !== tab) return;
      readyState = message.readyState;
      emit(message.type, message.data, message.id);
    } else if (message.kind === 'hold') {
      post({ kind: 'join', tab, deviceIds, position: position() });
    } else if (release && message.kind === 'join') {
      join(message);
    } else if (message.kind === 'leave') {
      members.delete(message.tab);
    }
  };

  function join({ tab: member, deviceIds: ids, position: known }: Extract<Message, { kind: 'join' }>): void {
    members.set(member, ids);
    const knowsLess = isBefore(known, behind ?? position());
    if (knowsLess) behind = known;
    if (!source) return;
    if (knowsLess || ids.some((id) => !opened.has(id))) openLater(0);
    else if (ready !== undefined)
      post({ kind: 'event', type: 'ready', data: ready, id: '', readyState: 1, to: member });
  }

  function openLater(ms: number): void {
    clearTimeout(opening);
    opening = setTimeout(openForAll, ms);
  }

  /** One stream for the devices of all tabs. A tab whose devices exceed the limit gets an error and opens its own. */
  function openForAll(): void {
    source?.close();
    ready = undefined;
    const ids = new Set(deviceIds);
    for (const [member, wanted] of members) {
      const more = new Set([...ids, ...wanted]);
      if (more.size > most) {
        members.delete(member);
        post({ kind: 'event', type: 'error', data: '', id: '', readyState: CLOSED, to: member });
        continue;
      }
      for (const id of wanted) ids.add(id);
    }
    opened = ids;
    const connection = open([...ids], behind ?? position());
    behind = undefined;
    source = connection;
    for (const type of TYPES) {
      connection.addEventListener(type, ({ data, lastEventId }) => {
        if (source !== connection) return;
        readyState = connection.readyState;
        if (type === 'ready') ready = forLater(data);
        post({ kind: 'event', type, data, id: lastEventId, readyState });
        emit(type, data, lastEventId);
      });
    }
  }

  locks
    .request(NAME, { signal: waiting.signal }, () => {
      // It may have been closed between the grant of the lock and this call.
      if (waiting.signal.aborted) return;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      post({ kind: 'hold' });
      openLater(JOIN_MS);
      return held;
    })
    .catch((error: unknown) => {
      if (!waiting.signal.aborted) console.warn('The live stream cannot be shared', error);
    });
  post({ kind: 'join', tab, deviceIds, position: position() });

  return {
    get readyState() {
      return readyState;
    },
    addEventListener(type, listener) {
      listeners.set(type, [...(listeners.get(type) ?? []), listener]);
    },
    close() {
      if (waiting.signal.aborted) return;
      waiting.abort();
      listeners.clear();
      clearTimeout(opening);
      post({ kind: 'leave', tab });
      channel.close();
      source?.close();
      source = undefined;
      release?.();
    },
  };
}

/** The `ready` message for a tab that knows as much as this one: for that tab the stream is complete. */
function forLater(data: string): string {
  return JSON.stringify({ ...(JSON.parse(data) as ReadyMessage), complete: true });
}

/**
 * True when a position is before another one. Positions of the server are `<run>.<number>`; what is known of another run is
 * always too little.
 */
function isBefore(position: string, other: string): boolean {
  const [[run, number], [otherRun, otherNumber]] = [position.split('.'), other.split('.')];
  return run !== otherRun || Number(number) < Number(otherNumber);
}
