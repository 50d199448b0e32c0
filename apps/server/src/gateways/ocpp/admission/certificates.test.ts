import { randomUUID, X509Certificate } from 'node:crypto';
import { startFleet } from '@chargehand/simulator';
import { RPCClient } from 'ocpp-rpc';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SigningAuthority, signingAuthority } from '../../../fleet/index.ts';
import {
  connectRaw,
  eventually,
  type RawPoint,
  startTestbed,
  type Testbed,
} from '../../../testing/gateways/gateway-testbed.ts';
import { newAuthority, newFiles, newRequest, rsa, type TestAuthority } from '../../../testing/gateways/signing.ts';

let bed: Testbed;
let operator: TestAuthority;
beforeAll(async () => {
  operator = await newAuthority('O=Operator, CN=Devices');
  const { paths, remove } = await newFiles({ cert: operator.cert, key: operator.key });
  const authority = (await signingAuthority({ ...paths, days: 30 })) as SigningAuthority;
  await remove();
  bed = await startTestbed({}, { authority });
});
afterAll(() => bed.stop());

const VERSIONS = ['ocpp1.6', 'ocpp2.0.1'];
const PASSWORD = 'sixteen-characters';
/**
 * Made with OpenSSL, not with our client: CN=OTHER-MAKE with extensions that would make it a certificate authority and
 * a web server.
 */
const OTHER_MAKE = `-----BEGIN CERTIFICATE REQUEST-----
MIIBQjCB6QIBADA3MQswCQYDVQQGEwJERTETMBEGA1UECgwKT3RoZXIgTWFrZTET
MBEGA1UEAwwKT1RIRVItTUFLRTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABA+f
xTLrS89Y/huB5m2BdOcyMp/kjQby9brehDHBGfst+WCytU6pjpiNcwWGMkdoS9Sp
SwOuE2XGoD7tGKVsKCigUDBOBgkqhkiG9w0BCQ4xQTA/MA8GA1UdEwEB/wQFMAMB
Af8wFwYDVR0RBBAwDoIMZXZpbC5leGFtcGxlMBMGA1UdJQQMMAoGCCsGAQUFBwMB
MAoGCCqGSM49BAMCA0gAMEUCIBpYHBj+tgQhy9BKo4CcJjR275I3VJPAxxmajr/r
XE2oAiEAoh8lsPLqw9OvBpgbwbLK220N/27miTY4eq72ycV5xEQ=
-----END CERTIFICATE REQUEST-----
`;

type Delivery = [2, string, string, { certificateChain: string }];

let devices = 0;
async function connected(protocol: string): Promise<{ id: number; sn: string; point: RawPoint }> {
  const sn = `CERT-${++devices}`;
  const id = await bed.addDevice(sn, { password: PASSWORD });
  return { id, sn, point: await connectRaw(`${bed.url}/${sn}`, { protocols: [protocol], password: PASSWORD }) };
}

const kept = async (id: number) =>
  (await bed.pool.query('select * from device_certificates where device_id = $1 order by id', [id])).rows;
const notes = async (id: number, action: string) =>
  (
    await bed.pool.query(
      `select note from protocol_frames where device_id = $1 and action = $2 and type = 2 order by id`,
      [id, action],
    )
  ).rows.map(({ note }) => note);

describe.each(VERSIONS)('%s', (protocol) => {
  const newer = protocol === 'ocpp2.0.1';

  test('a third-party device receives a certificate, and every message is strictly valid in both directions', async () => {
    const id = await deviceOfOtherMake();
    const client = new RPCClient({
      ...{ endpoint: bed.url, identity: 'OTHER-MAKE', password: PASSWORD, protocols: [protocol] },
      ...{ strictMode: true, reconnect: false },
      // The library's types require every option, but its code has a default for each.
    } as ConstructorParameters<typeof RPCClient>[0]);
    const problems: unknown[] = [];
    client.on('strictValidationFailure', (problem: unknown) => problems.push(problem));
    client.on('badMessage', (problem: unknown) => problems.push(problem));
    const brought = new Promise<Record<string, string>>((resolve) => {
      client.handle('CertificateSigned', async ({ params }: { params?: unknown }) => {
        resolve(params as Record<string, string>);
        return { status: 'Accepted' };
      });
    });
    await client.connect();
    const type = newer ? { certificateType: 'ChargingStationCertificate' } : {};
    expect(await client.call('SignCertificate', { csr: OTHER_MAKE, ...type })).toEqual({ status: 'Accepted' });
    const { certificateChain, ...rest } = await brought;
    expect(rest).toEqual(type);
    const [leaf, issuer, ...more] = certificateChain!
      .match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/g)!
      .map((pem) => new X509Certificate(pem));
    expect(more).toEqual([]);
    expect(issuer!.fingerprint256).toBe(new X509Certificate(operator.cert).fingerprint256);
    expect(leaf!.verify(issuer!.publicKey)).toBe(true);
    expect(leaf!).toMatchObject({
      ca: false,
      subject: 'O=Operator\nCN=OTHER-MAKE',
      keyUsage: ['1.3.6.1.5.5.7.3.2'],
      subjectAltName: undefined,
    });
    const [row] = await eventually(
      () => kept(id),
      (rows) => rows.at(-1)?.accepted === true,
    ).then((rows) => rows.slice(-1));
    expect(row).toMatchObject({
      serial: leaf!.serialNumber.toLowerCase(),
      fingerprint: leaf!.fingerprint256.replaceAll(':', '').toLowerCase(),
      subject: 'O=Operator, CN=OTHER-MAKE',
      not_before: leaf!.validFromDate,
      not_after: leaf!.validToDate,
      answered_at: expect.any(Date),
    });
    expect(await notes(id, 'SignCertificate')).toContain(`signed as certificate ${row.serial}`);
    await eventually(
      () => notes(id, 'CertificateSigned'),
      (all) => all.includes(`the device took certificate ${row.serial}`),
    );
    await client.close({ awaitPending: true });
    expect(problems).toEqual([]);
  });

  test('the answer is sent first, then the certificate; the answer of the device is stored', async () => {
    const { id, sn, point } = await connected(protocol);
    // As the handshake compares it, and as the device writes it.
    const { csr } = await newRequest(`CN=${sn.toLowerCase()}`);
    for (const answer of [
      (requestId: unknown) => [3, requestId, { status: 'Rejected' }],
      (requestId: unknown) => [4, requestId, 'InternalError', 'no room', {}],
      (requestId: unknown) => [3, requestId, { status: 'Perhaps' }],
    ]) {
      point.send([2, randomUUID(), 'SignCertificate', { csr }]);
      expect(await point.next()).toEqual([3, expect.any(String), { status: 'Accepted' }]);
      const [type, requestId, action, { certificateChain }] = (await point.next()) as Delivery;
      expect([type, action]).toEqual([2, 'CertificateSigned']);
      expect(new X509Certificate(certificateChain).subject).toBe(`O=Operator\nCN=${sn.toLowerCase()}`);
      expect((await kept(id)).at(-1).accepted).toBeNull();
      point.send(answer(requestId));
      await eventually(
        () => kept(id),
        (rows) => rows.at(-1).accepted === false,
      );
    }
    await eventually(
      () => notes(id, 'CertificateSigned'),
      (all) => all.length === 3 && all.every((note) => /^the device did not take \(/.test(note)),
    );
    point.socket.terminate();
  });

  test('a certificate waits for the answer to a command: one CALL is in flight at a time', async () => {
    const { id, sn, point } = await connected(protocol);
    const call = { executionId: randomUUID(), kind: 'softReset', connector: 0, params: {} } as const;
    expect(await bed.link.execute(id, call)).toEqual({ outcome: 'sent' });
    expect((await point.next())[2]).toBe('Reset');
    const { csr } = await newRequest(`CN=${sn}`);
    point.send([2, 'sign', 'SignCertificate', { csr }]);
    expect(await point.next()).toEqual([3, 'sign', { status: 'Accepted' }]);
    point.send([2, 'beat', 'Heartbeat', {}]);
    // No frame arrived in between.
    expect((await point.next()).slice(0, 2)).toEqual([3, 'beat']);
    point.send([3, call.executionId, { status: 'Accepted' }]);
    expect((await point.next())[2]).toBe('CertificateSigned');
    point.socket.terminate();
  });

  test('a device whose connection broke before its certificate arrived requests again and receives another', async () => {
    const { id, sn, point } = await connected(protocol);
    const { csr } = await newRequest(`CN=${sn}`);
    await point.call('SignCertificate', { csr }, 'one');
    point.socket.terminate();
    const again = await connectRaw(`${bed.url}/${sn}`, { protocols: [protocol], password: PASSWORD });
    expect((await again.call('SignCertificate', { csr }, 'one'))[2]).toEqual({ status: 'Accepted' });
    expect((await again.next())[2]).toBe('CertificateSigned');
    expect(await kept(id)).toHaveLength(2);
    again.socket.terminate();
  });

  test('a device gets at most five certificates signed within an hour', async () => {
    const { id, sn, point } = await connected(protocol);
    const { csr } = await newRequest(`CN=${sn}`);
    const ask = async () => {
      const [type, , answer] = await point.call('SignCertificate', { csr });
      expect(type).toBe(3);
      const { status } = answer as { status: string };
      if (status === 'Accepted') point.send([3, (await point.next())[1], { status: 'Accepted' }]);
      return status;
    };
    for (let count = 1; count <= 5; count++) expect([count, await ask()]).toEqual([count, 'Accepted']);
    expect(await ask()).toBe('Rejected');
    expect((await notes(id, 'SignCertificate')).at(-1)).toMatch(/too many/);
    expect(await kept(id)).toHaveLength(5);
    await bed.pool.query(
      `update device_certificates set issued_at = issued_at - interval '1 hour'
        where id = (select min(id) from device_certificates where device_id = $1)`,
      [id],
    );
    expect(await ask()).toBe('Accepted');
    point.socket.terminate();
  });

  test.each<[string, (sn: string) => Promise<{ csr: string; certificateType?: string }>, string, RegExp]>([
    ['an invalid request', async () => ({ csr: 'request' }), 'InvalidCSR', /not a PKCS#10/],
    ['a request of another device', async () => newRequest('CN=CERT-0'), 'InvalidCSR', /not the SN/],
    ['a request without a name', async () => newRequest('O=Operator'), 'InvalidCSR', /not the SN/],
    ['a weak key', async (sn) => newRequest(`CN=${sn}`, rsa(1_024)), 'InvalidCSR', /its key is not/],
    [
      'the request of another device with the own name',
      async (sn) => {
        const { der } = await newRequest(`CN=${'X'.repeat(sn.length)}`);
        const renamed = der.toString('latin1').replace('X'.repeat(sn.length), sn);
        return { csr: Buffer.from(renamed, 'latin1').toString('base64') };
      },
      'InvalidCSR',
      /its signature does not match/,
    ],
  ])('refused: %s', async (_what, request, reasonCode, note) => {
    const { id, sn, point } = await connected(protocol);
    const { csr } = await request(sn);
    const [type, , answer] = await point.call('SignCertificate', { csr });
    expect(type).toBe(3);
    expect(answer).toEqual({
      status: 'Rejected',
      ...(newer ? { statusInfo: { reasonCode, additionalInfo: expect.stringMatching(note) } } : {}),
    });
    expect((await notes(id, 'SignCertificate')).at(-1)).toMatch(note);
    expect(await kept(id)).toEqual([]);
    // No frame follows.
    point.send([2, 'beat', 'Heartbeat', {}]);
    expect((await point.next()).slice(0, 2)).toEqual([3, 'beat']);
    point.socket.terminate();
  });
});

test.each(VERSIONS)('%s: a connection admitted by SN alone gets no certificate for that name', async (protocol) => {
  const sn = `CERT-OPEN-${protocol}`;
  const id = await bed.addDevice(sn);
  const point = await connectRaw(`${bed.url}/${sn}`, { protocols: [protocol] });
  const { csr } = await newRequest(`CN=${sn}`);
  expect((await point.call('SignCertificate', { csr }))[2]).toMatchObject({ status: 'Rejected' });
  expect((await notes(id, 'SignCertificate')).at(-1)).toMatch(/without a password/);
  expect(await kept(id)).toEqual([]);
  point.socket.terminate();
});

test('certificates for vehicles are refused', async () => {
  const { id, sn, point } = await connected('ocpp2.0.1');
  const { csr } = await newRequest(`CN=${sn}`);
  const [, , answer] = await point.call('SignCertificate', { csr, certificateType: 'V2GCertificate' });
  expect(answer).toMatchObject({ status: 'Rejected', statusInfo: { reasonCode: 'UnsupportedParam' } });
  expect(await kept(id)).toEqual([]);
  point.socket.terminate();
});

test('a certificate that cannot be stored is not promised: the device is asked to try again', async () => {
  const { id, sn, point } = await connected('ocpp2.0.1');
  const { csr } = await newRequest(`CN=${sn}`);
  await bed.pool.query('alter table device_certificates rename to hidden_certificates');
  try {
    expect((await point.call('SignCertificate', { csr })).slice(0, 3)).toEqual([
      4,
      expect.any(String),
      'InternalError',
    ]);
  } finally {
    await bed.pool.query('alter table hidden_certificates rename to device_certificates');
  }
  expect((await point.call('SignCertificate', { csr }))[2]).toEqual({ status: 'Accepted' });
  expect(await kept(id)).toHaveLength(1);
  point.socket.terminate();
});

test('simulated devices of both versions renew their certificates', async () => {
  const add = (sn: string) => bed.addDevice(sn, { password: PASSWORD });
  const ids = [await add('RENEW00001'), await add('RENEW00002')];
  const how = { devices: 2, prefix: 'RENEW', ocpp201: 0.5, password: PASSWORD, renewCertificates: true };
  const fleet = await startFleet({ url: bed.url, ...how });
  try {
    for (const [index, id] of ids.entries()) {
      const [row] = await eventually(
        () => kept(id),
        (rows) => rows[0]?.accepted === true,
      );
      const taken = new X509Certificate(fleet.devices[index]!.certificateChain!);
      expect(taken.serialNumber.toLowerCase()).toBe(row.serial);
    }
  } finally {
    await fleet.stop();
  }
});

let otherMake: number | null = null;
async function deviceOfOtherMake(): Promise<number> {
  otherMake ??= await bed.addDevice('OTHER-MAKE', { password: PASSWORD });
  return otherMake;
}
