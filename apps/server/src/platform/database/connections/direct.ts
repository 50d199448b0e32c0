import pg from 'pg';

/** A connection that is not from a pool. */
export type DirectClient = pg.Client & {
  /** Closes the connection without waiting for the server. */
  drop(): void;
};

const CONNECT_MS = 10_000;

/**
 * Statements with which PostgreSQL notices within half a minute that this machine is gone, and ends what it had begun:
 * otherwise its locks would live until the TCP keepalive of the operating system, two hours by default. Over a Unix
 * socket they do nothing, because there the end of a process closes it.
 */
export const SHORT_KEEPALIVE =
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3; set tcp_user_timeout = 25000';

/**
 * Opens a connection of its own, for session locks, LISTEN, or what must not wait for a pool. A statement without an
 * answer within `answerMs` closes it. Errors of the connection only end it (`end`).
 */
export async function directClient(url: string, options: { name: string; answerMs: number }): Promise<DirectClient> {
  const client = new pg.Client({
    connectionString: url,
    application_name: options.name,
    connectionTimeoutMillis: Math.min(CONNECT_MS, options.answerMs),
    query_timeout: options.answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  }) as DirectClient;
  client.drop = () => {
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  };
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`${SHORT_KEEPALIVE}; set statement_timeout = ${options.answerMs}`);
  } catch (error) {
    client.drop();
    throw error;
  }
  return client;
}
