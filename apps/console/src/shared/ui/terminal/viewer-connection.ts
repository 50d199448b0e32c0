import type { TerminalPeople, ViewerEnd, ViewerMessage } from '@chargehand/contract';

/** How long the server keeps the place of a viewer whose connection was lost. */
const AWAY_MS = 60_000;
const RETRY_MS = 1_000;
/** How long "is typing" is shown. */
const TYPING_MS = 2_000;

/** What a viewer knows of a terminal. */
export interface ViewerState {
  connection: 'connecting' | 'open' | 'lost';
  end: ViewerEnd | null;
  people: TerminalPeople;
  host: { name: string; connected: boolean } | null;
  /** who is typing now */
  typing: string | null;
  interactive: boolean;
  size: { cols: number; rows: number } | null;
}

export const NEW_VIEWER: ViewerState = {
  ...{ connection: 'connecting', end: null, people: { watchers: [], guests: [] }, host: null },
  ...{ typing: null, interactive: false, size: null },
};

interface Parts {
  onOutput(data: Uint8Array): void;
  /** Clears the screen: the recent output follows. */
  onScreen(): void;
  onState(state: ViewerState): void;
}

/** The connection of a watcher or a guest. */
export interface ViewerConnection {
  send(data: Uint8Array<ArrayBuffer>): void;
  close(): void;
}

/**
 * Opens the connection of a viewer. When it is lost, it is opened again for a minute, and the server sends the present
 * screen.
 */
export function openViewer(path: string, { onOutput, onScreen, onState }: Parts): ViewerConnection {
  let state = NEW_VIEWER;
  let socket: WebSocket | null = null;
  let lostAt: number | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let quiet: ReturnType<typeof setTimeout> | undefined;

  function change(next: Partial<ViewerState>): void {
    state = { ...state, ...next };
    onState(state);
  }
  function end(reason: ViewerEnd): void {
    if (state.end !== null) return;
    clearTimeout(retry);
    clearTimeout(quiet);
    const open = socket;
    socket = null;
    open?.close();
    change({ end: reason, typing: null });
  }
  function take(message: Partial<Record<string, unknown>>): void {
    // Each text message has one of these.
    const { screen, size, typed, end: reason, people, host, interactive } = message as Partial<UnionOf<ViewerMessage>>;
    if (screen) {
      onScreen();
      change({ size: screen });
    }
    if (size) change({ size });
    if (people) change({ people });
    if (host) change({ host });
    if (interactive !== undefined) change({ interactive });
    if (typed !== undefined) {
      clearTimeout(quiet);
      quiet = setTimeout(() => change({ typing: null }), TYPING_MS);
      change({ typing: typed });
    }
    if (reason) end(reason);
  }
  function connect(): void {
    const opened = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${path}`);
    opened.binaryType = 'arraybuffer';
    socket = opened;
    opened.onopen = () => {
      if (socket !== opened) return;
      lostAt = null;
      change({ connection: 'open' });
    };
    opened.onmessage = ({ data }) => {
      if (socket !== opened) return;
      if (data instanceof ArrayBuffer) onOutput(new Uint8Array(data));
      else take(JSON.parse(String(data)));
    };
    opened.onclose = () => {
      if (socket !== opened) return;
      socket = null;
      lostAt ??= Date.now();
      if (Date.now() - lostAt >= AWAY_MS) {
        end('away');
        return;
      }
      change({ connection: 'lost' });
      retry = setTimeout(connect, RETRY_MS);
    };
  }
  connect();
  return {
    send(data) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(data);
    },
    close: () => end('closed'),
  };
}

/** All members of a union in one type. */
type UnionOf<T> = (T extends unknown ? (one: T) => void : never) extends (all: infer All) => void ? All : never;
