import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Log } from '../log.ts';
import { RecordingDialect } from '../requests/recording-dialect.ts';
import { isConnectionLoss } from './connections/connection-loss.ts';
import { SHORT_KEEPALIVE } from './connections/direct.ts';
import { QueueingPool } from './connections/pool.ts';
import type { Database } from './schema.ts';

export interface DatabaseConnection {
  pool: QueueingPool;
  /** The same pool for the typed query builder. */
  db: Kysely<Database>;
  /** Waits for running statements, then closes all connections. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Maximum number of connections at a time. */
  max?: number;
  /** Maximum time (ms) of a statement before the server cancels it; 0: unlimited. */
  statementTimeout?: number;
  /** Maximum time (ms) to wait for a connection, from the pool or a new one. */
  connectTimeout?: number;
  /** The name of these connections in pg_stat_activity. */
  applicationName?: string;
  /** PostgreSQL itself, if `url` leads to a pooler in transaction mode */
  directUrl?: string | undefined;
  log?: Log;
}

/**
 * PostgreSQL 15 is the oldest version that supports the product's SQL (unique indexes with NULLS NOT DISTINCT, MERGE).
 */
const OLDEST_VERSION = 15;
/** A transaction without a statement for this time is cancelled, and its locks are released. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/**
 * Opens a pool of connections. None is opened before the first query. A lost connection only fails the statement that
 * was running on it: the pool replaces it. bigint becomes a number (an error beyond 2^53), date its text, timestamptz a
 * Date.
 */
export function connectDatabase(url: string, options: ConnectOptions = {}): DatabaseConnection {
  const {
    max = 10,
    statementTimeout = 30_000,
    connectTimeout = 10_000,
    applicationName = 'chargehand',
    log,
    directUrl,
  } = options;
  const isPooled = directUrl !== undefined && directUrl !== url;
  const settings = {
    connectionString: url,
    max,
    application_name: applicationName,
    // Not as parameters of the connection: PgBouncer rejects those. In transaction mode they are settings of the account.
    onConnect: async (client: pg.ClientBase) => {
      if (isPooled) return;
      await client.query({
        text: `${SHORT_KEEPALIVE}; set statement_timeout = ${statementTimeout}; set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`,
        query_timeout: connectTimeout,
      } as pg.QueryConfig);
    },
    connectionTimeoutMillis: connectTimeout,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    types: { getTypeParser },
  };
  const pool = new QueueingPool(settings, { log, directUrl });
  let closing = false;
  const report = (error: Error) => {
    if (!closing) log?.warn({ reason: error.message }, 'a database connection was lost');
  };
  pool.on('error', report);
  // The pool listens for errors only while a connection is idle. Without this, losing a connection in use would end the
  // process.
  pool.on('connect', (client) => client.on('error', report));
  const db = new Kysely<Database>({ dialect: new RecordingDialect(pool) });
  return {
    pool,
    db,
    close: async () => {
      closing = true;
      await end(db, pool);
    },
  };
}

/**
 * A separate pool for the database of another one, for work that runs while callers hold connections of that pool:
 * waiting there for a second connection while holding one could deadlock.
 * @param max maximum number of connections at a time
 */
export function connectSeparately(
  pool: pg.Pool & { directUrl?: string },
  max: number,
): Pick<DatabaseConnection, 'db' | 'close'> {
  const { connectionTimeoutMillis = 0 } = pool.options;
  const own = new QueueingPool({ ...pool.options, max, connectionTimeoutMillis }, { directUrl: pool.directUrl });
  // Losing a connection only fails the statement on it.
  own.on('error', () => undefined);
  own.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: own }) });
  return { db, close: () => end(db, own) };
}

/** Closes all connections. Kysely ends its pool only if it has run a query itself. */
async function end(db: Kysely<Database>, pool: pg.Pool): Promise<void> {
  await db.destroy();
  if (!pool.ending) await pool.end();
}

/**
 * Waits until the server behind the pool answers: after a restart of the machine, the database may start later.
 * @throws with a sentence if the server is older than the product supports, rejects the account or the database, or
 *   cannot be reached within `waitMs`
 */
export async function requireSupportedServer(pool: pg.Pool, options: { waitMs: number; log: Log }): Promise<void> {
  const deadline = performance.now() + options.waitMs;
  for (let waiting = false; ; waiting = true) {
    try {
      const { rows } = await pool.query<{ server_version: string }>('SHOW server_version');
      return refuseOldServer(rows[0]!.server_version);
    } catch (cause) {
      if (cause instanceof UnsupportedServer) throw cause;
      const reason = cause instanceof Error ? cause.message || String(cause) : String(cause);
      if (!isConnectionLoss(cause) || performance.now() >= deadline) {
        throw new Error(`The database cannot be reached: ${reason}`, { cause });
      }
      if (!waiting) options.log.warn({ reason }, 'the database cannot be reached yet; waiting');
      await wait(AGAIN_MS);
    }
  }
}

/** Warns if the server has fewer connections for this account than the product may use; null otherwise. */
export async function connectionLimitWarning(pool: pg.Pool, most: number): Promise<string | null> {
  const { rows } = await pool.query<{ available: number }>(
    `select least(
       current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer,
       (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
       (select nullif(datconnlimit, -1) from pg_database where datname = current_database())
     ) as available`,
  );
  const { available } = rows[0]!;
  const needed = most + CONNECTIONS_BESIDE;
  if (available >= needed) return null;
  return `The database server allows ${available} connections, and this server may use ${needed}: requests will wait. Raise the limit, or lower CHARGEHAND_DATABASE_CONNECTIONS`;
}

/** Connections that are not in the pool: the lease, the bus, the watch, and the index of the object store. */
const CONNECTIONS_BESIDE = 6;
/** How often a database that cannot be reached is tried again at the start. Milliseconds. */
const AGAIN_MS = 500;

class UnsupportedServer extends Error {
  override name = 'UnsupportedServer';
}

/** @throws with a message when `version`, as `SHOW server_version` writes it, is older than 15. */
function refuseOldServer(version: string): void {
  if (Number.parseInt(version, 10) >= OLDEST_VERSION) return;
  throw new UnsupportedServer(
    `DATABASE_URL points to PostgreSQL ${version}; Chargehand needs ${OLDEST_VERSION} or later.`,
  );
}

const { builtins, getTypeParser: defaultParser } = pg.types;

const getTypeParser: typeof defaultParser = (type: number, format?: 'text' | 'binary') => {
  if (format !== 'binary' && type === builtins.INT8) return safeInteger;
  if (format !== 'binary' && type === builtins.DATE) return (text: string) => text;
  return defaultParser(type, format as 'text');
};

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond 2^53`);
  return value;
}
