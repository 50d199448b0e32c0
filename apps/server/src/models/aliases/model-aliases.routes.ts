import { deviceModelEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { ModelAliasesService } from './model-aliases.service.ts';

export function modelAliasesRoutes(app: FastifyInstance, aliases: ModelAliasesService): void {
  serve(app, deviceModelEndpoints.listModelAliases, ({ query }) => aliases.list(query));
  serve(app, deviceModelEndpoints.listUnmatchedNames, () => aliases.unmatched());
  serve(app, deviceModelEndpoints.createModelAlias, ({ caller, body }) => aliases.create(caller, body));
  serve(app, deviceModelEndpoints.updateModelAlias, ({ caller, params, body }) =>
    aliases.edit(caller, params.id, body),
  );
  serve(app, deviceModelEndpoints.deleteModelAlias, ({ caller, params }) => aliases.remove(caller, params.id));
}
