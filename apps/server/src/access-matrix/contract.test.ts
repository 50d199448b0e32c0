import { ENDPOINTS, type Endpoint } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
