import { attachmentEndpoints } from '@chargehand/contract';
import { contentDisposition } from '@chargehand/domain';
import type { FastifyInstance } from 'fastify';
import { rangeOf } from '../../platform/http/range.ts';
import { lasting } from '../../platform/http/serve/lasting.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import type { ContentService } from './content.service.ts';

/** What a displayed file may do: nothing. The console can display it in a frame. */
const SANDBOXED =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; media-src 'self'; frame-ancestors 'self'; sandbox";
/** Browsers do not start their PDF viewer in a sandbox; it has one of its own, without access to this origin. */
const PDF = "frame-ancestors 'self'";

/** The content of files, authorized for each request, so that a changed level or a deleted file counts at once. */
export function contentRoutes(app: FastifyInstance, content: ContentService): void {
  serve(app, attachmentEndpoints.attachmentContent, async ({ caller, params, query, row, request, reply }) => {
    const { id, name, size, etag, shown } = await content.facts(caller, params.id, row.own, query.download === true);
    const tag = `"${etag}"`;
    const { range: wanted, 'if-range': condition, 'if-none-match': known } = request.headers;
    const unchanged = known?.split(/\s*,\s*/).includes(tag) === true;
    const range = condition === undefined || condition === tag ? rangeOf(wanted, size) : 'whole';
    const part = typeof range === 'string' ? { first: 0, last: size - 1 } : range;
    const bodyless = unchanged || range === 'none' || request.method === 'HEAD';
    // Before the headers, which must not describe an error.
    const opened = bodyless ? null : await content.open(id, range === 'whole' ? undefined : part);
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
    if (unchanged) void reply.code(304).send();
    else if (range === 'none') void reply.code(416).header('content-range', `bytes */${size}`).send();
    else {
      if (range !== 'whole') void reply.code(206).header('content-range', `bytes ${part.first}-${part.last}/${size}`);
      void reply.type(shown ?? 'application/octet-stream').header('content-length', part.last - part.first + 1);
      void reply.send(opened ? lasting(request, opened.stream) : undefined);
    }
    return null;
  });
}
