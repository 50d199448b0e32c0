import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable, Writable } from 'node:stream';
import type { SecureContext } from 'node:tls';
import { Client } from 'basic-ftp';

/** The certificate authorities that a charge point trusts for file transfers. */
export interface Trust {
  secureContext?: SecureContext | undefined;
  insecure: boolean;
}

/** Timeout of a connection on which no data moves. */
const IDLE_MS = 30_000;
/** The number of bytes at the start of a file that are inspected. */
const HEAD_BYTES = 4_096;

/**
 * Downloads a whole file over HTTP or FTP. If the connection breaks, the rest is requested once, as charge points do.
 * Returns the size, the first bytes, and the SHA-256 in hex. Throws when the download fails.
 * @param options.watch receives the whole file in pieces
 */
export async function download(
  location: string,
  options: { trust: Trust; signal: AbortSignal; watch?: (chunk: Buffer) => void },
): Promise<{ bytes: number; head: string; sha256: string }> {
  let bytes = 0;
  const hash = createHash('sha256');
  let head = Buffer.alloc(0);
  const take = (chunk: Buffer): void => {
    bytes += chunk.length;
    hash.update(chunk);
    options.watch?.(chunk);
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)]);
  };
  const url = new URL(location);
  if (url.protocol === 'ftp:') await downloadFtp(url, options.signal, take);
  else await downloadHttp(url, options, () => bytes, take);
  return { bytes, head: head.toString('latin1'), sha256: hash.digest('hex') };
}

/**
 * Uploads a file over HTTP (PUT) or FTP with a name, into the folder of the location. Throws when the upload is
 * rejected.
 */
export async function upload(
  location: string,
  fileName: string,
  content: Buffer,
  options: { trust: Trust; signal: AbortSignal },
): Promise<void> {
  const url = new URL(location);
  if (url.protocol === 'ftp:') {
    await withFtp(url, options.signal, (client) => client.uploadFrom(Readable.from([content]), fileName));
    return;
  }
  if (url.pathname.endsWith('/')) url.pathname += encodeURIComponent(fileName);
  const headers = { 'content-type': 'application/octet-stream', 'content-length': content.length };
  const response = await sendRequest(url, { method: 'PUT', headers }, options, content);
  response.resume();
  if (response.statusCode === undefined || response.statusCode >= 300)
    throw new Error(`the server answered ${response.statusCode}`);
}

async function downloadHttp(
  url: URL,
  options: { trust: Trust; signal: AbortSignal },
  had: () => number,
  take: (chunk: Buffer) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const from = had();
    const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-` } : {};
    const response = await sendRequest(url, { method: 'GET', headers }, options);
    if (response.statusCode !== (from > 0 ? 206 : 200)) {
      response.resume();
      throw new Error(`the server answered ${response.statusCode}`);
    }
    try {
      for await (const chunk of response) take(chunk as Buffer);
      return;
    } catch (error) {
      if (attempt === 2 || options.signal.aborted) throw error;
    }
  }
}

async function sendRequest(
  url: URL,
  { method, headers }: { method: string; headers: Record<string, string | number> },
  { trust, signal }: { trust: Trust; signal: AbortSignal },
  body?: Buffer,
): Promise<IncomingMessage> {
  const common = { method, headers, signal, timeout: IDLE_MS, agent: false as const };
  const request =
    url.protocol === 'https:'
      ? requestHttps(url, {
          ...common,
          rejectUnauthorized: !trust.insecure,
          ...(trust.secureContext === undefined ? {} : { secureContext: trust.secureContext }),
        })
      : requestHttp(url, common);
  request.on('timeout', () => request.destroy(new Error('the server does not respond')));
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function downloadFtp(url: URL, signal: AbortSignal, take: (chunk: Buffer) => void): Promise<void> {
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      take(chunk);
      done();
    },
  });
  await withFtp(url, signal, (client) => client.downloadTo(sink, decodeURIComponent(url.pathname.slice(1))));
}

async function withFtp(url: URL, signal: AbortSignal, act: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client(IDLE_MS);
  const stop = (): void => client.close();
  signal.addEventListener('abort', stop);
  try {
    signal.throwIfAborted();
    await client.access({
      host: url.hostname,
      port: Number(url.port || 21),
      user: decodeURIComponent(url.username || 'anonymous'),
      password: decodeURIComponent(url.password),
    });
    await act(client);
  } finally {
    signal.removeEventListener('abort', stop);
    client.close();
  }
}
