import { createServer, type Server } from 'node:https';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { connectRaw, startTestbed, type Testbed } from '../../../testing/gateways/gateway-testbed.ts';

type Certificate = Awaited<ReturnType<typeof generate>>;
const named = (name: string, signer?: Certificate) =>
  generate([{ name: 'commonName', value: name }], {
    keySize: 2048,
    ...(signer ? { ca: { key: signer.private, cert: signer.cert } } : {}),
    ...(signer ? {} : { extensions: [{ name: 'basicConstraints', cA: true }] }),
  });

let authority: Certificate;
let serverCertificate: Certificate;
beforeAll(async () => {
  authority = await named('Authority');
  serverCertificate = await named('localhost');
});

const tlsServer = (): Server =>
  createServer({
    key: serverCertificate.private,
    cert: serverCertificate.cert,
    ca: authority.cert,
    requestCert: true,
    rejectUnauthorized: false,
  });

/** How a handshake over TLS ends: `open`, or the HTTP status. */
function knock(
  bed: { url: string },
  sn: string,
  more: { certificate?: Certificate; password?: string } = {},
): Promise<string> {
  const { certificate, password } = more;
  const socket = new WebSocket(`${bed.url.replace('ws:', 'wss:')}/${sn}`, ['ocpp1.6'], {
    rejectUnauthorized: false,
    ...(certificate ? { key: certificate.private, cert: certificate.cert } : {}),
    ...(password ? { auth: `${sn}:${password}` } : {}),
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

const PASSWORD = 'sixteen-characters';

describe('security profile 1: every device presents its password, also without TLS', () => {
  let bed: Testbed;
  beforeAll(async () => {
    bed = await startTestbed({ securityProfile: 1 });
    await bed.addDevice('SEC-1', { password: PASSWORD });
    await bed.addDevice('SEC-2');
  });
  afterAll(() => bed.stop());

  test('with the password the connection opens; with a wrong one, without it, or when none is set for the device, it does not', async () => {
    const point = await connectRaw(`${bed.url}/SEC-1`, { password: PASSWORD });
    expect(await point.call('Heartbeat', {})).toMatchObject([3, expect.any(String), {}]);
    point.socket.terminate();
    await expect(connectRaw(`${bed.url}/SEC-1`, { password: 'sixteen-characters-not' })).rejects.toThrow('HTTP 401');
    await expect(connectRaw(`${bed.url}/SEC-1`)).rejects.toThrow('HTTP 401');
    await expect(connectRaw(`${bed.url}/SEC-2`, { password: PASSWORD })).rejects.toThrow('HTTP 401');
    await expect(connectRaw(`${bed.url}/SEC-2`)).rejects.toThrow('HTTP 401');
  });
});

test.each([
  ['small', 'a00102030405060708090a0b0c0d0e0fffffffff'],
  ['capital', 'A00102030405060708090A0B0C0D0E0FFFFFFFFF'],
])(
  'a key of 40 hexadecimal digits in %s case is accepted as text or as the bytes that it encodes',
  async (letters, key) => {
    const bed = await startTestbed({ securityProfile: 1 });
    try {
      const sn = `KEY-${letters}`;
      await bed.addDevice(sn, { password: key });
      const show = (password: Buffer) => {
        const authorization = `Basic ${Buffer.concat([Buffer.from(`${sn}:`), password]).toString('base64')}`;
        return connectRaw(`${bed.url}/${sn}`, { headers: { authorization } });
      };
      const bytes = Buffer.from(key, 'hex');
      for (const password of [Buffer.from(key), bytes]) (await show(password)).socket.terminate();
      bytes[0] = 1;
      await expect(show(bytes)).rejects.toThrow('HTTP 401');
    } finally {
      await bed.stop();
    }
  },
);

describe('security profile 2: every device presents its password over TLS', () => {
  let bed: Testbed;
  let plain: Testbed;
  beforeAll(async () => {
    bed = await startTestbed({ securityProfile: 2 }, { server: tlsServer() });
    plain = await startTestbed({ securityProfile: 2 });
    await bed.addDevice('SEC-1', { password: PASSWORD });
    await bed.addDevice('SEC-2');
    await plain.addDevice('SEC-1', { password: PASSWORD });
  });
  afterAll(async () => {
    await bed.stop();
    await plain.stop();
  });

  test('with the password the connection opens; without it, or when none is set for the device, it does not', async () => {
    expect(await knock(bed, 'SEC-1', { password: PASSWORD })).toBe('open');
    expect(await knock(bed, 'SEC-1')).toBe('401');
    expect(await knock(bed, 'SEC-2', { password: PASSWORD })).toBe('401');
  });

  test('profile 2 refuses connections without TLS', async () => {
    await expect(connectRaw(`${plain.url}/SEC-1`, { password: PASSWORD })).rejects.toThrow('HTTP 403');
  });
});

describe('security profile 3: a device presents its certificate', () => {
  let bed: Testbed;
  beforeAll(async () => {
    bed = await startTestbed({ securityProfile: 3 }, { server: tlsServer() });
    await bed.addDevice('SEC-3');
    await bed.addDevice('SEC-4');
  });
  afterAll(() => bed.stop());

  test("its own certificate is accepted; no certificate, another device's, or one of an unknown authority is refused", async () => {
    const own = await named('SEC-3', authority);
    expect(await knock(bed, 'SEC-3', { certificate: own })).toBe('open');
    expect(await knock(bed, 'SEC-4', { certificate: own })).toBe('401');
    expect(await knock(bed, 'SEC-3')).toBe('401');
    expect(await knock(bed, 'SEC-3', { certificate: await named('SEC-3') })).toBe('401');
  });
});
