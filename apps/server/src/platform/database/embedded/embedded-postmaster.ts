import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { DatabaseAccount } from './embedded-account.ts';
import type { PostgresBinaries } from './embedded-binaries.ts';
import { POSTGRES_ENVIRONMENT } from './embedded-cluster.ts';
import { postmasterLines, recordedPostmaster, sendSignal } from './embedded-processes.ts';
import { SOCKET_NAME } from './embedded-socket.ts';

export interface PostmasterEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface Postmaster {
  pid: number;
  /** Settles when the process has ended, for any reason. */
  ended: Promise<PostmasterEnd>;
  /** Fast shutdown: open transactions are rolled back, and all data is on disk afterwards. */
  stop(): Promise<void>;
}

export interface LaunchOptions {
  binaries: PostgresBinaries;
  account: DatabaseAccount;
  clusterFolder: string;
  socketFolder: string;
  logFile: string;
  durable: boolean;
}

/** Timeout (ms): replaying the write-ahead log after a crash can take minutes on a slow disk. */
const STARTUP_TIMEOUT = 600_000;
const SHUTDOWN_TIMEOUTS = 60_000;
const LOG_LIMIT = 10 * 1024 * 1024;

/**
 * Starts the database server on an existing cluster that is not in use, and waits until it accepts connections. It runs
 * in its own session, so that Ctrl-C in the terminal only reaches this process, which then stops the database in order.
 * @throws with the end of the database's log when it does not start.
 */
export async function launchPostmaster(options: LaunchOptions): Promise<Postmaster> {
  await removeStaleFiles(options);
  const folder = await realpath(options.clusterFolder);
  const { owner, prefix } = options.account;
  const [program, ...rest] = [...prefix, options.binaries.postgres, '-D', folder, ...settings(options)];
  const log = await openLog(options.logFile);
  const logStart = (await log.stat()).size;
  const child = spawn(program!, rest, {
    ...(prefix.length === 0 && owner !== undefined ? { uid: owner.uid, gid: owner.gid } : {}),
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  let end: PostmasterEnd | undefined;
  const ended = new Promise<PostmasterEnd>((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  void ended.then((how) => {
    end = how;
  });
  const failed = new Promise<Error>((resolve) => child.once('error', resolve));
  await log.close();

  const until = Date.now() + STARTUP_TIMEOUT;
  while (!(await acceptsConnections(folder, child.pid))) {
    if (child.pid === undefined) {
      throw new Error(`The database could not be started: ${(await failed).message}.`);
    }
    if (end !== undefined || Date.now() > until) {
      if (end === undefined) sendSignal(child.pid, 'SIGQUIT');
      const tail = (await readFile(options.logFile, 'utf8')).slice(logStart).trim().split('\n').slice(-12).join('\n');
      throw new Error(`The database did not start (${options.logFile}):\n${tail}`);
    }
    await wait(10);
  }
  const pid = child.pid!;
  return { pid, ended, stop: () => stopPostmaster(pid, ended) };
}

async function stopPostmaster(pid: number, ended: Promise<PostmasterEnd>): Promise<void> {
  // postgres(1): SIGINT is the fast shutdown; SIGQUIT is the immediate one, after which the next start performs a
  // recovery.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    sendSignal(pid, signal);
    const timer = new AbortController();
    const gone = await Promise.race([
      ended.then(() => true),
      wait(SHUTDOWN_TIMEOUTS, false, { signal: timer.signal, ref: true }).catch(() => true),
    ]);
    timer.abort();
    if (gone) return;
  }
}

/** The eighth line of postmaster.pid is the state, which pg_ctl also uses. */
async function acceptsConnections(folder: string, pid: number | undefined): Promise<boolean> {
  const lines = await postmasterLines(folder);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/**
 * A lock file of a killed postmaster whose process id now belongs to another process would prevent the start. The
 * caller has checked that no process of the cluster is running. With an unused process id PostgreSQL removes the file
 * itself, after looking for remaining shared memory, so that case is left to PostgreSQL.
 */
async function removeStaleFiles({ clusterFolder, socketFolder }: LaunchOptions): Promise<void> {
  const pid = await recordedPostmaster(clusterFolder);
  if (pid !== undefined && isAlive(pid)) await rm(join(clusterFolder, 'postmaster.pid'), { force: true });
  await rm(join(socketFolder, `${SOCKET_NAME}.lock`), { force: true });
  await rm(join(socketFolder, SOCKET_NAME), { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function openLog(file: string) {
  if (existsSync(file) && (await stat(file)).size > LOG_LIMIT) await rename(file, `${file}.1`);
  return open(file, 'a', 0o600);
}

function settings({ socketFolder, durable }: LaunchOptions): string[] {
  const megabyte = 1024 * 1024;
  const machine = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY) / megabyte;
  const sharedBuffers = Math.round(Math.min(1024, Math.max(64, machine / 8)));
  const values: Record<string, string | number> = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    cluster_name: 'chargehand',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    max_connections: 100,
    shared_buffers: `${sharedBuffers}MB`,
    effective_cache_size: `${Math.round(Math.max(256, machine / 2))}MB`,
    maintenance_work_mem: `${Math.round(Math.min(256, Math.max(32, machine / 32)))}MB`,
    work_mem: '8MB',
    // There are thousands of short statements: JIT compilation costs more than it gains, and so do parallel workers on
    // a small machine.
    jit: 'off',
    max_parallel_workers_per_gather: availableParallelism() > 4 ? 2 : 0,
    // Ingest writes continuously. Fewer, longer checkpoints write fewer full pages; 2 GB can still be replayed in
    // seconds.
    wal_compression: 'on',
    min_wal_size: '256MB',
    max_wal_size: '2GB',
    checkpoint_completion_target: 0.9,
    checkpoint_timeout: '10min',
    log_checkpoints: 'off',
    random_page_cost: 1.1,
    autovacuum_vacuum_cost_limit: 2000,
    ...(durable
      ? {}
      : {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          autovacuum: 'off',
          io_method: 'sync',
          wal_level: 'minimal',
          max_wal_senders: '0',
          wal_compression: 'off',
        }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
