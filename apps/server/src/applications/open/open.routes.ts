import { createHash, timingSafeEqual } from 'node:crypto';
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { Transform } from 'node:stream';
import {
  alarmEndpoints,
  attachmentEndpoints,
  type BodyOf,
  type ExecutionRow,
  IDEMPOTENCY_HEADER,
  issueEndpoints,
  OPEN_ENDPOINTS,
  OPEN_EVENT_TYPES,
  OPEN_ROOT,
  type OpenEndpoint,
  OpenToken,
  openApiDocument,
  operationsEndpoints,
  type ParamsOf,
  type QueryOf,
  TOKEN_PATH,
  telemetryEndpoints,
  type WithDates,
} from '@chargehand/contract';
import { executionResultOf, maskedToken, modelNames, sameParameterKey } from '@chargehand/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import { type TSchema, Type } from 'typebox';
import { listFilesAfter } from '../../attachments/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { requestKey } from '../../platform/http/serve/request-key.ts';
import { callEndpoint } from '../../platform/http/serve/serve.ts';
import type { EventStreams } from '../events/event-streams.ts';
import type { Authenticated, Calling } from '../requests/calling.ts';
import { isAllowedFrom } from '../requests/usable.ts';
import type { Usage } from '../requests/usage.ts';
import {
  type OpenDeviceRecord,
  type OpenIssueRecord,
  openCustomers,
  openDevices,
  openIssues,
  openSites,
} from './open.store.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    open?: OpenEndpoint;
  }
  interface FastifyRequest {
    /** the application that sent a request of the open API */
    authenticated: Authenticated | null;
  }
}

/** A call of an operation, from an application and a user who may use it. */
interface OpenCall<E extends OpenEndpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  caller: Caller;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The open API: other software does what its user can do on the screen. Errors have HTTP statuses. */
export async function openRoutes(
  app: FastifyInstance,
  parts: { db: Kysely<Database>; calls: Calling; usage: Usage; version: string; streams: EventStreams },
): Promise<void> {
  const { db, calls, usage, version, streams } = parts;
  const document = openApiDocument(version);
  app.get(`${OPEN_ROOT}/openapi.json`, { schema: { hide: true } }, async () => document);
  await app.register(async (open) => {
    open.decorateRequest('authenticated', null);
    open.addHook('onRequest', async (request, reply) => {
      void reply.header('cache-control', 'no-store');
      if (request.headers['content-encoding'] !== undefined) throw new Problem('badBody', { status: 415 });
      request.authenticated = await calls.authenticate(request);
      await calls.requireUsable(request.authenticated.application, request.ip);
      const { open: operation } = request.routeOptions.config;
      if (operation) request.caller = await calls.callerOf(request.authenticated.application, request, operation);
    });
    // The signature covers the digest of the body; the body must have this digest.
    open.addHook('preParsing', async (request, _reply, payload) => {
      const expected = request.authenticated?.digest;
      if (!expected) return payload;
      const hash = createHash('sha256');
      return payload.pipe(
        new Transform({
          transform(chunk, _encoding, done) {
            hash.update(chunk);
            done(null, chunk);
          },
          flush(done) {
            done(timingSafeEqual(hash.digest(), expected) ? null : new Problem('signatureBody', { status: 401 }));
          },
        }),
      );
    });
    open.addHook('onResponse', async ({ authenticated }, { statusCode }) => {
      if (authenticated) usage.count(authenticated.application.id, statusCode >= 400);
    });
    open.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof Problem) || error.status !== 200) {
        if (error instanceof Problem && error.status === 429)
          void reply.header('retry-after', error.values.seconds ?? 60);
        throw error;
      }
      const [code, details] = error.parts;
      throw new Problem(code, { ...details, status: STATUSES[code] ?? 400 });
    });

    function operation<E extends OpenEndpoint>(endpoint: E, run: (call: OpenCall<E>) => Promise<unknown>): void {
      open.route({
        method: endpoint.method,
        url: endpoint.path,
        config: { open: endpoint },
        schema: {
          operationId: endpoint.id,
          summary: endpoint.summary,
          ...(endpoint.params ? { params: endpoint.params } : {}),
          ...(endpoint.query ? { querystring: endpoint.query } : {}),
          ...(endpoint.body ? { body: endpoint.body } : {}),
          response: { 200: answered(endpoint.answer) },
        },
        handler: async (request, reply) => {
          const { caller, params, query, body } = request;
          // The hook above sets it. If it ever did not, nothing would be served.
          if (!caller) throw new Problem('noPermission');
          return { data: await run({ params, query, body, caller, request, reply } as OpenCall<E>) };
        },
      });
    }

    const E = OPEN_ENDPOINTS;
    operation(E.listCustomers, async ({ caller, query }) =>
      page(query, await openCustomers(caller.scope, db, part(query))),
    );
    operation(E.listSites, async ({ caller, query }) =>
      page(query, await openSites(caller.scope, db, query, part(query))),
    );
    operation(E.listDevices, async ({ caller, query, request }) => {
      const rows = await openDevices(caller.scope, db, query, part(query));
      return page(
        query,
        rows.map((row) => deviceOf(row, request)),
      );
    });
    operation(E.readDevice, async ({ caller, params, request }) => {
      const [row] = await openDevices(caller.scope, db, { id: params.id }, { after: 0, limit: 1 });
      if (!row) throw notFound('device');
      return deviceOf(row, request);
    });
    operation(E.readReadings, async ({ caller, params, request, reply }) => {
      const { connectors } = await callEndpoint(telemetryEndpoints.readRuntime, caller, request, reply, { params });
      return {
        items: connectors.map(({ connector, status, since, transaction, readings }) => ({
          ...{ connector, status, since, transactionId: transaction?.id ?? null },
          readings: readings.map(({ key, value, text, unit, at }) => ({ key, value: value ?? text, unit, at })),
        })),
      };
    });
    operation(E.readChart, async ({ caller, params, query, request, reply }) => {
      const answer = await callEndpoint(telemetryEndpoints.readSeries, caller, request, reply, { params, query });
      return {
        items: answer.series.map(({ connector, key, unit, step, at, value }) => ({
          connector,
          key,
          unit,
          step,
          at,
          value,
        })),
      };
    });
    operation(E.listAlarms, async ({ caller, query, request, reply }) => {
      const { cursor, active, ...filters } = query;
      const { items, next } = await callEndpoint(alarmEndpoints.listAlarms, caller, request, reply, {
        query: {
          ...filters,
          ...(cursor === undefined ? {} : { after: cursor }),
          ...(active === undefined ? {} : { state: active ? 'open' : 'cleared' }),
        } as QueryOf<typeof alarmEndpoints.listAlarms>,
      });
      return {
        items: items.map(({ id, deviceId, siteId, code, nameEn, nameZh, level, connector, ...times }) => ({
          ...{ id, deviceId, siteId, code, nameEn, nameZh, level, connector, raisedAt: times.raisedAt },
          ...{ clearedAt: times.clearedAt, acknowledgedAt: times.acknowledgedAt },
        })),
        next,
      };
    });
    operation(E.listIncidents, async ({ caller, query, request, reply }) => {
      const { items } = await callEndpoint(alarmEndpoints.listIncidents, caller, request, reply, {
        query: { ...query, limit: 50 },
      });
      return {
        items: items.map(({ alarmId, siteId, code, nameEn, nameZh, level, since, alarms, deviceCount, ...rest }) => ({
          ...{ alarmId, siteId, code, nameEn, nameZh, level, since, alarms, deviceCount },
          ...{ acknowledgedBy: rest.acknowledgedBy, issueId: rest.issue?.id ?? null },
        })),
      };
    });
    operation(E.sendCommand, async ({ caller, params, body, request, reply }) => {
      const row = await callEndpoint(operationsEndpoints.sendCommand, caller, request, reply, {
        params,
        body: { ...body, ...requestKeyOf(request) },
      });
      // Otherwise the result of an earlier command would be taken for that of this one, which is never sent.
      if (!isSameCommand(row, body)) throw new Problem('idempotencyKeyUsed', { status: 409, field: 'Idempotency-Key' });
      return executionOf(params.id, row);
    });
    operation(E.readCommand, async ({ caller, params, request, reply }) =>
      executionOf(params.id, await callEndpoint(operationsEndpoints.readExecution, caller, request, reply, { params })),
    );
    operation(E.listIssues, async ({ caller, query }) => {
      const rows = await openIssues(caller.scope, db, query, part(query));
      return page(query, rows);
    });
    const issue = async (caller: Caller, id: number) => {
      const [row] = await openIssues(caller.scope, db, { id }, { after: 0, limit: 1 });
      if (!row) throw notFound('issue');
      return row;
    };
    operation(E.readIssue, async ({ caller, params }) => await issue(caller, params.id));
    operation(E.createIssue, async ({ caller, params, body, request, reply }) => {
      const { id } = await callEndpoint(issueEndpoints.createDeviceIssue, caller, request, reply, {
        params,
        body: { ...body, ...requestKeyOf(request) },
      });
      const row = await issue(caller, id);
      if (!isSameIssue(row, params.id, body)) {
        throw new Problem('idempotencyKeyUsed', { status: 409, field: 'Idempotency-Key' });
      }
      return row;
    });
    operation(E.listFiles, async ({ caller, query }) => {
      const rows = await listFilesAfter(db, caller, part(query));
      const { next } = page(
        query,
        rows.map(({ added }) => ({ id: added })),
      );
      return { items: rows.map(({ added: _, ...row }) => row), next };
    });
    operation(E.readFileAddress, async ({ caller, params, request, reply }) => {
      const { url, expiresAt } = await callEndpoint(attachmentEndpoints.linkAttachment, caller, request, reply, {
        params,
        query: {},
      });
      return { url: new URL(url, `${request.protocol}://${request.host}`).href, expiresAt };
    });

    const stream: OpenEndpoint = E.streamEvents;
    const { id: operationId, summary, path: url, query: querystring } = E.streamEvents;
    open.route({
      ...{ method: 'GET', url, config: { open: stream }, schema: { operationId, summary, querystring } },
      async handler({ authenticated, caller, query, headers, ip, locale }, reply) {
        if (!authenticated || !caller) throw new Problem('noPermission');
        const { types } = query as QueryOf<typeof E.streamEvents>;
        const after = positionOf(headers['last-event-id']);
        const admitted = await streams.admit(authenticated.application, chosenTypes(types));
        reply.hijack();
        const response = reply.raw as ServerResponse;
        response.writeHead(200, {
          ...(reply.getHeaders() as OutgoingHttpHeaders),
          'content-type': 'text/event-stream; charset=utf-8',
          'x-accel-buffering': 'no',
        });
        await streams.open(authenticated.application, admitted, {
          ...{ after, locale, response },
          isAllowed: ({ allowedAddresses, allowedOperations }) =>
            isAllowedFrom(allowedAddresses, ip) && allowedOperations.includes(operationId),
        });
      },
    });

    open.route({
      method: 'POST',
      url: TOKEN_PATH,
      schema: {
        operationId: 'open.createToken',
        summary: 'Exchange a signature for a token, for software that cannot sign each request',
        response: { 200: answered(OpenToken) },
      },
      handler: async ({ authenticated, headers }) => {
        // A token must not prolong itself.
        if (!authenticated || headers.authorization !== undefined) {
          throw new Problem('signatureMissing', { status: 401 });
        }
        return { data: await calls.createToken(authenticated.application) };
      },
    });
  });
}

/** The HTTP statuses of errors; 400 for all others. */
const STATUSES: Partial<Record<Problem['code'], number>> = {
  notFound: 404,
  noPermission: 403,
  deviceOffline: 409,
  deviceDisabled: 409,
  deviceBusy: 409,
};

/** An answer of the open API, without the envelope of the console's API. */
const answered = (answer: TSchema) => Type.Object({ data: answer });

/** The position of a page: the ID of the last row before it, in base 36. */
function part(query: { cursor?: string | undefined; limit: number }): { after: number; limit: number } {
  const after = query.cursor === undefined ? 0 : Number.parseInt(query.cursor, 36);
  const valid = Number.isInteger(after) && after >= 0 && after <= 2_147_483_647;
  if (!valid || (query.cursor !== undefined && after.toString(36) !== query.cursor)) {
    throw new Problem('fieldFormat', { field: 'cursor', values: { expected: 'data.next' } });
  }
  return { after, limit: query.limit };
}

/** The position after which a stream continues; null: from now on. @throws {Problem} */
function positionOf(header: string | string[] | undefined): number | null {
  if (header === undefined || header === '') return null;
  if (typeof header !== 'string' || !/^\d{1,15}$/.test(header)) {
    throw new Problem('fieldFormat', { field: 'Last-Event-ID', values: { expected: '1042' } });
  }
  return Number(header);
}

/** The types of events that a request chooses; null: all. @throws {Problem} for an unknown one */
function chosenTypes(types: string | undefined): readonly string[] | null {
  const chosen = types?.split(',') ?? null;
  if (chosen?.some((type) => !OPEN_EVENT_TYPES.some((known) => known === type))) {
    throw new Problem('fieldChoice', { field: 'types', values: { expected: OPEN_EVENT_TYPES.join(', ') } });
  }
  return chosen;
}

function page<T extends { id: number }>({ limit }: { limit: number }, items: T[]) {
  const last = items.at(-1);
  return { items, next: items.length === limit && last ? last.id.toString(36) : null };
}

function deviceOf(row: OpenDeviceRecord, { locale }: FastifyRequest) {
  return {
    ...row,
    model: modelNames(row.model)[locale === 'zh-CN' ? 'zh' : 'en'],
  };
}

function executionOf(deviceId: number, row: WithDates<ExecutionRow>) {
  const { id, kind, outcome, reason, queuedAt, sentAt, endedAt } = row;
  return { id, deviceId, kind, result: executionResultOf(outcome), reason, queuedAt, sentAt, endedAt };
}

/** True if the command is the one that the request describes. Values of parameters are stored in a standard form. */
function isSameCommand(
  { kind, connector, params }: WithDates<ExecutionRow>,
  wanted: BodyOf<typeof OPEN_ENDPOINTS.sendCommand>,
): boolean {
  const { key, value, idTag } = params as Record<string, string | undefined>;
  return (
    kind === wanted.kind &&
    connector === (wanted.connector ?? 0) &&
    (wanted.key === undefined || sameParameterKey(key ?? '', wanted.key)) &&
    (wanted.value === undefined || value === undefined || standardValue(value) === standardValue(wanted.value)) &&
    (wanted.idTag === undefined || idTag === wanted.idTag || idTag === maskedToken(wanted.idTag))
  );
}

const standardValue = (value: string) =>
  value.trim() !== '' && Number.isFinite(Number(value)) ? String(Number(value)) : value.trim().toLowerCase();

/** Whether a request for an issue is the one that created an issue. One that was changed since cannot be compared. */
function isSameIssue(
  { deviceId, title, type, priority, createdAt, updatedAt }: OpenIssueRecord,
  wantedDevice: number,
  wanted: BodyOf<typeof OPEN_ENDPOINTS.createIssue>,
): boolean {
  if (deviceId !== wantedDevice) return false;
  if (updatedAt.getTime() !== createdAt.getTime()) return true;
  return title === wanted.title.trim() && type === wanted.type && (wanted.priority ?? priority) === priority;
}

/**
 * The key of a request that may be sent again, for this application: two applications of one user may choose the same.
 * @throws {Problem} unless the header is a UUID
 */
function requestKeyOf({ headers, caller }: FastifyRequest): { requestKey?: string } {
  const key = headers[IDEMPOTENCY_HEADER];
  if (key === undefined) return {};
  const hash = createHash('sha256')
    .update(`${caller?.application?.id} ${requestKey(key)}`)
    .digest('hex');
  const [, ...parts] = /^(.{8})(.{4})(.{4})(.{4})(.{12})/.exec(hash)!;
  return { requestKey: parts.join('-') };
}
