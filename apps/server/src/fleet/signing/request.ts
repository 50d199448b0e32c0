import { createPublicKey, type KeyObject } from 'node:crypto';
import { Pkcs10CertificateRequest, type PublicKey } from '@peculiar/x509';

/** A readable certificate request whose sender has the private key. */
export interface ProvenRequest {
  /** of the subject; null unless there is exactly one */
  commonName: string | null;
  key: PublicKey;
  /** the type and size of the key are supported */
  strong: boolean;
}

/** Why a request is invalid: it cannot be read, or its own signature does not match. */
export type RequestFault = 'unreadable' | 'forged';

const PEM =
  /^\s*-----BEGIN (NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END (NEW )?CERTIFICATE REQUEST-----\s*$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Minimum RSA key size that OCPP allows (2.0.1 part 2, use case A00; 1.6 security whitepaper likewise). */
const RSA_LEAST_BITS = 2_048;
/**
 * Maximum RSA key size: larger keys make every handshake more expensive, and checking the request already computes with
 * them.
 */
const RSA_MOST_BITS = 4_096;
/**
 * Smaller exponents make forged signatures easier, larger ones make verification expensive: 65537 and similar values.
 */
const RSA_LEAST_EXPONENT = 65_537n;
const RSA_MOST_EXPONENT = 2n ** 32n;
/** The NIST curves with at least 256 bits, by their OpenSSL names. */
const CURVES: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/**
 * Reads a PKCS#10 request (RFC 2986) in PEM, or its DER in base64, and verifies that its sender has the key: a request
 * is signed with the key that it contains. Never throws, whatever a device sends.
 */
export async function readRequest(text: string): Promise<ProvenRequest | RequestFault> {
  const der = derOf(text);
  if (!der) return 'unreadable';
  let request: Pkcs10CertificateRequest;
  let key: KeyObject;
  let names: string[];
  try {
    request = new Pkcs10CertificateRequest(der);
    key = createPublicKey({ key: Buffer.from(request.publicKey.rawData), format: 'der', type: 'spki' });
    names = request.subjectName.getField('CN');
  } catch {
    // Any error of the parser means that the device sent something else.
    return 'unreadable';
  }
  const commonName = names.length === 1 ? (names[0] ?? null) : null;
  // Unsupported keys are not computed with, because they may be of any size.
  if (!isStrong(key)) return { commonName, key: request.publicKey, strong: false };
  return (await isProven(request)) ? { commonName, key: request.publicKey, strong: true } : 'forged';
}

function derOf(text: string): Buffer | null {
  const pem = PEM.exec(text)?.[2];
  const base64 = (pem ?? text).replaceAll(/\s/g, '');
  return BASE64.test(base64) ? Buffer.from(base64, 'base64') : null;
}

async function isProven(request: Pkcs10CertificateRequest): Promise<boolean> {
  try {
    return await request.verify();
  } catch {
    // The format or algorithm of the signature does not match the key.
    return false;
  }
}

/** RSA of 2048 to 4096 bits, a NIST curve of at least 256, or Ed25519. */
function isStrong({ asymmetricKeyType: type, asymmetricKeyDetails: details = {} }: KeyObject): boolean {
  if (type === 'ed25519') return true;
  if (type === 'ec') return CURVES.has(details.namedCurve ?? '');
  if (type !== 'rsa') return false;
  const { modulusLength = 0, publicExponent = 0n } = details;
  return (
    modulusLength >= RSA_LEAST_BITS &&
    modulusLength <= RSA_MOST_BITS &&
    publicExponent >= RSA_LEAST_EXPONENT &&
    publicExponent <= RSA_MOST_EXPONENT
  );
}
