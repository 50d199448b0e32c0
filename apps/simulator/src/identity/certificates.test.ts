import { webcrypto } from 'node:crypto';
import { Pkcs10CertificateRequest, type PublicKey, X509CertificateGenerator } from '@peculiar/x509';
import { describe, expect, test } from 'vitest';
import type { CentralSystem } from '../testing/central-system.ts';
import { setAcceptedScene } from '../testing/scene.ts';

const SN = 'SIM00001';
const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const newKeys = async () =>
  (await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;

const accept = (central: CentralSystem): void => {
  central.replies.SignCertificate = () => ({ status: 'Accepted' });
};

async function signed(subject: string, publicKey: PublicKey | webcrypto.CryptoKey): Promise<string> {
  const { privateKey: signingKey } = await newKeys();
  const made = { subject, issuer: 'CN=Authority', publicKey, signingKey, signingAlgorithm: EC };
  return (await X509CertificateGenerator.create(made)).toString('pem');
}

describe.each([
  ['1.6', 0],
  ['2.0.1', 1],
])('a charge point with OCPP %s that renews its certificate', (_version, ocpp201) => {
  test('requests a certificate, and accepts the one that matches its key and its SN', async () => {
    const { central, device } = await setAcceptedScene({ ocpp201, renewCertificates: true }, accept);
    const { payload } = await central.seen(SN, 'SignCertificate');
    const request = new Pkcs10CertificateRequest(payload.csr as string);
    expect(await request.verify()).toBe(true);
    expect(request.subjectName.getField('CN')).toEqual([SN]);
    const deliver = (certificateChain: string) => central.call(SN, 'CertificateSigned', { certificateChain });

    const rejected = { status: 'Rejected' };
    expect(await deliver('certificate')).toEqual(rejected);
    expect(await deliver(await signed(`CN=${SN}`, (await newKeys()).publicKey))).toEqual(rejected);
    expect(await deliver(await signed('CN=SIM00002', request.publicKey))).toEqual(rejected);
    expect(device.certificateChain).toBeNull();
    const good = await signed(`O=Operator, CN=${SN}`, request.publicKey);
    expect(await deliver(good)).toEqual({ status: 'Accepted' });
    expect(device.certificateChain).toBe(good);
    // The key already has its certificate.
    expect(await deliver(good)).toEqual(rejected);
    expect(central.violations).toEqual([]);
  });

  test('requests none by default', async () => {
    const { central } = await setAcceptedScene({ ocpp201 }, accept);
    await central.call(SN, 'TriggerMessage', { requestedMessage: 'Heartbeat' });
    await central.seen(SN, 'Heartbeat');
    expect(central.of(SN).filter(({ action }) => action === 'SignCertificate')).toEqual([]);
  });
});
