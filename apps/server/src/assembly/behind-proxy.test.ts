import { once } from 'node:events';
import { accessEndpoints } from '@chargehand/contract';
import { ExtendedKeyUsage, KeyUsageFlags } from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { eventually } from '../testing/eventually.ts';
import { newAuthority, newFiles, type TestAuthority } from '../testing/gateways/signing.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const HEADER = 'x-client-cert';
const HOUR_MS = 3_600_000;

let files: Awaited<ReturnType<typeof newFiles>>;
let authority: TestAuthority;
let intermediate: TestAuthority;
/** TLS is terminated by this process. */
let direct: TestServer;
/** TLS is terminated by a proxy on 127.0.0.1. */
let proxied: TestServer;

beforeAll(async () => {
  authority = await newAuthority('CN=Root of the devices');
  intermediate = await newAuthority('CN=Intermediate', { by: authority });
  files = await newFiles({ 'devices.pem': intermediate.cert + authority.cert });
  const settings = {
    ocppSecurityProfile: 3,
    clientCa: Object.values(files.paths)[0],
    trustedProxies: ['127.0.0.1'],
    publicUrl: 'https://ops.example.org',
  };
  const own = await newAuthority('CN=localhost');
  const certificate = { cert: own.cert, key: own.key, ca: intermediate.cert + authority.cert, selfSigned: false };
  direct = await startTestServer(settings, { certificate });
  proxied = await startTestServer({ ...settings, clientCertHeader: HEADER });
});
afterAll(async () => {
  await direct?.stop();
  await proxied?.stop();
  await files?.remove();
});

const leaf = (sn: string, more: Parameters<typeof newAuthority>[1] = {}) =>
  newAuthority(`CN=${sn}`, { by: authority, ca: false, usage: KeyUsageFlags.digitalSignature, ...more });

/** Connects as a device: with TLS, or as the proxy forwards it. @returns `open`, or the HTTP status */
function connect(
  way: 'direct' | 'proxied',
  sn: string,
  certificate: TestAuthority | null,
  headers: Record<string, string> = {},
): Promise<string> {
  const tls = certificate ? { cert: certificate.cert, key: certificate.key } : {};
  const forwarded = {
    ...{ 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.7' },
    ...(certificate ? { [HEADER]: encodeURIComponent(certificate.cert) } : {}),
  };
  const socket =
    way === 'direct'
      ? new WebSocket(`wss://127.0.0.1:${direct.port}/ocpp/${sn}`, ['ocpp1.6'], {
          rejectUnauthorized: false,
          ...tls,
          headers,
        })
      : new WebSocket(`ws://127.0.0.1:${proxied.port}/ocpp/${sn}`, ['ocpp1.6'], {
          headers: { ...forwarded, ...headers },
        });
  return new Promise((resolve, reject) => {
    socket.on('open', () => {
      socket.terminate();
      resolve('open');
    });
    socket.on('unexpected-response', (_request, response) => {
      resolve(String(response.statusCode));
      socket.terminate();
    });
    socket.on('error', reject);
  });
}

/** The latest rejected attempt of a device. */
async function latestAttempt({ database }: TestServer, deviceId: number) {
  const { rows } = await database.pool.query<{ reason: string; remote_address: string }>(
    'select reason, remote_address from connection_attempts where device_id = $1 order by last_at desc limit 1',
    [deviceId],
  );
  return rows[0];
}

describe.each(['direct', 'proxied'] as const)('client certificates of devices, %s', (way) => {
  const server = () => (way === 'direct' ? direct : proxied);
  const sn = () => server().world.devices.northQuay1.sn;

  test('a certificate of a configured authority for the SN is accepted, also from an intermediate', async () => {
    expect(await connect(way, sn(), await leaf(sn()))).toBe('open');
    expect(await connect(way, sn(), await leaf(sn(), { by: intermediate }))).toBe('open');
    expect(await connect(way, sn(), await leaf(sn(), { extended: [ExtendedKeyUsage.clientAuth] }))).toBe('open');
  });

  test.each<[string, () => Promise<TestAuthority | null>]>([
    ['certificateMissing', async () => null],
    [
      'certificateExpired',
      () => leaf(sn(), { from: new Date(Date.now() - 48 * HOUR_MS), to: new Date(Date.now() - HOUR_MS) }),
    ],
    ['certificateExpired', () => leaf(sn(), { from: new Date(Date.now() + HOUR_MS) })],
    ['certificateAuthority', () => newAuthority(`CN=${sn()}`, { ca: false, usage: KeyUsageFlags.digitalSignature })],
    ['certificateAuthority', async () => leaf(sn(), { by: await leaf('another-device') })],
    ['certificateName', () => leaf('another-device')],
    ['certificateUsage', () => leaf(sn(), { extended: [ExtendedKeyUsage.serverAuth] })],
  ])('rejected: %s', async (reason, certificate) => {
    const { id } = server().world.devices.northQuay1;
    await server().database.pool.query('delete from connection_attempts');
    expect(await connect(way, sn(), await certificate())).toBe('401');
    expect(
      await eventually(
        () => latestAttempt(server(), id),
        (row) => row !== undefined,
      ),
    ).toEqual({
      reason,
      remote_address: way === 'direct' ? '127.0.0.1' : '192.0.2.7',
    });
  });
});

async function signOut(server: TestServer, headers: Record<string, string>) {
  const response = await server.anonymous.fetch(accessEndpoints.logout.path, {
    ...{ method: 'POST', body: '{}', headers: { 'content-type': 'application/json', ...headers } },
  });
  return { cookies: response.headers.getSetCookie(), headers: response.headers };
}

test.each(['direct', 'proxied'] as const)(
  'a forged certificate, with the name of an authority, is rejected: %s',
  async (way) => {
    const server = way === 'direct' ? direct : proxied;
    const { sn } = server.world.devices.northQuay1;
    await server.database.pool.query('delete from connection_attempts');
    const forged = await leaf(sn, { by: await newAuthority('CN=Root of the devices') });
    expect(await connect(way, sn, forged).catch((error: Error) => error.message)).toMatch(/^(401|socket hang up)$/);
    const reasons = async () =>
      (await server.database.pool.query<{ reason: string }>('select reason from connection_attempts')).rows;
    expect(await eventually(reasons, (rows) => rows.length > 0)).toContainEqual({ reason: 'certificateAuthority' });
  },
);

describe('headers of the proxy', () => {
  test('an invalid certificate header is rejected; RFC 9440 is accepted', async () => {
    const { sn } = proxied.world.devices.northQuay1;
    expect(await connect('proxied', sn, null, { [HEADER]: 'not-a-certificate' })).toBe('401');
    const { cert } = await leaf(sn);
    const base64 = cert.replaceAll(/-----[A-Z ]+-----|\s/g, '');
    expect(await connect('proxied', sn, null, { [HEADER]: `:${base64}:` })).toBe('open');
  });

  test('without TLS between the device and the proxy, security profile 3 rejects the device', async () => {
    const { sn } = proxied.world.devices.northQuay1;
    expect(await connect('proxied', sn, await leaf(sn), { 'x-forwarded-proto': 'https, http' })).toBe('403');
  });

  test('the headers of any other address are ignored', async () => {
    const server = await startTestServer({
      ...{ ocppSecurityProfile: 2, trustedProxies: ['192.0.2.0/24'], clientCertHeader: HEADER },
      ...{ clientCa: Object.values(files.paths)[0], captcha: false },
    });
    try {
      const url = `ws://127.0.0.1:${server.port}/ocpp/${server.world.devices.northQuay1.sn}`;
      const socket = new WebSocket(url, ['ocpp1.6'], { headers: { 'x-forwarded-proto': 'https' } });
      const [, response] = await once(socket, 'unexpected-response');
      expect(response.statusCode).toBe(403);
      socket.on('error', () => undefined).terminate();
      expect((await signOut(server, { 'x-forwarded-proto': 'https' })).cookies.join()).not.toContain('Secure');
    } finally {
      await server.stop();
    }
  });

  test('with an https:// address for users, cookies are Secure and HSTS is sent, without subdomains', async () => {
    const { cookies, headers } = await signOut(proxied, {});
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/; Secure(;|$)/);
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d+$/);
  });
});
