import type { FtpRefused } from '../platform/ftp/port.ts';
import { ftpServer } from '../platform/ftp/server.ts';
import { listenOn } from '../platform/http/listen.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';

/**
 * The FTP server of the configuration, for devices that download firmware and upload logs. If another program uses the
 * default port, the product starts without FTP and logs a warning. A port that the operator chose must be free.
 */
export const ftp = declareRoom({
  name: 'ftp',
  needs: ['config', 'transfers', 'guesses', 'attempts', 'addresses', 'log'],
  open({ config, transfers, guesses, attempts, addresses, log }) {
    if (!config.ftp) return {};
    const onRefused: FtpRefused = (remoteAddress, target, reason) =>
      attempts.record({ gateway: 'ftp', remoteAddress, target, protocols: null, reason, deviceId: null });
    const { port, required, passivePorts, address = null } = config.ftp;
    const server = ftpServer({
      signIn: transfers.ftpSignIn,
      guesses,
      host: config.host,
      port,
      passivePorts,
      address,
      onRefused,
      log,
    });
    let listens = false;
    return {
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
  },
});
