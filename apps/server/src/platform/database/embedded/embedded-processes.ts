import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Log } from '../../log.ts';

/** Maximum time (ms) of a fast shutdown, which writes data from memory to disk. */
const FAST_SHUTDOWN = 30_000;
const IMMEDIATE_SHUTDOWN = 5_000;

/**
 * Stops processes on this cluster that remain from an earlier, killed process, first with a shutdown, then with
 * SIGKILL. Two postmasters, or a postmaster and an orphaned backend, would destroy the data, so nothing is started
 * before all have ended.
 * @throws when a process does not end even when killed.
 */
export async function stopOrphans(clusterFolder: string, log: Log): Promise<void> {
  if (!existsSync(clusterFolder)) return;
  let left = await processesOn(clusterFolder);
  if (left.length === 0) return;
  const postmaster = await recordedPostmaster(clusterFolder);
  log.warn({ pids: left, postmaster }, 'stopping a database that remains from a killed process');
  // postgres(1): SIGINT is the fast shutdown, SIGQUIT the immediate one. Backends whose postmaster is dead end on SIGTERM.
  const steps: [NodeJS.Signals, number][] = left.includes(postmaster ?? -1)
    ? [
        ['SIGINT', FAST_SHUTDOWN],
        ['SIGQUIT', IMMEDIATE_SHUTDOWN],
        ['SIGKILL', IMMEDIATE_SHUTDOWN],
      ]
    : [
        ['SIGTERM', IMMEDIATE_SHUTDOWN],
        ['SIGKILL', IMMEDIATE_SHUTDOWN],
      ];
  for (const [signal, timeout] of steps) {
    const targets =
      signal === 'SIGKILL' || postmaster === undefined || !left.includes(postmaster) ? left : [postmaster];
    for (const pid of targets) sendSignal(pid, signal);
    const until = Date.now() + timeout;
    while (Date.now() < until) {
      left = await processesOn(clusterFolder);
      if (left.length === 0) return;
      await wait(20);
    }
  }
  throw new Error(`The processes ${left.join(', ')} still use ${clusterFolder} and do not end. Stop them manually.`);
}

/** The process id in the cluster's own lock file, whether or not the process is running. */
export async function recordedPostmaster(clusterFolder: string): Promise<number | undefined> {
  const pid = Number((await postmasterLines(clusterFolder))[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

/**
 * The lines of the cluster's own lock file; none while there is no such file. A postmaster that finds a stale file
 * removes it and writes its own. In between there is no file, which is not an error.
 */
export async function postmasterLines(clusterFolder: string): Promise<string[]> {
  try {
    return (await readFile(join(clusterFolder, 'postmaster.pid'), 'utf8')).split('\n');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** Sends a signal. A process that has already ended is fine. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/**
 * The running processes of a cluster. A recorded process id is not sufficient, because the system reuses ids. On Linux
 * they are the processes with the cluster as working directory (every PostgreSQL process changes to it), elsewhere the
 * postmaster by its command line.
 */
export async function processesOn(clusterFolder: string): Promise<number[]> {
  const folder = await realpath(clusterFolder);
  return existsSync('/proc/self/cwd') ? linuxProcessesOn(folder) : postmastersByCommandLine(folder);
}

async function linuxProcessesOn(folder: string): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      if ((await readlink(`/proc/${entry}/cwd`)) !== folder) continue;
      if (/^postgres\b/.test(await readFile(`/proc/${entry}/comm`, 'utf8'))) found.push(Number(entry));
    } catch (error) {
      // Ended in the meantime, or owned by another account: not ours in both cases.
      if (!(error instanceof Error && 'code' in error && ['ENOENT', 'EACCES', 'ESRCH'].includes(String(error.code)))) {
        throw error;
      }
    }
  }
  return found;
}

async function postmastersByCommandLine(folder: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,command=']);
  return stdout
    .split('\n')
    .filter((line) => line.includes('/postgres ') && line.includes(`-D ${folder} `))
    .map((line) => Number.parseInt(line, 10));
}
