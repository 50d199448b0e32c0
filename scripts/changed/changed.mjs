// Determines what changed since a branch started, and the tests for it.
import { spawnSync } from 'node:child_process';
// No globSync: this runs on the Node that starts npm, which may be 20.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { PROJECT } from '../run.mjs';
import { importersIn, usersOf } from './imports.mjs';

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
 * import it. Console: the tests of the same feature, and those that use the file. Journeys: the changed ones.
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
  const { components, whole: ofConsole } = componentsFor(files);
  return {
    server: [...server].sort(),
    components,
    journeys: files.filter((file) => /^e2e\/.*\.test\.ts$/.test(file) && existsSync(join(PROJECT, file))),
    whole: whole ?? shared ?? ofConsole,
  };
}

/**
 * @param {string[]} files
 * @returns {{ components: string[], whole: string | null }} the component tests of each changed feature, and those that
 * import a changed file or are beside a file that does. For a file that many use, only those of its own folder
 */
function componentsFor(files) {
  const changed = files.filter((path) => path.startsWith(CONSOLE) && !/(?<!\.component)\.test\.ts$/.test(path));
  const all = filesOf(CONSOLE, '.component.test.tsx').map((path) => path.slice(CONSOLE.length));
  const importers = changed.length > 0 ? importersIn(join(PROJECT, CONSOLE)) : new Map();
  /** @type {Set<string>} */
  const components = new Set();
  /** @type {string | null} */
  let whole = null;
  for (const file of changed.map((path) => path.slice(CONSOLE.length))) {
    const room = /^(?:features\/[^/]+|locales\/[^/]+\/[^/.]+)/.exec(file)?.[0].replace(/^locales\/[^/]+/, 'features');
    // Texts are imported by type, and loaded with the pages of their feature.
    const users = file.startsWith('locales/') ? new Set() : usersOf(importers, file);
    const folders = new Set([...users].filter((path) => !path.startsWith('testing/')).map(dirname));
    const beside = (/** @type {string} */ test) => dirname(test) === dirname(file);
    const own = all.filter((test) => beside(test) || (room !== undefined && test.startsWith(`${room}/`)));
    const others = all.filter((test) => users.has(test) || folders.has(dirname(test)));
    if (others.length > MANY_COMPONENTS || (file.startsWith('locales/') && own.length === 0)) whole = CONSOLE + file;
    else for (const test of others) components.add(CONSOLE + test);
    for (const test of own) components.add(CONSOLE + test);
  }
  return { components: [...components].sort(), whole };
}

/** A file of the console with more dependent tests than this, about two minutes, is left to the complete run. */
const MANY_COMPONENTS = 50;
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
