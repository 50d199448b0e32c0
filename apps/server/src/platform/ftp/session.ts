import { isIPv4, type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { GuessLimit } from '../guess-limit.ts';
import type { Log } from '../log.ts';
import { DataConnection } from './data-connection.ts';
import { type FtpFile, factLine, longLine, stamp } from './listing.ts';
import type { PortRange } from './passive.ts';
import { depthAfter, nameIn, uploadNameIn } from './path.ts';
import { type FtpFolder, type FtpLimits, FtpRefusal, type FtpRefused, type FtpSignIn } from './port.ts';

/** What all sessions of a server share. */
export interface SessionHost {
  signIn: FtpSignIn;
  passivePorts: PortRange;
  /** the IPv4 address in the reply to PASV; null: the one the client connected to */
  address: string | null;
  limits: FtpLimits;
  guesses: GuessLimit;
  onRefused: FtpRefused;
  log: Log;
}

/** The maximum length of a command line, as in other servers. */
const LONGEST_LINE = 512;
/** Wrong passwords on one connection before it is closed. */
const MOST_TRIES = 3;
/**
 * The number of commands that may wait while one is running. A client that does not wait for replies is disconnected.
 */
const MOST_WAITING = 16;

const NOT_SIGNED_IN: ReadonlySet<string> = new Set([
  'USER',
  'PASS',
  'QUIT',
  'FEAT',
  'SYST',
  'NOOP',
  'AUTH',
  'OPTS',
  'HELP',
]);

type Handler = (argument: string) => Promise<void> | void;

/**
 * One client of the FTP server (RFC 959 with RFC 2389, 2428 and 3659): passive mode, binary, one folder without
 * anything above or below it. Commands run one after the other. Replies never repeat what clients sent.
 */
export class FtpSession {
  readonly #socket: Socket;
  readonly #host: SessionHost;
  readonly #remote: string;
  readonly #data: DataConnection;
  readonly #waiting: string[] = [];
  #text = '';
  #working = false;
  #over = false;
  #user: string | null = null;
  #tries = 0;
  #folder: FtpFolder | null = null;
  /** how many folders below the top the client is; folders exist only for the client */
  #depth = 0;
  #offset = 0;

  constructor(socket: Socket, host: SessionHost) {
    this.#socket = socket;
    this.#host = host;
    this.#remote = socket.remoteAddress ?? '';
    this.#data = new DataConnection(socket, host.passivePorts, host.limits.idleMs);
    socket.setNoDelay(true);
    socket.setTimeout(host.limits.idleMs);
    socket.on('timeout', () => {
      // A transfer has its own timeout.
      if (!this.#data.moving) this.end(421, 'No command for too long.');
    });
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#close());
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    this.#reply(220, 'Ready.');
  }

  /** Ends the session with a final reply. */
  end(code: number, text: string): void {
    if (this.#over) return;
    this.#reply(code, text);
    this.#close();
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), 1_000).unref();
  }

  #close(): void {
    this.#over = true;
    this.#waiting.length = 0;
    this.#data.close();
  }

  #reply(code: number, text: string): void {
    if (this.#over || this.#socket.destroyed || !this.#socket.writable) return;
    this.#socket.write(`${code} ${text}\r\n`);
  }

  #receive(bytes: Buffer): void {
    // Telnet's interrupt and synch before ABOR (RFC 959 §4.1.3) are ignored. No character contains the byte 0xFF.
    this.#text += bytes.toString('latin1').replace(/\xff[\xf0-\xfe]?/g, '');
    for (;;) {
      const end = this.#text.indexOf('\n');
      if (end < 0) break;
      const line = decoded(this.#text.slice(0, end).replace(/\r$/, ''));
      this.#text = this.#text.slice(end + 1);
      if (this.#over) return;
      if (line.length > LONGEST_LINE || this.#waiting.length >= MOST_WAITING) {
        this.end(421, 'Too many commands at once.');
        return;
      }
      this.#take(line);
    }
    if (this.#text.length > LONGEST_LINE) this.end(421, 'The line is too long.');
  }

  #take(line: string): void {
    // The only command that runs while another one is running.
    if (/^ABOR\b/i.test(line) && this.#data.moving) {
      this.#data.abort();
      return;
    }
    this.#waiting.push(line);
    void this.#work();
  }

  async #work(): Promise<void> {
    if (this.#working) return;
    this.#working = true;
    for (let line = this.#waiting.shift(); line !== undefined && !this.#over; line = this.#waiting.shift())
      await this.#do(line);
    this.#working = false;
  }

  async #do(line: string): Promise<void> {
    const [, verb = '', argument = ''] = /^([A-Za-z]{3,4})(?: (.*))?$/s.exec(line) ?? [];
    const name = verb.toUpperCase();
    const handler = this.#handlers.get(name);
    try {
      if (/\p{Cc}/u.test(line)) throw new FtpRefusal(501, 'The command contains a character that is not allowed.');
      if (!handler) throw new FtpRefusal(REFUSED[name] ? 502 : 500, REFUSED[name] ?? 'Unknown command.');
      if (this.#folder === null && !NOT_SIGNED_IN.has(name)) throw new FtpRefusal(530, 'Sign in first.');
      await handler(argument);
    } catch (error) {
      if (error instanceof FtpRefusal) this.#reply(error.code, error.message);
      else {
        this.#host.log.error({ err: error, command: name }, 'an FTP command failed');
        this.#reply(451, 'Internal error.');
      }
    }
    // An offset applies to the command that follows it.
    if (name !== 'REST' && !OPENING.has(name)) this.#offset = 0;
  }

  readonly #handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
    ['USER', (user) => this.#nameUser(user)],
    ['PASS', (password) => this.#signIn(password)],
    ['QUIT', () => this.end(221, 'Goodbye.')],
    ['NOOP', () => this.#reply(200, 'Fine.')],
    ['SYST', () => this.#reply(215, 'UNIX Type: L8')],
    ['FEAT', () => this.#features()],
    ['OPTS', (option) => (/^UTF8 ON$/i.test(option) ? this.#reply(200, 'UTF-8 it is.') : unknownOption())],
    [
      'TYPE',
      (type) => (/^[AI]( N)?$|^L 8$/i.test(type) ? this.#reply(200, 'Binary transfers only.') : unknownOption()),
    ],
    ['MODE', (mode) => (/^S$/i.test(mode) ? this.#reply(200, 'Stream.') : unknownOption())],
    ['STRU', (structure) => (/^F$/i.test(structure) ? this.#reply(200, 'File.') : unknownOption())],
    ['ALLO', () => this.#reply(202, 'Not needed.')],
    ['PWD', () => this.#reply(257, '"/" is the current folder.')],
    ['XPWD', () => this.#reply(257, '"/" is the current folder.')],
    ['CWD', (path) => this.#enter(path)],
    ['XCWD', (path) => this.#enter(path)],
    ['CDUP', () => this.#enter('..')],
    ['MKD', (path) => this.#makeFolder(path)],
    ['XMKD', (path) => this.#makeFolder(path)],
    ['PASV', () => this.#openPassive()],
    ['EPSV', (protocol) => this.#openExtended(protocol)],
    ['REST', (offset) => this.#restart(offset)],
    ['SIZE', (path) => this.#reply(213, String(this.#fileAt(path).size))],
    ['MDTM', (path) => this.#reply(213, stamp(this.#fileAt(path).modifiedAt))],
    ['LIST', (path) => this.#list(path, longLine)],
    ['NLST', (path) => this.#list(path, ({ name }) => name)],
    ['MLSD', (path) => this.#list(path, factLine)],
    ['MLST', (path) => this.#describe(path)],
    ['RETR', (path) => this.#fetch(path)],
    ['STOR', (path) => this.#store(path)],
    ['ABOR', () => this.#reply(226, 'No transfer is running.')],
  ]);

  #nameUser(user: string): void {
    if (this.#folder) throw new FtpRefusal(530, 'Already signed in.');
    this.#user = user;
    this.#reply(331, 'Password required.');
  }

  async #signIn(password: string): Promise<void> {
    if (this.#user === null || this.#folder) throw new FtpRefusal(503, 'Send USER first.');
    const user = this.#user;
    const { guesses, signIn } = this.#host;
    const check = guesses.check(this.#remote, user, false, Date.now());
    this.#user = null;
    if (!check) {
      this.#host.onRefused(this.#remote, user, 'throttled');
      this.end(421, 'Too many wrong passwords. Try again later.');
      return;
    }
    if (check.delayMs > 0) await wait(check.delayMs);
    const folder = await signIn(user, password);
    if (folder) {
      check.right();
      this.#folder = folder;
      this.#reply(230, 'Signed in.');
      return;
    }
    this.#host.onRefused(this.#remote, user, 'password');
    this.#tries += 1;
    if (this.#tries >= MOST_TRIES) this.end(421, 'Too many wrong passwords.');
    else throw new FtpRefusal(530, 'Wrong user name or password, or expired.');
  }

  #features(): void {
    if (this.#over) return;
    this.#socket.write(
      '211-Features:\r\n EPSV\r\n PASV\r\n REST STREAM\r\n SIZE\r\n MDTM\r\n MLST type*;size*;modify*;\r\n UTF8\r\n211 End\r\n',
    );
  }

  #enter(path: string): void {
    const depth = this.#folder!.takes ? depthAfter(path, this.#depth) : nameIn(path) === '' ? 0 : null;
    if (depth === null) throw new FtpRefusal(550, 'There is only this folder.');
    this.#depth = depth;
    this.#reply(250, 'Folder changed.');
  }

  #makeFolder(path: string): void {
    if (!this.#folder!.takes) throw new FtpRefusal(502, 'There is only this folder.');
    if (!depthAfter(path, this.#depth)) throw new FtpRefusal(550, 'The path is outside of the folder.');
    this.#reply(257, '"/" holds all files; folders are ignored.');
  }

  #restart(offset: string): void {
    if (!/^\d{1,15}$/.test(offset)) throw new FtpRefusal(501, 'The offset is not a number.');
    this.#offset = Number(offset);
    this.#reply(350, 'Offset set.');
  }

  #describe(path: string): void {
    const facts = nameIn(path) === '' ? 'type=dir; /' : factLine(this.#fileAt(path));
    if (!this.#over) this.#socket.write(`250-Listing:\r\n ${facts}\r\n250 End\r\n`);
  }

  /** The file with a name, as the signed-in client sees it. */
  #fileAt(path: string): FtpFile {
    const name = nameIn(path);
    if (name === null) throw new FtpRefusal(550, 'The path is outside of the folder.');
    const { file } = this.#folder!;
    if (file === null || name !== file.name) throw new FtpRefusal(550, 'There is no such file.');
    return file;
  }

  /** Sent when a transfer starts. */
  readonly #announceTransfer = () => this.#reply(150, 'Opening the data connection.');

  async #openPassive(): Promise<void> {
    const local = this.#host.address ?? (this.#socket.localAddress ?? '').replace(/^::ffff:/, '');
    if (!isIPv4(local)) throw new FtpRefusal(425, 'PASV is for IPv4: use EPSV.');
    const port = await this.#data.open();
    const numbers = [...local.split('.'), port >> 8, port & 255].join(',');
    this.#reply(227, `Entering Passive Mode (${numbers}).`);
  }

  async #openExtended(protocol: string): Promise<void> {
    if (/^ALL$/i.test(protocol)) {
      this.#reply(200, 'Only EPSV from now on.');
      return;
    }
    const port = await this.#data.open();
    this.#reply(229, `Entering Extended Passive Mode (|||${port}|)`);
  }

  async #list(path: string, lineOf: (file: FtpFile) => string): Promise<void> {
    // `LIST -a` of old clients: options are ignored.
    const name = nameIn(path.replace(/^-\w+ ?/, ''));
    if (name === null) throw new FtpRefusal(550, 'The path is outside of the folder.');
    const { file } = this.#folder!;
    const lines = file && (name === '' || name === file.name) ? [`${lineOf(file)}\r\n`] : [];
    await this.#data.move(this.#announceTransfer, async (data, signal) => {
      data.resume();
      await pipeline(lines, data, { signal });
    });
    this.#reply(226, 'End of the listing.');
  }

  async #fetch(path: string): Promise<void> {
    const file = this.#fileAt(path);
    const first = this.#offset;
    if (first > file.size) throw new FtpRefusal(551, 'The offset is beyond the end of the file.');
    const folder = this.#folder!;
    let received = false;
    await this.#data.move(this.#announceTransfer, async (data, signal) => {
      // Data that a client sends on this connection is ignored; that it closes the connection is not.
      data.resume();
      if (first < file.size) {
        const body = await folder.read(first);
        if (!body) throw new FtpRefusal(550, 'The file is no longer available.');
        await pipeline(body, data, { signal });
      } else data.end();
      // Written bytes can still be on the way: a client that has read them closes the connection without an error.
      received = await closedByPeer(data);
    });
    if (received) await folder.delivered();
    this.#reply(226, 'Transfer complete.');
  }

  async #store(path: string): Promise<void> {
    const name = uploadNameIn(path, this.#depth);
    if (name === null || name === '')
      throw new FtpRefusal(553, 'The path is outside of the folder, or not a file name.');
    const folder = this.#folder!;
    if (!folder.takes) throw new FtpRefusal(550, 'Uploads are not allowed here.');
    if (this.#offset > 0) throw new FtpRefusal(504, 'An upload cannot start at an offset.');
    await this.#data.move(this.#announceTransfer, async (data, signal) => {
      const socket = this.#socket;
      const chunks = async function* (): AsyncGenerator<Buffer> {
        for await (const chunk of data) {
          signal.throwIfAborted();
          yield chunk as Buffer;
        }
        signal.throwIfAborted();
        // In stream mode the end of the data connection is the end of the file. If the control connection was lost, the
        // transfer failed.
        await new Promise((resolve) => setImmediate(resolve));
        if (socket.destroyed || socket.readableEnded)
          throw new FtpRefusal(426, 'The connection was lost; nothing was stored.');
      };
      await folder.write(name, chunks());
    });
    this.#reply(226, 'The file is stored.');
  }
}

/** After these commands the data port waits for its transfer, and an offset for its file. */
const OPENING: ReadonlySet<string> = new Set(['PASV', 'EPSV', 'TYPE', 'NOOP']);

/** Commands that are recognized but not supported, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  PORT: 'Only passive transfers: use PASV or EPSV.',
  EPRT: 'Only passive transfers: use PASV or EPSV.',
  AUTH: 'TLS is not supported.',
  APPE: 'Appending is not supported.',
  DELE: 'Deleting is not allowed.',
  RMD: 'There is only this folder.',
  RNFR: 'Renaming is not allowed.',
  RNTO: 'Renaming is not allowed.',
  SITE: 'There are no SITE commands.',
  STOU: 'The file needs a name.',
};

/** A command line: UTF-8 (RFC 2640), or the encoding of Chinese systems. */
function decoded(line: string): string {
  const bytes = Buffer.from(line, 'latin1');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gb18030').decode(bytes);
  }
}

function unknownOption(): never {
  throw new FtpRefusal(504, 'This command is not supported.');
}

/** Some clients close their side only after the reply. Milliseconds. */
const PEER_CLOSES_MS = 2_000;

/** Whether the other side closes a connection that was ended, before it is given up. @throws the error of the connection */
async function closedByPeer(data: Socket): Promise<boolean> {
  if (data.errored) throw data.errored;
  if (data.readableEnded || data.closed) return true;
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, PEER_CLOSES_MS, false);
  data
    .once('end', () => resolve(true))
    .once('close', () => resolve(true))
    .once('error', reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
