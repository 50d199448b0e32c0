import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { listenOn, type Place } from '../http/listen.ts';
import { isLoopback } from '../tls/certificate.ts';
import type { Config } from './config.ts';
import { requireBackupFolder } from './usable-folder.ts';

/**
 * Finds reasons that would prevent the start, before a database is created or started.
 * @throws with one sentence: the port, the file or the folder, and what to do
 */
export async function checkStart(config: Config, dataFolder: string): Promise<void> {
  for (const place of placesOf(config)) await requireFree(place);
  if (config.databaseUrl === undefined) await requirePassword(dataFolder);
  if (config.backup !== undefined) await requireBackupFolder(config.backup.folder);
}

/** The required ports. Preferred ports are replaced by others when they are in use. */
function placesOf(config: Config): Place[] {
  const { host, mqtt, ftp, links, inboundMail, ocppSecurityProfile: profile } = config;
  const isTls = config.tls !== undefined || !isLoopback(host);
  const places: [Place['setting'], number | undefined][] = [
    ['PORT', config.port],
    ['CHARGEHAND_DEVICE_PORT', isTls && profile < 2 ? config.devicePort : 0],
    ['CHARGEHAND_FTP_PORT', ftp?.required ? ftp.port : 0],
    ['CHARGEHAND_LINKS_PORT', links.port?.required ? links.port.number : 0],
    ['CHARGEHAND_SMTP_PORT', inboundMail?.port],
    ['CHARGEHAND_MQTT_PORT', mqtt.embedded && profile < 2 ? mqtt.port : 0],
    ['CHARGEHAND_MQTT_TLS_PORT', mqtt.embedded && isTls ? mqtt.tlsPort : 0],
  ];
  return places.flatMap(([setting, port]) => (port ? [{ host, port, setting }] : []));
}

async function requireFree(place: Place): Promise<void> {
  const server = createServer();
  await listenOn(place, () => {
    server.listen(place.port, place.host);
    return once(server, 'listening');
  });
  server.close();
  await once(server, 'close');
}

/** A database without the file with its password: a new password would not match. */
async function requirePassword(dataFolder: string): Promise<void> {
  const database = join(dataFolder, 'postgres');
  if (!existsSync(database)) return;
  const file = join(dataFolder, 'postgres.password');
  if (!existsSync(file)) {
    throw new Error(
      `The password file ${file} is missing, so the database in ${database} cannot be opened. ` +
        'Restore the file from a backup of the data folder.',
    );
  }
  const password = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new Error(`The password file ${file} cannot be read: ${cause.message}.`, { cause });
  });
  if (password.trim() !== '') return;
  throw new Error(
    `The password file ${file} is empty, so the database in ${database} cannot be opened. ` +
      'Restore the file from a backup of the data folder.',
  );
}

/** Warns when the security profile rejects every device, because nothing that is configured uses TLS; null otherwise. */
export function noTlsWarning({ host, ocppSecurityProfile: profile, tls, trustedProxies }: Config): string | null {
  if (profile < 2 || tls !== undefined || !isLoopback(host) || trustedProxies.length > 0) return null;
  return `CHARGEHAND_OCPP_SECURITY_PROFILE is ${profile}, which requires TLS: no device can connect. Set CHARGEHAND_TRUSTED_PROXIES to your proxy, or CHARGEHAND_TLS_CERT`;
}

/** A warning for an operator who makes the product reachable from a network; null when there is none. */
export function openDoorsWarning({ host, ocppSecurityProfile: profile, tls }: Config): string | null {
  if (isLoopback(host) || profile >= 2) return null;
  const setting = `CHARGEHAND_OCPP_SECURITY_PROFILE is ${profile}`;
  const advice = `HOST is ${host}, which other machines reach; set it to 2 or 3 unless the network is trusted`;
  if (profile === 0) {
    return `${setting}: anyone who knows the SN of a device without a password can connect as that device. ${advice}`;
  }
  return `${setting}: devices may send their passwords unencrypted${tls ? '' : ' to the port for plain connections'}. ${advice}`;
}
