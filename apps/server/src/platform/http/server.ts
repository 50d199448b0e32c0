import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { type Endpoint, LOCALE_COOKIE, localeOf, type RowsPolicy, type SessionPolicy } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { MapOrigins } from '../config/map-origins.ts';
import { isLostState } from '../database/connections/connection-loss.ts';
import type { RequestsOnce } from '../requests/once.ts';
import { storageProblem } from '../storage-health.ts';
import { type TlsOptions, tlsServer } from '../tls/tls-server.ts';
import { workBegins } from '../work/stall-watch.ts';
import { type BodyTime, limitBodyTime } from './body/body-time.ts';
import { checkTexts, type SpecialFields, specialFields } from './body/input-texts.ts';
import { readJsonStrictly } from './body/json-body.ts';
import type { Caller } from './caller.ts';
import { COMPRESSION } from './compression.ts';
import { inlineScriptSources } from './console/console-files.ts';
import { PERMISSIONS_POLICY, withoutPageHeaders } from './page-headers.ts';
import type { Peers } from './peers.ts';
import type { PolicyRow, RowOf } from './policy-row.ts';
import { Problem } from './problem.ts';
import { serializerCompiler } from './serve/serialization.ts';
import { validatorCompiler } from './validation.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** all added routes, so that a test can compare them with the contract */
    servedRoutes: readonly { method: string; url: string; endpoint: Endpoint | undefined }[];
    /** the access check for requests, used again for long answers */
    guard: Guard;
    /** the policy for many rows, one by one */
    enforcer: Enforcer;
    /** requests that change something, each executed once */
    requests: RequestsOnce;
  }
  interface FastifyRequest {
    /** the rows in the request that its caller sees */
    policyRows: readonly PolicyRow[];
  }
}

/**
 * The maximum length of a JSON body, unless its endpoint has its own limit. Files are never uploaded this way (design
 * §7).
 */
const BODY_LIMIT_BYTES = 1024 * 1024;

/** Names a failed request in the response, and in the log as `reqId`. */
const REQUEST_ID_HEADER = 'x-request-id';

/** Executes every request. */
const EVERY_REQUEST: RequestsOnce = {
  once: async (_request, handler) => ({ data: await handler(), repeated: false }),
  unkeyed: (handler) => handler(),
};

/** Texts outside the contract must have one line. */
const NO_FIELDS: SpecialFields = { lines: new Set(), bytes: new Set(), verbatim: new Set() };

/**
 * Determines the user of a request and whether they may use the endpoint; throws a `Problem` when not. `watch` checks
 * again during a long answer: it does not count as activity of the user, and does not prolong their session.
 */
export type Guard = (
  request: FastifyRequest,
  endpoint: Endpoint,
  purpose?: 'request' | 'watch',
) => Promise<Caller | null>;

/** The validated inputs of a call. */
export interface Inputs {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

/** Enforces the part of an endpoint's policy that goes beyond its route. */
export interface Enforcer {
  /** The rows in the request. @throws {Problem} as the policy defines */
  enforce<const P extends SessionPolicy>(caller: Caller, policy: P, inputs: Inputs): Promise<readonly RowOf<P>[]>;
  /** Checks many rows with the policy for one. Returns the reasons for the refused ones. */
  enforceEach(caller: Caller, policy: RowsPolicy, ids: readonly number[]): Promise<ReadonlyMap<number, Problem>>;
}

export interface HttpOptions {
  log: FastifyBaseLogger;
  guard: Guard;
  enforcer: Enforcer;
  /** without it every request is executed, as for a server without a database */
  requests?: RequestsOnce;
  /** the operator's proxies; without them every request comes from its own address */
  peers?: Peers;
  /** users open the console over https://, whatever a request says */
  isPublicHttps?: boolean;
  version: string;
  https: TlsOptions | null;
  /** the origins besides its own where the console downloads and uploads files */
  objectOrigins?: string[];
  /** the origins of maps */
  mapOrigins?: MapOrigins;
  /** the minimum speed of bodies */
  bodyTime?: BodyTime | undefined;
  /** the known reason why the product cannot store anything, such as why the database is unavailable */
  storageProblems?: () => readonly Problem[];
}

/** A Fastify instance that implements the API contract: envelopes, languages, validation, access, documentation. */
export async function httpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { objectOrigins = [], mapOrigins = { images: [], connections: [] }, https } = options;
  const app: FastifyInstance = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    // One hop: the last entry of X-Forwarded-For is from the proxy; earlier ones are whatever the client sent.
    trustProxy: (address, hop) => hop === 0 && (options.peers?.isProxy(address) ?? false),
    bodyLimit: BODY_LIMIT_BYTES,
    routerOptions: { maxParamLength: 100 },
    genReqId: () => randomUUID(),
    forceCloseConnections: true,
    // Requests that the router itself refuses, such as one with an endless path segment, run no hook and are answered
    // here.
    frameworkErrors: (error, request, reply) => {
      const locale = localeOf(request.headers['accept-language']);
      void (reply as FastifyReply).code(404).send(toProblem(error, {}).envelope(locale));
    },
    ...(https ? { serverFactory: (handler: RequestListener) => tlsServer(https, handler) } : {}),
  });
  const servedRoutes: { method: string; url: string; endpoint: Endpoint | undefined }[] = [];
  app.decorate('servedRoutes', servedRoutes);
  app.decorate('guard', options.guard);
  app.decorate('enforcer', options.enforcer);
  app.decorate('requests', options.requests ?? EVERY_REQUEST);
  app.decorate('handlers', new Map());
  app.addHook('onRoute', ({ method, url, config }) => {
    for (const one of [method].flat()) servedRoutes.push({ method: one, url, endpoint: config?.endpoint });
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.decorateRequest('caller', null);
  app.decorateRequest('locale', 'en-US');
  app.decorateRequest('policyRows', null as never);
  await app.register(cookie);
  await app.register(compress, COMPRESSION);
  await app.register(helmet, {
    // Other services of the domain may not have TLS.
    hsts: options.https !== null || options.isPublicHttps ? { includeSubDomains: false } : false,
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...inlineScriptSources()],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...objectOrigins, ...mapOrigins.images],
        connectSrc: ["'self'", ...objectOrigins, ...mapOrigins.connections],
        workerSrc: ["'self'", 'blob:'],
        upgradeInsecureRequests: options.https ? [] : null,
      },
    },
  });
  app.addHook('onSend', async (request, reply) => {
    void reply.header('permissions-policy', PERMISSIONS_POLICY);
    if (request.routeOptions.config.endpoint?.answer) withoutPageHeaders(reply);
    // HTTP/2 has no such header; Fastify sets it after errors of a body.
    if (request.raw.httpVersionMajor === 2) void reply.removeHeader('connection');
  });
  await app.register(swagger, {
    openapi: { info: { title: 'Chargehand', version: options.version } },
    hideUntagged: true,
  });
  await app.register(swaggerUi, { routePrefix: '/api/docs' });
  app.get('/api/openapi.json', { schema: { hide: true }, compress: COMPRESSION }, async () => app.swagger());

  readJsonStrictly(app);
  limitBodyTime(app, options.bodyTime);
  app.addHook('onRequest', async (request, reply) => {
    workBegins('request', `${request.method} ${request.routeOptions.url ?? 'of an unknown path'}`);
    request.locale = localeOf(request.headers['accept-language'] ?? request.cookies[LOCALE_COOKIE]);
    if (request.method !== 'GET' && request.headers['sec-fetch-site'] === 'cross-site')
      throw new Problem('csrfMissing');
    const { endpoint } = request.routeOptions.config;
    // Answers are private to their user; an answer that may be cached sets its own header.
    if (endpoint) void reply.header('cache-control', 'no-store');
    if (endpoint) request.caller = await options.guard(request, endpoint);
  });
  app.addHook('preValidation', async (request) => {
    const { endpoint } = request.routeOptions.config;
    const fields = endpoint ? specialFields(endpoint) : NO_FIELDS;
    const inputs = [request.body, request.query, request.params];
    const found = inputs.map((input) => checkTexts(input, fields)).find((one) => one !== null);
    if (found) throw new Problem('fieldCharacters', { field: found.field, values: { character: found.character } });
  });
  app.addHook('preHandler', async (request) => {
    // Again, because its body has arrived since.
    workBegins('request', `${request.method} ${request.routeOptions.url ?? 'of an unknown path'}`);
    const { caller, params, query, body } = request;
    const policy = request.routeOptions.config.endpoint?.policy;
    if (!policy || policy.route === 'public') return;
    // The guard requires a session. If it ever did not, nothing would be served.
    if (!caller) throw new Problem('notSignedIn');
    request.policyRows = await options.enforcer.enforce(caller, policy, { params, query, body });
  });
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { bodyLimit, config } = request.routeOptions;
    const problem = toProblem(error, { bodyLimit, ...config.endpoint }, options.storageProblems?.());
    if (problem.status >= 500) {
      const { method, url, caller } = request;
      const path = url.split('?', 1)[0];
      // The user who acts: during an impersonation, the viewer.
      const user = (caller?.viewer ?? caller)?.userName ?? null;
      request.log.error({ err: error, method, path, user }, 'request failed');
      void reply.header(REQUEST_ID_HEADER, request.id);
    }
    void reply
      .code(problem.status)
      .serializer(JSON.stringify)
      .type('application/json; charset=utf-8')
      .send(problem.envelope(request.locale));
  });
  return app;
}

/** The answer to an error. An unexpected error is a 500 without its message. */
function toProblem(
  error: FastifyError,
  { bodyLimit = BODY_LIMIT_BYTES, fileLimit }: { bodyLimit?: number | undefined; fileLimit?: number },
  storageProblems: readonly Problem[] = [],
): Problem {
  if (error instanceof Problem) return error;
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      // The length in base64 says nothing to somebody who chose a file.
      if (fileLimit) return new Problem('importTooLarge', { status: 413, values: { limit: formatSize(fileLimit) } });
      return new Problem('bodyTooLarge', { status: 413, values: { limit: formatSize(bodyLimit) } });
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('badBody');
    case 'FST_ERR_NOT_FOUND':
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Problem('routeNotFound', { status: 404 });
    default:
      if (error.statusCode === 400) return new Problem('badBody');
      // A folder of the console's files, which is not a page.
      if (error.statusCode === 403) return new Problem('routeNotFound', { status: 404 });
      return unexpectedProblem(error, storageProblems);
  }
}

/** An internal error: of storage, which users can act on, or of the program. */
function unexpectedProblem(error: FastifyError, storageProblems: readonly Problem[]): Problem {
  const storage = storageProblem(error);
  if (storage) return storage;
  if (!isDatabaseAway(error)) return new Problem('internalError', { status: 500 });
  // When its disk is full, the database ends: the answer must contain that reason.
  const known = storageProblems.find(({ code }) => code === 'folderFull' || code === 'databaseFull');
  return known ? new Problem(known.code, { status: 503 }) : new Problem('databaseAway', { status: 500 });
}

/** Lost connections to the database, and refused or broken sockets. */
function isDatabaseAway(error: { code?: string; message: string; severity?: string }): boolean {
  return (
    isLostState(error) ||
    /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE)$/.test(error.code ?? '') ||
    /Connection terminated|is not queryable|timeout exceeded when trying to connect/.test(error.message)
  );
}
