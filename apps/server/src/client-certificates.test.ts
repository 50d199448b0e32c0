import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type Chargehand, startChargehand } from './chargehand.ts';
import { readConfig } from './platform/config/config.ts';
import { createLog } from './platform/log.ts';
import { certificateFor } from './platform/tls/certificate.ts';
import { createTestDatabase, type TestDatabase } from './testing/database/database.ts';
import { newRequest } from './testing/gateways/signing.ts';
import { seedWorld, type World } from './testing/world.ts';

type Made = Awaited<ReturnType<typeof generate>>;
const named = (name: string, signer?: Made) =>
  generate([{ name: 'commonName', value: name }], {
    keySize: 2048,
    ...(signer
      ? { ca: { key: signer.private, cert: signer.cert } }
      : { extensions: [{ name: 'basicConstraints', cA: true }] }),
  });

let folder: string;
let database: TestDatabase;
let world: World;
let authority: Made;
let product: Chargehand;

/** The product with the settings of an operator for security profile 3, including the files. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargehand-tls-'));
  database = await createTestDatabase({ max: 8 });
  world = await seedWorld(database.db);
  authority = await named('Authority');
  const own = await named('localhost');
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    CHARGEHAND_DATA: folder,
    CHARGEHAND_DEMO: '0',
    CHARGEHAND_OCPP_SECURITY_PROFILE: '3',
    CHARGEHAND_TLS_CERT: await file('server.crt', own.cert),
    CHARGEHAND_TLS_KEY: await file('server.key', own.private),
    CHARGEHAND_TLS_CLIENT_CA: await file('devices-ca.crt', authority.cert),
    CHARGEHAND_OCPP_SIGNING_CERT: join(folder, 'devices-ca.crt'),
    CHARGEHAND_OCPP_SIGNING_KEY: await file('devices-ca.key', authority.private),
  });
  const certificate = await certificateFor(config, folder);
  product = await startChargehand(
    config,
    { ...database, close: async () => undefined },
    createLog('silent'),
    certificate,
  );
});
afterAll(async () => {
  await product?.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

function connectionOf(sn: string, certificate?: { cert: string; private: string }): WebSocket {
  return new WebSocket(`wss://127.0.0.1:${product.port}/ocpp/${sn}`, ['ocpp1.6'], {
    rejectUnauthorized: false,
    ...(certificate ? { key: certificate.private, cert: certificate.cert } : {}),
  });
}

/** How the handshake of a device ends: `open`, or the HTTP status. */
function knock(sn: string, certificate?: { cert: string; private: string }): Promise<string> {
  const socket = connectionOf(sn, certificate);
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

test('with CHARGEHAND_TLS_CLIENT_CA a device is admitted only with its own certificate of that authority', async () => {
  const { northQuay1, northQuay2 } = world.devices;
  const own = await named(northQuay1.sn, authority);
  expect(await knock(northQuay1.sn, own)).toBe('open');
  expect(await knock(northQuay2.sn, own)).toBe('401');
  expect(await knock(northQuay1.sn)).toBe('401');
  expect(await knock(northQuay1.sn, await named(northQuay1.sn))).toBe('401');
});

test('a certificate that this server issued is accepted on the next connection of the device that requested it, and for no other', async () => {
  const { northQuay1, northQuay2 } = world.devices;
  const { csr, key } = await newRequest(`CN=${northQuay1.sn}`);
  const socket = connectionOf(northQuay1.sn, await named(northQuay1.sn, authority));
  const chain = await new Promise<string>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => socket.send(JSON.stringify([2, 'sign', 'SignCertificate', { csr }])));
    socket.on('message', (data) => {
      const [type, , action, payload] = JSON.parse(String(data)) as [number, string, string, Record<string, string>];
      if (type === 2 && action === 'CertificateSigned') resolve(payload.certificateChain!);
    });
  });
  socket.terminate();
  const renewed = { cert: chain, private: key };
  expect(await knock(northQuay1.sn, renewed)).toBe('open');
  expect(await knock(northQuay2.sn, renewed)).toBe('401');
});

test('a start with an invalid signing certificate ends with a message', async () => {
  const own = await named('localhost', authority);
  await writeFile(join(folder, 'leaf.crt'), own.cert);
  await writeFile(join(folder, 'leaf.key'), own.private);
  const config = readConfig({
    ...{ PORT: '0', HOST: '127.0.0.1', CHARGEHAND_DATA: folder, CHARGEHAND_DEMO: '0' },
    CHARGEHAND_OCPP_SIGNING_CERT: join(folder, 'leaf.crt'),
    CHARGEHAND_OCPP_SIGNING_KEY: join(folder, 'leaf.key'),
  });
  const start = startChargehand(config, { ...database, close: async () => undefined }, createLog('silent'));
  await expect(start).rejects.toThrow(
    'CHARGEHAND_OCPP_SIGNING_CERT: its first certificate must be that of an authority',
  );
});
