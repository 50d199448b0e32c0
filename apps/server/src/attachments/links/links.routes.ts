import { attachmentEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { limitPublicCalls } from '../../access/index.ts';
import { asDownload } from '../../platform/http/serve/as-download.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { whileTrue } from '../../platform/http/serve/while-permitted.ts';
import type { ContentService } from '../content/content.service.ts';
import { sendContent } from '../content/send-content.ts';
import type { LinksService } from './links.service.ts';

/** Download links: made by users, followed without a session. */
export function linksRoutes(app: FastifyInstance, links: LinksService, content: Pick<ContentService, 'open'>): void {
  serve(app, attachmentEndpoints.linkAttachment, ({ caller, row, query }) => links.link(caller, row.id, query.seconds));

  app.register(async (open) => {
    await limitPublicCalls(open);
    serve(open, attachmentEndpoints.linkedContent, ({ query, request, reply }) =>
      asDownload(async () => {
        void reply.header('x-robots-tag', 'noindex, nofollow');
        const { holds, ...file } = await links.open(query.token);
        await sendContent(request, reply, {
          file: { ...file, shown: null },
          open: (range) => content.open(file.id, range),
          lasts: (parts) => whileTrue(holds, parts),
        });
      }),
    );
  });
}
