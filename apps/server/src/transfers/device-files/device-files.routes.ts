import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { contentDisposition } from '@chargehand/domain';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Exchange, exchangeOf } from '../../platform/http/body/exchange.ts';
import { Problem } from '../../platform/http/problem.ts';
import { rangeOf } from '../../platform/http/range.ts';
import { S3Problem } from '../../platform/objects/protocol/problem.ts';
import { type DeliveriesService, DeliveryRefused, type Fault } from './deliveries.service.ts';

/** A connection without progress for so long is closed: mobile connections pause, and broken ones stay open. */
const IDLE_MS = 60_000;

/** The messages for devices, in English for their logs: nobody reads them in a browser. */
const ANSWERS: Readonly<Record<Fault, [status: number, text: string]>> = {
  unknown: [404, 'There is no file at this address.'],
  over: [410, 'This address was used already or has expired.'],
  busy: [409, 'An upload is already running.'],
  tooLarge: [413, 'The file is too large.'],
  empty: [400, 'The file is empty.'],
  direction: [405, 'This address does not allow this method.'],
};

interface FileRequest {
  Params: { credential: string; '*'?: string };
}

/**
 * Files of transfers over HTTP, for devices: no cookie and no session, only the credential in the URL. Firmware is
 * downloaded, also in ranges. Logs are uploaded, as plain content or as a form as browsers send it.
 */
export async function deviceFilesRoutes(app: FastifyInstance, deliveries: DeliveriesService): Promise<void> {
  app.removeAllContentTypeParsers();
  // The handlers read the bytes themselves as they arrive.
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  app.setErrorHandler((error, request, reply) => {
    void reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8');
    if (error instanceof DeliveryRefused) {
      const [status, text] = ANSWERS[error.fault];
      // Unread bytes of the body would be taken for the next request.
      const mayHaveBody = request.method !== 'GET' && request.method !== 'HEAD';
      if (mayHaveBody && request.raw.httpVersionMajor === 1) void reply.header('connection', 'close');
      return reply.code(status).send(`${text}\n`);
    }
    // The check before the routes refuses unsafe characters.
    if (error instanceof Problem) return reply.code(400).send(`${error.envelope('en-US').message}\n`);
    if (error instanceof S3Problem) return reply.code(error.status).send(`${error.message}\n`);
    // The device's connection broke: there is no recipient for an answer, and no error here.
    if (request.raw.socket.destroyed) return reply.code(400).send();
    const status = (error as { statusCode?: number }).statusCode;
    if (status !== undefined && status < 500) return reply.code(status).send(`${(error as Error).message}\n`);
    request.log.error({ err: error }, "the transfer of a device's file failed");
    return reply.code(500).send('Internal error.\n');
  });
  const route = { exposeHeadRoute: false, schema: { hide: true } };
  for (const url of ['/device-files/:credential', '/device-files/:credential/*']) {
    app.route<FileRequest>({
      ...route,
      method: ['GET', 'HEAD'],
      url,
      handler: (request, reply) => give(request, reply),
    });
    app.route<FileRequest>({
      ...route,
      method: ['PUT', 'POST'],
      url,
      handler: (request, reply) => take(request, reply),
    });
  }

  async function give(request: FastifyRequest<FileRequest>, reply: FastifyReply): Promise<FastifyReply> {
    const firmware = await deliveries.firmware(request.params.credential, 'http');
    const { size, fileName, delivery } = firmware;
    const etag = `"${delivery.sha256}"`;
    const { range: wanted, 'if-range': condition } = request.headers;
    const range = condition === undefined || condition === etag ? rangeOf(wanted, size) : 'whole';
    void reply.headers({
      etag,
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'content-disposition': contentDisposition(fileName),
    });
    if (range === 'none') return reply.code(416).header('content-range', `bytes */${size}`).send();
    const part = range === 'whole' ? { first: 0, last: size - 1 } : range;
    void reply.type('application/octet-stream').header('content-length', part.last - part.first + 1);
    if (range !== 'whole') void reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${size}`);
    if (request.method === 'HEAD') return reply.send();
    exchangeOf(request).endWhenIdle(IDLE_MS);
    let given = false;
    // Not `finish`: a client that has received all announced bytes may close the connection before that event.
    reply.raw.once('close', () => {
      if (!given || part.last !== size - 1) return;
      onReceived(request.raw.socket, () => {
        void deliveries
          .delivered(firmware)
          .catch((error: unknown) => request.log.warn({ err: error }, 'a delivery was not counted'));
      });
    });
    const body = await deliveries.read(firmware, part);
    const length = part.last - part.first + 1;
    const noted = noting(body, length, () => {
      given = true;
    });
    return reply.send(Readable.from(noted, { objectMode: false }));
  }

  async function take(request: FastifyRequest<FileRequest>, reply: FastifyReply): Promise<FastifyReply> {
    const delivery = await deliveries.open(request.params.credential, 'http');
    const exchange = exchangeOf(request);
    exchange.endWhenIdle(IDLE_MS);
    const name = request.params['*'] ?? '';
    const type = request.headers['content-type'] ?? '';
    if (/^multipart\/form-data\b/i.test(type)) {
      await firstFile(request, exchange, (given, chunks) => deliveries.receive(delivery, name || given, chunks));
    } else await deliveries.receive(delivery, name, request.raw.iterator({ destroyOnReturn: false }));
    return reply.code(201).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send('Kept.\n');
  }
}

/**
 * Calls back when the other side has read what was written last: it closes its side without an error, or sends another
 * request. Bytes that were only written can still be on the way when it breaks off.
 */
function onReceived(socket: Socket, received: () => void): void {
  if (socket.errored) return;
  if (socket.readableEnded || socket.closed) {
    received();
    return;
  }
  const done = () => {
    for (const event of ['data', 'end', 'close'] as const) socket.off(event, reported);
  };
  const reported = () => {
    done();
    if (!socket.errored) received();
  };
  for (const event of ['data', 'end', 'close'] as const) socket.once(event, reported);
}

/** The same bytes. `last` is called when the last of a number of bytes is passed on. */
async function* noting(body: Readable, length: number, last: () => void): AsyncGenerator<Buffer> {
  let left = length;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    left -= chunk.length;
    if (left === 0) last();
    yield chunk;
  }
}

/** Passes on the first file of a form. When the form is aborted, its file is aborted too. */
async function firstFile(
  request: FastifyRequest,
  exchange: Exchange,
  receive: (name: string, chunks: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const form = new Busboy({
    headers: request.headers as BusboyHeaders,
    limits: { files: 1, fields: 20, fieldSize: 1_000, parts: 21, headerPairs: 50 },
  });
  const received = new Promise<void>((resolve, reject) => {
    let found: Readable | null = null;
    form.on('file', (_field, file, fileName) => {
      found = file;
      receive(fileName ?? '', file as AsyncIterable<Buffer>).then(resolve, (error: unknown) => {
        file.resume();
        reject(error);
      });
    });
    form.on('finish', () => {
      if (found === null) reject(new DeliveryRefused('empty'));
    });
    form.on('error', reject);
    request.raw.on('close', () => {
      if (exchange.isComplete()) return;
      const broken = new Error('the connection was lost');
      found?.destroy(broken);
      reject(broken);
    });
  });
  request.raw.pipe(form);
  await received;
}
