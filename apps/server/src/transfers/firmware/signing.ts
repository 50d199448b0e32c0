import { constants, createVerify, X509Certificate } from 'node:crypto';
import { SIGNATURE_LENGTH, SIGNING_CERTIFICATE_LENGTH } from '@chargehand/domain';
import { Problem } from '../../platform/http/problem.ts';

/** What a manufacturer signed a firmware file with. */
export interface Signing {
  /** one X.509 certificate in PEM */
  certificate: string;
  /** base64, without blanks */
  signature: string;
  /** subject of the certificate in one line */
  signedBy: string;
  signedUntil: Date;
}

/**
 * What was entered of a signature, or null when nothing was. Blanks around and within it are left out; of the text around
 * the certificate nothing is kept. Whether it fits a file is for `signatureCheck`, whether the certificate comes from
 * an authority of the manufacturer for the device, which alone knows that authority (OCPP 2.0.1 part 2, L01).
 * @throws {Problem} naming the field: one without the other, or what cannot be read
 */
export function readSigning(entered: { signingCertificate: string; signature: string }): Signing | null {
  const pem = entered.signingCertificate.trim();
  const signature = entered.signature.replace(/\s+/g, '');
  if (pem === '' && signature === '') return null;
  if (pem === '') throw new Problem('signatureAlone', { field: 'signingCertificate' });
  if (signature === '') throw new Problem('signatureAlone', { field: 'signature' });
  const certificate = certificateIn(pem);
  if (!BASE64.test(signature) || signature.length > SIGNATURE_LENGTH)
    throw new Problem('signatureUnreadable', { field: 'signature' });
  const { subject, validToDate } = certificate;
  const signedBy = (subject ?? '').split('\n').join(', ');
  return { certificate: certificate.toString().trim(), signature, signedBy, signedUntil: validToDate };
}

/** Groups of four, the last one filled up (RFC 4648 §4). */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Keys that can sign as OCPP has it. */
const KEY_TYPES: ReadonlySet<string | undefined> = new Set(['rsa', 'rsa-pss', 'ec']);

function certificateIn(pem: string): X509Certificate {
  const unreadable = () => new Problem('signingCertificateUnreadable', { field: 'signingCertificate' });
  // A chain or a key among it is not what the device is to be sent.
  if (pem.match(/-----BEGIN /g)?.length !== 1) throw unreadable();
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    // Its message is OpenSSL's and says nothing to whoever entered it.
    throw unreadable();
  }
  if (!KEY_TYPES.has(certificate.publicKey.asymmetricKeyType)) throw unreadable();
  if (certificate.toString().trim().length > SIGNING_CERTIFICATE_LENGTH) throw unreadable();
  return certificate;
}

/** @throws {Problem} when the certificate has expired or is not valid yet */
export function requireValid({ certificate }: Signing, now: Date): void {
  const { validFromDate: from, validToDate: until } = new X509Certificate(certificate);
  const field = 'signingCertificate';
  if (until < now) throw new Problem('signingCertificateExpired', { field, values: { until: dayOf(until) } });
  if (from > now) throw new Problem('signingCertificateEarly', { field, values: { from: dayOf(from) } });
}

function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}

/**
 * Checks a signature against a file that comes in pieces: SHA-256 with RSA-PSS (any length of salt), with RSA PKCS #1
 * v1.5, or with ECDSA (DER). OCPP 2.0.1 part 2 §L01 and the OCPP 1.6 whitepaper name RSA-PSS and EC-Schnorr, which no
 * common library has; manufacturers sign with what these have.
 */
export function signatureCheck({ certificate, signature }: Signing): {
  update(chunk: Buffer): void;
  /** to be asked once, at the end of the file */
  fits(): boolean;
} {
  const key = new X509Certificate(certificate).publicKey;
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_AUTO };
  const ways = {
    rsa: [pss, { padding: constants.RSA_PKCS1_PADDING }],
    'rsa-pss': [pss],
    ec: [{ dsaEncoding: 'der' }],
  } as const;
  const checks = ways[key.asymmetricKeyType as keyof typeof ways].map((way) => ({
    way,
    verify: createVerify('sha256'),
  }));
  const bytes = Buffer.from(signature, 'base64');
  return {
    update(chunk) {
      for (const { verify } of checks) verify.update(chunk);
    },
    fits: () =>
      checks.some(({ way, verify }) => {
        try {
          return verify.verify({ key, ...way }, bytes);
        } catch {
          // A key that its certificate binds to another digest: it cannot have signed so.
          return false;
        }
      }),
  };
}
