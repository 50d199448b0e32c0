import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { TLSSocket } from 'node:tls';
import { KeyUsageFlags, KeyUsagesExtension, X509Certificate as ParsedCertificate } from '@peculiar/x509';

/** Why a client certificate is rejected. Each is a reason in the list of connection attempts. */
export type CertificateFault =
  | 'certificateMissing'
  | 'certificateExpired'
  | 'certificateAuthority'
  | 'certificateUsage'
  | 'certificate';

/** The client certificate of a connection, or why there is no valid one. */
export type ClientCertificate = { names: string[] } | { fault: CertificateFault; detail: string };

/** Checks client certificates that a proxy received, as TLS does with those that this process receives. */
export interface ClientAuthority {
  check(certificate: X509Certificate, now: Date): ClientCertificate;
  /** Reads the file again. @throws with a message if it contains no certificates; the previous ones stay in use */
  reload(): Promise<void>;
}

export const NO_CERTIFICATE: ClientCertificate = {
  fault: 'certificateMissing',
  detail: 'the client sent no certificate',
};

const CLIENT_AUTHENTICATION = new Set(['1.3.6.1.5.5.7.3.2', '2.5.29.37.0']);

/** OpenSSL's names of verification errors (verify(1)) that mean that the chain does not lead to a trusted root. */
const AUTHORITY_ERRORS: ReadonlySet<string> = new Set([
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...[
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'CERT_UNTRUSTED',
    'INVALID_CA',
    'CERT_SIGNATURE_FAILURE',
  ],
]);

/**
 * The authorities of `CHARGEHAND_TLS_CLIENT_CA`.
 * @throws with a message if the file contains no certificates
 */
export async function clientAuthority(path: string): Promise<ClientAuthority> {
  let authorities = await readAuthorities(path);
  return {
    check: (certificate, now) => checkCertificate(certificate, authorities, now),
    async reload() {
      authorities = await readAuthorities(path);
    },
  };
}

/** @throws with a message if the file contains no certificates */
async function readAuthorities(path: string): Promise<X509Certificate[]> {
  const text = await readFile(path, 'utf8');
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    if (blocks.length > 0) return blocks.map((block) => new X509Certificate(block));
  } catch {
    // The message below names the file.
  }
  throw new Error(`CHARGEHAND_TLS_CLIENT_CA: ${path} must contain certificates in PEM.`);
}

/** The client certificate of a TLS connection to this process, as OpenSSL verified it. */
export function certificateOf(socket: TLSSocket): ClientCertificate {
  const certificate = socket.getPeerX509Certificate();
  if (!certificate) return NO_CERTIFICATE;
  if (socket.authorized) return { names: namesOf(certificate) };
  return verificationFault(String(socket.authorizationError), certificate);
}

/** The meaning of a verification error of OpenSSL. @param certificate the rejected one, if it is known */
export function verificationFault(
  code: string,
  certificate?: X509Certificate,
): { fault: CertificateFault; detail: string } {
  if (code === 'CERT_HAS_EXPIRED') return expired(certificate);
  if (code === 'CERT_NOT_YET_VALID') return notYetValid(certificate);
  if (code === 'INVALID_PURPOSE') return WRONG_USAGE;
  if (AUTHORITY_ERRORS.has(code)) return unknownAuthority(certificate);
  return { fault: 'certificate', detail: `the client certificate is not valid (${code})` };
}

/**
 * Verifies a certificate against the authorities of the operator. Only the certificate itself comes from the client:
 * all issuers up to the root are in the operator's file, so no untrusted issuer must be checked.
 */
function checkCertificate(
  certificate: X509Certificate,
  authorities: readonly X509Certificate[],
  now: Date,
): ClientCertificate {
  let current = certificate;
  const chain = [certificate];
  while (!isRoot(current, authorities)) {
    const issuer = authorities.find((one) => isIssuer(one, current));
    if (!issuer || chain.includes(issuer)) return unknownAuthority(certificate);
    chain.push(issuer);
    current = issuer;
  }
  const late = chain.find(({ validToDate }) => now >= validToDate);
  if (late) return expired(late === certificate ? certificate : undefined);
  const early = chain.find(({ validFromDate }) => now < validFromDate);
  if (early) return notYetValid(early === certificate ? certificate : undefined);
  if (!isForClients(certificate)) return WRONG_USAGE;
  return { names: namesOf(certificate) };
}

function isRoot(certificate: X509Certificate, authorities: readonly X509Certificate[]): boolean {
  return authorities.some((one) => one.raw.equals(certificate.raw)) && isIssuer(certificate, certificate);
}

function isIssuer(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return issuer.ca && certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** A certificate that limits its use must allow TLS clients (RFC 5280 §4.2.1.3 and §4.2.1.12). */
function isForClients(certificate: X509Certificate): boolean {
  const extended: readonly string[] | undefined = certificate.keyUsage;
  if (extended && !extended.some((oid) => CLIENT_AUTHENTICATION.has(oid))) return false;
  const usage = new ParsedCertificate(certificate.raw).getExtension(KeyUsagesExtension);
  return usage === null || (usage.usages & (KeyUsageFlags.digitalSignature | KeyUsageFlags.keyAgreement)) !== 0;
}

/** The names that can be the SN: common name and serial number of the subject. */
function namesOf(certificate: X509Certificate): string[] {
  const { subject } = certificate.toLegacyObject() as { subject?: Record<string, string | string[] | undefined> };
  return [subject?.CN, subject?.serialNumber].flat().filter((name) => name !== undefined);
}

const WRONG_USAGE = {
  fault: 'certificateUsage',
  detail: 'the certificate is not for TLS clients (extended key usage clientAuth)',
} as const;

function unknownAuthority(certificate: X509Certificate | undefined) {
  const issuer = certificate ? ` (${certificate.issuer.replaceAll('\n', ', ')})` : '';
  return {
    fault: 'certificateAuthority',
    detail: `the issuer of the client certificate${issuer} is not an authority of CHARGEHAND_TLS_CLIENT_CA`,
  } as const;
}

function expired(certificate: X509Certificate | undefined) {
  const detail = certificate
    ? `the client certificate expired on ${certificate.validToDate.toISOString()}`
    : 'an authority of the client certificate has expired';
  return { fault: 'certificateExpired', detail } as const;
}

function notYetValid(certificate: X509Certificate | undefined) {
  const detail = certificate
    ? `the client certificate is not valid before ${certificate.validFromDate.toISOString()}`
    : 'an authority of the client certificate is not valid yet';
  return { fault: 'certificateExpired', detail } as const;
}
