import { type Locale, publicReportEndpoints, reportLinkEndpoints } from '@chargehand/contract';
import { REPORT_LIMITS } from '@chargehand/domain';
import type { FastifyInstance } from 'fastify';
import { limitPublicCalls, PUBLIC_PARTS_A_MINUTE } from '../../access/index.ts';
import { takeParts } from '../../platform/http/body/part-body.ts';
import { serve } from '../../platform/http/serve/serve.ts';
import { sendLinkPage, takeForms } from '../../platform/mail/link-pages.ts';
import type { FollowService } from './follow.service.ts';
import type { ReportFilesService } from './report-files.service.ts';
import type { ReportLinksService } from './report-links.service.ts';
import type { ReportUnsubscribing } from './report-unsubscribing.ts';
import type { SendService } from './send.service.ts';

export interface ReportParts {
  sending: SendService;
  following: FollowService;
  files: ReportFilesService;
  links: ReportLinksService;
  unsubscribing: ReportUnsubscribing;
  /** the name of the product in a language */
  productName(locale: Locale): string;
}

/** Reports of people without an account: public, and for no search engine. And the links to them. */
export function reportsRoutes(app: FastifyInstance, parts: ReportParts): void {
  const { sending, following, files, links, unsubscribing, productName } = parts;
  const hidden = async (open: FastifyInstance) => {
    open.addHook('onRequest', async (_request, reply) => {
      void reply.header('x-robots-tag', 'noindex, nofollow').header('cache-control', 'no-store');
    });
  };

  app.register(async (open) => {
    await hidden(open);
    await limitPublicCalls(open);
    serve(open, publicReportEndpoints.openReport, ({ query }) => sending.open(query.s));
    serve(open, publicReportEndpoints.followReport, ({ query }) => following.read(query.f));
    serve(open, publicReportEndpoints.notifyReporter, ({ body }) => following.setNotify(body));
    serve(open, publicReportEndpoints.replyToReport, ({ body }) => following.reply(body));
    serve(open, publicReportEndpoints.startReportUpload, ({ body }) => files.begin(body));
    serve(open, publicReportEndpoints.readReportUpload, ({ params, query }) => files.read(query.f, params.id));
  });

  app.register(async (open) => {
    await hidden(open);
    await limitPublicCalls(open);
    takeForms(open);
    serve(open, publicReportEndpoints.showReportUnsubscribe, async ({ query, locale, reply }) =>
      sendLinkPage(reply, locale, productName(locale), await unsubscribing.page(query.f, locale)),
    );
    serve(open, publicReportEndpoints.unsubscribeReport, async ({ query, locale, reply }) =>
      sendLinkPage(reply, locale, productName(locale), await unsubscribing.confirm(query.f, locale)),
    );
  });

  // Reports have a limit of their own, which is checked before anything else.
  app.register(async (open) => {
    await hidden(open);
    await limitPublicCalls(open, { requests: REPORT_LIMITS.perAddress, windowMs: 10 * 60_000 });
    serve(open, publicReportEndpoints.sendReport, ({ body, request }) => sending.send(body, request.ip));
  });

  // A video has many parts.
  app.register(async (open) => {
    await hidden(open);
    await limitPublicCalls(open, { requests: PUBLIC_PARTS_A_MINUTE });
    takeParts(open);
    serve(open, publicReportEndpoints.sendReportPart, ({ params, query, request }) =>
      files.part(query.f, params.id, query.offset, request),
    );
  });

  serve(app, reportLinkEndpoints.readSiteReportLink, ({ params }) => links.read({ siteId: params.id }));
  serve(app, reportLinkEndpoints.renewSiteReportLink, ({ caller, params }) =>
    links.renew(caller, { siteId: params.id }),
  );
  serve(app, reportLinkEndpoints.readDeviceReportLink, ({ params }) => links.read({ deviceId: params.id }));
  serve(app, reportLinkEndpoints.renewDeviceReportLink, ({ caller, params }) =>
    links.renew(caller, { deviceId: params.id }),
  );
}
