import { parameterEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { BaselinesService } from './baselines.service.ts';
import type { ParametersService } from './parameters.service.ts';

/** Parameters, their history, their differences and baselines over HTTP. */
export function parametersRoutes(
  app: FastifyInstance,
  { parameters, baselines }: { parameters: ParametersService; baselines: BaselinesService },
): void {
  serve(app, parameterEndpoints.listParameters, async ({ caller, params }) => ({
    items: await parameters.list(caller, params.id),
  }));
  serve(app, parameterEndpoints.setParameters, async ({ caller, params, body }) => ({
    results: await parameters.set(caller, params.id, body),
  }));
  serve(app, parameterEndpoints.listParameterHistory, ({ caller, params, query }) =>
    parameters.history(caller, params.id, query),
  );
  serve(app, parameterEndpoints.compareParameters, async ({ caller, params, query }) => ({
    items: await parameters.compare(caller, params.id, query),
  }));
  serve(app, parameterEndpoints.listParameterBaselines, ({ caller, params, query }) =>
    baselines.list(caller, params.id, query),
  );
  serve(app, parameterEndpoints.createParameterBaseline, ({ caller, params, body }) =>
    baselines.create(caller, params.id, body.name),
  );
  serve(app, parameterEndpoints.renameParameterBaseline, ({ caller, params, body }) =>
    baselines.rename(caller, params.id, body.name),
  );
  serve(app, parameterEndpoints.deleteParameterBaseline, ({ caller, params }) => baselines.remove(caller, params.id));
}
