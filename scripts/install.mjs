// Installs the packages of the lockfile if they are not installed yet.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, delimiter, join } from 'node:path';
import { PROJECT } from './run.mjs';

const STAMP = join(PROJECT, 'node_modules', '.installed');

/**
 * Installs the packages of the lockfile into node_modules, without their install scripts, because none is needed.
 * @throws {Error} with a message when npm fails
 */
export function install() {
  const wanted = createHash('sha256')
    .update(readFileSync(join(PROJECT, 'package-lock.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === wanted) return;
  process.stdout.write('Installing packages (npm ci) ...\n');
  const { program, args } = findNpm();
  const { status, error } = spawnSync(
    program,
    [...args, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    { cwd: PROJECT, env: environmentOfNpm(), stdio: ['ignore', 'inherit', 'inherit'] },
  );
  if (error !== undefined) throw new Error(`npm could not be run: ${error.message}. Install Node with npm.`);
  if (status !== 0) throw new Error('The packages could not be installed. See the output of npm above.');
  writeFileSync(STAMP, wanted);
}

/**
 * The npm that runs this script, with the Node that runs it. Not the Node in node_modules, which is about to be
 * replaced.
 * @returns {{ program: string, args: string[] }}
 */
function findNpm() {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env;
  const outside = (/** @type {string | undefined} */ path) => path && existsSync(path) && !path.startsWith(PROJECT);
  if (npm && node && basename(npm) === 'npm-cli.js' && outside(npm) && outside(node)) {
    return { program: node, args: [npm] };
  }
  return { program: 'npm', args: [] };
}

function environmentOfNpm() {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => !folder.startsWith(PROJECT));
  // The product needs development packages to build and run, whatever NODE_ENV is.
  return { ...process.env, PATH: path.join(delimiter), NODE_ENV: 'development' };
}
