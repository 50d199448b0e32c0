import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Disk } from './disk.ts';
import { EVERYTHING, type ObjectAction } from './grants.ts';
import type { MultipartUploads } from './multipart.ts';
import type { QuotaKeeper } from './quotas.ts';
import type { KeyRing, Signer } from './s3-signature.ts';

/** Amazon S3's limit for an object stored in one piece, which the operator's own key has. Bytes. */
const LARGEST_OBJECT = 5 * 1024 ** 3;

export interface S3Parts {
  disk: Disk;
  uploads: MultipartUploads;
  quotas: QuotaKeeper;
  buckets: readonly string[];
  keys: KeyRing;
}

/** A request of the S3 protocol whose signature is right. */
export interface S3Call {
  request: FastifyRequest;
  reply: FastifyReply;
  bucket: string;
  /** empty when the call is about the bucket */
  key: string;
  query: URLSearchParams;
  headers: Record<string, string | undefined>;
  signer: Signer;
  /** The body as it comes; an early end of reading leaves the line open for the answer. */
  body(): AsyncIterable<Buffer>;
  /** @throws S3Problem AccessDenied when the grant does not admit an action on a key */
  require(action: ObjectAction, key?: string): void;
}

/** The limits of a signer's grant for what they write; none for the operator. */
export function largestFor(signer: Signer): number {
  return signer.grant === EVERYTHING ? LARGEST_OBJECT : (signer.grant.limits?.objectBytes ?? LARGEST_OBJECT);
}
