import type { AddressInfo } from 'node:net';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as pass } from 'node:timers/promises';

/** A slow network: the bytes per second in each direction, and the milliseconds of a round trip. */
export interface LinkSpeed {
  bytesPerSecond: number;
  roundTripMs: number;
}

/** What a direction of a slow network stores, like the buffers of a mobile network, before it stops the sender. */
const BUFFERED_BYTES = 32 * 1024;

/** The connection between the browser and the product, which a test can slow down, cut and restore. */
export interface NetworkLink {
  port: number;
  /** Closes all connections and rejects new ones. */
  cut(): void;
  /** Closes all connections; new ones are accepted. */
  interrupt(): void;
  restore(): void;
  /** Slows down all connections together, those of shared workers too. */
  slowDown(speed: LinkSpeed): void;
  /**
   * Asks for each new request of a browser, by its path with the query, whether it is sent or held until its connection
   * is closed. Unlike a route of Playwright, bodies of many megabytes do not pass through the test.
   */
  filter(decide: (path: string) => 'send' | 'hold'): void;
  close(): Promise<void>;
}

/** Opens a proxy to a port of this machine. */
export async function openLink(target: () => number): Promise<NetworkLink> {
  const sockets = new Set<Socket>();
  /** of each direction: when it has sent all that it was given */
  const directions = { up: { freeAt: 0 }, down: { freeAt: 0 } };
  let down = false;
  let slow: LinkSpeed | null = null;
  let decide: (path: string) => 'send' | 'hold' = () => 'send';

  function forward(from: Socket, to: Socket, direction: { freeAt: number }): void {
    let waiting = 0;
    let sent: Promise<unknown> = Promise.resolve();
    const send = (chunk: Buffer) => {
      if (to.destroyed) return;
      if (to.write(chunk)) return;
      from.pause();
      to.once('drain', () => from.resume());
    };
    from.on('data', (chunk: Buffer) => {
      const path = direction === directions.up ? pathOf(chunk) : null;
      if (path !== null && decide(path) === 'hold') {
        from.pause();
        from.removeAllListeners('data');
        return;
      }
      if (slow === null) {
        send(chunk);
        return;
      }
      const { bytesPerSecond, roundTripMs } = slow;
      direction.freeAt = Math.max(Date.now(), direction.freeAt) + (chunk.length / bytesPerSecond) * 1_000;
      const arrival = direction.freeAt + roundTripMs / 2;
      waiting += chunk.length;
      if (waiting > BUFFERED_BYTES) from.pause();
      sent = sent
        .then(() => pass(Math.max(0, arrival - Date.now())))
        .then(() => {
          waiting -= chunk.length;
          if (waiting <= BUFFERED_BYTES) from.resume();
          send(chunk);
        });
    });
    from.on('end', () => void sent.then(() => to.end()));
  }

  const server: Server = createServer((near) => {
    if (down) {
      near.resetAndDestroy();
      return;
    }
    const far = connect(target(), '127.0.0.1');
    for (const [socket, other, direction] of [
      [near, far, directions.up],
      [far, near, directions.down],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      forward(socket, other, direction);
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
    slowDown(speed) {
      slow = speed;
    },
    filter(rule) {
      decide = rule;
    },
    async close() {
      interrupt();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The path of the HTTP/1.1 request that starts with this chunk. A browser sends the next one after the response. */
function pathOf(chunk: Buffer): string | null {
  return /^[A-Z]+ (\S+) HTTP\/1\.1\r\n/.exec(chunk.toString('latin1', 0, 4_096))?.[1] ?? null;
}
