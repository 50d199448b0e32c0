import { createPublicKey, type KeyObject } from 'node:crypto';
import { Pkcs10CertificateRequest, type PublicKey } from '@peculiar/x509';

/** A request for a certificate that can be read and whose sender holds the key in it. */
export interface ProvenRequest {
  /** of the subject; null unless there is exactly one */
  commonName: string | null;
  key: PublicKey;
  /** the key is one that is certified here */
  strong: boolean;
}

/** Why a request is none: it cannot be read, or its own signature does not fit. */
export type RequestFault = 'unreadable' | 'forged';

const PEM =
  /^\s*-----BEGIN (NEW )?CERTIFICATE REQUEST-----([A-Za-z0-9+/=\s]+)-----END (NEW )?CERTIFICATE REQUEST-----\s*$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Least RSA key that OCPP admits (2.0.1 part 2, use case A00; 1.6 security whitepaper likewise). */
const RSA_LEAST_BITS = 2_048;
/** Larger keys cost more with every handshake than they are worth, and the request is checked by computing with one. */
const RSA_MOST_BITS = 4_096;
/** Smaller exponents make forged signatures easier, larger ones make checking dear: 65537 and what is like it. */
const RSA_LEAST_EXPONENT = 65_537n;
const RSA_MOST_EXPONENT = 2n ** 32n;
/** The curves of NIST with at least 256 bits, as OpenSSL calls them. */
const CURVES: ReadonlySet<string> = new Set(['prime256v1', 'secp384r1', 'secp521r1']);

/**
 * Reads a PKCS#10 request (RFC 2986) in PEM, or its DER in base64, and has its sender prove the key: a request is
 * signed with the key that it names. Never throws for what a device can send.
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
    // Whatever the parser stumbles over: the device has sent something else.
    return 'unreadable';
  }
  const commonName = names.length === 1 ? (names[0] ?? null) : null;
  // A key that is not certified anyway is not computed with: it may be of any size.
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
    // A signature of a form or an algorithm that the key has not.
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
