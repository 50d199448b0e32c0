import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Disk } from '../embedded/disk.ts';
import { EVERYTHING, type ObjectAction } from '../embedded/grants.ts';
import type { MultipartUploads } from '../embedded/multipart.ts';
import type { QuotaTracker } from '../embedded/quotas.ts';
import { bodyLength, checkedBody } from './body/body.ts';
import { LARGEST_XML, type Rows, type RowsShape, readRows } from './body/body-xml.ts';
import { xml } from './body/xml.ts';
import { S3Problem } from './problem.ts';
import type { KeyRing, Signer } from './signing/signed-request.ts';

/** Amazon S3's limit for an object stored in one piece, which applies to the operator's own key. Bytes. */
const LARGEST_OBJECT = 5 * 1024 ** 3;

/** The owner of everything in lists and access control lists. */
export const OWNER = { ID: 'operator', DisplayName: 'operator' };

export interface S3Parts {
  disk: Disk;
  uploads: MultipartUploads;
  quotas: QuotaTracker;
  buckets: readonly string[];
  keys: KeyRing;
}

/** A request of the S3 protocol with a valid signature. */
export interface S3Call {
  request: FastifyRequest;
  reply: FastifyReply;
  /** empty for calls to the service */
  bucket: string;
  /** empty for calls to the bucket */
  key: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  signer: Signer;
  /** The body as it arrives. When reading stops early, the connection stays open for the response. */
  body(): AsyncIterable<Buffer>;
  /** @throws S3Problem AccessDenied when the grant does not allow an action on a key */
  require(action: ObjectAction, key?: string): void;
}

export type Handler = (call: S3Call) => Promise<void> | void;

/** The limits of a signer's grant for writing; none for the operator. */
export function largestFor(signer: Signer): number {
  return signer.grant === EVERYTHING ? LARGEST_OBJECT : (signer.grant.limits?.objectBytes ?? LARGEST_OBJECT);
}

export function isOperator({ signer }: S3Call): boolean {
  return signer.grant === EVERYTHING;
}

/** Reads a request's XML and checks it against its signature and checksums like any body. */
export async function readXml(call: S3Call, shape: RowsShape): Promise<Rows> {
  if (bodyLength(call.headers) > LARGEST_XML) throw new S3Problem('MaxMessageLengthExceeded');
  return await readRows(checkedBody(call.body(), call.headers, call.signer), shape);
}

export function answer({ reply }: S3Call, root: string, content: object): void {
  void reply.type('application/xml').send(Readable.from(xml(root, content)));
}

/** An integer of the query, `fallback` without one. @throws S3Problem InvalidArgument */
export function numberIn(query: URLSearchParams, name: string, fallback: number, most: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  if (!/^\d{1,10}$/.test(text)) throw new S3Problem('InvalidArgument', `${name} must be an integer of at least 0.`);
  return Math.min(most, Number(text));
}

/**
 * The encoding of keys in a response: percent-encoded when the client requested it. @throws S3Problem InvalidArgument
 */
export function keyEncoder(query: URLSearchParams): (text: string) => string {
  const type = query.get('encoding-type');
  if (type === null) return (text) => text;
  if (type !== 'url') throw new S3Problem('InvalidArgument', 'encoding-type must be url.');
  return (text) => text.split('/').map(encodeURIComponent).join('/');
}
