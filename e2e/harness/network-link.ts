import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** The connection between the browser and the product, which a test can cut and restore. */
export interface NetworkLink {
  port: number;
  /** Closes all connections and rejects new ones. */
  cut(): void;
  /** Closes all connections; new ones are accepted. */
  interrupt(): void;
  restore(): void;
  close(): Promise<void>;
}

/** Opens a proxy to a port of this machine. */
export async function openLink(target: () => number): Promise<NetworkLink> {
  const sockets = new Set<Socket>();
  let down = false;
  const server: Server = createServer((near) => {
    if (down) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target(), '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const interrupt = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      down = true;
      interrupt();
    },
    interrupt,
    restore() {
      down = false;
    },
    async close() {
      interrupt();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
