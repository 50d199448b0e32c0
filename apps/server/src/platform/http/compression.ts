import type { FastifyCompressOptions } from '@fastify/compress';

/**
 * How JSON answers are compressed. Only routes with these options compress: files, streams and the object store keep
 * their bytes, lengths and ranges. Bodies of requests are never decompressed.
 */
export const COMPRESSION = {
  global: false,
  encodings: ['br', 'gzip'],
  // A smaller answer fits into one packet anyway. Bytes.
  threshold: 1_024,
  // Up to this size an answer is compressed synchronously, in about a millisecond; a larger one in a thread. Bytes.
  syncThreshold: 32 * 1_024,
} satisfies FastifyCompressOptions;
