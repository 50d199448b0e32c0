// Determines what changed since a branch started, and the tests for it.
import { spawnSync } from 'node:child_process';
// No globSync: this runs on the Node that starts npm, which may be 20.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PROJECT } from './run.mjs';

const SERVER = 'apps/server/src/';
const CONSOLE = 'apps/console/src/';
/** Folders of the server with several subfolders that have their own tests. */
const SHELVES = ['gateways', 'platform'];

/**
 * The commit at which the current branch left another branch.
 * @param {string} base a branch or a commit
 */
export function startOfBranch(base) {
  return git('merge-base', 'HEAD', base).trim();
}

/**
 * Paths of the files that differ from a commit, including new ones.
 * @param {string} commit
 */
export function changedSince(commit) {
  return lines(git('diff', '--name-only', commit) + git('ls-files', '--others', '--exclude-standard'));
}

/** The id of the commit in the work tree, or null when files differ from it. */
export function cleanCommit() {
  return git('status', '--porcelain') === '' ? git('rev-parse', 'HEAD').trim() : null;
}

/**
 * The tests to run for changed files, except the rules, for which Vitest finds them. Server: the tests of the same
 * folder, because nearly every test starts the whole product and imports everything. A test helper: the tests that
 * import it. Console: the tests of the same feature. Journeys: the changed ones.
 * @param {string[]} files
 * @returns {{ server: string[], components: string[], journeys: string[], whole: string | null }} paths of test files,
 * and a file with more dependent tests than are worth running now
 */
export function testsFor(files) {
  const all = filesOf(SERVER, '.test.ts');
  /** @type {Set<string>} */
  const server = new Set();
  /** @type {string | null} */
  let whole = null;
  for (const file of files.filter((path) => path.startsWith(SERVER))) {
    const [room = '', shelf = ''] = file.slice(SERVER.length).split('/');
    if (file.endsWith('.test.ts')) {
      if (all.includes(file)) server.add(file);
    } else if (room === 'testing') {
      const users = all.filter((test) => imports(test, basename(file)));
      if (users.length > MANY) whole = file;
      else for (const test of users) server.add(test);
    } else if (dirname(file) === dirname(`${SERVER}x`)) {
      whole = file;
      server.add(`${SERVER}chargehand.test.ts`);
    } else {
      const inShelf = SHELVES.includes(room);
      const own = SERVER + (inShelf && !shelf.includes('.') ? `${room}/${shelf}/` : `${room}/`);
      const near = (/** @type {string} */ test) => !inShelf || !shelf.includes('.') || dirname(test) === dirname(file);
      for (const test of all) if (test.startsWith(own) && near(test)) server.add(test);
    }
  }
  const shared = files.find((file) => /^packages\/contract\/src\/(?!.*\.test\.ts$)/.test(file));
  if (shared) server.add(`${SERVER}access-matrix/contract.test.ts`);
  return {
    server: [...server].sort(),
    components: componentsFor(files),
    journeys: files.filter((file) => /^e2e\/.*\.test\.ts$/.test(file) && existsSync(join(PROJECT, file))),
    whole: whole ?? shared ?? null,
  };
}

/**
 * @param {string[]} files
 * @returns {string[]} the component tests in the folder of each changed feature; all of them for code that features
 * share
 */
function componentsFor(files) {
  const changed = files.filter((path) => path.startsWith(CONSOLE) && !/(?<!\.component)\.test\.ts$/.test(path));
  const folders = changed.map((path) => /^features\/[^/]+\//.exec(path.slice(CONSOLE.length))?.[0] ?? '');
  const all = filesOf(CONSOLE, '.component.test.tsx');
  return all.filter((path) => folders.some((folder) => path.startsWith(CONSOLE + folder))).sort();
}

/** A helper with more dependent tests than this is left to the complete run. */
const MANY = 12;

/**
 * @param {string} test
 * @param {string} name
 */
function imports(test, name) {
  return readFileSync(join(PROJECT, test), 'utf8').includes(`/${name}'`);
}

/**
 * @param {string} folder a path that ends with a slash
 * @param {string} ending
 * @returns {string[]} paths of the files below the folder with this ending
 */
function filesOf(folder, ending) {
  const paths = readdirSync(join(PROJECT, folder), { encoding: 'utf8', recursive: true });
  return paths.filter((path) => path.endsWith(ending)).map((path) => folder + path.replaceAll('\\', '/'));
}

/** @param {string[]} args */
function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: PROJECT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args[0]} failed: ${stderr.trim()}`);
  return stdout;
}

/** @param {string} text */
function lines(text) {
  return [...new Set(text.split('\n').filter((line) => line !== ''))];
}
