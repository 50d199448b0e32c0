import { connect, createServer, type Socket } from 'node:net';

/** A connection to a database that can stop transmitting without closing, like a frozen machine, or break. */
export interface DatabaseWay {
  /** the database's address through it */
  url: string;
  freeze(): void;
  thaw(): void;
  /** Closes the connections that are open now. */
  breakAll(): void;
  /** Breaks the connection that sends this statement next, before the database gets it. */
  loseNextRequest(statement: string): void;
  /** Breaks the connection that sends this statement next, before its answer arrives. */
  loseNextAnswer(statement: string): void;
  close(): Promise<void>;
}

export async function openDatabaseWay(url: string, ownPort = 0): Promise<DatabaseWay> {
  const target = new URL(url);
  const folder = target.searchParams.get('host');
  const sockets = new Set<Socket>();
  const unanswered = new Set<Socket>();
  let frozen = false;
  let fault: { statement: string; loses: 'request' | 'answer' } | null = null;
  const server = createServer((inside) => {
    if (frozen) {
      // The packets of a new connection do not arrive either.
      unanswered.add(inside);
      inside.on('error', () => undefined);
      inside.on('close', () => unanswered.delete(inside));
      return;
    }
    const outside = folder
      ? connect(`${folder}/.s.PGSQL.${target.port || 5432}`)
      : connect(Number(target.port || 5432), target.hostname);
    let losesAnswer = false;
    /** Whether the connection broke instead of transmitting `data`. */
    const breaks = (from: Socket, data: Buffer) => {
      if (from === outside) return losesAnswer && inside.destroy() !== undefined;
      if (!fault || !data.includes(fault.statement)) return false;
      losesAnswer = fault.loses === 'answer';
      fault = null;
      if (!losesAnswer) inside.destroy();
      return !losesAnswer;
    };
    for (const [one, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(one);
      one.on('data', (data) => {
        if (!breaks(one, data)) other.write(data);
      });
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
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
      for (const socket of unanswered) socket.destroy();
    },
    breakAll() {
      for (const socket of sockets) socket.destroy();
    },
    loseNextRequest(statement) {
      fault = { statement, loses: 'request' };
    },
    loseNextAnswer(statement) {
      fault = { statement, loses: 'answer' };
    },
    async close() {
      for (const socket of [...sockets, ...unanswered]) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
