import {
  createPrivateKey,
  X509Certificate as FileCertificate,
  type KeyObject,
  randomBytes,
  webcrypto,
} from 'node:crypto';
import { readFile } from 'node:fs/promises';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  type PublicKey,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { Config } from '../../platform/config/config.ts';

/** A certificate that this server issued. */
export interface SignedCertificate {
  /** PEM: the certificate, followed by those of the signing file, each signed by the next */
  chain: string;
  /** in lower-case hexadecimal digits, like the SHA-256 of its DER */
  serial: string;
  fingerprint: string;
  /** as text, such as `O=Operator, CN=SN` */
  subject: string;
  notBefore: Date;
  notAfter: Date;
}

/** Signs certificates of devices with the operator's key. */
export interface SigningAuthority {
  /**
   * A client certificate for a key with the name `commonName`. Null when the authority itself is not valid at that
   * time.
   */
  sign(commonName: string, key: PublicKey, at: Date): Promise<SignedCertificate | null>;
}

const CERT = 'CHARGEHAND_OCPP_SIGNING_CERT';
const KEY = 'CHARGEHAND_OCPP_SIGNING_KEY';

/** How far the clock of a device may be slow. */
const BEFORE_MS = 300_000;
const DAY_MS = 86_400_000;
const SERIAL_BYTES = 16;
/**
 * The maximum length of a chain in CertificateSigned, in both versions of OCPP (schema: 10,000), minus one issued
 * certificate.
 */
const FILE_CHARACTERS = 7_500;

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';

type SigningAlgorithm = { name: string; namedCurve?: string; hash?: string };

/** The signature algorithm for a key type by its OpenSSL name. The hash is as strong as the curve. */
const CURVES: Readonly<Record<string, SigningAlgorithm>> = {
  prime256v1: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  secp384r1: { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' },
  secp521r1: { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' },
};

/** The files of the authority cannot be used. The message contains the setting and the reason. */
class SigningError extends Error {
  override name = 'SigningError';
}

/**
 * The configured authority; null without one.
 * @throws {SigningError} when its files cannot be used, or it is not valid now
 */
export async function signingAuthority(
  settings: Config['ocppSigning'],
  now: Date = new Date(),
): Promise<SigningAuthority | null> {
  if (!settings) return null;
  const [certText, keyText] = await Promise.all([readFile(settings.cert, 'utf8'), readFile(settings.key, 'utf8')]);
  const file = readChain(certText);
  const { first, validTo } = checkChain(file, now);
  const key = readKey(keyText);
  if (!first.checkPrivateKey(key)) throw new SigningError(`${KEY} is not the key of the first certificate of ${CERT}.`);
  const algorithm = algorithmOf(key);
  const signingKey = await webcrypto.subtle.importKey(
    'pkcs8',
    new Uint8Array(key.export({ type: 'pkcs8', format: 'der' })),
    algorithm,
    false,
    ['sign'],
  );
  const issuer = new X509Certificate(first.raw);
  const issuerKey = issuer.getExtension(SubjectKeyIdentifierExtension)?.keyId;
  const organization = issuer.subjectName.getField('O')[0];
  const behind = file.map(pemOf).join('');
  return {
    async sign(commonName, publicKey, at) {
      const second = Math.floor(at.getTime() / 1_000) * 1_000;
      if (second < first.validFromDate.getTime() || second >= validTo) return null;
      const signed = await X509CertificateGenerator.create({
        serialNumber: newSerial(),
        subject: subjectOf(commonName, organization),
        issuer: issuer.subjectName,
        notBefore: new Date(second - BEFORE_MS),
        notAfter: new Date(Math.min(second + settings.days * DAY_MS, validTo)),
        publicKey,
        signingKey,
        signingAlgorithm: algorithm,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth]),
          await SubjectKeyIdentifierExtension.create(publicKey),
          ...(issuerKey === undefined ? [] : [new AuthorityKeyIdentifierExtension(issuerKey)]),
        ],
      });
      const leaf = new FileCertificate(Buffer.from(signed.rawData));
      return {
        chain: pemOf(leaf) + behind,
        serial: leaf.serialNumber.toLowerCase(),
        fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
        subject: signed.subject,
        notBefore: signed.notBefore,
        notAfter: signed.notAfter,
      };
    },
  };
}

/**
 * Organization and name of a device: the authority issues certificates only for its own organization, whatever a
 * request contains.
 */
function subjectOf(commonName: string, organization: string | undefined): Name {
  const name = { [COMMON_NAME]: [{ utf8String: commonName }] };
  return new Name(organization === undefined ? [name] : [{ [ORGANIZATION]: [{ utf8String: organization }] }, name]);
}

/** Random except for its first two bits: never negative (RFC 5280 §4.1.2.2), and of constant length. */
function newSerial(): string {
  const bytes = randomBytes(SERIAL_BYTES);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString('hex');
}

function readChain(text: string): FileCertificate[] {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    const chain = blocks.map((block) => new FileCertificate(block));
    if (chain.length > 0) return chain;
  } catch {
    // The operator sees in the files which of them it is.
  }
  throw new SigningError(`${CERT} must hold certificates in PEM.`);
}

/** The requirements for the signing certificate and its issuers. */
function checkChain(chain: FileCertificate[], now: Date): { first: FileCertificate; validTo: number } {
  const [first, ...behind] = chain;
  if (!first) throw new SigningError(`${CERT} must hold certificates in PEM.`);
  if (!first.ca || !maySign(first)) {
    throw new SigningError(
      `${CERT}: its first certificate must be that of an authority (CA) that may sign certificates.`,
    );
  }
  for (const [index, certificate] of chain.entries()) {
    const which = index === 0 ? 'its first certificate' : `certificate ${index + 1} of it`;
    if (now < certificate.validFromDate || now >= certificate.validToDate) {
      const { validFrom, validTo } = certificate;
      throw new SigningError(`${CERT}: ${which} is not valid now, but from ${validFrom} to ${validTo}.`);
    }
    const next = behind[index];
    if (next && !(certificate.checkIssued(next) && certificate.verify(next.publicKey))) {
      throw new SigningError(`${CERT}: certificate ${index + 2} of it is not the one that signed the one before.`);
    }
  }
  if (chain.map(pemOf).join('').length > FILE_CHARACTERS) {
    throw new SigningError(`${CERT} is too long for OCPP: at most ${FILE_CHARACTERS} characters of certificates.`);
  }
  return { first, validTo: Math.min(...chain.map(({ validToDate }) => validToDate.getTime())) };
}

/** A certificate with a key usage extension must allow signing certificates. */
function maySign(certificate: FileCertificate): boolean {
  const usage = new X509Certificate(certificate.raw).getExtension(KeyUsagesExtension);
  return usage === null || (usage.usages & KeyUsageFlags.keyCertSign) !== 0;
}

function readKey(text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    // The reason may quote the file, so the message only says what the file must contain.
    throw new SigningError(`${KEY} must hold a private key in PEM, without a passphrase.`);
  }
}

function algorithmOf(key: KeyObject): SigningAlgorithm {
  const { asymmetricKeyType: type, asymmetricKeyDetails: { namedCurve = '', modulusLength = 0 } = {} } = key;
  if (type === 'rsa' && modulusLength >= 2_048) return { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  if (type === 'ed25519') return { name: 'Ed25519' };
  const curve = type === 'ec' ? CURVES[namedCurve] : undefined;
  if (curve) return curve;
  throw new SigningError(`${KEY} must be RSA of at least 2048 bits, P-256, P-384, P-521 or Ed25519.`);
}

function pemOf(certificate: FileCertificate): string {
  return certificate.toString();
}
