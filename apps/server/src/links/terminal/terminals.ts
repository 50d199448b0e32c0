import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Duplex } from 'node:stream';
import { GUEST_TERMINAL_PATH, TERMINAL_PATH, TOKEN_COOKIE } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Log } from '../../platform/log.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { sessionEnded } from '../../ports/sessions.ts';
import type { RunningActivity } from '../activity/activity.ts';
import type { TerminalFiles } from '../files/terminal-files.ts';
import { type Audience, audience } from '../guests/audience.ts';
import type { Sealer } from '../recordings/seal.ts';
import type { TerminalSignIn, TerminalSize } from './device-sign-in.ts';
import { startRecorder } from './recorder.ts';
import { startTerminal, type Terminal } from './terminal.ts';

const MAX_TERMINALS_OF_LINK = 10;
const KEY_BYTES = 24;
const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_GUEST_MESSAGE_BYTES = 64 * 1024;

export type Terminals = ReturnType<typeof terminals>;

/** A WebSocket that may be opened with a key and a cookie. */
interface Door {
  cookie: string;
  /** SHA-256 of the value that the cookie must have */
  session: Buffer;
  attach(socket: WebSocket, position: number): void;
  forViewer: boolean;
  /** the terminal, for its user */
  terminal?: Terminal;
}

/** A terminal that is open. */
export interface OpenTerminal {
  linkId: number;
  /** the user of the device */
  userName: string;
  /** who opened it */
  host: Pick<Caller, 'userId' | 'userName'>;
  startedAt: Date;
  terminal: Terminal;
  audience: Audience;
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
  /** Records a transfer; null: it must not happen. */
  beginTransfer(linkId: number, text: string): RunningActivity | null;
  /** A terminal was opened, somebody sees it or does not any more, or it has ended. */
  onChange(linkId: number, terminal: { id: number; ended: boolean }): void;
}) {
  const { db, bus, clock, log, box, sealer, connect, origin, beginTransfer, onChange } = parts;
  const doors = new Map<string, Door>();
  const open = new Map<number, OpenTerminal>();
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const viewers = new WebSocketServer({ noServer: true, maxPayload: MAX_GUEST_MESSAGE_BYTES });
  const servers: (HttpServer | HttpsServer)[] = [];

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    if (/^\/+ocpp(\/|$)/.test(path)) {
      // Devices have their own listener, but only in a process with the role `gateway`.
      if (!servers.some((one) => one.listenerCount('upgrade') > 1)) refuse(socket, '404 Not Found');
      return;
    }
    const door = doorOf(path);
    const position = Number(new URLSearchParams(query).get('from') ?? 0);
    if (!door || !Number.isSafeInteger(position)) refuse(socket, '404 Not Found');
    else if (!isOwnPage(request) || !timingSafeEqual(door.session, sessionOf(cookieOf(request, door.cookie))))
      refuse(socket, '403 Forbidden');
    else {
      const accepting = door.forViewer ? viewers : sockets;
      accepting.handleUpgrade(request, socket, head, (opened) => door.attach(opened, position));
    }
  }

  /** Guests and users have paths of their own: a proxy may allow guests only theirs. */
  function doorOf(path: string): Door | undefined {
    const end = path.lastIndexOf('/');
    const door = doors.get(path.slice(end + 1));
    const expected = door?.cookie === TOKEN_COOKIE ? TERMINAL_PATH : GUEST_TERMINAL_PATH;
    return path.slice(0, end) === expected ? door : undefined;
  }

  function isOwnPage({ headers }: IncomingMessage): boolean {
    const given = headers.origin;
    if (given === undefined || !URL.canParse(given)) return false;
    return given === origin || new URL(given).host === headers.host;
  }

  /** Returns the key that opens a door. */
  function addDoor(door: Omit<Door, 'session'>, secret: string): string {
    const key = randomBytes(KEY_BYTES).toString('base64url');
    doors.set(key, { ...door, session: sessionOf(secret) });
    return key;
  }

  return {
    /**
     * Starts a shell on the device of an open link.
     * @param token the cookie of the session
     * @returns the terminal and its key
     */
    async open(
      caller: Pick<Caller, 'sessionId' | 'userId' | 'userName'>,
      token: string,
      { linkId, port }: { linkId: number; port: number },
      entered: TerminalSignIn & { size: TerminalSize },
    ): Promise<{ key: string; id: number }> {
      const others = [...open.values()].filter((one) => one.linkId === linkId).length;
      if (others >= MAX_TERMINALS_OF_LINK)
        throw new Problem('terminalsFull', { values: { most: MAX_TERMINALS_OF_LINK } });
      const transport = await connect(linkId, port).catch(() => {
        throw new Problem('terminalFailed', { values: { port } });
      });
      let key = '';
      let started: Terminal | null = null;
      const leave = bus.subscribe(sessionEnded(caller.sessionId), () => void started?.end('signedOut'));
      let over = false;
      const { userName } = entered;
      const viewers = audience({
        ...{ clock, size: entered.size, host: caller.userName },
        input: (data, guest, from) => started?.input(data, guest, from),
        onPeople() {
          if (!started) return;
          started.tellPeople();
          onChange(linkId, { id: started.id, ended: false });
        },
      });
      const onEnd = () => {
        over = true;
        leave();
        doors.delete(key);
        if (!started) return;
        open.delete(started.id);
        onChange(linkId, { id: started.id, ended: true });
      };
      try {
        const record = (onFailed: () => void) =>
          startRecorder({ db, clock, box, sealer }, { linkId, userName, ...entered.size }, (error) => {
            log.error({ err: error, linkId }, 'a terminal could not be recorded, so it ends');
            onFailed();
          });
        const terminal = await startTerminal(transport, entered, {
          ...{ clock, port, record, stage: viewers, onEnd },
          beginTransfer: (text) => beginTransfer(linkId, text),
        });
        if (over) throw new Problem('terminalFailed', { values: { port } });
        started = terminal;
        const { id } = terminal;
        const host = { userId: caller.userId, userName: caller.userName };
        open.set(id, { linkId, userName, host, startedAt: clock.now(), terminal, audience: viewers });
        key = addDoor({ cookie: TOKEN_COOKIE, attach: terminal.attach, forViewer: false, terminal }, token);
        onChange(linkId, { id, ended: false });
        return { key, id };
      } catch (error) {
        leave();
        throw error;
      }
    },

    /** The open terminals of a link, oldest first. */
    of: (linkId: number): OpenTerminal[] => [...open.values()].filter((one) => one.linkId === linkId),
    find: (id: number): OpenTerminal | null => open.get(id) ?? null,

    /**
     * Lets a viewer open a WebSocket.
     * @param cookie the cookie that it must have
     */
    admit(cookie: { name: string; value: string }, attach: (socket: WebSocket) => void): string {
      return addDoor({ cookie: cookie.name, attach, forViewer: true }, cookie.value);
    },
    forget(key: string): void {
      doors.delete(key);
    },

    /** The files of a terminal of this session; null if it has none with this key. */
    filesOf(linkId: number, key: string, token: string): TerminalFiles | null {
      const door = doors.get(key);
      if (!door?.terminal || !timingSafeEqual(door.session, sessionOf(token))) return null;
      return (
        [...open.values()].find((one) => one.linkId === linkId && one.terminal === door.terminal)?.terminal.files ??
        null
      );
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
      viewers.close();
    },
  };
}

function sessionOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function cookieOf({ headers }: IncomingMessage, name: string): string {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? '';
}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => undefined);
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
