import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log.ts';

/** Key of the advisory lock that a server holds while it runs: "CHGH" in ASCII, and a number for this use. */
export const SERVER_LOCK = [0x43_48_47_48, 1] as const;
const LOCK = SERVER_LOCK;
/** How long a stopping or just killed server may keep the lock. Milliseconds. */
const WAIT_MS = 15_000;
const AGAIN_MS = 500;
const CONNECT_MS = 10_000;

/**
 * Makes this process the only one on its database until it is released: a restore writes every table. With `shared`,
 * other servers may use it too, but no restore. When its connection is lost, the lock is renewed. `onLost` is called if another server has it by
 * then.
 * @throws {Error} with a message if another server uses the database, or a connection pooler in transaction mode is in
 * between
 */
export async function claimDatabase(
  url: string,
  options: { log: Log; onLost: () => void; waitMs?: number; shared?: boolean },
): Promise<{ release(): Promise<void> }> {
  const { log, onLost, waitMs = WAIT_MS, shared = false } = options;
  await refuseTransactionPooling(url);
  const deadline = Date.now() + waitMs;
  let held = await claim(url, shared);
  while (held === null) {
    if (Date.now() >= deadline) {
      throw new Error(
        shared
          ? `A backup is being restored into this database${await holderOf(url)}. Start again when it has ended.`
          : `Another Chargehand server uses this database${await holderOf(url)}. Stop it first.`,
      );
    }
    log.info('another process has locked this database; waiting until it has stopped');
    await wait(AGAIN_MS);
    held = await claim(url, shared);
  }
  let released = false;
  const renew = async (former: Claim) => {
    while (!released) {
      await wait(AGAIN_MS);
      try {
        const next = await claim(url, shared);
        if (next === null) {
          // The database may not have detected yet that our connection is lost.
          if (await endSession(url, former)) continue;
          onLost();
          return;
        }
        held = next;
        if (released) await next.client.end();
        else watch(next);
        return;
      } catch (error) {
        log.debug({ err: error }, 'the lock on the database could not be renewed; trying again');
      }
    }
  };
  const watch = (claimed: Claim) => {
    claimed.client.once('end', () => {
      if (!released) void renew(claimed);
    });
  };
  watch(held);
  return {
    async release() {
      released = true;
      await held?.client.end();
    },
  };
}

/** A connection that holds the lock, and its server process. */
interface Claim {
  client: pg.Client;
  pid: number;
}

/** Takes the lock on a separate connection; null if another session has it. */
async function claim(url: string, shared: boolean): Promise<Claim | null> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ taken: boolean; pid: number }>(
      `select pg_try_advisory_lock${shared ? '_shared' : ''}($1, $2) as taken, pg_backend_pid() as pid`,
      [...LOCK],
    );
    const [row] = rows;
    if (row?.taken) return { client, pid: row.pid };
  } catch (error) {
    await client.end();
    throw error;
  }
  await client.end();
  return null;
}

/** Ends a lost session that still holds the lock. @returns whether it was the one that holds it */
async function endSession(url: string, { pid }: Claim): Promise<boolean> {
  const client = await connect(url);
  try {
    const { rows } = await client.query(
      `select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and granted and classid::bigint = $1 and objid::bigint = $2 and pid = $3
          and database = (select oid from pg_database where datname = current_database())`,
      [...LOCK, pid],
    );
    return rows.length > 0;
  } finally {
    await client.end();
  }
}

/** Where the server that holds the lock runs and since when, as the end of a clause; empty if unknown. */
async function holderOf(url: string): Promise<string> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ address: string | null; since: Date | null }>(
      `select host(a.client_addr) as address, a.backend_start as since
         from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'advisory' and l.granted and l.classid::bigint = $1 and l.objid::bigint = $2
          and l.database = (select oid from pg_database where datname = current_database())`,
      [...LOCK],
    );
    const [holder] = rows;
    if (!holder?.since) return '';
    return ` (from ${holder.address ?? 'this machine'}, since ${holder.since.toISOString()})`;
  } finally {
    await client.end();
  }
}

/**
 * A pooler that shares one server connection between several clients (PgBouncer's pool_mode transaction or statement)
 * breaks prepared statements, LISTEN and session locks. It is detected when the server process of an idle connection
 * serves another one.
 * @throws {Error} with a message
 */
async function refuseTransactionPooling(url: string): Promise<void> {
  const pidOf = async (client: pg.Client) =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid;
  const first = await connect(url);
  const second = await connect(url).catch(async (error: unknown) => {
    await first.end();
    throw error;
  });
  try {
    if ((await pidOf(first)) !== (await pidOf(second))) return;
  } finally {
    await Promise.all([first.end(), second.end()]);
  }
  throw new Error(
    'DATABASE_URL leads to a connection pooler in transaction mode. Set its pool_mode to session for this database, or set DATABASE_DIRECT_URL to PostgreSQL itself.',
  );
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'chargehand server',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
  });
  // A lost connection ends the client, which is watched. The error itself adds nothing.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
