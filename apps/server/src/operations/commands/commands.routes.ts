import { operationsEndpoints } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { serve } from '../../platform/http/serve/serve.ts';
import type { CommandsService } from './commands.service.ts';
import type { MessagesService } from './messages.service.ts';

/** Commands and executions over HTTP. */
export function commandsRoutes(app: FastifyInstance, service: CommandsService, messages: MessagesService): void {
  serve(app, operationsEndpoints.sendCommand, ({ caller, params, body }) => service.send(caller, params.id, body));
  serve(app, operationsEndpoints.listExecutions, ({ caller, params, query }) =>
    service.executions(caller, params.id, query),
  );
  serve(app, operationsEndpoints.readExecution, ({ caller, params }) =>
    service.execution(caller, params.id, params.executionId),
  );
  serve(app, operationsEndpoints.listControls, async ({ caller, params }) => ({
    items: await service.controls(caller, params.id),
  }));
  serve(app, operationsEndpoints.listMessages, ({ caller, params }) => messages.list(caller, params.id));
  serve(app, operationsEndpoints.readMessage, ({ caller, params }) => messages.read(caller, params.id, params.action));
  serve(app, operationsEndpoints.checkMessage, ({ caller, params, body }) => messages.check(caller, params.id, body));
  serve(app, operationsEndpoints.cancelExecution, ({ caller, params }) => service.cancel(caller, params.executionId));
}
