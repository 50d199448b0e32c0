import { constants, createVerify, X509Certificate } from 'node:crypto';
import { SIGNATURE_LENGTH, SIGNING_CERTIFICATE_LENGTH } from '@chargehand/domain';
import { Problem } from '../../platform/http/problem.ts';

/** A manufacturer's signature of a firmware file. */
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
 * The entered signature, or null when none was entered. Blanks around and within it are removed, and so is the text
 * around the certificate. `signatureCheck` checks whether it matches a file. Only the device can check whether the
 * certificate is from an authority of the manufacturer, because only the device knows that authority (OCPP 2.0.1 part
 * 2, L01).
 * @throws {Problem} with the field: one without the other, or unreadable contents
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

/** Groups of four, the last one padded (RFC 4648 §4). */
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Key types for the signatures that OCPP supports. */
const KEY_TYPES: ReadonlySet<string | undefined> = new Set(['rsa', 'rsa-pss', 'ec']);

function certificateIn(pem: string): X509Certificate {
  const unreadable = () => new Problem('signingCertificateUnreadable', { field: 'signingCertificate' });
  // A chain or a private key must not be sent to the device.
  if (pem.match(/-----BEGIN /g)?.length !== 1) throw unreadable();
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(pem);
  } catch {
    // The message is from OpenSSL and does not help the user.
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
 * Verifies a signature of a file that arrives in chunks: SHA-256 with RSA-PSS (any length of salt), with RSA PKCS #1
 * v1.5, or with ECDSA (DER). OCPP 2.0.1 part 2 §L01 and the OCPP 1.6 whitepaper name RSA-PSS and EC-Schnorr. No common
 * library has EC-Schnorr, so manufacturers use the others.
 */
export function signatureCheck({ certificate, signature }: Signing): {
  update(chunk: Buffer): void;
  /** call once, at the end of the file */
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
          // The certificate binds the key to another digest, so it cannot be the signer.
          return false;
        }
      }),
  };
}
