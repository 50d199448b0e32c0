import { privacyEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import { serveWorkbook } from '../../platform/http/serve/serve-workbook.ts';
import type { PrivacyService } from './privacy.service.ts';

/** Versions of the privacy policy and who accepted them. */
export function privacyRoutes(app: FastifyInstance, privacy: PrivacyService): void {
  serve(app, privacyEndpoints.listPolicies, ({ caller, query }) => privacy.list(caller, query));
  serve(app, privacyEndpoints.readPolicy, ({ caller, params }) => privacy.read(caller, params.id));
  serve(app, privacyEndpoints.readPolicyDraft, ({ caller }) => privacy.draft(caller));
  serve(app, privacyEndpoints.savePolicyDraft, ({ caller, body }) => privacy.saveDraft(caller, body));
  serve(app, privacyEndpoints.publishPolicy, ({ caller, body }) => privacy.publish(caller, body));
  serve(app, privacyEndpoints.listAcceptances, ({ caller, query }) => privacy.acceptances(caller, query));
  serveWorkbook(app, privacyEndpoints.exportAcceptances, ({ caller, query, locale }) =>
    privacy.acceptanceWorkbook(caller, locale, query),
  );
}
