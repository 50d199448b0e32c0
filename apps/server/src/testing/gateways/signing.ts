import { webcrypto } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  type JsonName,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  Pkcs10CertificateRequestGenerator,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

type Keys = webcrypto.CryptoKeyPair;
type Algorithm = {
  name: string;
  namedCurve?: string;
  modulusLength?: number;
  publicExponent?: Uint8Array;
  hash?: string;
};

export const EC: Algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
export const ED25519: Algorithm = { name: 'Ed25519' };
export const rsa = (modulusLength: number): Algorithm => ({
  ...{ name: 'RSASSA-PKCS1-v1_5', modulusLength, hash: 'SHA-256' },
  publicExponent: new Uint8Array([1, 0, 1]),
});

/** A key and its certificate, both in PEM. */
export interface TestAuthority {
  cert: string;
  key: string;
  keys: Keys;
  subject: string;
}

const newKeys = (algorithm: Algorithm) =>
  webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<Keys>;

async function pemOfKey({ privateKey }: Keys): Promise<string> {
  return `${PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', privateKey), 'PRIVATE KEY')}\n`;
}

/** A certificate with its key; by default of a self-signed authority that is valid now. */
export async function newAuthority(
  subject: string,
  more: {
    by?: TestAuthority;
    ca?: boolean;
    usage?: number;
    from?: Date;
    to?: Date;
    algorithm?: Algorithm;
    extended?: string[];
  } = {},
): Promise<TestAuthority> {
  const { by, ca = true, usage = KeyUsageFlags.keyCertSign, algorithm = EC } = more;
  const keys = await newKeys(algorithm);
  const made = await X509CertificateGenerator.create({
    ...{ subject, issuer: by?.subject ?? subject, publicKey: keys.publicKey },
    notBefore: more.from ?? new Date(Date.now() - 86_400_000),
    notAfter: more.to ?? new Date(Date.now() + 10 * 365 * 86_400_000),
    signingKey: (by?.keys ?? keys).privateKey,
    signingAlgorithm: algorithm,
    extensions: [
      new BasicConstraintsExtension(ca, undefined, true),
      new KeyUsagesExtension(usage, true),
      ...(more.extended ? [new ExtendedKeyUsageExtension(more.extended)] : []),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { cert: `${made.toString('pem')}\n`, key: await pemOfKey(keys), keys, subject };
}

/** A certificate request (PKCS#10) with its key, both in PEM. */
export async function newRequest(
  name: string | JsonName,
  algorithm: Algorithm = EC,
): Promise<{ csr: string; der: Buffer; key: string }> {
  const keys = await newKeys(algorithm);
  const request = await Pkcs10CertificateRequestGenerator.create({
    ...{ name, keys, signingAlgorithm: algorithm },
    // Other attributes that a device requests are not granted.
    extensions: [new BasicConstraintsExtension(true, undefined, true)],
  });
  return { csr: request.toString('pem'), der: Buffer.from(request.rawData), key: await pemOfKey(keys) };
}

/** A folder with files of these texts, by name. */
export async function newFiles<Name extends string>(
  texts: Record<Name, string>,
): Promise<{ paths: Record<Name, string>; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-signing-'));
  const entries = Object.entries<string>(texts).map(async ([name, text]) => {
    const path = join(folder, name);
    await writeFile(path, text);
    return [name, path];
  });
  return {
    paths: Object.fromEntries(await Promise.all(entries)) as Record<Name, string>,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
