import { ENDPOINTS, type Endpoint } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ground } from './testing/cases/ground.ts';
import { addressOf, type Client, client, openSession } from './testing/client.ts';
import { ENDPOINT_CASES } from './testing/contract/endpoint-cases.ts';
import { freePort } from './testing/free-port.ts';
import { invoke } from './testing/invoke.ts';
import { EVERY_CASE } from './testing/stalls/every-case.ts';
import { hostileBodies, hostileJson } from './testing/stalls/hostile-inputs.ts';
import { type MeteredServer, startMeteredServer } from './testing/stalls/metered-server.ts';
import { stallsOf } from './testing/stalls/stalls-of.ts';

/** Some sixty files of megabytes, on a busy machine. */
const FILES_MS = 600_000;
const PORT = await freePort();

let server: MeteredServer;
let root: Client;
let ground: Ground;
beforeAll(async () => {
  server = await startMeteredServer(PORT, { CHARGEHAND_MQTT_PORT: '0' });
  const { database, world, program } = server;
  root = client(program.url, await openSession(database.db, world.users.root));
  ground = { world, db: database.db };
});
afterAll(() => server.stop());

const endpoints = (Object.values(ENDPOINTS) as Endpoint[]).filter(
  ({ body, policy }) => body && policy.route !== 'public',
);
const open = (Object.values(ENDPOINTS) as Endpoint[]).filter(({ body, policy }) => body && policy.route === 'public');

/** Sends a raw body. Resolves with the code of the answer. */
async function send(by: Client, endpoint: Endpoint, params: Record<string, unknown>, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const response = await by.fetch(addressOf(endpoint, params, undefined), { method: endpoint.method, headers, body });
  const { code } = (await response.json()) as { code: number };
  expect(response.status, `the answer ${code}`).not.toBe(500);
  return code;
}

/** What fields of the same name and schema have already been sent in; only `npm run test:faults` sends it in every one. */
const tried = new Set<string>();
function isNew(like: string | undefined): boolean {
  if (like === undefined || EVERY_CASE) return true;
  const known = tried.has(like);
  tried.add(like);
  return !known;
}

/** The inputs that block the event loop for too long on every attempt, and for how long. */
async function endpointStalls(
  by: Client,
  endpoint: Endpoint,
  make: typeof hostileBodies = hostileBodies,
): Promise<string[]> {
  const valid = async () => (await ENDPOINT_CASES[endpoint.id]?.call?.(ground, 'northQuay', 'root')) ?? {};
  const first = await valid();
  // Schemas are compiled on the first request, which is not the work of a malicious one.
  await invoke(by, endpoint, first);
  await ENDPOINT_CASES[endpoint.id]?.undo?.(ground);
  const { params = {}, body = {} } = await valid();
  return stallsOf(
    server.program,
    make(endpoint, body as Record<string, unknown>)
      .filter(({ like }) => isNew(like && `${endpoint.policy.route} ${like}`))
      .map(({ what, body }) => ({ what, run: () => send(by, endpoint, params, body) })),
  );
}

test.each(
  [...Map.groupBy(endpoints, ({ bodyLimit }) => bodyLimit).values()].map(([first]) => [first!.id, first!] as const),
)(
  'no invalid JSON in a request to %s keeps the event loop busy',
  async (_, endpoint) => {
    expect(await endpointStalls(root, endpoint, hostileJson)).toEqual([]);
  },
  FILES_MS,
);

test.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))(
  'no input of %s keeps the event loop busy',
  async (_, endpoint) => {
    expect(await endpointStalls(root, endpoint)).toEqual([]);
  },
  FILES_MS,
);

test.each(open.map((endpoint) => [endpoint.id, endpoint] as const))(
  'no input of %s without a session keeps the event loop busy',
  async (_, endpoint) => {
    expect(await endpointStalls(client(server.program.url), endpoint)).toEqual([]);
  },
);

test('a document of 1.2 million Han characters is stored without blocking the event loop', async () => {
  const valid = (await ENDPOINT_CASES['documents.saveText']!.call!(ground, 'northQuay', 'root')) as {
    params: { id: number; locale: 'en-US' };
    body: object;
  };
  const text = Array.from({ length: 1_200_000 }, (_, at) =>
    String.fromCodePoint(0x4e00 + ((at * 7_919) % 20_000)),
  ).join('');
  const content = [{ type: 'paragraph', content: [{ type: 'text', text }] }];
  const started = Date.now();
  const stalls = await stallsOf(server.program, [
    {
      what: 'Han characters',
      async run() {
        const body = JSON.stringify({ ...valid.body, body: { type: 'doc', content } });
        expect(await send(root, ENDPOINTS.saveText, valid.params, body)).toBe(0);
        process.stdout.write(`1.2 million Han characters: ${Date.now() - started} ms\n`);
      },
    },
  ]);
  expect(stalls).toEqual([]);
});
