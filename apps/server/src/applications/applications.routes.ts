import { applicationEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../platform/http/serve/serve.ts';
import type { ApplicationsService } from './applications.service.ts';
import type { ApplicationExplanations } from './explanations.service.ts';

/** The management of applications. */
export function applicationsRoutes(
  app: FastifyInstance,
  applications: ApplicationsService,
  explanations: ApplicationExplanations,
): void {
  const endpoints = applicationEndpoints;
  serve(app, endpoints.listApplications, ({ caller, query }) => applications.list(caller, query));
  serve(app, endpoints.readApplication, ({ params }) => applications.read(params.id));
  serve(app, endpoints.readApplicationUsage, ({ params }) => applications.usage(params.id));
  serve(app, endpoints.explainApplication, ({ caller, params, query }) =>
    explanations.explain(caller, params.id, query),
  );
  serve(app, endpoints.createApplication, ({ caller, body, rows }) =>
    applications.create(caller, rows[0]?.customerId ?? null, body),
  );
  serve(app, endpoints.updateApplication, ({ caller, params, body }) => applications.update(caller, params.id, body));
  serve(app, endpoints.enableApplication, ({ caller, params }) => applications.enable(caller, params.id));
  serve(app, endpoints.disableApplication, ({ caller, params }) => applications.disable(caller, params.id));
  serve(app, endpoints.deleteApplication, ({ caller, params }) => applications.remove(caller, params.id));
  serve(app, endpoints.rotateApplicationSecret, ({ caller, params }) => applications.rotate(caller, params.id));
  serve(app, endpoints.removeApplicationSecret, ({ caller, params }) =>
    applications.removeSecret(caller, params.id, params.secretId),
  );
}
