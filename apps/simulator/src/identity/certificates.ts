import { KeyObject, webcrypto, X509Certificate } from 'node:crypto';
import type { Station } from '../behaviour/station.ts';

const EC = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Creates a key and requests its certificate (A03 of the security whitepaper, and of OCPP 2.0.1). */
export async function requestCertificate(station: Station): Promise<void> {
  const { certificate, identity, settings, outbox } = station;
  // Few charge points request certificates, so this module is only loaded when one does.
  const { Pkcs10CertificateRequestGenerator } = await import('@peculiar/x509');
  const keys = (await webcrypto.subtle.generateKey(EC, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
  const request = await Pkcs10CertificateRequestGenerator.create({
    ...{ keys, signingAlgorithm: EC },
    name: [{ O: [identity.vendor] }, { CN: [identity.sn] }],
  });
  certificate.requested = KeyObject.from(keys.privateKey);
  const csr = request.toString('pem');
  const type = settings.protocol !== '1.6' ? { certificateType: 'ChargingStationCertificate' } : {};
  outbox.add('SignCertificate', 'ordinary', () => ({ csr, ...type }));
}

/** Accepts a certificate (CertificateSigned); false when it is for another key or another charge point. */
export function takeCertificate({ certificate, identity }: Station, chain: string): boolean {
  const leaf = readLeaf(chain);
  if (!leaf || !certificate.requested || !leaf.checkPrivateKey(certificate.requested)) return false;
  if (!leaf.subject.split('\n').includes(`CN=${identity.sn}`)) return false;
  certificate.requested = null;
  certificate.chain = chain;
  return true;
}

/** The first certificate of a chain; null when there is none. */
function readLeaf(chain: string): X509Certificate | null {
  try {
    return new X509Certificate(chain);
  } catch {
    // A text that is not a certificate.
    return null;
  }
}
