import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyRequest {
    /** the unread body of a part of an upload */
    part: Readable | null;
  }
}

/** Makes the routes of an instance take the body of `application/octet-stream` as a stream, which they read themselves. */
export function takeParts(app: FastifyInstance): void {
  app.decorateRequest('part', null);
  app.addContentTypeParser('application/octet-stream', (request, payload, done) => {
    request.part = payload as Readable;
    done(null, undefined);
  });
}
