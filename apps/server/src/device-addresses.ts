import { networkInterfaces } from 'node:os';
import type { Config } from './platform/config/config.ts';
import type { FtpRefused, FtpSignIn } from './platform/ftp/port.ts';
import { type FtpServer, ftpServer } from './platform/ftp/server.ts';
import type { GuessLimit } from './platform/guess-limit.ts';
import { listenOn } from './platform/http/listen.ts';
import type { Log } from './platform/log.ts';
import type { ConnectionAttempts } from './ports/devices/connection-attempts.ts';

/** The host under which devices reach this machine: an address that stands for all of them becomes the first that others see. */
export function deviceHost(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host.includes(':') ? `[${host}]` : host;
  const addresses = Object.values(networkInterfaces()).flat();
  return addresses.find((one) => one?.family === 'IPv4' && !one.internal)?.address ?? '127.0.0.1';
}

/**
 * Opens the FTP server of the configuration; null when there is none. The default port is not worth a failed start: when
 * another program has it, the product does without FTP and says so.
 */
export async function openFtp(
  config: Config,
  parts: { signIn: FtpSignIn; guesses: GuessLimit; attempts: ConnectionAttempts; log: Log },
): Promise<FtpServer | null> {
  if (!config.ftp) return null;
  const { attempts, log, ...rest } = parts;
  const onRefused: FtpRefused = (remoteAddress, target, reason) =>
    attempts.record({ gateway: 'ftp', remoteAddress, target, protocols: null, reason, deviceId: null });
  const { port, required, passivePorts, address = null } = config.ftp;
  const server = ftpServer({ ...rest, host: config.host, port, passivePorts, address, onRefused, log });
  const place = { host: config.host, port, setting: 'CHARGEHAND_FTP_PORT' } as const;
  try {
    await listenOn(place, () => server.listen());
    return server;
  } catch (error) {
    if (required) throw error;
    log.warn({ reason: (error as Error).message }, 'devices cannot use FTP');
    return null;
  }
}
