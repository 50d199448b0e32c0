import type pg from 'pg';
import type { Log } from '../../log.ts';
import { connectDatabase } from '../connect.ts';
import type { QueueingPool } from './pool.ts';

/** How often the database is checked, and how long it may take to answer. Milliseconds. */
const CHECK_INTERVAL_MS = 2_000;
const ANSWER_WITHIN_MS = 5_000;

/**
 * Detects a database that does not answer without closing its connections, like a frozen machine or a lost network: TCP
 * would take minutes to detect it, and every request would hang as long. While it does not answer, the connections of
 * `pool` with waiting statements are closed, so that callers get an error and can retry.
 */
export function watchDatabase(parts: { url: string; pool: QueueingPool; log: Log }): { stop(): Promise<void> } {
  const { pool, log } = parts;
  let isSilent = false;
  const become = (silent: boolean) => {
    isSilent = silent;
    pool.isSilent = silent;
  };
  const acquired = new Set<pg.ClientBase & { end(): Promise<void> }>();
  pool.on('acquire', (client) => acquired.add(client));
  pool.on('release', (_error, client) => acquired.delete(client));
  pool.on('remove', (client) => acquired.delete(client));
  // A separate connection, because a fully used pool is not an outage.
  const options = { max: 1, connectTimeout: ANSWER_WITHIN_MS, applicationName: 'chargehand watch', log };
  const asking = connectDatabase(parts.url, options);
  let stopped = false;
  let timer: NodeJS.Timeout;

  const check = async () => {
    try {
      await asking.pool.query({ text: 'select 1', query_timeout: ANSWER_WITHIN_MS } as pg.QueryConfig);
      if (isSilent) become(false);
    } catch (error) {
      if (stopped) return;
      // A server that refuses connections answers.
      become(/timeout/i.test((error as Error).message));
      if (acquired.size > 0)
        log.warn({ err: error, connections: acquired.size }, 'the database does not answer; closing');
      // Ending a client that waits for an answer closes its socket immediately. A client that waits for nothing is left
      // alone.
      for (const client of acquired) {
        client.end().catch((failure: Error) => log.debug({ err: failure }, 'a silent connection did not end'));
      }
    }
    if (!stopped) timer = setTimeout(check, CHECK_INTERVAL_MS);
  };
  timer = setTimeout(check, CHECK_INTERVAL_MS);
  return {
    async stop() {
      stopped = true;
      become(false);
      clearTimeout(timer);
      await asking.close();
    },
  };
}
