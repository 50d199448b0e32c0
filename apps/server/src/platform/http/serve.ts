import type { AnswerOf, BodyOf, Endpoint, Locale, ParamsOf, QueryOf } from '@chargehand/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Caller } from '../../ports/caller.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    caller: Caller | null;
    locale: Locale;
  }
}

/** What a handler is given: inputs already valid, the caller already admitted to the route. */
export interface Call<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** null only on public routes */
  caller: E['access'] extends 'public' ? Caller | null : Caller;
  locale: Locale;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Serves an endpoint of the contract: its schemas validate the request and shape the answer, its access rule is enforced
 * by the guard before the body is even validated. The handler returns the `data` of the envelope; for endpoints that
 * answer a file or a stream it writes to `reply` itself.
 */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Promise<AnswerOf<E>>,
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    schema: {
      operationId: endpoint.id,
      summary: endpoint.summary,
      tags: [endpoint.id.split('.')[0] ?? endpoint.id],
      ...(endpoint.params ? { params: endpoint.params } : {}),
      ...(endpoint.query ? { querystring: endpoint.query } : {}),
      ...(endpoint.body ? { body: endpoint.body } : {}),
      ...(endpoint.answer ? { response: { 200: envelopeOf(endpoint.answer) } } : {}),
    },
    handler: async (request, reply) => {
      const call = {
        params: request.params,
        query: request.query,
        body: request.body,
        caller: request.caller,
        locale: request.locale,
        request,
        reply,
      } as Call<E>;
      const data = await handler(call);
      if (endpoint.answer === null) return reply;
      return { code: 0, message: '', data };
    },
  });
}

/** The envelope around an answer. Errors leave `data` null and are written past this schema. */
function envelopeOf(answer: TSchema): TSchema {
  return Type.Object({ code: Type.Integer(), message: Type.String(), data: answer });
}
