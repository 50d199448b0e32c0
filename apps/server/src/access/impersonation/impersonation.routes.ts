import { viewingEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { ViewingService } from './impersonation.service.ts';

/** Seeing the console as another user. */
export function viewingRoutes(app: FastifyInstance, viewing: ViewingService): void {
  serve(app, viewingEndpoints.startViewing, ({ caller, params }) => viewing.start(caller, params.id));
  serve(app, viewingEndpoints.stopViewing, async ({ caller }) => {
    await viewing.stop(caller);
    return null;
  });
}
