import { linkEndpoints, TOKEN_COOKIE } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { asDownload } from '../platform/http/serve/as-download.ts';
import { attachment } from '../platform/http/serve/attachment.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { whilePermitted } from '../platform/http/serve/while-permitted.ts';
import type { LinksService } from './links.service.ts';

/** Links to devices, and the rules of customers for them. */
export function linksRoutes(app: FastifyInstance, links: LinksService): void {
  serve(app, linkEndpoints.requestLink, ({ caller, params, body }) => links.request(caller, params.id, body));
  serve(app, linkEndpoints.readLinkOptions, ({ caller, params }) => links.options(caller, params.id));
  serve(app, linkEndpoints.listLinks, ({ caller, query }) => links.list(caller, query));
  serve(app, linkEndpoints.readLink, ({ caller, params }) => links.read(caller, params.id));
  serve(app, linkEndpoints.approveLink, ({ caller, params }) => links.approve(caller, params.id));
  serve(app, linkEndpoints.restartLink, ({ caller, body }) => links.restart(caller, body.id));
  serve(app, linkEndpoints.destroyLink, ({ caller, params }) => links.destroy(caller, params.id));
  serve(app, linkEndpoints.openTerminal, ({ caller, params, body, request }) =>
    links.openTerminal(caller, request.cookies[TOKEN_COOKIE] ?? '', params.id, body),
  );
  serve(app, linkEndpoints.openPages, ({ caller, params, request }) =>
    links.openPages(caller, new URL(`${request.protocol}://${request.host}`), params.id),
  );
  serve(app, linkEndpoints.listLinkActivity, ({ params, query }) => links.activity(params.id, query));
  serve(app, linkEndpoints.exportLinkActivity, ({ caller, params, query, request, reply }) =>
    asDownload(async () => {
      const { name, type, parts } = await links.activityFile(caller, params.id, query);
      attachment(reply, name, type);
      void reply.send(whilePermitted(request, parts));
    }),
  );
  serve(app, linkEndpoints.listRecordings, ({ params }) => links.recordings(params.id));
  for (const [endpoint, content] of [
    [linkEndpoints.readRecording, 'output'],
    [linkEndpoints.readRecordedInput, 'input'],
  ] as const) {
    serve(app, endpoint, ({ caller, params, request, reply }) =>
      asDownload(async () => {
        const { name, lines } = await links.recording(caller, params.id, params.recordingId, content);
        attachment(reply, name, 'application/x-asciicast');
        void reply.send(whilePermitted(request, lines));
      }),
    );
  }
  serve(app, linkEndpoints.readLinkPolicy, ({ params }) => links.policy(params.id));
  serve(app, linkEndpoints.setLinkPolicy, ({ caller, params, body }) => links.setPolicy(caller, params.id, body));
}
