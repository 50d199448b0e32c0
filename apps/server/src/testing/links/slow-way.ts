import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as later } from 'node:timers/promises';

/** A way to a port of this machine on which data is late, or stops while both connections stay open. */
export interface SlowWay {
  port: number;
  /** the port to which it leads */
  target: number;
  /** No data passes any more, as in a mobile network without coverage. */
  freeze(): void;
  /** The coverage is back: what was sent meanwhile arrives. */
  thaw(): void;
  /** The router of the device has forgotten its connections: what the device sends arrives from another port. */
  rebind(): void;
  close(): void;
}

/** @param delayMs the delay of each direction */
export async function slowWay(target: number, delayMs: number): Promise<SlowWay> {
  const sockets = new Set<Socket>();
  let frozen = false;
  const insides = new Set<Socket>();
  const outsideOf = () => connect({ port: target, host: '127.0.0.1', noDelay: true });
  const server = createServer({ noDelay: true }, (inside) => {
    insides.add(inside);
    join(inside, outsideOf());
  });
  function join(inside: Socket, outside: Socket): void {
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('data', (data) => {
        void later(delayMs).then(() => to.write(data));
      });
      from.on('close', () => {
        sockets.delete(from);
        // The other side learns nothing while there is no coverage.
        if (!frozen) void later(delayMs).then(() => to.destroy());
      });
      if (frozen) from.pause();
    }
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...{ port: (server.address() as AddressInfo).port, target },
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    rebind() {
      for (const inside of insides) {
        inside.removeAllListeners('data').removeAllListeners('close');
        join(inside, outsideOf());
      }
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
