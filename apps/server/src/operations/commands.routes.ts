import { operationsEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../platform/http/serve.ts';
import type { CommandsService } from './commands.service.ts';

/** Commands, executions and parameters over HTTP. */
export function commandsRoutes(app: FastifyInstance, service: CommandsService): void {
  serve(app, operationsEndpoints.sendCommand, ({ caller, params, body }) => service.send(caller, params.id, body));
  serve(app, operationsEndpoints.listExecutions, ({ caller, params, query }) =>
    service.executions(caller, params.id, query),
  );
  serve(app, operationsEndpoints.listParameters, async ({ caller, params }) => ({
    items: await service.parameters(caller, params.id),
  }));
}
