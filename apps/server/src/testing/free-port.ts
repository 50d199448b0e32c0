import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the range of ephemeral ports (32,768 on Linux), so that no client socket takes one between two starts. */
const [FIRST, LAST] = [10_000, 30_000];

let next = randomInt(FIRST, LAST);

/**
 * A free port for a server that starts again on the same port. Other files and other runs on this machine get other ports.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = next < LAST ? next + 1 : FIRST;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
