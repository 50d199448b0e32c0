import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type GuessLimit, guessLimit } from '../guess-limit.ts';
import { LISTEN_BACKLOG } from '../http/listen.ts';
import type { Log } from '../log.ts';
import type { PortRange } from './passive.ts';
import { FTP_LIMITS, type FtpLimits, type FtpRefused, type FtpSignIn } from './port.ts';
import { FtpSession } from './session.ts';

export interface FtpServerOptions {
  host: string;
  /** 0: any free port */
  port: number;
  passivePorts: PortRange;
  /** the IPv4 address that clients receive for data connections; null: the one they connected to */
  address: string | null;
  signIn: FtpSignIn;
  log: Log;
  limits?: Partial<FtpLimits>;
  guesses?: GuessLimit;
  onRefused?: FtpRefused;
}

export interface FtpServer {
  listen(): Promise<void>;
  /** the port it listens on; 0 before it does */
  port(): number;
  stop(): Promise<void>;
}

/** An FTP server: each account has one folder with one file. */
export function ftpServer(options: FtpServerOptions): FtpServer {
  const { host, port, passivePorts, address, signIn, log } = options;
  const limits = { ...FTP_LIMITS, ...options.limits };
  const { guesses = guessLimit(), onRefused = () => undefined } = options;
  const open = new Map<Socket, FtpSession>();
  const ofAddress = new Map<string, number>();

  const server = createServer((socket) => {
    const remote = socket.remoteAddress ?? '';
    const count = ofAddress.get(remote) ?? 0;
    if (open.size >= limits.connections || count >= limits.connectionsOfAddress) {
      socket.on('error', () => socket.destroy());
      socket.end('421 Too many connections. Try again later.\r\n');
      return;
    }
    ofAddress.set(remote, count + 1);
    open.set(socket, new FtpSession(socket, { signIn, passivePorts, address, limits, guesses, onRefused, log }));
    socket.on('close', () => {
      open.delete(socket);
      const left = (ofAddress.get(remote) ?? 1) - 1;
      if (left > 0) ofAddress.set(remote, left);
      else ofAddress.delete(remote);
    });
  });

  return {
    listen: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, LISTEN_BACKLOG, () => {
          server.off('error', reject);
          server.on('error', (error) => log.error({ err: error }, 'the FTP server failed'));
          resolve();
        });
      }),
    port: () => (server.address() as AddressInfo | null)?.port ?? 0,
    async stop() {
      for (const session of open.values()) session.end(421, 'The server is stopping.');
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open.keys()) socket.destroySoon();
      });
    },
  };
}
