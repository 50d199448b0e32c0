import { publicShareEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { limitPublicCalls, PUBLIC_PARTS_A_MINUTE } from '../../access/index.ts';
import { takeParts } from '../../platform/http/body/part-body.ts';
import { asDownload } from '../../platform/http/serve/as-download.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import type { GuestVisitsService } from '../guests/guest-visits.service.ts';
import type { DownloadsService } from './downloads.service.ts';
import type { IssueVisitsService } from './issue-visits.service.ts';
import type { UploadsService } from './uploads.service.ts';
import type { VisitorsService } from './visitors.service.ts';

interface Parts {
  visitors: VisitorsService;
  downloads: DownloadsService;
  issues: IssueVisitsService;
  guests: GuestVisitsService;
  uploads: UploadsService;
}

/** The pages of shares: public, and for no search engine. */
export function visitorRoutes(app: FastifyInstance, { visitors, downloads, uploads, issues, guests }: Parts): void {
  const hidden = async (open: FastifyInstance) => {
    open.addHook('onRequest', async (_request, reply) => {
      void reply.header('x-robots-tag', 'noindex, nofollow');
    });
  };

  app.register(async (open) => {
    await hidden(open);
    await limitPublicCalls(open);
    serve(open, publicShareEndpoints.openShare, ({ query, request, reply }) => visitors.open(query.s, request, reply));
    serve(open, publicShareEndpoints.enterShareCode, ({ body, request, reply }) =>
      visitors.enterCode(body.s, body.accessCode, request, reply),
    );
    serve(open, publicShareEndpoints.listShared, async ({ query, request }) =>
      visitors.entries(await visitors.visit(query.s, request), query.folderId),
    );
    serve(open, publicShareEndpoints.readSharedIssue, async ({ query, request }) =>
      issues.open(await visitors.visit(query.s, request), request.locale),
    );
    serve(open, publicShareEndpoints.commentSharedIssue, async ({ body, request }) =>
      issues.comment(await visitors.visit(body.s, request), body, request.locale),
    );
    serve(open, publicShareEndpoints.joinTerminal, async ({ body, request }) =>
      guests.joinTerminal(await visitors.visit(body.s, request), request, body),
    );
    serve(open, publicShareEndpoints.joinPage, async ({ body, request }) =>
      guests.joinPage(await visitors.visit(body.s, request), request, body),
    );
    serve(open, publicShareEndpoints.downloadShared, ({ query, request, reply }) =>
      asDownload(async () => {
        const visit = await visitors.visit(query.s, request);
        const file = await visitors.file(visit, query.fileId);
        await downloads.file(visit, file, query.preview === true, request, reply);
      }),
    );
    serve(open, publicShareEndpoints.downloadSharedArchive, ({ query, request, reply }) =>
      asDownload(async () => {
        const visit = await visitors.visit(query.s, request);
        const folder = (await visitors.pathOf(visit.share, visit.creator, query.folderId)).at(-1);
        if (folder) await downloads.archive(visit, folder, request, reply);
      }),
    );
    serve(open, publicShareEndpoints.startSharedUpload, async ({ body, request }) =>
      uploads.begin(await visitors.visit(body.s, request), body),
    );
    serve(open, publicShareEndpoints.readSharedUpload, async ({ params, query, request }) =>
      uploads.read(await visitors.visit(query.s, request), params.id),
    );
  });

  // A large file has many parts.
  app.register(async (open) => {
    await hidden(open);
    await limitPublicCalls(open, { requests: PUBLIC_PARTS_A_MINUTE });
    takeParts(open);
    serve(open, publicShareEndpoints.sendSharedPart, async ({ params, query, request }) => {
      const visit = await visitors.visit(query.s, request);
      return await uploads.part(visit, params.id, query.offset, request);
    });
  });
}
