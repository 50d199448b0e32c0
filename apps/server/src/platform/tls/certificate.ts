import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import type { Config } from '../config/config.ts';

export interface Certificate {
  cert: string;
  key: string;
  /** authority of the client certificates that clients may present */
  ca?: string;
  selfSigned: boolean;
}

/**
 * The self-signed certificate is for the first steps: browsers accept at most 398 days from public authorities, so it
 * has the same validity.
 */
const SELF_SIGNED_DAYS = 397;
const RENEW_DAYS_BEFORE_END = 30;

/**
 * The server certificate, or null for plain http. Browsers only encrypt sign-in fields in a secure context, so plain
 * http is only for loopback. Other addresses get the configured certificate or one created at the first start.
 * @throws with a message if the configured certificate cannot be used
 */
export async function certificateFor(config: Config, dataFolder: string): Promise<Certificate | null> {
  if (config.tls) {
    const [cert, key, ca] = await Promise.all([
      readFile(config.tls.cert, 'utf8'),
      readFile(config.tls.key, 'utf8'),
      config.clientCa ? readFile(config.clientCa, 'utf8') : undefined,
    ]);
    requireUsable(cert, key, config.tls.cert);
    return { cert, key, ...(ca ? { ca } : {}), selfSigned: false };
  }
  if (isLoopback(config.host)) return null;
  return { ...(await selfSigned(join(dataFolder, 'tls'))), selfSigned: true };
}

/** @throws with a message if the certificate is not valid now, or does not match the key */
function requireUsable(cert: string, key: string, path: string): void {
  const problem = problemOf(cert, key);
  if (problem !== null) throw new Error(`CHARGEHAND_TLS_CERT: ${path} ${problem}`);
}

function problemOf(cert: string, key: string): string | null {
  let certificate: X509Certificate;
  let privateKey: KeyObject;
  try {
    certificate = new X509Certificate(cert);
  } catch {
    return 'must contain a certificate in PEM.';
  }
  try {
    privateKey = createPrivateKey(key);
  } catch {
    // The reason may quote the file, so it is not included.
    return 'cannot be used: CHARGEHAND_TLS_KEY must contain a private key in PEM, without a passphrase.';
  }
  const { validFromDate, validToDate } = certificate;
  const now = new Date();
  if (now >= validToDate) return `expired on ${validToDate.toISOString()}. Replace it with a renewed certificate.`;
  if (now < validFromDate)
    return `is not valid before ${validFromDate.toISOString()}. Check the clock of this machine.`;
  if (!certificate.checkPrivateKey(privateKey)) return 'does not match CHARGEHAND_TLS_KEY.';
  return null;
}

/** True for addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

async function selfSigned(folder: string): Promise<{ cert: string; key: string }> {
  const files = {
    cert: join(folder, 'self-signed.crt'),
    key: join(folder, 'self-signed.key'),
    until: join(folder, 'self-signed.until'),
  };
  if (existsSync(files.until)) {
    const until = Date.parse(await readFile(files.until, 'utf8'));
    if (until - Date.now() > RENEW_DAYS_BEFORE_END * 86_400_000) {
      return { cert: await readFile(files.cert, 'utf8'), key: await readFile(files.key, 'utf8') };
    }
  }
  const until = new Date(Date.now() + SELF_SIGNED_DAYS * 86_400_000);
  const addresses = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .map((entry) => entry.address.split('%')[0] ?? entry.address);
  const made = await generate([{ name: 'commonName', value: hostname() }], {
    notAfterDate: until,
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: hostname() },
          { type: 2, value: 'localhost' },
          ...[...new Set(addresses)].map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(files.cert, made.cert);
  await writeFile(files.key, made.private, { mode: 0o600 });
  await writeFile(files.until, until.toISOString());
  return { cert: made.cert, key: made.private };
}
