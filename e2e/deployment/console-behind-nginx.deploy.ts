import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { accessEndpoints, CSRF_HEADER, ENDPOINTS, LOCALES, type Locale, TOKEN_COOKIE } from '@chargehand/contract';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../../apps/server/src/platform/database/connect.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { client, openSession } from '../../apps/server/src/testing/client.ts';
import { freePort } from '../../apps/server/src/testing/deployment/free-port.ts';
import {
  nginxService,
  postgresService,
  type Service,
  serviceFolder,
} from '../../apps/server/src/testing/deployment/services.ts';
import { type Program, startProgram } from '../../apps/server/src/testing/program.ts';
import { trustedCertificate } from '../../apps/server/src/testing/trusted-certificate.ts';
import { seedWorld, type World } from '../../apps/server/src/testing/world.ts';
import { BROWSER_FLAGS, requireBrowser } from '../../scripts/browser.mjs';
import { visit } from '../harness/journey.ts';
import type { Visitor } from '../harness/visitor.ts';

const SHIPPED_SETTINGS = join(import.meta.dirname, '../../deploy/chargehand.env');
const CONSOLE = 'ops.example.org';

let folder: Awaited<ReturnType<typeof serviceFolder>>;
let nginx: Awaited<ReturnType<typeof nginxService>>;
let database: DatabaseConnection;
let world: World;
let program: Program;
let browser: Browser;
let page: string;
const services: Service[] = [];

beforeAll(async () => {
  folder = await serviceFolder();
  const postgres = await postgresService(folder.path);
  const product = await freePort();
  nginx = await nginxService(folder.path, {
    ...{ certificate: await trustedCertificate(), product, mqtt: await freePort(), links: await freePort() },
  });
  services.push(nginx, postgres);
  await Promise.all([postgres.start(), nginx.start()]);
  database = connectDatabase(postgres.url, { max: 2 });
  await migrate(database.pool);
  world = await seedWorld(database.db);
  program = await startProgram({
    ...(parseEnv(await readFile(SHIPPED_SETTINGS, 'utf8')) as Record<string, string>),
    ...{ PORT: String(product), HOST: '127.0.0.1', CHARGEHAND_MQTT: '0', DATABASE_URL: postgres.url },
    ...{ CHARGEHAND_DATA: join(folder.path, 'data'), CHARGEHAND_PUBLIC_URL: `https://${CONSOLE}:${nginx.https}` },
  });
  browser = await chromium.launch({
    executablePath: requireBrowser(),
    args: [...BROWSER_FLAGS, `--host-resolver-rules=MAP ${CONSOLE} 127.0.0.1`],
  });
  page = await text(await fetchDirectly('/login', 'identity'));
});
afterAll(async () => {
  await browser?.close();
  await program?.stop();
  await database?.close();
  for (const one of services) await one.stop();
  await folder?.remove();
});

/** A response as it was transferred. */
interface Transferred {
  status: number | undefined;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

const fetchDirectly = (path: string, encoding: string) =>
  receive(requestHttp(`${program.url}${path}`, { headers: { 'accept-encoding': encoding, host: CONSOLE } }).end());

const fetchViaNginx = (path: string, encoding: string, headers: Record<string, string> = {}) =>
  receive(
    requestHttps({
      ...{ host: '127.0.0.1', port: nginx.https, servername: CONSOLE, rejectUnauthorized: false, path, agent: false },
      headers: { 'accept-encoding': encoding, host: CONSOLE, ...headers },
    }).end(),
  );

async function receive(request: ReturnType<typeof requestHttp>): Promise<Transferred> {
  const [response] = await once(request, 'response');
  return { status: response.statusCode, headers: response.headers, body: await buffer(response) };
}

async function text({ headers, body }: Transferred): Promise<string> {
  const decode = { br: brotliDecompressSync, gzip: gunzipSync }[String(headers['content-encoding'])];
  return (decode ? decode(body) : body).toString('utf8');
}

/** What a cache and a browser decide by. `date` and the connection are those of each hop. */
const KEPT = [
  ...['content-type', 'content-encoding', 'content-length', 'cache-control', 'vary', 'etag', 'last-modified'],
  ...['content-security-policy', 'x-content-type-options', 'referrer-policy', 'strict-transport-security'],
];
const kept = ({ status, headers }: Transferred) => [status, ...KEPT.map((name) => `${name}: ${headers[name]}`)];

/** Addresses of the page, a script and a style. */
function addresses(): Record<string, string> {
  const script = /src="(\/assets\/entry-[^"]+\.js)"/.exec(page)?.[1] ?? '';
  const style = /href="(\/assets\/entry-[^"]+\.css)"/.exec(page)?.[1] ?? '';
  return { page: '/login', script, style };
}

test.each(['br', 'gzip', 'identity'])('files arrive as the product sends them: %s', async (encoding) => {
  for (const [name, path] of Object.entries(addresses())) {
    const [direct, proxied] = await Promise.all([fetchDirectly(path, encoding), fetchViaNginx(path, encoding)]);
    expect([name, ...kept(proxied)]).toEqual([name, ...kept(direct)]);
    expect(proxied.body.equals(direct.body)).toBe(true);
    expect(direct.headers['content-encoding']).toBe(encoding === 'identity' ? undefined : encoding);
    expect(direct.headers['cache-control']).toBe(
      path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    );
  }
});

test('an unchanged page is not transferred again', async () => {
  const first = await fetchViaNginx('/login', 'br');
  const again = await fetchViaNginx('/login', 'br', { 'if-none-match': String(first.headers.etag) });
  expect(again.status).toBe(304);
  expect(again.body).toHaveLength(0);
});

test.each(['br', 'gzip'])('responses of the API arrive compressed: %s', async (encoding) => {
  const session = await openSession(database.db, world.users.root);
  const path = ENDPOINTS.listDevices.path;
  const response = await fetchViaNginx(path, encoding, {
    cookie: `${TOKEN_COOKIE}=${session.token}`,
    [CSRF_HEADER]: session.csrf,
  });
  expect([response.status, response.headers['content-encoding']]).toEqual([200, encoding]);
  expect(JSON.parse(await text(response))).toMatchObject({ code: 0 });
});

/** Reports what the content security policy blocks to the console of the page, as an error. */
const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) => {
  console.error('blocked: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sample);
});`;

async function open(locale: Locale, as?: 'root'): Promise<Visitor> {
  const product = { browser, url: `https://${CONSOLE}:${nginx.https}`, server: { database, world } };
  const visitor = await visit(product, locale, as ? { as } : {});
  await visitor.page.addInitScript(REPORT_VIOLATIONS);
  return visitor;
}

/** The paths that a page requests, in their order. */
function requestsOf({ page: tab }: Visitor): string[] {
  const requests: string[] = [];
  tab.on('request', (request) => requests.push(new URL(request.url()).pathname));
  return requests;
}

/** The page contains the script that requests the user. A policy without its hash would block it. */
function expectEarlyStart(requests: readonly string[]): void {
  const info = requests.indexOf(accessEndpoints.info.path);
  expect(info).toBeGreaterThan(0);
  expect(info).toBeLessThan(requests.findLastIndex((path) => path.endsWith('.js')));
  expect(requests.lastIndexOf(accessEndpoints.info.path)).toBe(info);
}

test.each([...LOCALES])(
  'the sign-in page starts in a browser, without violations of its policy: %s',
  async (locale) => {
    const visitor = await open(locale);
    const requests = requestsOf(visitor);
    await visitor.page.goto('/login');
    await visitor.sees(visitor.heading(visitor.t('access:login.title')));
    expectEarlyStart(requests);
    expect(visitor.problems).toEqual([]);
    await visitor.context.close();
  },
);

test.each([...LOCALES])('the console starts, loads over HTTP/2 and shows changes at once: %s', async (locale) => {
  const visitor = await open(locale, 'root');
  const { page: tab, t } = visitor;
  const requests = requestsOf(visitor);
  await tab.goto('/manage/device/list');
  const { id, sn } = world.devices.northQuay1;
  await visitor.sees(tab.getByText(sn).first(), tab.getByText(t('common:live.on'), { exact: true }).first());
  expectEarlyStart(requests);
  const protocols = await tab.evaluate(
    `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')].map((entry) => entry.nextHopProtocol)`,
  );
  expect(new Set(protocols as string[])).toEqual(new Set(['h2']));

  // The event leaves nginx while the response is open.
  const root = client(program.url, await openSession(database.db, world.users.root));
  await root.data(ENDPOINTS.updateDevice, { params: { id }, body: { name: `Renamed ${locale}` } });
  await visitor.sees(tab.getByText(`Renamed ${locale}`).first());
  expect(visitor.problems).toEqual([]);
  await visitor.context.close();
});
