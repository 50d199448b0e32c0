// Builds the console if its sources changed since the last build.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment, findNode, PROJECT } from './run.mjs';

const CONSOLE = join(PROJECT, 'apps', 'console');
export const STAMP = join(CONSOLE, 'dist', '.built-from');
/** All inputs of the build. */
const SOURCES = ['apps/console', 'packages/contract', 'packages/domain', 'package-lock.json', 'tsconfig.json'];
const NOT_SOURCES = new Set(['node_modules', 'dist']);

/**
 * @param {{ force?: boolean }} [options] force: build even when nothing changed
 * @throws {Error} with a message when the build fails
 */
export function buildConsole({ force = false } = {}) {
  if (!existsSync(join(CONSOLE, 'index.html'))) return;
  const wanted = hashOf(SOURCES);
  if (!force && existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  process.stdout.write('Building the console ...\n');
  const vite = join(PROJECT, 'node_modules', 'vite', 'bin', 'vite.js');
  const { status } = spawnSync(findNode(), [vite, 'build', '--logLevel', 'warn'], {
    cwd: CONSOLE,
    env: { ...childEnvironment(), NODE_ENV: 'production' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('The console could not be built. See the output above.');
  writeFileSync(STAMP, wanted);
}

/**
 * The hash of all files below some paths, without packages and built files.
 * @param {string[]} paths relative to the project
 */
export function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) add(path);
  return hash.digest('hex');

  /** @param {string} path */
  function add(path) {
    const full = join(PROJECT, path);
    if (!existsSync(full)) return;
    const entries = statSync(full).isDirectory() ? readdirSync(full) : undefined;
    if (entries === undefined) {
      hash.update(`${path}\0`).update(readFileSync(full)).update('\0');
      return;
    }
    for (const name of entries.sort()) if (!NOT_SOURCES.has(name)) add(`${path}/${name}`);
  }
}
