import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../../log.ts';
import { chooseAccount, makeOwnedFolder } from './embedded-account.ts';
import { findBinaries } from './embedded-binaries.ts';
import { createCluster, readOrCreatePassword } from './embedded-cluster.ts';
import { launchPostmaster, type Postmaster } from './embedded-postmaster.ts';
import { stopOrphans } from './embedded-processes.ts';
import { chooseSocketFolder } from './embedded-socket.ts';

/**
 * An embedded PostgreSQL: its files are in one folder, and it is reached through a unix socket that only this account
 * can open.
 */
export interface EmbeddedPostgres {
  /**
   * Connection URL of the product's database, including the password. It does not change when the database restarts.
   */
  readonly url: string;
  /** Process id of the running postmaster, undefined while it is down. */
  pid(): number | undefined;
  /** Stops the database and waits until it is gone. Its data is on disk. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The data folder. It contains the cluster, its log, its socket and its password. */
  folder: string;
  log: Log;
  /** False disables durability for speed: for tests only. */
  durable?: boolean;
  /** Called when the database ended unexpectedly, before it is started again. */
  onExit?: (end: { code: number | null; signal: NodeJS.Signals | null }) => void;
}

/** Delays in milliseconds before the first, second, ... restart of a database that ended unexpectedly. */
const RESTART_DELAYS = [50, 500, 2_000, 5_000, 10_000];
/** How long (ms) a running database may take to answer. */
const ANSWER_MS = 10_000;
/** A database that ran this long (ms) counts as healthy, and the delays start again. */
const HEALTHY_AFTER = 60_000;

/**
 * Starts the embedded PostgreSQL, creates its cluster on first use, and keeps it running until `stop`. A database that
 * remains from a killed process is stopped first. The caller must hold the data folder's lock.
 * @throws with a message for the operator when the database cannot be created or started.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durable = true } = options;
  await mkdir(options.folder, { recursive: true });
  const binaries = await findBinaries();
  const clusterFolder = join(options.folder, 'postgres');
  const account = await chooseAccount({ clusterFolder, binaries: dirname(binaries.postgres) });
  const password = await readOrCreatePassword(join(options.folder, 'postgres.password'));
  const socketFolder = await chooseSocketFolder(options.folder);
  await makeOwnedFolder(socketFolder, account);
  await stopOrphans(clusterFolder, log);
  await createCluster({ binaries, account, clusterFolder, scratchFolder: socketFolder, password, durable, log });

  const launch = () =>
    launchPostmaster({
      binaries,
      account,
      clusterFolder,
      socketFolder,
      logFile: join(options.folder, 'postgres.log'),
      durable,
    });
  const supervisor = new Supervisor(clusterFolder, launch, options);
  await supervisor.start();
  return {
    url: urlOf(password, socketFolder),
    pid: () => supervisor.pid(),
    stop: () => supervisor.stop(),
  };
}

/** The URL of the database that another process runs in a data folder; null if none answers. */
export async function runningDatabase(folder: string): Promise<string | null> {
  const passwordFile = join(folder, 'postgres.password');
  if (!existsSync(passwordFile)) return null;
  const url = urlOf(await readOrCreatePassword(passwordFile), await chooseSocketFolder(folder));
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: ANSWER_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return url;
  } catch {
    // Whatever the reason, the caller cannot use it.
    return null;
  } finally {
    await client.end();
  }
}

function urlOf(password: string, socketFolder: string): string {
  return `postgres://chargehand:${password}@localhost/chargehand?host=${encodeURIComponent(socketFolder)}`;
}

/** Keeps one postmaster running: restarts it with increasing delays whenever it ends unexpectedly. */
class Supervisor {
  readonly #clusterFolder: string;
  readonly #launch: () => Promise<Postmaster>;
  readonly #options: EmbeddedPostgresOptions;
  readonly #stopped = new AbortController();
  #running: Postmaster | undefined;
  #recovery: Promise<void> = Promise.resolve();
  #failures = 0;
  #startedAt = 0;

  constructor(clusterFolder: string, launch: () => Promise<Postmaster>, options: EmbeddedPostgresOptions) {
    this.#clusterFolder = clusterFolder;
    this.#launch = launch;
    this.#options = options;
  }

  pid(): number | undefined {
    return this.#running?.pid;
  }

  async start(): Promise<void> {
    const postmaster = await this.#launch();
    this.#running = postmaster;
    this.#startedAt = Date.now();
    void postmaster.ended.then((end) => {
      this.#running = undefined;
      if (this.#stopped.signal.aborted) return;
      this.#options.log.error(end, 'the embedded database ended unexpectedly');
      this.#options.onExit?.(end);
      if (Date.now() - this.#startedAt > HEALTHY_AFTER) this.#failures = 0;
      this.#recovery = this.#recover();
    });
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#recovery;
    await this.#running?.stop();
    // A postmaster that ended just before may leave backends that still answer for a moment.
    await stopOrphans(this.#clusterFolder, this.#options.log);
  }

  async #recover(): Promise<void> {
    const { log } = this.#options;
    while (!this.#stopped.signal.aborted) {
      const delay = RESTART_DELAYS[Math.min(this.#failures++, RESTART_DELAYS.length - 1)];
      try {
        await wait(delay, undefined, { signal: this.#stopped.signal });
        await stopOrphans(this.#clusterFolder, log);
        await this.start();
        log.info({ pid: this.pid() }, 'the embedded database runs again');
        return;
      } catch (error) {
        if (!this.#stopped.signal.aborted) log.error(error, 'the embedded database did not start; trying again');
      }
    }
  }
}
