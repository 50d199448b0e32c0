import { attachmentEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import { whilePermitted } from '../../platform/http/serve/while-permitted.ts';
import type { ContentService } from './content.service.ts';
import { sendContent } from './send-content.ts';

/** The content of files, authorized for each request, so that a changed level or a deleted file counts at once. */
export function contentRoutes(app: FastifyInstance, content: ContentService): void {
  serve(app, attachmentEndpoints.attachmentContent, async ({ caller, query, row, request, reply }) => {
    const file = await content.facts(caller, row.id, row.own, query.download === true);
    await sendContent(request, reply, {
      file,
      open: (range) => content.open(file.id, range),
      lasts: (parts) => whilePermitted(request, parts),
    });
    return null;
  });
}
