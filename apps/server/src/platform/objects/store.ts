import type { Readable } from 'node:stream';

/** The place of an object. */
export interface Place {
  bucket: string;
  /** at most 1024 bytes; `/` only looks like a folder */
  key: string;
}

/** The metadata of an object. */
export interface ObjectDetails {
  contentType: string;
  contentDisposition?: string | undefined;
  contentEncoding?: string | undefined;
  contentLanguage?: string | undefined;
  cacheControl?: string | undefined;
  expires?: string | undefined;
  /** `x-amz-meta-…` headers of tools, by their names in lower case without that prefix */
  metadata?: Record<string, string> | undefined;
}

export interface ObjectFacts extends ObjectDetails {
  /** bytes */
  size: number;
  /** without quotes */
  etag: string;
  modifiedAt: Date;
}

export interface ListedObject {
  key: string;
  size: number;
  etag: string;
  modifiedAt: Date;
}

/** The first and the last requested byte, both included. */
export interface ByteRange {
  first: number;
  last: number;
}

/** Permissions on objects: one bucket, keys with one of the prefixes, one mode. */
export interface Grant {
  mode: 'read' | 'write';
  bucket: string;
  prefixes: readonly string[];
  /** for writing; enforced by the embedded store, a real S3 has no such condition */
  limits?: WriteLimits | undefined;
}

export interface WriteLimits {
  /** the largest single object, bytes */
  objectBytes: number;
  /** the maximum total size below prefixes */
  quotas: readonly Quota[];
}

export interface Quota {
  prefix: string;
  bytes: number;
  objects: number;
}

/** Credentials with the permissions of a grant until they expire, as S3 defines them. */
export interface TemporaryCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
  expiration: Date;
}

/**
 * The store for files: two drivers, selected by configuration, and one contract suite for both. Browsers and tools use
 * either over the S3 protocol with temporary credentials; the server itself calls these methods.
 */
export interface ObjectStore {
  buckets: { main: string; firmware: string };
  region: string;
  /** Base URL of the S3 protocol, path-style, without a trailing slash; empty when it is the console's own. */
  endpoint: string;
  /** Stores an object completely or not at all, replacing an existing one. */
  put(place: Place, bytes: Uint8Array, details: ObjectDetails): Promise<void>;
  /**
   * Stores a stream as an object, completely or not at all: when `chunks` throws, nothing is stored. For data that is
   * too large for memory. Returns its size.
   */
  write(place: Place, chunks: AsyncIterable<Uint8Array>, details: ObjectDetails): Promise<number>;
  /** null when there is no such object */
  head(place: Place): Promise<ObjectFacts | null>;
  /** null when there is no such object; `range` must be within it */
  read(place: Place, range?: ByteRange): Promise<{ facts: ObjectFacts; body: Readable } | null>;
  /** Copies an object with its metadata. @throws when there is no such object */
  copy(from: Place, to: Place): Promise<void>;
  /**
   * Moves an object with this ETag to a place where there is none; an embedded store copies no bytes. False, and nothing
   * is moved, when there is no such object (any more), or one in the other place. At most 5 GB (S3's CopyObject).
   */
  move(from: Place, to: Place, etag: string): Promise<boolean>;
  /** Removes an object. A missing one is not an error. */
  remove(place: Place): Promise<void>;
  /** Every object whose key starts with a prefix, in the order of the keys' bytes. */
  list(bucket: string, prefix: string): AsyncIterable<ListedObject>;
  /** Credentials with the permissions of a grant, valid for a number of seconds. */
  credentials(grant: Grant, seconds: number): Promise<TemporaryCredentials>;
  /** Aborts multipart uploads that were started before a time and never completed. */
  abandonUploads(before: Date): Promise<void>;
}
