import { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../problem.ts';
import { type Exchange, exchangeOf } from './exchange.ts';

export interface BodyTime {
  /** the timeout of a JSON body in ms */
  wholeMs: number;
  /** for any other body at least `windowBytes` must arrive in each `windowMs` */
  windowMs: number;
  windowBytes: number;
}

/** Files may take long over a mobile network, but they must make progress: 4 kB in half a minute is 1 kbit/s. */
const BODY_TIME: BodyTime = { wholeMs: 30_000, windowMs: 30_000, windowBytes: 4 * 1024 };

/**
 * Ends requests whose body arrives too slowly: each holds a connection, and memory for the received bytes. Node's own
 * timeout for whole requests would also end the slow upload of a large file, and is not used.
 */
export function limitBodyTime(app: FastifyInstance, time: BodyTime = BODY_TIME): void {
  app.addHook('onRequest', async (request) => {
    const isJson = request.routeOptions.config.endpoint !== undefined && request.method !== 'GET';
    if (isJson) return;
    const exchange = exchangeOf(request);
    if (exchange.hasBody) watchProgress(request, exchange, time);
  });
  app.addHook('preParsing', async (request, reply, payload) => {
    if (!request.routeOptions.config.endpoint) return payload;
    const exchange = exchangeOf(request);
    if (!exchange.hasBody) return payload;
    const body = new PassThrough();
    // After refusing the request before its end, nothing listens any more.
    body.on('error', () => undefined);
    const seconds = Math.ceil(time.wholeMs / 1000);
    const late = new Problem('bodyTooSlow', { status: 408, values: { seconds } });
    const timer = setTimeout(() => {
      // The rest of the body is read and dropped until the connection is closed after the answer.
      payload.unpipe(body);
      payload.resume();
      body.destroy(Object.assign(late, { statusCode: late.status }));
    }, time.wholeMs);
    payload.once('end', () => clearTimeout(timer));
    reply.raw.once('close', () => clearTimeout(timer));
    request.raw.once('close', () => {
      clearTimeout(timer);
      // A broken connection emits no end event.
      if (!exchange.isComplete()) body.destroy(Object.assign(new Problem('badBody'), { statusCode: 400 }));
    });
    return payload.pipe(body);
  });
}

function watchProgress(request: FastifyRequest, exchange: Exchange, { windowMs, windowBytes }: BodyTime): void {
  const { raw } = request;
  let before = exchange.received();
  const timer = setInterval(() => {
    // A request that was answered before its body arrived has no close event when its connection ends.
    if (exchange.isComplete() || exchange.isClosed()) return clearInterval(timer);
    const received = exchange.received();
    // While the server does not read, because it is still writing received data, it causes the silence itself.
    if (received - before < windowBytes && !exchange.isPaused()) {
      // Without the query, which contains the secret of a link.
      const path = request.url.split('?', 1)[0];
      request.log.info({ path, address: request.ip }, 'a request body arrived too slowly');
      exchange.abort();
    }
    before = received;
  }, windowMs);
  timer.unref();
  raw.once('close', () => clearInterval(timer));
}
