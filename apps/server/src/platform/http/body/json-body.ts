import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { inWorker } from '../../work/workers.ts';
import { Problem } from '../problem.ts';
import { tooMuchJson } from './json-limits.ts';
import type { JsonRead } from './json-worker.ts';
import { receiveBody } from './received-body.ts';

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
  const readLong = async ({ caller }: FastifyRequest, bytes: Uint8Array): Promise<unknown> => {
    const read = await inWorker<Uint8Array, JsonRead>(
      { customerId: caller?.customerId ?? 0 },
      new URL('./json-worker.ts', import.meta.url),
      bytes,
    );
    if ('problem' in read) throw new Problem(...read.problem);
    return read.value;
  };
  const readShort = (request: FastifyRequest, bytes: Uint8Array): Promise<unknown> => {
    let text: string;
    try {
      text = utf8.decode(bytes);
    } catch {
      throw new Problem('badBody');
    }
    const exceeded = tooMuchJson(text);
    if (exceeded) throw exceeded;
    if (text === '') return Promise.resolve({});
    return new Promise((resolve, reject) =>
      parse(request, text, (error, value) => (error ? reject(error) : resolve(value))),
    );
  };
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await receiveBody(request, payload, LONG_BYTES);
    return await (bytes.length > LONG_BYTES ? readLong(request, bytes) : readShort(request, bytes));
  });
}
