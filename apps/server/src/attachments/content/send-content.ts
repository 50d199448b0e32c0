import { Readable } from 'node:stream';
import { contentDisposition } from '@chargehand/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { rangeOf } from '../../platform/http/range.ts';
import { hasTag } from '../../platform/http/serve/etag.ts';
import type { ByteRange } from '../../platform/objects/store.ts';
import type { ContentFacts, OpenContent } from './content.service.ts';

/** What a displayed file may do: nothing. The console can display it in a frame. */
const SANDBOXED =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; frame-ancestors 'self'; sandbox";
/** Browsers do not start their PDF viewer in a sandbox; it has one of its own, without access to this origin. */
const PDF = "frame-ancestors 'self'";

/**
 * Answers with the content of a file, or the part of it that the request asks for, with headers under which nothing in it
 * can run. The caller has authorized the request.
 */
export async function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: {
    file: ContentFacts;
    open(range?: ByteRange): Promise<OpenContent>;
    /** the content, as long as the reader may read it */
    lasts(content: Readable): Readable;
  },
): Promise<void> {
  const { name, size, etag, shown } = parts.file;
  const tag = `"${etag}"`;
  const { range: wanted, 'if-range': condition, 'if-none-match': known } = request.headers;
  const unchanged = hasTag(known, tag);
  const range = condition === undefined || condition === tag ? rangeOf(wanted, size) : 'whole';
  const part = typeof range === 'string' ? { first: 0, last: size - 1 } : range;
  const bodyless = unchanged || range === 'none' || request.method === 'HEAD';
  // Before the headers, which must not describe an error.
  const opened = bodyless ? null : await parts.open(range === 'whole' ? undefined : part);
  const disposition = contentDisposition(name);
  void reply.headers({
    etag: tag,
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'content-disposition': shown === null ? disposition : disposition.replace(/^attachment/, 'inline'),
    'content-security-policy': shown === 'application/pdf' ? PDF : SANDBOXED,
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
  });
  if (unchanged) return void reply.code(304).send();
  if (range === 'none') return void reply.code(416).header('content-range', `bytes */${size}`).send();
  if (range !== 'whole') void reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${size}`);
  void reply.type(shown ?? 'application/octet-stream').header('content-length', part.last - part.first + 1);
  // For HEAD: with nothing at all, Fastify would announce a length of 0.
  void reply.send(opened ? parts.lasts(opened.stream) : Readable.from([]));
}
