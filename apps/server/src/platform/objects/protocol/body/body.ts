import { createHash } from 'node:crypto';
import { isSame } from '../../embedded/grants.ts';
import { S3Problem } from '../problem.ts';
import type { Signer } from '../signing/signed-request.ts';
import { checksumsOf, PAYLOAD } from './checksums.ts';

/** The hash of an empty body, which is the first line of a chunk's string to sign. */
const EMPTY_SHA256 = createHash('sha256').digest('hex');
/** The head of a chunk and the trailer are short; no client sends longer ones. */
const LONGEST_LINE = 4_096;
/** AWS clients send one checksum and its signature. Lines. */
const MOST_TRAILER_LINES = 16;
/** AWS clients send at least 8 KB a chunk, the SDKs 64 KB to 1 MB. Chunks are never held in memory. */
const LONGEST_CHUNK = 16 * 1024 * 1024;

export interface BodyHeaders {
  'content-length'?: string | undefined;
  'content-md5'?: string | undefined;
  'x-amz-decoded-content-length'?: string | undefined;
  [name: string]: string | undefined;
}

/**
 * The number of bytes of the object in a request, without the chunk encoding. @throws S3Problem MissingContentLength
 */
export function bodyLength(headers: BodyHeaders): number {
  const declared = headers['x-amz-decoded-content-length'] ?? headers['content-length'];
  if (declared === undefined || !/^\d{1,15}$/.test(declared)) throw new S3Problem('MissingContentLength');
  return Number(declared);
}

/**
 * The bytes of a request's body, checked while they pass: their number, the hash or the chunk signatures that the
 * signed header announces, and the checksums of the request. Discard the bytes when an error follows.
 * @throws S3Problem when the body does not match its signature
 */
export async function* checkedBody(
  source: AsyncIterable<Buffer>,
  headers: BodyHeaders,
  signer: Signer,
): AsyncGenerator<Buffer> {
  const expected = bodyLength(headers);
  const trailer: Record<string, string> = {};
  const bytes = signer.payload.startsWith('STREAMING-') ? unwrapped(source, signer, trailer) : source;
  const sums = checksumsOf(headers, signer.payload);
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > expected) throw new S3Problem('IncompleteBody');
    for (const { update } of sums) update(chunk);
    yield chunk;
  }
  if (length !== expected) throw new S3Problem('IncompleteBody');
  for (const { name, digest } of sums) {
    const given = name === PAYLOAD ? signer.payload : (trailer[name] ?? headers[name]);
    if (given === undefined) throw new S3Problem('IncompleteBody', `The trailer ${name} is missing.`);
    if (isSame(given, await digest())) continue;
    throw new S3Problem(name === PAYLOAD ? 'XAmzContentSHA256Mismatch' : 'BadDigest');
  }
}

/**
 * Removes the `aws-chunked` encoding. Amazon S3 API Reference, "Signature calculations for the authorization header:
 * transferring payload in multiple chunks": each chunk is signed together with the previous signature.
 */
async function* unwrapped(
  source: AsyncIterable<Buffer>,
  signer: Signer,
  trailer: Record<string, string>,
): AsyncGenerator<Buffer> {
  const isSigned = signer.payload.startsWith('STREAMING-AWS4-HMAC-SHA256-PAYLOAD');
  if (!isSigned && signer.payload !== 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') throw new S3Problem('NotImplemented');
  const read = reader(source);
  let previous = signer.signature;
  const verify = async (given: string | undefined, kind: string, ...hashes: string[]) => {
    const text = [kind, signer.longDate, signer.scope, previous, ...hashes].join('\n');
    if (given === undefined || !isSame(given, await signer.sign(text))) throw new S3Problem('SignatureDoesNotMatch');
    previous = given;
  };
  for (;;) {
    const head = await read.line();
    const [, hex = '', signature] = /^([0-9a-fA-F]{1,8})(?:;chunk-signature=([0-9a-f]{64}))?$/.exec(head) ?? [];
    const size = Number.parseInt(hex, 16);
    if (Number.isNaN(size) || size > LONGEST_CHUNK) throw new S3Problem('IncompleteBody');
    const hash = createHash('sha256');
    // Passed on before its signature is verified: an error that follows makes the caller discard it.
    for await (const bytes of read.bytes(size)) {
      hash.update(bytes);
      yield bytes;
    }
    if (isSigned) await verify(signature, 'AWS4-HMAC-SHA256-PAYLOAD', EMPTY_SHA256, hash.digest('hex'));
    if (size === 0) break;
    if ((await read.line()) !== '') throw new S3Problem('IncompleteBody');
  }
  const signedLines: string[] = [];
  let trailerSignature: string | undefined;
  let lines = 0;
  for (let line = await read.lineOrEnd(); line; line = await read.lineOrEnd()) {
    lines += 1;
    if (lines > MOST_TRAILER_LINES) throw new S3Problem('IncompleteBody');
    const [name = '', value = ''] = line.split(/:(.*)/s).map((part) => part.trim());
    if (name.toLowerCase() === 'x-amz-trailer-signature') trailerSignature = value;
    else {
      trailer[name.toLowerCase()] = value;
      signedLines.push(`${name.toLowerCase()}:${value}\n`);
    }
  }
  if (signer.payload === 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER')
    await verify(trailerSignature, 'AWS4-HMAC-SHA256-TRAILER', sha256Of(Buffer.from(signedLines.join(''))));
}

function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Reads lines and byte ranges from a stream. */
function reader(source: AsyncIterable<Buffer>) {
  const iterator = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const next = await iterator.next();
    if (next.done) return false;
    rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
    return true;
  };
  const lineOrEnd = async (): Promise<string | null> => {
    for (;;) {
      const end = rest.indexOf('\r\n');
      if (end >= 0) {
        const line = rest.subarray(0, end).toString('latin1');
        rest = rest.subarray(end + 2);
        return line;
      }
      if (rest.length > LONGEST_LINE) throw new S3Problem('IncompleteBody');
      if (!(await more())) return rest.length === 0 ? null : throwIncomplete();
    }
  };
  return {
    lineOrEnd,
    async line(): Promise<string> {
      return (await lineOrEnd()) ?? throwIncomplete();
    },
    /** in pieces as they arrive, so that a chunk of any length needs no memory */
    async *bytes(size: number): AsyncGenerator<Buffer> {
      let missing = size;
      while (missing > 0) {
        if (rest.length === 0 && !(await more())) throwIncomplete();
        const part = rest.subarray(0, missing);
        rest = rest.subarray(part.length);
        missing -= part.length;
        yield part;
      }
    },
  };
}

function throwIncomplete(): never {
  throw new S3Problem('IncompleteBody');
}
