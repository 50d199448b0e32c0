import type pg from 'pg';
import type { Log } from '../../log.ts';
import { connectDatabase } from '../connect.ts';

/** How often the database is asked whether it is there, and how long it may take to say so. Milliseconds. */
const ASK_EVERY_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Watches for a database that is silent without having closed its connections, as a frozen machine or a lost network
 * is: TCP would take minutes to notice, and every request would hang as long. While it is silent, the connections of
 * `pool` on which something waits are cut, so that whoever waits hears of it and may try again.
 */
export function watchDatabase(parts: { url: string; pool: pg.Pool; log: Log }): { stop(): Promise<void> } {
  const { pool, log } = parts;
  const borrowed = new Set<pg.ClientBase & { end(): Promise<void> }>();
  pool.on('acquire', (client) => borrowed.add(client));
  pool.on('release', (_error, client) => borrowed.delete(client));
  pool.on('remove', (client) => borrowed.delete(client));
  // A connection of its own: that all of the pool's are busy is no silence.
  const options = { max: 1, connectTimeout: ANSWER_WITHIN_MS, applicationName: 'chargehand watch', log };
  const asking = connectDatabase(parts.url, options);
  let stopped = false;
  let timer: NodeJS.Timeout;

  const ask = async () => {
    try {
      await asking.pool.query({ text: 'select 1', query_timeout: ANSWER_WITHIN_MS } as pg.QueryConfig);
    } catch (error) {
      if (stopped) return;
      if (borrowed.size > 0) log.warn({ err: error, connections: borrowed.size }, 'the database is silent; cutting');
      // Ending a client that waits for an answer closes its socket at once; one that waits for nothing is spared.
      for (const client of borrowed) {
        client.end().catch((failure: Error) => log.debug({ err: failure }, 'a silent connection did not end'));
      }
    }
    if (!stopped) timer = setTimeout(ask, ASK_EVERY_MS);
  };
  timer = setTimeout(ask, ASK_EVERY_MS);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await asking.close();
    },
  };
}
