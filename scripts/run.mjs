// Runs programs for the other scripts: on the project's own Node, with its packages' programs first in the path.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PROJECT = fileURLToPath(new URL('..', import.meta.url));

/** The oldest Node that runs the TypeScript sources as they are and has all we use. */
const OLDEST_NODE = [22, 19];

/**
 * The Node that runs the product: the one that npm brought for this platform, else the system's if it is new enough.
 * @returns {string} its path
 */
export function findNode() {
  const brought = join(PROJECT, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  if (existsSync(brought) && spawnSync(brought, ['--version'], { stdio: 'ignore' }).status === 0) return brought;
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return process.execPath;
  throw new Error(
    `npm brings no Node for ${process.platform}-${process.arch}, and this one is ${process.version}. ` +
      `Install Node ${OLDEST_NODE.join('.')} or later and try again.`,
  );
}

/** The environment of a child: our Node and our packages' programs come first. */
export function childEnvironment() {
  return {
    ...process.env,
    PATH: [dirname(findNode()), join(PROJECT, 'node_modules', '.bin'), process.env.PATH].join(delimiter),
  };
}

/** Where Node keeps what it compiled: a start that finds it there needs a quarter less of the processor. */
const COMPILED = join(PROJECT, 'node_modules', '.cache', 'node');

/**
 * Runs a Node program to its end. The channel beside its standard streams tells it when this process is gone.
 * @param {string[]} args
 * @returns {Promise<number>} its exit code, as a shell would give it
 */
export async function runNode(args) {
  const child = spawn(findNode(), ['--disable-warning=ExperimentalWarning', '--enable-source-maps', ...args], {
    cwd: PROJECT,
    env: { NODE_COMPILE_CACHE: COMPILED, ...childEnvironment() },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  return ended(child);
}

/**
 * Waits for a child, which is sent the signals that are meant for it and ends with the npm that started us.
 * @param {import('node:child_process').ChildProcess} child
 * @returns {Promise<number>}
 */
export function ended(child) {
  forwardSignals(child);
  endWithNpm(child);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal ?? 'SIGTERM']));
  });
}

/**
 * npm passes signals on, except the one that it cannot hear: killed, it would leave the product running unseen.
 * @param {import('node:child_process').ChildProcess} child
 */
function endWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === npm) return;
    // Once: asked a second time, the product takes it for impatience and leaves without tidying up.
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 250).unref();
}

/** @param {import('node:child_process').ChildProcess} child */
function forwardSignals(child) {
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    let sent = false;
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child, too; and npm hands on what it got, so that we may hear it twice.
      const heardByChild = signal === 'SIGINT' && process.stdin.isTTY;
      if (!sent && !heardByChild) child.kill(signal);
      sent = true;
    });
  }
}

/**
 * Ends this process with a sentence for the person who started it.
 * @param {string} sentence
 * @returns {never}
 */
export function stopWith(sentence) {
  process.stderr.write(`\n${sentence}\n`);
  process.exit(1);
}
