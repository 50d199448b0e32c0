import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, connect as connectTcp, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import { CODES } from '@chargehand/contract';
import { KeyUsageFlags } from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testConfig } from '../../testing/config.ts';
import { freePort } from '../../testing/deployment/free-port.ts';
import { eventually } from '../../testing/eventually.ts';
import { newAuthority, newFiles, type TestAuthority } from '../../testing/gateways/signing.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { certificateFor } from './certificate.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);

let authority: TestAuthority;
let files: Awaited<ReturnType<typeof newFiles<'cert' | 'key' | 'ca'>>>;
let server: TestServer;
let smtpPort: number;

const leaf = (name: string, to: Date, from?: Date) =>
  newAuthority(`CN=${name}`, {
    by: authority,
    ca: false,
    usage: KeyUsageFlags.digitalSignature,
    to,
    ...(from ? { from } : {}),
  });
const install = async ({ cert, key }: TestAuthority) => {
  await writeFile(files.paths.cert, cert);
  await writeFile(files.paths.key, key);
};
const tlsOf = ({ cert, key }: { cert: string; key: string }) => ({ tls: { cert, key } });

beforeAll(async () => {
  authority = await newAuthority('CN=Authority');
  const first = await leaf('first', inDays(100));
  files = await newFiles({ cert: first.cert, key: first.key, ca: authority.cert });
  smtpPort = await freePort();
  const settings = {
    ...{ ...tlsOf(files.paths), clientCa: files.paths.ca, ocppSecurityProfile: 3 },
    inboundMail: { port: smtpPort, domain: 'mail.example.org' },
  };
  const certificate = await certificateFor(testConfig('/nowhere', settings), '/nowhere');
  server = await startTestServer(settings, { certificate });
});
afterAll(async () => {
  await server?.stop();
  await files?.remove();
});

/** The name in the certificate that a new connection gets. */
async function servedName(port: number): Promise<string | undefined> {
  const socket = connect({ port, host: '127.0.0.1', ca: authority.cert, checkServerIdentity: () => undefined });
  await once(socket, 'secureConnect');
  const { subject } = socket.getPeerCertificate();
  socket.destroy();
  return [subject.CN].flat()[0];
}
/** The name in the certificate that a mail server gets after STARTTLS. */
async function servedNameOfMail(): Promise<string | undefined> {
  const socket = connectTcp({ port: smtpPort, host: '127.0.0.1' }).setEncoding('utf8');
  const answered = async () => {
    let answer = '';
    while (!/^\d{3} .*\r\n$/m.test(answer)) answer += (await once(socket, 'data'))[0];
  };
  await answered();
  for (const command of ['EHLO mail.example.com', 'STARTTLS']) {
    socket.write(`${command}\r\n`);
    await answered();
  }
  const secure = connect({ socket, ca: authority.cert, checkServerIdentity: () => undefined });
  await once(secure, 'secureConnect');
  const { subject } = secure.getPeerCertificate();
  secure.destroy();
  return [subject.CN].flat()[0];
}
const readiness = async () => JSON.parse(await get('/readyz'));
const metrics = () => get('/metrics');
/** Gets a page over a connection that trusts the authority of this file. */
async function get(path: string): Promise<string> {
  const url = `https://127.0.0.1:${server.port}${path}`;
  const sent = request(url, { agent: false, ca: authority.cert, checkServerIdentity: () => undefined }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return await text(response);
}

/** The first bytes of a TLS 1.2 client. */
async function clientHello(): Promise<Buffer> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  const client = connect({ port, host: '127.0.0.1', maxVersion: 'TLSv1.2' });
  client.on('error', () => undefined);
  const [socket] = (await once(listener, 'connection')) as [Socket];
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  listener.close();
  return bytes;
}

/** Sends bytes without TLS and waits until the server closes the connection. */
async function exchange(...parts: (string | Buffer)[]): Promise<void> {
  const socket = connectTcp(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  for (const [index, part] of parts.entries()) {
    socket.write(part);
    if (index < parts.length - 1) await once(socket, 'data');
  }
  socket.resume();
  await once(socket, 'close');
}

/** What OpenSSL, and so most devices, send when they do not trust the issuer (RFC 5246 §7.2.2: unknown_ca, fatal). */
const UNKNOWN_CA_ALERT = Buffer.from('15030300020230', 'hex');
describe('a certificate that cannot be used stops the start', () => {
  test.each<[string, () => Promise<{ cert: string; key: string }>, RegExp]>([
    ['expired', () => leaf('x', inDays(-1), inDays(-9)), /^CHARGEHAND_TLS_CERT: \S+ expired on \d{4}-.*\. Replace it/],
    ['not valid yet', () => leaf('x', inDays(9), inDays(1)), /is not valid before \d{4}-.*Check the clock/],
    [
      'of another key',
      async () => ({ ...(await leaf('x', inDays(9))), key: authority.key }),
      /does not match CHARGEHAND_TLS_KEY/,
    ],
    ['not a certificate', async () => ({ cert: 'none', key: authority.key }), /must contain a certificate in PEM/],
    [
      'without a key',
      async () => ({ cert: authority.cert, key: 'none' }),
      /CHARGEHAND_TLS_KEY must contain a private key/,
    ],
  ])('%s', async (_title, made, sentence) => {
    const { paths, remove } = await newFiles(await made().then(({ cert, key }) => ({ cert, key })));
    await expect(certificateFor(testConfig('/nowhere', tlsOf(paths)), '/nowhere')).rejects.toThrow(sentence);
    await remove();
  });
});

describe('while the server runs', () => {
  test('a reload serves the new certificate to new connections, and names one that expires soon', async () => {
    expect(await servedName(server.port)).toBe('first');
    expect(await servedNameOfMail()).toBe('first');
    expect(await readiness()).toMatchObject({ data: { status: 'ready', warnings: [] } });
    const until = inDays(13);
    await install(await leaf('second', until));
    await server.reloadCertificates();
    expect(await servedName(server.port)).toBe('second');
    expect(await servedNameOfMail()).toBe('second');
    expect(await metrics()).toContain(
      `chargehand_certificate_expiry_timestamp_seconds{certificate="server"} ${Math.floor(until.getTime() / 1_000)}`,
    );
    const warning = `The certificate of CHARGEHAND_TLS_CERT is valid only until ${until.toISOString().slice(0, 10)}.`;
    expect(await readiness()).toMatchObject({
      code: 0,
      data: { warnings: [{ code: CODES.certificateExpires.code, message: expect.stringContaining(warning) }] },
    });
  });

  test('a reload of files that cannot be used keeps the previous certificate', async () => {
    const before = await servedName(server.port);
    await install(await leaf('expired', inDays(-1), inDays(-9)));
    await expect(server.reloadCertificates()).rejects.toThrow('expired on');
    expect(await servedName(server.port)).toBe(before);
  });
});

describe('a failed handshake is recorded as a connection attempt', () => {
  const attempts = async () =>
    (
      await server.database.pool.query<{ gateway: string; reason: string; remote_address: string }>(
        'select gateway, reason, remote_address from connection_attempts',
      )
    ).rows;
  test.each<[string, () => Promise<void>, string]>([
    [
      'a client that does not trust the certificate',
      async () => exchange(await clientHello(), UNKNOWN_CA_ALERT),
      'tlsRejected',
    ],
    ['plain HTTP', () => exchange('GET / HTTP/1.1\r\n\r\n'), 'tls'],
  ])('%s', async (_title, attempt, reason) => {
    await server.database.pool.query('delete from connection_attempts');
    await attempt();
    const expected = { gateway: 'ocpp', reason, remote_address: '127.0.0.1' };
    expect(await eventually(attempts, (rows) => rows.length > 0)).toEqual([expected]);
    expect(await metrics()).toMatch(
      new RegExp(`chargehand_tls_handshake_failures_total\\{reason="${reason}"\\} [1-9]`),
    );
  });
});
