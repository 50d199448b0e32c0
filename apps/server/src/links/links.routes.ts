import { linkEndpoints, TOKEN_COOKIE } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { asDownload } from '../platform/http/serve/as-download.ts';
import { attachment } from '../platform/http/serve/attachment.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { whilePermitted } from '../platform/http/serve/while-permitted.ts';
import type { ActivityService } from './activity/activity.service.ts';
import type { LinksService } from './links.service.ts';
import type { PoliciesService } from './policies/policies.service.ts';
import type { OpeningService } from './requests/opening.service.ts';
import type { RequestsService } from './requests/requests.service.ts';

/** Links to devices, and the rules of customers for them. */
export function linksRoutes(
  app: FastifyInstance,
  services: {
    links: LinksService;
    requests: RequestsService;
    opening: OpeningService;
    activity: ActivityService;
    policies: PoliciesService;
  },
): void {
  const { links, requests, opening, activity, policies } = services;
  serve(app, linkEndpoints.requestLink, ({ caller, params, body }) => requests.request(caller, params.id, body));
  serve(app, linkEndpoints.readLinkOptions, ({ caller, params }) => requests.options(caller, params.id));
  serve(app, linkEndpoints.listLinks, ({ caller, query }) => links.list(caller, query));
  serve(app, linkEndpoints.readLink, ({ caller, params }) => links.read(caller, params.id));
  serve(app, linkEndpoints.approveLink, ({ caller, params }) => requests.approve(caller, params.id));
  serve(app, linkEndpoints.restartLink, ({ caller, body }) => requests.restart(caller, body.id));
  serve(app, linkEndpoints.destroyLink, ({ caller, params }) => requests.destroy(caller, params.id));
  serve(app, linkEndpoints.openTerminal, ({ caller, params, body, request }) =>
    opening.openTerminal(caller, request.cookies[TOKEN_COOKIE] ?? '', params.id, body),
  );
  serve(app, linkEndpoints.openPages, ({ caller, params, request }) =>
    opening.openPages(caller, new URL(`${request.protocol}://${request.host}`), params.id),
  );
  serve(app, linkEndpoints.listLinkActivity, ({ params, query }) => activity.list(params.id, query));
  serve(app, linkEndpoints.exportLinkActivity, ({ caller, params, query, request, reply }) =>
    asDownload(async () => {
      const { name, type, parts } = await activity.file(caller, params.id, query);
      attachment(reply, name, type);
      void reply.send(whilePermitted(request, parts));
    }),
  );
  serve(app, linkEndpoints.readLinkPolicy, ({ params }) => policies.read(params.id));
  serve(app, linkEndpoints.setLinkPolicy, ({ caller, params, body }) => policies.set(caller, params.id, body));
}
