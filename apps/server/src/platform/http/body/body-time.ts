import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';

export interface BodyTime {
  /** a JSON body must have come within so many ms */
  wholeMs: number;
  /** of any other body at least `windowBytes` must come in each `windowMs`, as long as it lasts */
  windowMs: number;
  windowBytes: number;
}

/** Files may take their time over a mobile network, but they must keep coming: 4 kB in half a minute is 1 kbit/s. */
const BODY_TIME: BodyTime = { wholeMs: 30_000, windowMs: 30_000, windowBytes: 4 * 1024 };

/**
 * Ends requests whose body comes too slowly: each holds a connection, and memory for what has come. Node's own time for
 * whole requests would also end the slow upload of a large file, and is not used.
 */
export function limitBodyTime(app: FastifyInstance, time: BodyTime = BODY_TIME): void {
  app.addHook('onRequest', async (request) => {
    const isJson = request.routeOptions.config.endpoint !== undefined && request.method !== 'GET';
    if (hasBody(request) && !isJson) watchProgress(request, time);
  });
  app.addHook('preParsing', async (request, reply, payload) => {
    if (!request.routeOptions.config.endpoint || !hasBody(request)) return payload;
    const body = new PassThrough();
    // Whoever refused the request before its end listens no more.
    body.on('error', () => undefined);
    const seconds = Math.ceil(time.wholeMs / 1000);
    const late = new Problem('bodyTooSlow', { status: 408, values: { seconds } });
    const timer = setTimeout(() => {
      // What still comes is read and dropped until the connection is closed after the answer.
      payload.unpipe(body);
      payload.resume();
      body.destroy(Object.assign(late, { statusCode: late.status }));
    }, time.wholeMs);
    payload.once('end', () => clearTimeout(timer));
    reply.raw.once('close', () => clearTimeout(timer));
    request.raw.once('close', () => {
      clearTimeout(timer);
      // A connection that broke off delivers no end.
      if (!request.raw.complete) body.destroy(Object.assign(new Problem('badBody'), { statusCode: 400 }));
    });
    return payload.pipe(body);
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function watchProgress(request: FastifyRequest, { windowMs, windowBytes }: BodyTime): void {
  const { raw } = request;
  let before = raw.socket.bytesRead;
  const timer = setInterval(() => {
    if (raw.complete) return clearInterval(timer);
    const { bytesRead } = raw.socket;
    // While the server does not read, because it is still writing what came, the silence is its own.
    if (bytesRead - before < windowBytes && !raw.socket.isPaused()) {
      request.log.info({ url: request.url, address: request.ip }, 'a request body came too slowly');
      raw.socket.destroy();
    }
    before = bytesRead;
  }, windowMs);
  timer.unref();
  raw.once('close', () => clearInterval(timer));
}
