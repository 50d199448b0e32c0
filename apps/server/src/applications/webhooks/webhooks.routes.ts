import { applicationWebhookEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { ApplicationWebhooks } from './webhooks.service.ts';

/** The webhooks of applications. */
export function webhooksRoutes(app: FastifyInstance, webhooks: ApplicationWebhooks): void {
  const endpoints = applicationWebhookEndpoints;
  serve(app, endpoints.listApplicationWebhooks, ({ params }) => webhooks.list(params.id));
  serve(app, endpoints.createApplicationWebhook, ({ caller, params, body }) =>
    webhooks.create(caller, params.id, body),
  );
  serve(app, endpoints.updateApplicationWebhook, ({ caller, params, body }) => webhooks.update(caller, params, body));
  serve(app, endpoints.deleteApplicationWebhook, ({ caller, params }) => webhooks.remove(caller, params));
  serve(app, endpoints.rotateApplicationWebhookSecret, ({ caller, params }) => webhooks.rotate(caller, params));
  serve(app, endpoints.testApplicationWebhook, ({ caller, params }) => webhooks.test(caller, params));
  serve(app, endpoints.listWebhookDeliveries, ({ params, query }) => webhooks.deliveries(params, query));
  serve(app, endpoints.replayWebhookDeliveries, ({ caller, params, body }) => webhooks.replay(caller, params, body));
}
