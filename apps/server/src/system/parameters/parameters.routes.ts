import { systemParameterEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { ParametersService } from './parameters.service.ts';

/** The parameters of the installation, for root accounts only. */
export function parametersRoutes(app: FastifyInstance, parameters: ParametersService): void {
  const endpoints = systemParameterEndpoints;
  serve(app, endpoints.listSystemParameters, () => parameters.list());
  serve(app, endpoints.setSystemParameter, ({ caller, params, body }) => parameters.set(caller, params.key, body));
  serve(app, endpoints.previewSystemParameter, ({ caller, params, query }) =>
    parameters.preview(caller, params.key, query.value),
  );
  serve(app, endpoints.listSystemParameterChanges, ({ query }) => parameters.changes(query.before));
  serve(app, endpoints.undoSystemParameterChange, ({ caller, params }) => parameters.undo(caller, params.id));
  serve(app, endpoints.listEnvironmentSettings, async ({ locale }) => parameters.environment(locale));
}
