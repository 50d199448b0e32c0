import { ENDPOINTS, type Endpoint } from '@chargehand/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../platform/http/caller.ts';
import { serve } from '../platform/http/serve/serve.ts';
import { httpServer } from '../platform/http/server.ts';
import { createLog } from '../platform/log.ts';
import { ENDPOINT_CASES } from '../testing/contract/endpoint-cases.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

/**
 * Routes outside the contract: health, documentation, the console's files, objects over the S3 protocol, files of
 * devices. Devices connect with WebSocket upgrades.
 */
const BESIDE_THE_CONTRACT =
  /^\/(healthz|readyz|metrics|api\/openapi\.json|api\/docs(\/.*)?|api\/open\/v1\/.*|assets\/.*|chargehand(-firmware)?(\/\*)?|device-files\/:credential(\/\*)?|\*?|ocpp(\/.*)?)$/;

const endpoints: Endpoint[] = Object.values(ENDPOINTS);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('the contract matches the served routes', () => {
  const written = (route: { method: string; url: string }) => `${route.method} ${route.url}`;

  test('every endpoint of the contract is served', () => {
    const served = new Set(server.app.servedRoutes.map(written));
    const missing = endpoints.map((one) => `${one.method} ${one.path}`).filter((route) => !served.has(route));
    expect(missing).toEqual([]);
  });

  test('each is served once, with its own declaration, which the hooks of the server read', () => {
    for (const endpoint of endpoints) {
      const routes = server.app.servedRoutes.filter((one) => written(one) === `${endpoint.method} ${endpoint.path}`);
      expect(routes.map((route) => route.endpoint?.id)).toEqual([endpoint.id]);
      expect(routes[0]?.endpoint?.policy).toBe(endpoint.policy);
    }
  });

  test('only a short list of other routes is served', () => {
    const contract = new Set(endpoints.map((one) => `${one.method} ${one.path}`));
    const unknown = server.app.servedRoutes
      .filter((route) => route.method !== 'HEAD' && route.method !== 'OPTIONS')
      .filter((route) => !contract.has(written(route)) && !BESIDE_THE_CONTRACT.test(route.url))
      .map(written);
    expect(unknown).toEqual([]);
  });

  test('every endpoint has its row in this matrix, and every row its endpoint', () => {
    expect(Object.keys(ENDPOINT_CASES).sort()).toEqual(endpoints.map((one) => one.id).sort());
  });
});

describe('the hooks of the server', () => {
  const guarded: string[] = [];
  const enforced: unknown[] = [];
  let app: FastifyInstance;
  beforeAll(async () => {
    app = await httpServer({
      ...{ log: createLog('silent'), version: '0', https: null },
      guard: async (_request, endpoint) => {
        guarded.push(endpoint.id);
        return endpoint.policy.route === 'public' ? null : ({} as Caller);
      },
      enforcer: {
        enforce: async (_caller, policy) => {
          enforced.push(policy);
          return [];
        },
        enforceEach: async () => new Map(),
      },
    });
    // What is about access does not depend on the inputs.
    app.setValidatorCompiler(() => (value) => ({ value }));
    for (const endpoint of endpoints) {
      serve(app, { ...endpoint, answer: null }, async ({ reply }) => {
        void reply.send({});
        return null;
      });
    }
    await app.ready();
  });
  afterAll(() => app.close());

  test('every call passes the guard, and before its handler the policy of its endpoint', async () => {
    for (const { id, method, path, policy } of endpoints) {
      guarded.length = 0;
      enforced.length = 0;
      const { statusCode } = await app.inject({
        ...{ method, url: path.replace(/:\w+/g, '1') },
        ...(method === 'GET' ? {} : { payload: {} }),
      });
      expect({ id, statusCode, guarded, enforced }).toEqual({
        ...{ id, statusCode: 200, guarded: [id], enforced: policy.route === 'public' ? [] : [policy] },
      });
    }
  });
});
