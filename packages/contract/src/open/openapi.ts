import { CODES } from '../codes.ts';
import { OPEN_ENDPOINTS, OpenToken, TOKEN_PATH } from './open.ts';
import type { OpenEndpoint } from './open-endpoint.ts';

type Json = Record<string, unknown>;

/** The errors that every operation can have: the HTTP status and what it means. */
const ERRORS = {
  400: 'An input is invalid. `field` names it.',
  401: 'The signature or token is missing or wrong.',
  403: 'The application or its user may not do this.',
  404: 'There is no such object, or the user does not see it.',
  409: 'The device is offline, disabled or busy.',
  429: 'Too many requests. `Retry-After` says how many seconds to wait.',
} as const;

/** The OpenAPI 3.1 document of the open API. */
export function openApiDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  const add = (path: string, method: string, operation: Json) => {
    const name = path.replace(/:(\w+)/g, '{$1}');
    paths[name] = { ...paths[name], [method.toLowerCase()]: operation };
  };
  for (const endpoint of Object.values(OPEN_ENDPOINTS)) add(endpoint.path, endpoint.method, operationOf(endpoint));
  add(TOKEN_PATH, 'POST', {
    operationId: 'createToken',
    summary: 'Exchange a signature for a token, for software that cannot sign each request',
    security: [{ signature: [] }],
    responses: { 200: answered(OpenToken), ...errors() },
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chargehand open API',
      version,
      description:
        'Version 1: fields and operations are added and never removed. Requests are signed with HTTP Message Signatures (RFC 9421) and HMAC-SHA256, or have a token.',
    },
    security: [{ signature: [] }, { token: [] }],
    paths,
    components: {
      securitySchemes: {
        signature: {
          type: 'apiKey',
          in: 'header',
          name: 'Signature',
          description:
            'RFC 9421, hmac-sha256, over "@method" "@path" "@query" and, with a body, "content-digest"; with created, nonce and keyid',
        },
        token: { type: 'http', scheme: 'bearer', description: 'From POST /api/open/v1/token, valid for 15 minutes' },
      },
      schemas: {
        Error: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { type: 'integer', examples: [CODES.signatureTime.code] },
            message: { type: 'string', description: 'In the language of the Accept-Language header: en-US or zh-CN' },
            field: { type: 'string' },
            data: { type: 'null' },
          },
        },
      },
    },
  };
}

function operationOf(endpoint: OpenEndpoint): Json {
  const fields = (part: 'params' | 'query', place: 'path' | 'query') =>
    Object.entries(endpoint[part]?.properties ?? {}).map(([name, schema]) => ({
      ...{ name, in: place, schema },
      required: place === 'path' || (endpoint[part]?.required?.includes(name) && !('default' in schema)),
    }));
  const parameters: Json[] = [...fields('params', 'path'), ...fields('query', 'query')];
  if (endpoint.stream) {
    parameters.push({ name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } });
  }
  if (endpoint.method !== 'GET') {
    parameters.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      schema: { type: 'string', format: 'uuid' },
    });
  }
  return {
    operationId: endpoint.id.slice('open.'.length),
    summary: endpoint.summary,
    parameters,
    ...(endpoint.body
      ? { requestBody: { required: true, content: { 'application/json': { schema: endpoint.body } } } }
      : {}),
    responses: { 200: endpoint.stream ? streamed(endpoint.answer) : answered(endpoint.answer), ...errors() },
  };
}

const answered = (data: unknown): Json => ({
  description: 'Done',
  content: { 'application/json': { schema: { type: 'object', required: ['data'], properties: { data } } } },
});

const streamed = (data: unknown): Json => ({
  description: 'Server-sent events; the data of each message',
  content: { 'text/event-stream': { schema: data } },
});

const errors = (): Json =>
  Object.fromEntries(
    Object.entries(ERRORS).map(([status, description]) => [
      status,
      { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } },
    ]),
  );
