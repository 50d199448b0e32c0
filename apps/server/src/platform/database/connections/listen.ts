import type pg from 'pg';
import type { Log } from '../../log.ts';
import { directClient } from './direct.ts';
import type { QueueingPool } from './pool.ts';

/** The delay before a lost connection is opened again. Milliseconds. */
const AGAIN_MS = 1_000;
/** How long a connection of its own may take to answer. Milliseconds. */
const LISTEN_MS = 10_000;

interface Listening {
  channel: string;
  log: Log;
  onNotification(payload: string | null): void;
}

/** One connection that listens to several channels, while there is anyone to notify. */
interface Listener {
  add(listening: Listening): void;
  remove(listening: Listening): Promise<void>;
}

const LISTENERS = new WeakMap<pg.Pool, Listener>();

/**
 * Receives notifications of transactions on a channel (`pg_notify`) after their commit. Notifications during a lost
 * connection are not received, so `onNotification` is also called whenever listening restarts, with null. All channels
 * of a pool share one of its connections.
 */
export function listenTo(
  pool: pg.Pool,
  channel: string,
  options: { log: Log; onNotification(payload: string | null): void },
): { stop(): Promise<void> } {
  const listener = LISTENERS.get(pool) ?? listenerOf(pool);
  LISTENERS.set(pool, listener);
  const listening = { channel, ...options };
  listener.add(listening);
  return { stop: () => listener.remove(listening) };
}

function listenerOf(pool: pg.Pool): Listener {
  const all = new Set<Listening>();
  let client: pg.PoolClient | null = null;
  /** the channels that `client` listens to */
  let listened = new Set<string>();
  let working: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;

  const notify = (channel: string, payload: string | null) => {
    for (const one of all) if (one.channel === channel) one.onNotification(payload);
  };

  const leave = (which: pg.PoolClient) => {
    if (client !== which) return;
    client = null;
    which.release(true);
    again();
  };

  const open = async (): Promise<pg.PoolClient> => {
    const opened = await connectionOf(pool);
    client = opened;
    listened = new Set();
    opened.on('error', () => leave(opened));
    opened.on('end', () => leave(opened));
    opened.on('notification', ({ channel, payload }) => notify(channel, payload ?? ''));
    return opened;
  };

  /** Listens to every missing channel. */
  const work = async (): Promise<void> => {
    let current: pg.PoolClient | null = null;
    try {
      for (const channel of missing()) {
        current = client ?? (await open());
        await current.query(`listen ${channel}`);
        listened.add(channel);
        notify(channel, null);
      }
    } catch (error) {
      const [first] = all;
      first?.log.debug({ err: error }, 'not listening to the database; trying again');
      if (current) leave(current);
      else again();
    } finally {
      working = null;
    }
  };

  /** The missing channels, including those added while the others are listened to. */
  function* missing(): Generator<string> {
    for (;;) {
      const next = [...all].find(({ channel }) => client === null || !listened.has(channel));
      if (!next) return;
      yield next.channel;
    }
  }

  const begin = () => {
    // Starts later, because `work` resets `working` in the same turn in which nothing is missing anymore.
    working ??= Promise.resolve().then(work);
  };

  const again = () => {
    clearTimeout(timer);
    if (all.size > 0) timer = setTimeout(begin, AGAIN_MS);
  };

  return {
    add(listening) {
      all.add(listening);
      if (client && listened.has(listening.channel)) queueMicrotask(() => listening.onNotification(null));
      else begin();
    },
    async remove(listening) {
      all.delete(listening);
      if (all.size > 0) return;
      clearTimeout(timer);
      while (working) await working;
      // Someone may have started to listen again in the meantime.
      if (all.size === 0 && client) leave(client);
    },
  };
}

/** A connection that keeps its session: of the pool, or beside a pooler in transaction mode. */
async function connectionOf(
  pool: pg.Pool & Partial<Pick<QueueingPool, 'isPooled' | 'directUrl'>>,
): Promise<pg.PoolClient> {
  if (!pool.isPooled || pool.directUrl === undefined) return await pool.connect();
  const client = await directClient(pool.directUrl, { name: 'chargehand listen', answerMs: LISTEN_MS });
  return Object.assign(client, { release: () => void client.end().catch(() => undefined) });
}
