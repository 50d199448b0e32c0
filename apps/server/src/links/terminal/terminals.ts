import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { TERMINAL_PATH, TOKEN_COOKIE } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { WebSocketServer } from 'ws';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { sessionEnded } from '../../ports/sessions.ts';
import type { Sealer } from '../recordings/seal.ts';
import { startRecorder } from './recorder.ts';
import { startTerminal, type Terminal, type TerminalSize } from './terminal.ts';

const MAX_TERMINALS_OF_LINK = 10;
const KEY_BYTES = 24;
const MAX_MESSAGE_BYTES = 1024 * 1024;

export type Terminals = ReturnType<typeof terminals>;

interface OpenTerminal {
  linkId: number;
  /** SHA-256 of the cookie of the session that opened it */
  session: Buffer;
  terminal: Terminal;
}

/**
 * Terminals in links. A POST opens one and returns its key. The WebSocket of the key must come from the same browser
 * session and from a page of this server: another site has neither the key nor the cookie.
 */
export function terminals(parts: {
  bus: Bus;
  clock: Clock;
  connect(linkId: number, port: number): Promise<Duplex>;
  db: Kysely<Database>;
  log: Log;
  /** encrypts what was typed */
  box: SecretBox;
  /** seals recordings */
  sealer: Sealer;
  /** the origin of the console behind a proxy that changes the host; null: the host of the request */
  origin: string | null;
}) {
  const { db, bus, clock, log, box, sealer, connect, origin } = parts;
  const open = new Map<string, OpenTerminal>();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const servers: (HttpServer | HttpsServer)[] = [];

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    // Devices have their own listener.
    if (/^\/+ocpp(\/|$)/.test(path)) return;
    const found = path.startsWith(`${TERMINAL_PATH}/`) ? open.get(path.slice(TERMINAL_PATH.length + 1)) : null;
    const position = Number(new URLSearchParams(query).get('from') ?? 0);
    if (!found || !Number.isSafeInteger(position)) refuse(socket, '404 Not Found');
    else if (!isOwnPage(request) || !timingSafeEqual(found.session, sessionOf(cookieOf(request))))
      refuse(socket, '403 Forbidden');
    else sockets.handleUpgrade(request, socket, head, (opened) => found.terminal.attach(opened, position));
  }

  function isOwnPage({ headers }: IncomingMessage): boolean {
    const given = headers.origin;
    if (given === undefined || !URL.canParse(given)) return false;
    return given === origin || new URL(given).host === headers.host;
  }

  return {
    /**
     * Starts a shell on the device of an open link.
     * @param token the cookie of the session
     * @returns the key of the terminal
     */
    async open(
      caller: Pick<Caller, 'sessionId'>,
      token: string,
      { linkId, port }: { linkId: number; port: number },
      entered: { userName: string; password: string; size: TerminalSize },
    ): Promise<string> {
      const others = [...open.values()].filter((one) => one.linkId === linkId).length;
      if (others >= MAX_TERMINALS_OF_LINK)
        throw new Problem('terminalsFull', { values: { most: MAX_TERMINALS_OF_LINK } });
      const transport = await connect(linkId, port).catch(() => {
        throw new Problem('terminalFailed', { values: { port } });
      });
      const key = randomBytes(KEY_BYTES).toString('base64url');
      const leave = bus.subscribe(sessionEnded(caller.sessionId), () => void open.get(key)?.terminal.end('signedOut'));
      let over = false;
      const onEnd = () => {
        over = true;
        leave();
        open.delete(key);
      };
      try {
        const record = (onFailed: () => void) =>
          startRecorder(
            { db, clock, box, sealer },
            { linkId, userName: entered.userName, ...entered.size },
            (error) => {
              log.error({ err: error, linkId }, 'a terminal could not be recorded, so it ends');
              onFailed();
            },
          );
        const terminal = await startTerminal(transport, entered, { clock, port, record, onEnd });
        if (over) throw new Problem('terminalFailed', { values: { port } });
        open.set(key, { linkId, session: sessionOf(token), terminal });
      } catch (error) {
        leave();
        throw error;
      }
      return key;
    },

    /** Ends the terminals of a link. */
    endOf(linkId: number): void {
      for (const one of open.values()) if (one.linkId === linkId) void one.terminal.end('linkEnded');
    },

    attach(server: HttpServer | HttpsServer): void {
      servers.push(server);
      server.on('upgrade', onUpgrade);
    },

    async stop(): Promise<void> {
      for (const server of servers) server.off('upgrade', onUpgrade);
      await Promise.all([...open.values()].map(({ terminal }) => terminal.end('lost')));
      sockets.close();
    },
  };
}

function sessionOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function cookieOf({ headers }: IncomingMessage): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${TOKEN_COOKIE}=`))?.slice(TOKEN_COOKIE.length + 1) ?? '';
}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
