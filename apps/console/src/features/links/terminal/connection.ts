import type { TerminalEnd, TerminalPeople } from '@chargehand/contract';

/** Where the server accepts WebSockets of terminals (`TERMINAL_PATH` of the contract). */
const PATH = '/api/terminals';
/** How long the server keeps a terminal whose connection was lost. */
const AWAY_MS = 60_000;
/** How long one attempt to connect may take. */
const ATTEMPT_MS = 10_000;
const RETRIES_MS = [250, 500, 1_000, 2_000, 4_000];
/** Output that is shown before the server is informed, in bytes: an eighth of what it sends ahead. */
const ACKNOWLEDGED_BYTES = 32 * 1024;

export interface TerminalSize {
  cols: number;
  rows: number;
}

export type ConnectionState =
  | { kind: 'connecting' }
  | { kind: 'open' }
  /** the connection was lost, and is being opened again */
  | { kind: 'lost' }
  | { kind: 'ended'; end: TerminalEnd };

interface Parts {
  /** Shows output. Calls `shown` when this is done: until then the server sends a limited amount. */
  onOutput(data: Uint8Array, shown: () => void): void;
  onState(state: ConnectionState): void;
  /** Somebody sees the terminal, or does not any more. */
  onPeople(people: TerminalPeople): void;
}

/** The connection of a page to its terminal on the server. */
export interface TerminalConnection {
  /** Sends input. While there is no connection, it is discarded, so that nothing runs later by surprise. */
  send(data: Uint8Array<ArrayBuffer>): void;
  resize(size: TerminalSize): void;
  /** Closes the terminal. */
  close(): void;
}

/**
 * Opens the connection of a terminal. When it is lost, it is opened again for a minute, and the output continues where it
 * stopped.
 */
export function openConnection(key: string, { onOutput, onState, onPeople }: Parts): TerminalConnection {
  let socket: WebSocket | null = null;
  let size: TerminalSize | null = null;
  let received = 0;
  let shown = 0;
  let acknowledged = 0;
  let ended = false;
  let lostAt: number | null = null;
  let tries = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const say = (message: object) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  };

  function end(reason: TerminalEnd): void {
    if (ended) return;
    ended = true;
    clearTimeout(timer);
    removeEventListener('online', retryNow);
    removeEventListener('offline', disconnect);
    const open = socket;
    socket = null;
    open?.close();
    onState({ kind: 'ended', end: reason });
  }

  function acknowledge(bytes: number): void {
    shown += bytes;
    if (shown - acknowledged < ACKNOWLEDGED_BYTES && shown < received) return;
    acknowledged = shown;
    say({ ack: shown });
  }

  function receive(data: unknown): void {
    if (data instanceof ArrayBuffer) {
      received += data.byteLength;
      onOutput(new Uint8Array(data), () => acknowledge(data.byteLength));
      return;
    }
    const message = JSON.parse(String(data)) as { end?: TerminalEnd; people?: TerminalPeople };
    const { end: reason, people } = message;
    if (people) onPeople(people);
    if (reason) end(reason);
  }

  function lose(): void {
    socket = null;
    if (ended) return;
    lostAt ??= Date.now();
    if (Date.now() - lostAt >= AWAY_MS) {
      end('away');
      return;
    }
    onState({ kind: 'lost' });
    clearTimeout(timer);
    timer = setTimeout(connect, RETRIES_MS[Math.min(tries, RETRIES_MS.length - 1)]);
    tries += 1;
  }

  function connect(): void {
    clearTimeout(timer);
    const opened = new WebSocket(`${location.origin.replace(/^http/, 'ws')}${PATH}/${key}?from=${received}`);
    opened.binaryType = 'arraybuffer';
    socket = opened;
    timer = setTimeout(disconnect, ATTEMPT_MS);
    opened.onopen = () => {
      if (socket !== opened) return;
      clearTimeout(timer);
      lostAt = null;
      tries = 0;
      onState({ kind: 'open' });
      if (size) say({ size });
    };
    opened.onmessage = ({ data }) => {
      if (socket === opened) receive(data);
    };
    opened.onclose = ({ code }) => {
      if (socket !== opened) return;
      // The server no longer has the output that follows.
      if (code === 1008) end('lost');
      else lose();
    };
  }

  /** The browser has a network again. */
  function retryNow(): void {
    if (socket === null && !ended) connect();
  }

  /** Without a network, or without an answer: the browser would wait for minutes. */
  function disconnect(): void {
    const open = socket;
    socket = null;
    open?.close();
    lose();
  }

  addEventListener('online', retryNow);
  addEventListener('offline', disconnect);
  onState({ kind: 'connecting' });
  connect();

  return {
    send(data) {
      if (socket?.readyState === WebSocket.OPEN) socket.send(data);
    },
    resize(next) {
      size = next;
      say({ size });
    },
    close() {
      say({ close: true });
      end('closed');
    },
  };
}
