import { impersonationEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { ImpersonationService } from './impersonation.service.ts';

/** Viewing the console as another user. */
export function impersonationRoutes(app: FastifyInstance, impersonation: ImpersonationService): void {
  serve(app, impersonationEndpoints.startImpersonation, ({ caller, params }) => impersonation.start(caller, params.id));
  serve(app, impersonationEndpoints.stopImpersonation, ({ caller }) => impersonation.stop(caller));
}
