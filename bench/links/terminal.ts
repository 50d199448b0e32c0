// A terminal as its page and as a bare `ssh` have it.
import { spawn } from 'node:child_process';
import { TERMINAL_PATH, TOKEN_COOKIE } from '@chargehand/contract';
import WebSocket from 'ws';

/** A terminal of which only the end of the output is kept. */
export interface Terminal {
  type(text: string): void;
  /** Resolves when the output since the call, or since the last key press, contains the text. */
  shows(text: string): Promise<void>;
  /** bytes received so far */
  bytes(): number;
  close(): void;
}

const KEPT = 10_000;
const WAIT_MS = 60_000;

function watching(send: (text: string) => void, close: () => void): Terminal & { take(data: Buffer): void } {
  let output = '';
  let bytes = 0;
  let check: () => void = () => undefined;
  return {
    take(data) {
      bytes += data.length;
      output = (output + String(data)).slice(-KEPT);
      check();
    },
    type(text) {
      output = '';
      send(text);
    },
    shows: (text) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`no ${JSON.stringify(text)} in ${WAIT_MS} ms`)), WAIT_MS);
        check = () => {
          if (!output.includes(text)) return;
          check = () => undefined;
          clearTimeout(timer);
          resolve();
        };
        check();
      }),
    bytes: () => bytes,
    close,
  };
}

/** The terminal with a key from the product. Output is acknowledged at once. */
export function openPage(url: string, token: string, key: string): Terminal {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${TERMINAL_PATH}/${key}?from=0`, {
    headers: { origin: url, cookie: `${TOKEN_COOKIE}=${token}` },
    perMessageDeflate: false,
  });
  const terminal = watching(
    (text) => socket.send(Buffer.from(text)),
    () => socket.send(JSON.stringify({ close: true })),
  );
  socket.on('message', (data: Buffer, binary) => {
    if (!binary) return;
    terminal.take(data);
    socket.send(JSON.stringify({ ack: terminal.bytes() }));
  });
  return terminal;
}

/** The terminal of `ssh`, signed in with a key. */
export function openSsh(port: number, keyFile: string): Terminal {
  const options = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR'];
  const client = spawn(
    'ssh',
    [
      '-F',
      'none',
      '-tt',
      '-i',
      keyFile,
      '-p',
      String(port),
      ...options.flatMap((one) => ['-o', one]),
      'demo@127.0.0.1',
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const terminal = watching(
    (text) => client.stdin.write(text),
    () => client.kill(),
  );
  client.stdout.on('data', (data: Buffer) => terminal.take(data));
  return terminal;
}
