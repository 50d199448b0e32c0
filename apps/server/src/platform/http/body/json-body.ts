import type { FastifyInstance } from 'fastify';
import { inWorker } from '../../work/workers.ts';
import { Problem } from '../problem.ts';
import { tooMuchJson } from './json-limits.ts';
import type { JsonRead } from './json-worker.ts';

/**
 * A longer body contains a file, for an endpoint that accepts one. Parsing it would block the event loop too long.
 * Bytes.
 */
const LONG_BYTES = 1024 * 1024;

/**
 * JSON bodies must be valid UTF-8 and contain no prototype. An empty body of a JSON request is an empty object. The
 * depth and size of a body are checked before it is parsed.
 */
export function readJsonStrictly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const readLong = async (payload: Buffer): Promise<unknown> => {
    // A buffer of this length has its memory to itself. It is handed over, because a copy of megabytes takes time.
    const read = await inWorker<Uint8Array, JsonRead>(new URL('./json-worker.ts', import.meta.url), payload, [
      payload.buffer as ArrayBuffer,
    ]);
    if ('problem' in read) throw new Problem(...read.problem);
    return read.value;
  };
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, payload, done) => {
    if (payload.length > LONG_BYTES) {
      readLong(payload as Buffer).then(
        (value) => done(null, value),
        (error: Error) => done(error),
      );
      return;
    }
    let text: string;
    try {
      text = utf8.decode(payload as Buffer);
    } catch {
      done(new Problem('badBody'));
      return;
    }
    const exceeded = tooMuchJson(text);
    if (exceeded) done(exceeded);
    else if (text === '') done(null, {});
    else parse(request, text, done);
  });
}
