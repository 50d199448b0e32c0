import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest, ServerHttp2Stream } from 'node:http2';
import type { FastifyRequest } from 'fastify';

/** What both versions of HTTP say about the body of a request, which Node reports differently. */
export interface Exchange {
  hasBody: boolean;
  /** the number of received bytes */
  received(): number;
  /** true while the server does not read the body, because it is still processing received data */
  isPaused(): boolean;
  /** true once the whole body has arrived */
  isComplete(): boolean;
  /** true once the connection is closed, or the stream of it */
  isClosed(): boolean;
  /** Ends the exchange; other requests of an HTTP/2 connection continue. */
  abort(): void;
  /** Ends the exchange when nothing was sent or received for a time. */
  endWhenIdle(ms: number): void;
}

/** The body of a request. It counts the bytes from now on. */
export function exchangeOf({ raw, headers }: Pick<FastifyRequest, 'raw' | 'headers'>): Exchange {
  const stream = streamOf(raw);
  return stream ? overStream(raw, stream) : overConnection(raw, headers);
}

function overConnection(raw: IncomingMessage, headers: FastifyRequest['headers']): Exchange {
  const { socket } = raw;
  return {
    hasBody: headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0,
    received: () => socket.bytesRead,
    isPaused: () => socket.isPaused(),
    isComplete: () => raw.complete,
    isClosed: () => socket.destroyed,
    abort: () => socket.destroy(),
    endWhenIdle: (ms) => socket.setTimeout(ms),
  };
}

function overStream(raw: IncomingMessage, stream: ServerHttp2Stream): Exchange {
  let bytes = 0;
  const { push } = raw;
  // A listener for data would start the body before its reader is there.
  raw.push = (chunk: Buffer | null, encoding) => {
    bytes += chunk?.length ?? 0;
    return push.call(raw, chunk, encoding);
  };
  return {
    hasBody: !stream.endAfterHeaders,
    received: () => bytes,
    isPaused: () => stream.isPaused(),
    // `complete` is also true after the client has cancelled the request.
    isComplete: () => raw.readableEnded,
    isClosed: () => stream.destroyed,
    abort: () => stream.destroy(),
    endWhenIdle: (ms) => stream.setTimeout(ms, () => stream.destroy()),
  };
}

function streamOf(raw: IncomingMessage | Http2ServerRequest): ServerHttp2Stream | null {
  return 'stream' in raw ? raw.stream : null;
}
