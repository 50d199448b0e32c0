import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import type { Config } from './config/config.ts';

export interface Certificate {
  cert: string;
  key: string;
  /** authority of the client certificates that clients may present */
  ca?: string;
  selfSigned: boolean;
}

/** A self-signed certificate is for getting started: browsers accept at most 398 days from public authorities, and so do we. */
const SELF_SIGNED_DAYS = 397;
const RENEW_DAYS_BEFORE_END = 30;

/**
 * The certificate to serve with, or null for plain http. Browsers only encrypt sign-in fields in a secure context, so
 * plain http is for loopback alone; any other address gets the configured certificate or one made at the first start.
 */
export async function certificateFor(config: Config, dataFolder: string): Promise<Certificate | null> {
  if (config.tls) {
    const [cert, key, ca] = await Promise.all([
      readFile(config.tls.cert, 'utf8'),
      readFile(config.tls.key, 'utf8'),
      config.tls.clientCa ? readFile(config.tls.clientCa, 'utf8') : undefined,
    ]);
    return { cert, key, ...(ca ? { ca } : {}), selfSigned: false };
  }
  if (isLoopback(config.host)) return null;
  return { ...(await selfSigned(join(dataFolder, 'tls'))), selfSigned: true };
}

/** True for addresses that only this machine reaches. */
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
