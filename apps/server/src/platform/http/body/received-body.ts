import type { Readable } from 'node:stream';
import { errorCodes, type FastifyRequest } from 'fastify';

/**
 * Reads a body up to the limit of its route. A body of megabytes is written to memory that a worker thread can share,
 * each part when it arrives: joining or copying the parts at the end would block the event loop.
 * @param request of an endpoint
 * @param payload its body, decompressed
 * @param longBytes from this length on the memory is shared
 * @throws FST_ERR_CTP_BODY_TOO_LARGE, or the error of the stream
 */
export async function receiveBody(request: FastifyRequest, payload: Readable, longBytes: number): Promise<Uint8Array> {
  const { 'content-length': length, 'content-encoding': encoding } = request.headers;
  const limit = request.routeOptions.bodyLimit;
  const announced = length === undefined ? null : Number(length);
  if (announced !== null && announced > limit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE();
  const isShort = limit <= longBytes || (announced !== null && encoding === undefined && announced <= longBytes);
  return isShort ? await receiveShort(payload, limit) : await receiveShared(payload, limit);
}

async function receiveShort(payload: Readable, limit: number): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  await receive(payload, limit, (chunk) => chunks.push(chunk));
  return Buffer.concat(chunks);
}

async function receiveShared(payload: Readable, limit: number): Promise<Uint8Array> {
  // The system provides the pages of this memory only when they are written.
  const memory = new Uint8Array(new SharedArrayBuffer(limit));
  const length = await receive(payload, limit, (chunk, start) => memory.set(chunk, start));
  return memory.subarray(0, length);
}

/** Passes on each part and its position. Resolves with the length of all. */
function receive(payload: Readable, limit: number, take: (chunk: Buffer, start: number) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    let length = 0;
    const end = () => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
    };
    const onData = (chunk: Buffer) => {
      const start = length;
      length += chunk.length;
      if (length <= limit) return take(chunk, start);
      end();
      reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE());
    };
    const onEnd = () => {
      end();
      resolve(length);
    };
    const onError = (error: Error & { statusCode?: number }) => {
      end();
      reject((error.statusCode ?? 0) >= 400 ? error : Object.assign(error, { statusCode: 400 }));
    };
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}
