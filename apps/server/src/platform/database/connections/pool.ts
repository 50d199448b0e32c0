import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log.ts';

/** After the server refused a connection, the pool stays at the connections it has for this time. Milliseconds. */
const LIMITED_MS = 30_000;
/** How long to wait if the pool has no connection at all. Milliseconds. */
const AGAIN_MS = 250;

type ConnectCallback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (error?: Error | boolean) => void,
) => void;

/** Reports how long a query took, in seconds, and its text without values. */
export type QueryListener = (seconds: number, text: string) => void;

/**
 * A pool that does not fail requests when the server has no more connections for it: they wait for one that is in use,
 * as they do at the pool's own limit.
 */
export class QueueingPool extends pg.Pool {
  /** PostgreSQL itself, for LISTEN and session locks: another address if the pool uses a pooler in transaction mode */
  readonly directUrl: string;
  /**
   * The database does not answer: no connection is opened, and callers get an error at once. A server that gets the first
   * packet of a connection and no other keeps a process for it, for a minute by default.
   */
  isSilent = false;
  /** called for every query on a connection of this pool */
  onQuery: QueryListener | null = null;
  readonly #most: number;
  readonly #connectMs: number;
  readonly #log: Log | undefined;

  constructor(
    options: pg.PoolConfig & { max: number; connectionTimeoutMillis: number },
    { log, directUrl }: { log?: Log | undefined; directUrl?: string | undefined } = {},
  ) {
    super(options);
    const { connectionString = '' } = options;
    this.directUrl = directUrl ?? connectionString;
    this.#most = options.max;
    this.#connectMs = options.connectionTimeoutMillis;
    this.#log = log;
    if (this.isPooled) this.on('connect', withoutNames);
    this.on('connect', (client) => measure(client, (seconds, text) => this.onQuery?.(seconds, text)));
  }

  /** Each transaction may have another connection of the server: there are no settings and statements of a session. */
  get isPooled(): boolean {
    return this.directUrl !== (this.options.connectionString ?? '');
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: ConnectCallback): void;
  override connect(callback?: ConnectCallback): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connect();
    if (!callback) return connecting;
    connecting.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error, undefined, () => undefined),
    );
    return undefined;
  }

  async #connect(): Promise<pg.PoolClient> {
    const deadline = performance.now() + this.#connectMs;
    for (;;) {
      if (this.isSilent && this.idleCount === 0) throw new Error('timeout: the database does not answer');
      try {
        return await super.connect();
      } catch (error) {
        if (!isRefusedByLimit(error) || this.ending || performance.now() >= deadline) throw error;
        if (this.totalCount === 0) await wait(AGAIN_MS);
        else this.#limit();
      }
    }
  }

  /** Opens no further connection for a while. */
  #limit(): void {
    const { options } = this;
    if (options.max === this.#most) {
      this.#log?.warn(
        { connections: this.totalCount, configured: this.#most },
        'the database server has no more connections for this account; requests wait. Raise its limit, or lower CHARGEHAND_DATABASE_CONNECTIONS',
      );
      setTimeout(() => {
        options.max = this.#most;
      }, LIMITED_MS).unref();
    }
    options.max = Math.min(options.max, Math.max(1, this.totalCount));
  }
}

/** Whether a server or pooler has no connection left: SQLSTATE 53300, and PgBouncer's max_client_conn. */
export function isRefusedByLimit(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return code === '53300' || /no more connections allowed/.test(String(message));
}

/** Prepared statements belong to a session, which a pooler in transaction mode does not keep. */
function withoutNames(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((first: unknown, ...others: unknown[]) => {
    const isNamed = Object.getPrototypeOf(first ?? 0) === Object.prototype && 'name' in (first as object);
    return query(isNamed ? { ...(first as object), name: undefined } : first, ...others);
  }) as typeof client.query;
}

/** Reports the time of every query of a client that returns a promise or takes a callback. */
function measure(client: pg.PoolClient, listener: QueryListener): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  client.query = ((...args: unknown[]) => {
    const start = performance.now();
    const done = () => listener((performance.now() - start) / 1_000, textOf(args[0]));
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (...result: unknown[]) => {
        done();
        callback(...result);
      };
      return query(...args);
    }
    const result = query(...args);
    if (result instanceof Promise) result.then(done, done);
    return result;
  }) as typeof client.query;
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query;
  const { text } = (query ?? {}) as { text?: unknown };
  return typeof text === 'string' ? text : '';
}
