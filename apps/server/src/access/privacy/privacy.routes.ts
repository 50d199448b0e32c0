import { privacyEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import { serveWorkbook } from '../../platform/http/serve/serve-workbook.ts';
import type { PrivacyService } from './privacy.service.ts';

/** Versions of the privacy policy and their acceptances. */
export function privacyRoutes(app: FastifyInstance, privacy: PrivacyService): void {
  serve(app, privacyEndpoints.listPolicies, ({ query }) => privacy.list(query));
  serve(app, privacyEndpoints.readPolicy, ({ params }) => privacy.read(params.id));
  serve(app, privacyEndpoints.readPolicyDraft, () => privacy.draft());
  serve(app, privacyEndpoints.savePolicyDraft, ({ caller, body }) => privacy.saveDraft(caller, body));
  serve(app, privacyEndpoints.publishPolicy, ({ caller, body }) => privacy.publish(caller, body));
  serve(app, privacyEndpoints.listAcceptances, ({ query }) => privacy.acceptances(query));
  serveWorkbook(app, privacyEndpoints.exportAcceptances, ({ query, locale }) =>
    privacy.acceptanceWorkbook(locale, query),
  );
}
