import type { Config } from '../platform/config/config.ts';
import type { FtpRefused, FtpSignIn } from '../platform/ftp/port.ts';
import { ftpServer } from '../platform/ftp/server.ts';
import type { GuessLimit } from '../platform/guess-limit.ts';
import { listenOn } from '../platform/http/listen.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import type { ConnectionAttempts } from '../ports/devices/connection-attempts.ts';
import type { Addresses } from './addresses.ts';

/**
 * The FTP server of the configuration, for devices that download firmware and upload logs. If another program uses the
 * default port, the product starts without FTP and logs a warning. A port that the operator chose must be free.
 */
export function ftpRoom(
  config: Config,
  parts: { signIn: FtpSignIn; guesses: GuessLimit; attempts: ConnectionAttempts; addresses: Addresses; log: Log },
): Room {
  if (!config.ftp) return { name: 'ftp' };
  const { attempts, addresses, log, ...rest } = parts;
  const onRefused: FtpRefused = (remoteAddress, target, reason) =>
    attempts.record({ gateway: 'ftp', remoteAddress, target, protocols: null, reason, deviceId: null });
  const { port, required, passivePorts, address = null } = config.ftp;
  const server = ftpServer({ ...rest, host: config.host, port, passivePorts, address, onRefused, log });
  let listens = false;
  return {
    name: 'ftp',
    role: 'gateway',
    async start() {
      try {
        await listenOn({ host: config.host, port, setting: 'CHARGEHAND_FTP_PORT' }, () => server.listen());
        listens = true;
        addresses.listening('ftp', server.port());
      } catch (error) {
        if (required) throw error;
        log.warn({ reason: (error as Error).message }, 'devices cannot use FTP');
      }
    },
    async stop() {
      if (listens) await server.stop();
    },
  };
}
