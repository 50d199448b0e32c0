// Runs programs for the other scripts with the project's own Node and the programs of its packages first in PATH.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve as resolvePath } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/** The oldest Node that runs the TypeScript sources directly and has all features we use. */
const OLDEST_NODE = [22, 19];

/**
 * The Node that runs the product: the one that npm installed for this platform, otherwise the system's if it is new
 * enough.
 * @returns {string} its path
 */
export function findNode() {
  const brought = join(PROJECT, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(brought) && spawnSync(brought, ['--version'], { stdio: 'ignore' }).status === 0) return brought;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return process.execPath;
  throw new Error(
    `There is no Node package for ${process.platform}-${process.arch}, and the installed Node is ${process.version}. ` +
      `Install Node ${OLDEST_NODE.join('.')} or later and try again.`,
  );
}

/** The environment of a child process: our Node and the programs of our packages come first in PATH. */
export function childEnvironment() {
  return {
    ...process.env,
    PATH: [dirname(findNode()), join(PROJECT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  };
}

/** The folder of Node's compile cache: a start with it needs a quarter less CPU time. */
export const COMPILED = join(PROJECT, 'node_modules', '.cache', 'node');

/**
 * Runs a Node program until it exits. It is notified through an IPC channel when this process ends.
 * @param {string[]} args
 * @param {{ environment?: Record<string, string>, killed?: (pid: number) => void }} [options] killed: called when a
 *   signal that nobody requested ended it
 * @returns {Promise<number>} its exit code, as a shell would return it
 */
export async function runNode(args, { environment = {}, killed } = {}) {
  const child = spawn(findNode(), ['--disable-warning=ExperimentalWarning', ...args], {
    cwd: PROJECT,
    env: { NODE_COMPILE_CACHE: COMPILED, ...environment, ...childEnvironment() },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  return ended(child, killed);
}

/**
 * Waits for a child process, which receives the signals of this process and ends with the npm that started us.
 * @param {import('node:child_process').ChildProcess} child
 * @param {(pid: number) => void} [killed] called when a signal that nobody requested ended it
 * @returns {Promise<number>}
 */
export function ended(child, killed) {
  forwardSignals(child);
  endWithNpm(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      if (signal !== null && !REQUESTED.has(signal)) {
        process.stderr.write(`\n${killedSentence(signal)}\n`);
        if (child.pid !== undefined) killed?.(child.pid);
      }
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']);
    });
  });
}

/** Signals by which a user ends a program. */
const REQUESTED = new Set(['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Why a program ended that a signal killed.
 * @param {string} signal
 */
function killedSentence(signal) {
  if (signal !== 'SIGKILL') return `The program crashed (${signal}).`;
  return (
    'The program was killed (SIGKILL). Usually the machine or the container has run out of memory: ' +
    'give it more, or look for "oom" in the log of the kernel (journalctl -k, dmesg).'
  );
}

/**
 * Stops the embedded database that a killed server left running.
 * @param {number} pid the process ID of the server
 */
export function stopDatabaseOf(pid) {
  const folder = resolvePath(PROJECT, process.env.CHARGEHAND_DATA?.trim() || 'data');
  const line = (/** @type {string} */ file, /** @type {number} */ index) => {
    const path = join(folder, file);
    return existsSync(path) ? readFileSync(path, 'utf8').split('\n')[index]?.trim() : undefined;
  };
  // Otherwise the folder belongs to another server, with its database.
  if (Number(line('server.pid', 0)) !== pid) return;
  const database = Number(line('postgres/postmaster.pid', 0));
  if (!(database > 1)) return;
  try {
    // postgres(1): the fast shutdown.
    process.kill(database, 'SIGINT');
    process.stderr.write('Its database is being stopped.\n');
  } catch {
    // It has ended, or belongs to another account.
  }
}

/**
 * npm passes on all signals except SIGKILL, which would leave the product running.
 * @param {import('node:child_process').ChildProcess} child
 */
function endWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    // Only once: at a second signal, the product exits immediately without a clean shutdown.
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 250).unref();
}

/** @param {import('node:child_process').ChildProcess} child */
function forwardSignals(child) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    let sent = false;
    process.on(signal, () => {
      // A terminal also sends Ctrl-C to the child, and npm passes on its own signal, so we may receive it twice.
      const heardByChild = signal === 'SIGINT' && process.stdin.isTTY;
      // SIGHUP without a terminal requests a reload and is passed on every time.
      const repeats = signal === 'SIGHUP' && !process.stdin.isTTY;
      if ((repeats || !sent) && !heardByChild) child.kill(signal);
      sent = true;
    });
  }
}

/**
 * Ends this process with a message for the user who started it.
 * @param {string} sentence
 * @returns {never}
 */
export function stopWith(sentence) {
  process.stderr.write(`\n${sentence}\n`);
  process.exit(1);
}
