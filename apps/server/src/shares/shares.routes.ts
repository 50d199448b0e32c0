import { shareEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../platform/http/serve/serve.ts';
import type { SharesService } from './shares.service.ts';

/** Shares and upload requests, for the users who create them. */
export function sharesRoutes(app: FastifyInstance, shares: SharesService): void {
  serve(app, shareEndpoints.shareFile, ({ caller, params, row, body }) =>
    shares.create(caller, 'download', { attachmentId: params.id }, row.customerId, body),
  );
  serve(app, shareEndpoints.shareFolder, ({ caller, params, row, body }) =>
    shares.create(caller, 'download', { folderId: params.id }, row.customerId, body),
  );
  serve(app, shareEndpoints.requestUploads, ({ caller, params, row, body }) =>
    shares.create(caller, 'upload', { folderId: params.id }, row.customerId, body),
  );
  serve(app, shareEndpoints.shareIssue, ({ caller, params, row, body }) =>
    shares.create(caller, 'issue', { issueId: params.id }, row.customerId, body),
  );
  serve(app, shareEndpoints.listShares, ({ caller, query }) => shares.list(caller, query));
  serve(app, shareEndpoints.readShare, ({ caller, params }) => shares.read(caller, params.id));
  serve(app, shareEndpoints.listShareUses, ({ params, query }) => shares.uses(params.id, query.before));
  serve(app, shareEndpoints.updateShare, ({ caller, params, body }) => shares.update(caller, params.id, body));
  serve(app, shareEndpoints.unlockShare, ({ caller, params }) => shares.unlock(caller, params.id));
  serve(app, shareEndpoints.destroyShare, ({ caller, params }) => shares.destroy(caller, params.id));
}
