import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import {
  type AnswerOf,
  type BodyOf,
  type Effect,
  type Endpoint,
  IDEMPOTENCY_HEADER,
  type Locale,
  type ParamsOf,
  type QueryOf,
  type ResultOf,
} from '@chargehand/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Caller } from '../caller.ts';
import { COMPRESSION } from '../compression.ts';
import type { RowOf } from '../policy-row.ts';
import { hasTag } from './etag.ts';
import { requestKey } from './request-key.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyInstance {
    /** the handlers of the served endpoints by ID, for other protocols that offer the same */
    handlers: Map<string, (call: never) => Promise<unknown>>;
  }
  interface FastifyRequest {
    caller: Caller | null;
    locale: Locale;
  }
}

/** The input of a handler: validated, from a caller who may use the route. */
export interface Call<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** null only on public routes */
  caller: E['policy']['route'] extends 'public' ? Caller | null : Caller;
  /** the row that the policy names, if it names exactly one */
  row: SingleRowOf<E['policy']>;
  /** all rows that the policy names, each once */
  rows: readonly RowOf<E['policy']>[];
  locale: Locale;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The row for policies that name exactly one. */
type SingleRowOf<P> = P extends { row: { from: `params.${string}` } } ? RowOf<P> : undefined;

/** What a handler returns; nothing, if the answer of its endpoint is null. */
type Answer<E extends Endpoint> = Promise<ResultOf<E>> | (AnswerOf<E> extends null ? Promise<void> : never);

/**
 * Serves an endpoint of the contract. Its schemas validate the request and define the answer. The guard enforces its
 * route before the body is validated, and the rest of its policy before the handler runs. The handler returns the
 * `data` of the envelope. For endpoints that answer with a file or a stream it writes to `reply` itself.
 */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (call: Call<E>) => Answer<E>,
): void {
  const answer = async (call: Call<E>) => (await handler(call)) ?? null;
  app.handlers.set(endpoint.id, answer as (call: never) => Promise<unknown>);
  app.route({
    ...routeOf(endpoint),
    ...(endpoint.answer === null ? {} : { compress: COMPRESSION }),
    handler: async (request, reply) => {
      const call = {
        params: request.params,
        query: request.query,
        body: request.body,
        caller: request.caller,
        row: request.policyRows?.[0],
        rows: request.policyRows ?? [],
        locale: request.locale,
        request,
        reply,
      } as Call<E>;
      const data = await once(endpoint, call as Call<Endpoint>, () => answer(call));
      if (endpoint.answer === null) return reply;
      return { code: 0, message: '', data };
    },
  });
}

/** Changes whose repetition could do harm. Signing in or out twice does not, and its answer sets cookies. */
const ONCE: ReadonlySet<Effect> = new Set(['create', 'update', 'delete', 'control']);

/** Runs a handler, at most once for each key of its caller. */
async function once(endpoint: Endpoint, call: Call<Endpoint>, handler: () => Promise<unknown>): Promise<unknown> {
  const { request, reply, caller } = call;
  if (endpoint.method === 'GET') return await handler();
  const { requests } = request.server;
  // The open API has its own rule: a repeated request reads its command or issue again.
  const key = request.headers[IDEMPOTENCY_HEADER];
  const isKeyed = caller && ONCE.has(endpoint.effect) && endpoint.answer !== null && key !== undefined;
  if (!isKeyed || caller.application) return await requests.unkeyed(handler);
  const answer = await requests.once(
    {
      caller: { userId: caller.userId, applicationId: null },
      ...{ key: requestKey(key), endpointId: endpoint.id },
      inputs: [call.params, call.query, call.body],
    },
    handler,
  );
  if (answer.repeated) void reply.header('idempotency-replayed', 'true');
  return answer.data;
}

/**
 * Calls an endpoint from within the server, for a caller whose route was decided. Its policy decides about rows and
 * levels, as for a request.
 * @param inputs complete and valid: defaults of the schemas are not added
 */
export async function callEndpoint<E extends Endpoint & { answer: TSchema }>(
  endpoint: E,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
  inputs: { params?: ParamsOf<E>; query?: QueryOf<E>; body?: BodyOf<E> },
): Promise<ResultOf<E>> {
  const { handlers, enforcer } = request.server;
  const handler = handlers.get(endpoint.id) as ((call: unknown) => Promise<ResultOf<E>>) | undefined;
  if (!handler || endpoint.policy.route === 'public') throw new Error(`${endpoint.id} cannot be called`);
  const rows = await enforcer.enforce(caller, endpoint.policy, inputs);
  const { locale } = request;
  return await handler({
    params: {},
    query: {},
    body: {},
    ...inputs,
    caller,
    row: rows[0],
    rows,
    locale,
    request,
    reply,
  });
}

/**
 * Serves an endpoint with the same answer for everyone. `answer` returns the same object until it changes: only then is it
 * serialized and compressed again. It has an entity tag (RFC 9110 §8.8.3), so that a browser does not fetch it again.
 */
export function serveFixed<E extends Endpoint>(app: FastifyInstance, endpoint: E, answer: () => AnswerOf<E>): void {
  let made: Promise<{ tag: string; plain: Buffer; compressed: Buffer }> | undefined;
  let madeOf: AnswerOf<E> | undefined;
  const make = async (data: AnswerOf<E>) => {
    const plain = Buffer.from(JSON.stringify({ code: 0, message: '', data }));
    const compressed = await promisify(gzip)(plain, { level: 9 });
    return { tag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`, plain, compressed };
  };
  app.route({
    ...routeOf(endpoint),
    handler: async (request, reply) => {
      const data = answer();
      if (made === undefined || madeOf !== data) made = make(data);
      madeOf = data;
      const { tag, plain, compressed } = await made;
      void reply.header('etag', tag).header('cache-control', 'private, no-cache').header('vary', 'accept-encoding');
      if (hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send();
      void reply.type('application/json; charset=utf-8');
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(plain);
      return reply.header('content-encoding', 'gzip').send(compressed);
    },
  });
}

function routeOf(endpoint: Endpoint) {
  return {
    method: endpoint.method,
    url: endpoint.path,
    config: { endpoint },
    ...(endpoint.bodyLimit === undefined ? {} : { bodyLimit: endpoint.bodyLimit }),
    schema: {
      operationId: endpoint.id,
      summary: endpoint.summary,
      tags: [endpoint.id.split('.')[0] ?? endpoint.id],
      'x-policy': endpoint.policy,
      ...(endpoint.params ? { params: endpoint.params } : {}),
      ...(endpoint.query ? { querystring: endpoint.query } : {}),
      ...(endpoint.body ? { body: endpoint.body } : {}),
      ...(endpoint.answer ? { response: { 200: envelopeOf(endpoint.answer) } } : {}),
    },
  };
}

/** The envelopes around the answers of the contract. One serializer is compiled for each. */
const envelopes = new WeakMap<TSchema, TSchema>();

/** The envelope around an answer. For errors `data` is null and is written without this schema. */
function envelopeOf(answer: TSchema): TSchema {
  const known = envelopes.get(answer);
  if (known) return known;
  const envelope = Type.Object({ code: Type.Integer(), message: Type.String(), data: answer });
  envelopes.set(answer, envelope);
  return envelope;
}
