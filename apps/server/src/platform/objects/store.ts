import type { Readable } from 'node:stream';

/** Where an object is. */
export interface Place {
  bucket: string;
  /** at most 1024 bytes; `/` only looks like folders */
  key: string;
}

/** What is kept beside the bytes. */
export interface ObjectDetails {
  contentType: string;
  contentDisposition?: string | undefined;
  contentEncoding?: string | undefined;
  contentLanguage?: string | undefined;
  cacheControl?: string | undefined;
  expires?: string | undefined;
  /** `x-amz-meta-…` of tools, by their names in small letters without that prefix */
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

/** The first and the last byte that are asked for, both included. */
export interface ByteRange {
  first: number;
  last: number;
}

/** What somebody is let do with objects: one bucket, keys that begin with one of the prefixes, one mode. */
export interface Grant {
  mode: 'read' | 'write';
  bucket: string;
  prefixes: readonly string[];
  /** of what may be written; enforced by the embedded store, a real S3 has no such condition */
  limits?: WriteLimits | undefined;
}

export interface WriteLimits {
  /** the largest single object, bytes */
  objectBytes: number;
  /** what may lie below prefixes in all */
  quotas: readonly Quota[];
}

export interface Quota {
  prefix: string;
  bytes: number;
  objects: number;
}

/** Keys that open what a grant says until they expire, in the words of the S3 protocol. */
export interface TemporaryCredentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string;
  expiration: Date;
}

/**
 * Where files are kept: two drivers, chosen by configuration, and one contract suite for both. Browsers and tools reach
 * either over the S3 protocol with temporary credentials; the server itself calls these.
 */
export interface ObjectStore {
  buckets: { main: string; firmware: string };
  region: string;
  /** Base URL of the S3 protocol, path-style, without a final slash; empty when it is that of the console itself. */
  endpoint: string;
  /** Stores an object whole or not at all; what was there before is replaced. */
  put(place: Place, bytes: Uint8Array, details: ObjectDetails): Promise<void>;
  /**
   * Stores what comes as an object, whole or not at all: when `chunks` throws, nothing is stored. For what is too large
   * to be held in memory. Answers its size.
   */
  write(place: Place, chunks: AsyncIterable<Uint8Array>, details: ObjectDetails): Promise<number>;
  /** null when there is no such object */
  head(place: Place): Promise<ObjectFacts | null>;
  /** null when there is no such object; `range` must lie within it */
  read(place: Place, range?: ByteRange): Promise<{ facts: ObjectFacts; body: Readable } | null>;
  /** Copies an object with what is kept beside it. @throws when there is no such object */
  copy(from: Place, to: Place): Promise<void>;
  /** Removes an object; one that is not there is removed already. */
  remove(place: Place): Promise<void>;
  /** Every object whose key begins with a prefix, in the order of the keys' bytes. */
  list(bucket: string, prefix: string): AsyncIterable<ListedObject>;
  /** Credentials that open what a grant says, for so many seconds. */
  credentials(grant: Grant, seconds: number): Promise<TemporaryCredentials>;
  /** Ends multipart uploads that were begun before a time and never completed. */
  abandonUploads(before: Date): Promise<void>;
}
