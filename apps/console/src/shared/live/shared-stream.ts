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
  | { kind: 'join'; tab: string; deviceIds: readonly number[] }
  | { kind: 'leave'; tab: string }
  /** a tab has the stream from now on: the others join it */
  | { kind: 'hold' }
  /** for all tabs, or for one */
  | { kind: 'event'; type: string; data: string; readyState: number; to?: string };

export interface SharedStreamOptions {
  /** the devices that this tab follows */
  deviceIds: readonly number[];
  /** the maximum number of devices of one stream */
  most: number;
  /** opens a separate stream */
  open(deviceIds: readonly number[]): EventConnection;
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
export function sharedStream({ deviceIds, most, open, locks }: SharedStreamOptions): () => EventConnection {
  let alone = locks === undefined;
  return () => {
    if (alone || !locks) return open(deviceIds);
    // Opening again without a previous error means that the connection became silent.
    alone = true;
    return shared(locks, { deviceIds, most, open }, (refused) => {
      alone = refused;
    });
  };
}

function shared(
  locks: LockManager,
  { deviceIds, most, open }: Omit<SharedStreamOptions, 'locks'>,
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
  let opened: ReadonlySet<number> = new Set();

  const post = (message: Message) => channel.postMessage(message);

  function emit(type: string, data: string): void {
    if (type === 'error') failed(readyState === CLOSED);
    for (const listener of listeners.get(type) ?? []) listener({ data } as MessageEvent<string>);
  }

  channel.onmessage = ({ data: message }: MessageEvent<Message>) => {
    if (message.kind === 'event') {
      if (message.to !== undefined && message.to !== tab) return;
      readyState = message.readyState;
      emit(message.type, message.data);
    } else if (message.kind === 'hold') {
      post({ kind: 'join', tab, deviceIds });
    } else if (release && message.kind === 'join') {
      join(message.tab, message.deviceIds);
    } else if (message.kind === 'leave') {
      members.delete(message.tab);
    }
  };

  function join(member: string, ids: readonly number[]): void {
    members.set(member, ids);
    if (!source) return;
    if (ids.some((id) => !opened.has(id))) openLater(0);
    else if (ready !== undefined) post({ kind: 'event', type: 'ready', data: ready, readyState: 1, to: member });
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
        post({ kind: 'event', type: 'error', data: '', readyState: CLOSED, to: member });
        continue;
      }
      for (const id of wanted) ids.add(id);
    }
    opened = ids;
    const connection = open([...ids]);
    source = connection;
    for (const type of TYPES) {
      connection.addEventListener(type, ({ data }) => {
        if (source !== connection) return;
        readyState = connection.readyState;
        if (type === 'ready') ready = data;
        post({ kind: 'event', type, data, readyState });
        emit(type, data);
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
  post({ kind: 'join', tab, deviceIds });

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
