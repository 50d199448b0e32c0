import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** The address of a clamd: host and port, or the path of a socket. */
export type ClamdAddress = { host: string; port: number } | { path: string };

/** What clamd found in a stream: null for nothing. `tooLarge`: longer than its `StreamMaxLength`. */
export type ScanResult = { virus: string | null } | 'tooLarge';

/** A connection without progress for so long is broken: clamd scans large archives for minutes. */
const IDLE_MS = 10 * 60_000;

/** How often a stream is sent when the connection is reset. */
const ATTEMPTS = 5;
/** Answers of clamd are one line. Characters. */
const LONGEST_REPLY = 10_000;

/** Reads the address of a clamd: `tcp://host:3310` or `unix:/run/clamav/clamd.ctl`; undefined when it is neither. */
export function readClamdUrl(text: string): ClamdAddress | undefined {
  const [, path] = /^unix:(\/.+)$/.exec(text) ?? [];
  if (path !== undefined) return { path };
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'tcp:' || url.hostname === '') return undefined;
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 3310) };
}

/**
 * Scans a stream with clamd's INSTREAM command (clamd(8)): chunks with their length in front, and an empty one at the
 * end. `open` returns the stream from its beginning. Rejects when clamd cannot be reached, answers with an error, or the
 * stream fails.
 */
export async function scanStream(address: ClamdAddress, open: () => Promise<Readable>): Promise<ScanResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await scanOnce(address, await open());
    } catch (error) {
      // clamd answers a stream that is too long and resets the connection. A write at that moment fails, and its error
      // discards the answer.
      const { code } = error as NodeJS.ErrnoException;
      if ((code !== 'EPIPE' && code !== 'ECONNRESET') || attempt === ATTEMPTS) throw error;
    }
  }
}

async function scanOnce(address: ClamdAddress, stream: Readable): Promise<ScanResult> {
  const socket = connect(address);
  socket.setTimeout(IDLE_MS, () => socket.destroy(new Error('clamd did not answer')));
  let reply = '';
  const answered = new Promise<void>((resolve, reject) => {
    socket.setEncoding('utf8').on('data', (part: string) => {
      reply += part;
      if (reply.includes('\0') || reply.length > LONGEST_REPLY) resolve();
    });
    socket.on('error', reject).on('close', () => resolve());
  });
  // Rejects while the stream is still being sent; it is awaited at the end.
  answered.catch(() => undefined);
  try {
    await send(socket, 'zINSTREAM\0');
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      // An answer that has arrived is read before more is written.
      await setImmediate();
      if (reply !== '') break;
      if (chunk.length > 0) await send(socket, Buffer.concat([lengthOf(chunk), chunk]));
    }
    if (reply === '') await send(socket, Buffer.alloc(4));
    await answered;
    return resultOf(reply);
  } catch (error) {
    // The connection was reset after the answer.
    if (reply.includes('\0')) return resultOf(reply);
    throw error;
  } finally {
    stream.destroy();
    socket.destroy();
  }
}

function lengthOf(chunk: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length);
  return length;
}

async function send(socket: Socket, bytes: Buffer | string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

/** `stream: OK`, `stream: <name> FOUND`, or an error. */
function resultOf(reply: string): ScanResult {
  const text = reply.replace(/\0.*$/s, '').trim();
  if (text === 'stream: OK') return { virus: null };
  const [, virus] = /^stream: (.+) FOUND$/.exec(text) ?? [];
  if (virus !== undefined) return { virus };
  if (/size limit exceeded/i.test(text)) return 'tooLarge';
  throw new Error(text === '' ? 'clamd closed the connection without an answer' : `clamd answered: ${text}`);
}
