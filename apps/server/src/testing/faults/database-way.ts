import { connect, createServer, type Socket } from 'node:net';

/** A connection to a database that can stop transmitting without closing, like a frozen machine. */
export interface DatabaseWay {
  /** the database's address through it */
  url: string;
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

export async function openDatabaseWay(url: string, ownPort = 0): Promise<DatabaseWay> {
  const target = new URL(url);
  const folder = target.searchParams.get('host');
  const sockets = new Set<Socket>();
  let frozen = false;
  const server = createServer((inside) => {
    const outside = folder
      ? connect(`${folder}/.s.PGSQL.${target.port || 5432}`)
      : connect(Number(target.port || 5432), target.hostname);
    for (const [one, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(one);
      one.on('data', (data) => {
        other.write(data);
      });
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      if (frozen) one.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(ownPort, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const own = new URL(url);
  own.searchParams.delete('host');
  own.hostname = '127.0.0.1';
  own.port = String(port);
  return {
    url: own.href,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw() {
      frozen = false;
      for (const socket of sockets) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
