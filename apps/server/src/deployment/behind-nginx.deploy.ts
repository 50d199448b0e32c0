import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { Agent, type RequestOptions, request } from 'node:https';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { parseEnv } from 'node:util';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import {
  accessEndpoints,
  CSRF_COOKIE,
  CSRF_HEADER,
  linkEndpoints,
  streamEndpoints,
  TOKEN_COOKIE,
} from '@chargehand/contract';
import { KeyUsageFlags } from '@peculiar/x509';
import { connectAsync } from 'mqtt';
import ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectDatabase, type DatabaseConnection } from '../platform/database/connect.ts';
import { migrate } from '../platform/database/migrate.ts';
import { hashDevicePassword } from '../ports/devices/device-password.ts';
import type { LinkParams } from '../ports/devices/links.ts';
import { client, openSession } from '../testing/client.ts';
import { freePort } from '../testing/deployment/free-port.ts';
import {
  nginxService,
  pgbouncerService,
  postgresService,
  type Service,
  serviceFolder,
} from '../testing/deployment/services.ts';
import { eventually } from '../testing/eventually.ts';
import { newAuthority, type TestAuthority } from '../testing/gateways/signing.ts';
import { type Program, startProgram } from '../testing/program.ts';
import { seedWorld, type World } from '../testing/world.ts';

const SHIPPED_SETTINGS = join(import.meta.dirname, '../../../../deploy/chargehand.env');
const CONSOLE = 'ops.example.org';
const DEVICES = 'devices.example.org';
const S3_KEY = { accessKeyId: 'operator', secretAccessKey: 'a-secret-of-the-operator' };
const PASSWORD = 'sixteen-characters';
const HOUR_MS = 3_600_000;

let folder: Awaited<ReturnType<typeof serviceFolder>>;
let postgres: Awaited<ReturnType<typeof postgresService>>;
let pgbouncer: Awaited<ReturnType<typeof pgbouncerService>>;
let nginx: Awaited<ReturnType<typeof nginxService>>;
let database: DatabaseConnection;
let world: World;
let serverAuthority: TestAuthority;
let deviceAuthority: TestAuthority;
let product: number;
let mqttPort: number;
let linksPort: number;
let program: Program;
const services: Service[] = [];

/** The shipped settings, with the paths, ports and services of this test. */
async function settings(more: Record<string, string> = {}): Promise<Record<string, string> & { PORT: string }> {
  return {
    ...(parseEnv(await readFile(SHIPPED_SETTINGS, 'utf8')) as Record<string, string>),
    ...{ PORT: String(product), HOST: '127.0.0.1', CHARGEHAND_MQTT_PORT: String(mqttPort), CHARGEHAND_LOG: 'info' },
    ...{ CHARGEHAND_DATA: join(folder.path, 'data'), DATABASE_URL: pgbouncer.url },
    ...{ CHARGEHAND_LINKS_PORT: String(linksPort), CHARGEHAND_LINKS_HOST: `127.0.0.1:${nginx.links}` },
    CHARGEHAND_LINKS_PROXY_PROTOCOL: 'on',
    ...{ S3_ACCESS_KEY_ID: S3_KEY.accessKeyId, S3_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey },
    ...more,
  };
}

/** PostgreSQL is down while the product starts, as after a restart of the machine. */
beforeAll(async () => {
  folder = await serviceFolder();
  postgres = await postgresService(folder.path);
  pgbouncer = await pgbouncerService(folder.path, postgres, 'session');
  [product, mqttPort, linksPort] = [await freePort(), await freePort(), await freePort()];
  serverAuthority = await newAuthority('CN=Authority of the server');
  deviceAuthority = await newAuthority('CN=Authority of the devices');
  await writeFile(join(folder.path, 'devices-ca.pem'), deviceAuthority.cert);
  const certificate = await newAuthority(`CN=${CONSOLE}`, { ...leaf, by: serverAuthority });
  nginx = await nginxService(folder.path, { certificate, product, mqtt: mqttPort, links: linksPort });
  services.push(nginx, pgbouncer, postgres);
  await postgres.start();
  database = connectDatabase(postgres.url, { max: 2 });
  await migrate(database.pool);
  world = await seedWorld(database.db);
  await database.pool.query('update devices set gateway_password_hash = $2 where id = $1', [
    world.devices.northQuay2.id,
    hashDevicePassword(PASSWORD),
  ]);
  await pgbouncer.start();
  await nginx.start();
  await postgres.stop();
  const starting = startProgram(await settings());
  await Promise.all([starting, postgres.start()]);
  program = await starting;
});
afterAll(async () => {
  await program?.stop();
  await database?.close();
  for (const one of services) await one.stop();
  await folder?.remove();
});

const leaf = { ca: false, usage: KeyUsageFlags.digitalSignature };

/** Resolves the names of the deployment to this machine. */
const lookup: LookupFunction = (_name, options, callback) => {
  if (options.all) callback(null, [{ address: '127.0.0.1', family: 4 }]);
  else callback(null, '127.0.0.1', 4);
};
/** Node's check of names requires a subjectAltName, which the test certificates do not have. */
const trust = () => ({ ca: serverAuthority.cert, lookup, checkServerIdentity: () => undefined });

/** A request as a browser or device makes it, through nginx. */
async function fetchVia(name: string, path: string, options: RequestOptions & { body?: string } = {}) {
  const { body, ...more } = options;
  const sent = request({ ...trust(), host: name, port: nginx.https, path, agent: false, ...more }).end(body);
  const [response] = await once(sent, 'response');
  return response;
}

test('the console is served with HTTP/2, and plain HTTP leads to HTTPS', async () => {
  const socket = connect({ ...trust(), host: CONSOLE, servername: CONSOLE, port: nginx.https, ALPNProtocols: ['h2'] });
  await once(socket, 'secureConnect');
  expect(socket.alpnProtocol).toBe('h2');
  const session: ClientHttp2Session = connectHttp2(`https://${CONSOLE}:${nginx.https}`, {
    createConnection: () => socket,
  });
  const page = session.request({ ':path': '/login' });
  const [headers] = await once(page, 'response');
  expect(headers[':status']).toBe(200);
  expect(headers['strict-transport-security']).toMatch(/^max-age=\d+$/);
  expect(await text(page)).toContain('<html');
  session.close();
  const plain = await fetch(`http://127.0.0.1:${nginx.http}/login`, { redirect: 'manual', headers: { host: CONSOLE } });
  expect(plain.status).toBe(301);
  expect(plain.headers.get('location')).toMatch(/^https:\/\/[^/]+\/login$/);
});

test('cookies are Secure, and health and metrics do not treat visitors as this machine', async () => {
  const headers = { 'content-type': 'application/json', 'x-forwarded-proto': 'http', 'x-forwarded-for': '127.0.0.1' };
  const signOut = await fetchVia(CONSOLE, accessEndpoints.logout.path, { method: 'POST', headers, body: '{}' });
  expect(signOut.headers['set-cookie']).toHaveLength(2);
  for (const cookie of signOut.headers['set-cookie']) expect(cookie).toContain('; Secure');
  expect((await fetchVia(CONSOLE, '/readyz')).statusCode).toBe(200);
});

test('a picture of 3 MB is stored and read with the S3 protocol, whose signature includes the host', async () => {
  const client = new S3Client({
    ...{ endpoint: `https://${CONSOLE}:${nginx.https}`, region: 'oss-cn-hongkong', forcePathStyle: true },
    ...{ credentials: S3_KEY, requestHandler: { httpsAgent: new Agent(trust()) } },
  });
  const place = { Bucket: 'chargehand', Key: 'images/deployment.png' };
  const body = Buffer.alloc(3 * 1024 * 1024, 7);
  await client.send(new PutObjectCommand({ ...place, Body: body }));
  const { Body } = await client.send(new GetObjectCommand(place));
  expect(body.equals(Buffer.from((await Body?.transformToByteArray()) ?? []))).toBe(true);
  client.destroy();
});

test('live updates arrive while the response is open', async () => {
  const session = await openSession(database.db, world.users.northAdmin);
  const cookie = `${TOKEN_COOKIE}=${session.token}; ${CSRF_COOKIE}=${session.csrf}`;
  const headers = { cookie, [CSRF_HEADER]: session.csrf };
  const response = await fetchVia(CONSOLE, streamEndpoints.stream.path, { headers });
  expect(response.headers['content-type']).toContain('text/event-stream');
  const [first] = await once(response, 'data');
  expect(String(first)).toMatch(/^(event|data|id|retry|:)/m);
  response.destroy();
});

test('a device connects with MQTT over TLS', async () => {
  const { sn } = world.devices.northQuay2;
  const client = await connectAsync(`mqtts://${DEVICES}:${nginx.mqtts}`, {
    ...{ username: sn, password: PASSWORD, clientId: sn, protocolVersion: 4, reconnectPeriod: 0 },
    ...trust(),
  });
  expect(client.connected).toBe(true);
  await client.endAsync();
});

test('a device opens a link at the port of nginx, and the product knows its address', async () => {
  const { id: deviceId, sn } = world.devices.northQuay1;
  await database.pool.query('update device_models set ssh_support = true');
  const pile = await open(sn);
  await heartbeat(pile);
  const control = new Promise<LinkParams>((resolve) => {
    pile.on('message', (data) => {
      const [type, id, , payload] = JSON.parse(String(data)) as [number, string, string, { data: string }];
      if (type !== 2) return;
      pile.send(JSON.stringify([3, id, { status: 'Accepted' }]));
      resolve(JSON.parse(payload.data) as LinkParams);
    });
  });
  const root = client(`http://127.0.0.1:${product}`, await openSession(database.db, world.users.root));
  const body = { kind: 'ssh', reason: 'Test', port: 22 } as const;
  const { id } = await root.data(linkEndpoints.requestLink, { params: { id: deviceId }, body });
  const { host, port, user, ticket } = await control;
  expect({ host, port }).toEqual({ host: '127.0.0.1', port: nginx.links });
  const device = new ssh2.Client();
  device.connect({ host, port, username: user, password: ticket, localAddress: '127.0.0.5' });
  await once(device, 'ready');
  device.forwardIn('localhost', 22, () => undefined);
  const link = () => root.data(linkEndpoints.readLink, { params: { id } });
  expect(await eventually(link, ({ state }) => state === 'open')).toMatchObject({ address: '127.0.0.5' });
  const closed = once(device, 'close');
  await root.data(linkEndpoints.destroyLink, { params: { id } });
  await closed;
  pile.terminate();
});

test('the product survives a restart of PostgreSQL behind PgBouncer, and a device stays connected', async () => {
  const socket = await open(world.devices.northQuay1.sn);
  expect(await heartbeat(socket)).toMatchObject([3, expect.any(String), { currentTime: expect.any(String) }]);
  const readiness = async () => (await fetchVia(CONSOLE, '/readyz')).statusCode;
  await postgres.stop();
  await eventually(readiness, (status) => status === 503, { what: 'the product to notice' });
  await postgres.start();
  await eventually(readiness, (status) => status === 200, { what: 'the product to recover', timeoutMs: 90_000 });
  expect(await heartbeat(socket)).toMatchObject([3, expect.any(String), {}]);
  socket.terminate();
});

test('PgBouncer in transaction mode needs the address of PostgreSQL itself, which the start says', async () => {
  const other = await pgbouncerService(folder.path, postgres, 'transaction');
  services.push(other);
  await other.start();
  const data = join(folder.path, 'rejected');
  const environment = await settings({
    ...{ DATABASE_URL: other.url, CHARGEHAND_DATA: data, CHARGEHAND_MQTT: '0' },
    ...{ PORT: String(await freePort()), CHARGEHAND_LINKS_PORT: '0' },
  });
  await expect(startProgram(environment)).rejects.toThrow(
    'DATABASE_URL leads to a connection pooler in transaction mode',
  );
  await rm(data, { recursive: true, force: true });
  // With the address of PostgreSQL itself it carries all that needs no session.
  await program.stop();
  program = await startProgram(await settings({ DATABASE_URL: other.url, DATABASE_DIRECT_URL: postgres.url }));
  const socket = await open(world.devices.northQuay1.sn);
  expect(await heartbeat(socket)).toMatchObject([3, expect.any(String), {}]);
  socket.terminate();
});

describe('security profile 3', () => {
  beforeAll(async () => {
    await program.stop();
    program = await startProgram(
      await settings({
        CHARGEHAND_OCPP_SECURITY_PROFILE: '3',
        CHARGEHAND_TLS_CLIENT_CA: join(folder.path, 'devices-ca.pem'),
        CHARGEHAND_CLIENT_CERT_HEADER: 'X-Client-Cert',
      }),
    );
  });

  const sn = () => world.devices.northQuay1.sn;
  const issue = (name: string, more: Parameters<typeof newAuthority>[1] = {}) =>
    newAuthority(`CN=${name}`, { ...leaf, by: deviceAuthority, ...more });
  const latestReason = async () => {
    const { rows } = await database.pool.query<{ reason: string; remote_address: string }>(
      'select reason, remote_address from connection_attempts where device_id = $1 order by last_at desc limit 1',
      [world.devices.northQuay1.id],
    );
    return rows[0];
  };

  test('a device connects with its certificate', async () => {
    const socket = await open(sn(), await issue(sn()));
    expect(await heartbeat(socket)).toMatchObject([3, expect.any(String), {}]);
    socket.terminate();
  });

  test.each<[string, () => Promise<TestAuthority | null>]>([
    ['certificateMissing', async () => null],
    [
      'certificateExpired',
      () => issue(sn(), { from: new Date(Date.now() - 9 * HOUR_MS), to: new Date(Date.now() - HOUR_MS) }),
    ],
    ['certificateAuthority', async () => issue(sn(), { by: await newAuthority('CN=Other') })],
    ['certificateName', () => issue('another-device')],
  ])('rejected, with the reason in the log that operators read: %s', async (reason, certificate) => {
    await database.pool.query('delete from connection_attempts');
    await expect(open(sn(), await certificate())).rejects.toThrow('401');
    const expected = { reason, remote_address: '127.0.0.1' };
    expect(await eventually(latestReason, (row) => row !== undefined)).toEqual(expected);
  });

  test('a certificate in a header of the client, and another address, are not believed', async () => {
    const { cert } = await issue(sn());
    const headers = { 'x-client-cert': encodeURIComponent(cert), 'x-forwarded-for': '192.0.2.1' };
    await database.pool.query('delete from connection_attempts');
    await expect(open(sn(), null, headers)).rejects.toThrow('401');
    const expected = { reason: 'certificateMissing', remote_address: '127.0.0.1' };
    expect(await eventually(latestReason, (row) => row !== undefined)).toEqual(expected);
  });

  test('after SIGHUP, devices of a new authority are accepted', async () => {
    const next = await newAuthority('CN=Next authority');
    await writeFile(join(folder.path, 'devices-ca.pem'), deviceAuthority.cert + next.cert);
    program.signal('SIGHUP');
    await expect.poll(program.output).toContain('certificates reloaded');
    const socket = await open(sn(), await issue(sn(), { by: next }));
    socket.terminate();
  });
});

test('SIGTERM ends the product in order', async () => {
  await program.stop();
  expect(program.exitCode()).toBe(0);
  program = await startProgram(await settings());
});

/** Opens an OCPP connection through nginx. @throws with the status of a rejection */
function open(
  sn: string,
  certificate: TestAuthority | null = null,
  headers: Record<string, string> = {},
): Promise<WebSocket> {
  const tls = certificate ? { cert: certificate.cert, key: certificate.key } : {};
  const socket = new WebSocket(`wss://${DEVICES}:${nginx.https}/ocpp/${sn}`, ['ocpp1.6'], {
    ...trust(),
    ...tls,
    headers,
  });
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(socket));
    socket.on('unexpected-response', (_request, response) => {
      reject(new Error(String(response.statusCode)));
      socket.terminate();
    });
    socket.on('error', reject);
  });
}

/** Sends a Heartbeat and returns its response. */
function heartbeat(socket: WebSocket): Promise<unknown[]> {
  const id = `h${performance.now()}`;
  return new Promise((resolve) => {
    socket.on('message', (data) => {
      const message = JSON.parse(String(data)) as unknown[];
      if (message[1] === id) resolve(message);
    });
    socket.send(JSON.stringify([2, id, 'Heartbeat', {}]));
  });
}
