import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';

/** The address of a clamd: host and port, or the path of a socket. */
export type ClamdAddress = { host: string; port: number } | { path: string };

/** What clamd found in a stream: null for nothing. `tooLarge`: longer than its `StreamMaxLength`. */
export type ScanResult = { virus: string | null } | 'tooLarge';

/** A connection without progress for so long is broken: clamd scans large archives for minutes. */
const IDLE_MS = 10 * 60_000;

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
 * end. Rejects when clamd cannot be reached, answers with an error, or the stream fails.
 */
export async function scanStream(address: ClamdAddress, stream: Readable): Promise<ScanResult> {
  const socket = connect(address);
  socket.setTimeout(IDLE_MS, () => socket.destroy(new Error('clamd did not answer')));
  const reply = replyOf(socket);
  // A refusal while the stream is still being sent ends the sending, and `reply` tells why.
  reply.catch(() => undefined);
  try {
    await send(socket, 'zINSTREAM\0');
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(chunk.length);
      if (chunk.length === 0) continue;
      await send(socket, length);
      await send(socket, chunk);
    }
    await send(socket, Buffer.alloc(4));
  } catch (error) {
    // clamd answers and closes the connection when the stream is too long.
    if (!socket.destroyed && !socket.writableEnded) socket.destroy();
    return resultOf(await reply.catch(() => Promise.reject(error)));
  } finally {
    stream.destroy();
  }
  try {
    return resultOf(await reply);
  } finally {
    socket.destroy();
  }
}

/** Everything that clamd answers until it closes the connection. */
async function replyOf(socket: Socket): Promise<string> {
  let reply = '';
  for await (const part of socket.setEncoding('utf8') as AsyncIterable<string>) {
    reply += part;
    if (reply.includes('\0') || reply.length > 10_000) break;
  }
  return reply;
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
