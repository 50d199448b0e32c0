import { systemParameterEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { BrandingService } from './branding.ts';
import type { ParametersService } from './parameters.service.ts';

/** The parameters of the installation, for root accounts only, and its branding for everybody. */
export function parametersRoutes(app: FastifyInstance, parameters: ParametersService, branding: BrandingService): void {
  const endpoints = systemParameterEndpoints;
  serve(app, endpoints.listSystemParameters, () => parameters.list());
  serve(app, endpoints.setSystemParameter, ({ caller, params, body }) => parameters.set(caller, params.key, body));
  serve(app, endpoints.previewSystemParameter, ({ caller, params, query }) =>
    parameters.preview(caller, params.key, query.value),
  );
  serve(app, endpoints.listSystemParameterChanges, ({ query }) => parameters.changes(query.before));
  serve(app, endpoints.undoSystemParameterChange, ({ caller, params }) => parameters.undo(caller, params.id));
  serve(app, endpoints.listEnvironmentSettings, async ({ locale }) => parameters.environment(locale));
  serve(app, endpoints.readBranding, async () => branding.read());
  serve(app, endpoints.readBrandingLogo, async ({ params, reply }) => {
    const { bytes, type } = await branding.logo(params.name);
    // The name is made from the content.
    void reply.header('cache-control', 'public, max-age=31536000, immutable');
    return reply.type(type).send(bytes);
  });
}
