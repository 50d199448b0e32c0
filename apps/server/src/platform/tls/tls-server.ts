import type { Server as HttpServer, RequestListener } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

export interface TlsOptions {
  cert: string;
  key: string;
  /** the authority of the client certificates that clients may present */
  ca?: string;
}

/** Requests that one HTTP/2 connection may have open: those of twenty tabs, and no more work than of one client. */
const MAX_STREAMS = 100;
/** As for HTTP/1.1 in Node: longer headers are answered with 431. Bytes. */
const MAX_HEADER_BYTES = 16 * 1024;
/** Longer headers are not read: their stream is reset. As before the client knows the settings (RFC 9113 §6.5.3). Bytes. */
const MAX_READ_HEADER_BYTES = 65_535;
/** How often a client may cancel requests: at once, and per second. Beyond it its connection is closed (CVE-2023-44487). */
const MAX_CANCELLED = { burst: 500, perSecond: 50 };
/** Frames that violate the protocol. Beyond it the connection is closed. */
const MAX_INVALID_FRAMES = 100;
/** A connection without requests is closed after this time, as Fastify does with HTTP/1.1. Milliseconds. */
const IDLE_MS = 72_000;

/**
 * A server for HTTP/2 and HTTP/1.1 under TLS. The client selects the protocol in the handshake (ALPN): browsers use
 * HTTP/2, where requests do not wait for one of six connections. WebSockets and clients without ALPN use
 * HTTP/1.1.
 */
export function tlsServer(options: TlsOptions, handler: RequestListener): HttpServer {
  const server = createSecureServer({
    ...options,
    requestCert: options.ca !== undefined,
    rejectUnauthorized: false,
    allowHTTP1: true,
    settings: { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: MAX_READ_HEADER_BYTES, enablePush: false },
    maxSessionInvalidFrames: MAX_INVALID_FRAMES,
    streamResetBurst: MAX_CANCELLED.burst,
    streamResetRate: MAX_CANCELLED.perSecond,
  });
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    // Requests that are still open may end.
    session.setTimeout(IDLE_MS, () => session.close());
  });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (request, response) => {
    if (request.httpVersionMajor === 2) {
      if (headerBytes(request) > MAX_HEADER_BYTES) {
        response.writeHead(431).end();
        return;
      }
      // The name of the host has another header in HTTP/2.
      request.headers.host ??= request.headers[':authority'];
    }
    handler(request as never, response as never);
  });
  // Node has these only for its own servers; they are what Fastify sets there.
  return Object.assign(server, {
    keepAliveTimeout: IDLE_MS,
    // Uploads may take long: see body-time.ts.
    requestTimeout: 0,
    closeAllConnections() {
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
    },
  }) as unknown as HttpServer;
}

function headerBytes({ rawHeaders }: Http2ServerRequest): number {
  return rawHeaders.reduce((bytes, text) => bytes + text.length, 0);
}
