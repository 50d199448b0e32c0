import { constants, createVerify, type KeyObject, X509Certificate } from 'node:crypto';

/** The signature of a firmware file, as far as a charge point needs it. */
export interface Signing {
  key: KeyObject;
  signature: Buffer;
}

/**
 * The key of a signing certificate (PEM) and the signature (base64) to verify; null when the certificate is not
 * readable, is not valid now or has a key that cannot sign. The issuer is not checked, because simulated charge points
 * have no certificate authority of their vendor.
 */
export function signingOf(certificate: string, signature: string): Signing | null {
  try {
    const { publicKey: key, validFromDate, validToDate } = new X509Certificate(certificate);
    const now = new Date();
    const usable = key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ec';
    if (!usable || validFromDate > now || validToDate < now) return null;
    return { key, signature: Buffer.from(signature, 'base64') };
  } catch {
    // A charge point reports every problem with the same status.
    return null;
  }
}

/** Verifies the signature of a file that arrives in pieces: SHA-256 with RSA-PSS, PKCS #1 v1.5 or ECDSA. */
export function verifier({ key, signature }: Signing): { take(chunk: Buffer): void; fits(): boolean } {
  const ways =
    key.asymmetricKeyType === 'rsa' ? [constants.RSA_PKCS1_PSS_PADDING, constants.RSA_PKCS1_PADDING] : [null];
  const checks = ways.map((padding) => ({ padding, verify: createVerify('sha256') }));
  return {
    take(chunk) {
      for (const { verify } of checks) verify.update(chunk);
    },
    fits: () =>
      checks.some(({ padding, verify }) => verify.verify(padding === null ? { key } : { key, padding }, signature)),
  };
}
