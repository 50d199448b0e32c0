import { explainEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { ExplainService } from './explain.service.ts';

/** What a user may do, and why. */
export function explainRoutes(app: FastifyInstance, explain: ExplainService): void {
  serve(app, explainEndpoints.readAbilities, ({ caller, params }) => explain.abilities(caller, params.id));
  serve(app, explainEndpoints.explainAccess, ({ caller, params, query }) => explain.explain(caller, params.id, query));
  serve(app, explainEndpoints.listExplainable, () => explain.choices());
}
