import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { FtpRefusal } from './port.ts';

/** The ports for data connections, the first and the last; 0 and 0: any free port. */
export interface PortRange {
  first: number;
  last: number;
}

/** A port that waits for the one data connection of a transfer. */
export interface DataPort {
  port: number;
  /** The connection; waits for it until the signal. @throws FtpRefusal 425 when none comes */
  connected(signal: AbortSignal): Promise<Socket>;
  close(): void;
}

/** How long a client may take to open the data connection that it requested. */
const CONNECT_MS = 30_000;

/**
 * Opens a data port for a client. A connection from another address than the control connection's is dropped, because
 * it would get another client's file (RFC 2577 §5).
 */
export async function openDataPort(host: string, range: PortRange, remote: string): Promise<DataPort> {
  const server = createServer({ pauseOnConnect: true });
  server.maxConnections = 4;
  const arrived = new Promise<Socket>((resolve) => {
    server.on('connection', (socket) => {
      // The caller that waits for it has its own handler; until then an error must not end the process.
      socket.on('error', () => undefined);
      if (socket.remoteAddress !== remote) socket.destroy();
      else resolve(socket);
    });
  });
  const port = await listenWithin(server, host, range);
  let taken: Socket | undefined;
  const late = setTimeout(() => server.close(), CONNECT_MS);
  late.unref();
  return {
    port,
    async connected(signal) {
      const over = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]);
      const none = new Promise<never>((_, reject) => {
        over.addEventListener('abort', () => reject(new FtpRefusal(425, 'No data connection was opened.')));
      });
      try {
        taken = await Promise.race([arrived, none]);
        return taken;
      } finally {
        clearTimeout(late);
        server.close();
      }
    },
    close() {
      clearTimeout(late);
      server.close();
      void arrived.then((socket) => {
        if (socket !== taken) socket.destroy();
      });
    },
  };
}

/** Listens on a free port of the range, starting at a random one, so that ports cannot be predicted. */
async function listenWithin(server: Server, host: string, { first, last }: PortRange): Promise<number> {
  const count = last - first + 1;
  const start = Math.floor(Math.random() * count);
  for (let step = 0; step < count; step += 1) {
    const port = first + ((start + step) % count);
    try {
      server.listen(port, host);
      await once(server, 'listening');
      return (server.address() as AddressInfo).port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new FtpRefusal(425, 'All data ports are in use. Try again later.');
}
