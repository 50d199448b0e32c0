import { deviceModelEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { ModelAliasesService } from './model-aliases.service.ts';

export function modelAliasesRoutes(app: FastifyInstance, aliases: ModelAliasesService): void {
  serve(app, deviceModelEndpoints.listModelAliases, ({ query }) => aliases.list(query));
  serve(app, deviceModelEndpoints.listUnmatchedNames, () => aliases.unmatched());
  serve(app, deviceModelEndpoints.createModelAlias, ({ caller, body }) => aliases.create(caller, body));
  serve(app, deviceModelEndpoints.updateModelAlias, async ({ caller, params, body }) => {
    await aliases.edit(caller, params.id, body);
    return null;
  });
  serve(app, deviceModelEndpoints.deleteModelAlias, async ({ caller, params }) => {
    await aliases.remove(caller, params.id);
    return null;
  });
}
