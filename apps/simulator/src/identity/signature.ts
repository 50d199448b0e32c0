import { constants, createVerify, type KeyObject, X509Certificate } from 'node:crypto';

/** What a firmware file is signed with, as far as a charge point needs it. */
export interface Signing {
  key: KeyObject;
  signature: Buffer;
}

/**
 * The key of a signing certificate (PEM) with the signature (base64) that it is to be held against; null when the
 * certificate cannot be read, is not valid now or has a key that signs nothing. Who issued it is not looked at: simulated
 * charge points have no authority of their maker.
 */
export function signingOf(certificate: string, signature: string): Signing | null {
  try {
    const { publicKey: key, validFromDate, validToDate } = new X509Certificate(certificate);
    const now = new Date();
    const usable = key.asymmetricKeyType === 'rsa' || key.asymmetricKeyType === 'ec';
    if (!usable || validFromDate > now || validToDate < now) return null;
    return { key, signature: Buffer.from(signature, 'base64') };
  } catch {
    // Whatever is wrong with it, a charge point has one word for that.
    return null;
  }
}

/** Holds a signature against a file that comes in pieces: SHA-256 with RSA-PSS, with PKCS #1 v1.5, or with ECDSA. */
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
