// `npm run test:mutation [-- --all | path ...]`: changes the code in one small way at a time (Stryker) and prints every
// change that no test detects. Covers packages/domain and the server's access, operations, ingest and gateways: the
// files changed since the branch left main, all of them with `--all`, or the given files and folders. A file may have a
// range of lines (`lane.ts:30-60`). Fails when fewer changes are detected than the limits below.
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { changedSince, startOfBranch, testsFor } from './changed/changed.mjs';
import { requireLftp, requireS3cmd, requireSshPrograms } from './debian.mjs';
import { install } from './install.mjs';
import { PROJECT, runNode, stopWith } from './run.mjs';

/**
 * The mutated code, its tests, and the percentage of mutants that they must detect.
 * @type {{ name: string, folders: string[], project: 'rules' | 'server', limit: number }[]}
 */
const SCOPES = [
  { name: 'domain', folders: ['packages/domain/src/'], project: 'rules', limit: 90 },
  ...['access', 'operations', 'ingest', 'gateways'].map((room) => ({
    name: room,
    folders: [`apps/server/src/${room}/`],
    project: /** @type {const} */ ('server'),
    limit: 80,
  })),
];
/** The lines of a file to mutate, as Stryker reads them. */
const RANGE = /:\d+-\d+$/;
const RESULTS = join(PROJECT, 'node_modules', '.cache', 'mutation');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    tests: { type: 'string', multiple: true, default: [] },
    concurrency: { type: 'string', default: '1' },
  },
});

try {
  install();
  process.exitCode = await mutateAll();
} catch (error) {
  stopWith(error instanceof Error ? error.message : String(error));
}

/** @returns {Promise<number>} 0, or the exit code of the last scope with too many survivors */
async function mutateAll() {
  const wanted = chosen();
  let code = 0;
  let any = false;
  for (const scope of SCOPES) {
    const files = wanted.filter((file) => scope.folders.some((folder) => file.startsWith(folder)));
    if (files.length === 0) continue;
    any = true;
    process.stdout.write(`\n── ${scope.name}: ${files.length} files\n`);
    code = (await mutate(scope, files)) || code;
  }
  if (!any) process.stdout.write('No file that mutation tests cover was selected or changed.\n');
  return code;
}

/** @returns {string[]} paths of the source files to mutate, with the range of lines if one was given */
function chosen() {
  const sources = SCOPES.flatMap(({ folders }) => folders.flatMap(sourcesBelow));
  if (values.all) return sources;
  if (positionals.length === 0) {
    const changed = new Set(changedSince(startOfBranch('main')));
    return sources.filter((file) => changed.has(file));
  }
  const paths = positionals.map((path) => relative(PROJECT, resolve(path)).replaceAll('\\', '/'));
  const found = sources.flatMap((file) => [
    ...(paths.some((path) => file === path || file.startsWith(`${path}/`)) ? [file] : []),
    ...paths.filter((path) => RANGE.test(path) && withoutRange(path) === file),
  ]);
  if (found.length === 0) throw new Error(`Mutation tests cover no source file at ${positionals.join(' or ')}.`);
  return found;
}

/** @param {string} path */
function withoutRange(path) {
  return path.replace(RANGE, '');
}

/**
 * @param {string} folder
 * @returns {string[]}
 */
function sourcesBelow(folder) {
  return readdirSync(join(PROJECT, folder), { encoding: 'utf8', recursive: true })
    .map((path) => folder + path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !/\.(test|s3|mqtt|clients)\.ts$/.test(path))
    .filter((path) => statSync(join(PROJECT, path)).isFile())
    .sort();
}

/**
 * @param {(typeof SCOPES)[number]} scope
 * @param {string[]} files
 * @returns {Promise<number>} Stryker's exit code: not 0 when the score is below the limit
 */
async function mutate({ name, project, limit }, files) {
  if (project === 'server') {
    requireS3cmd();
    requireLftp();
    requireSshPrograms();
  }
  mkdirSync(RESULTS, { recursive: true });
  const options = join(RESULTS, `${name}.options.json`);
  writeFileSync(options, JSON.stringify(optionsFor(name, project, limit, files), null, 2));
  process.env.MUTATION_PROJECT = project;
  // Nearly every server test imports the whole server, so Vitest cannot select the tests of a file.
  const tests = values.tests.length > 0 ? values.tests : testsFor(files.map(withoutRange)).server;
  if (project === 'server') process.env.MUTATION_TESTS = JSON.stringify(tests);
  else delete process.env.MUTATION_TESTS;
  try {
    return await runNode(['node_modules/@stryker-mutator/core/bin/stryker.js', 'run', options]);
  } finally {
    rmSync(options);
  }
}

/**
 * @param {string} name
 * @param {'rules' | 'server'} project
 * @param {number} limit
 * @param {string[]} files
 */
function optionsFor(name, project, limit, files) {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    // Processes, as in npm test: some tests set the time zone, which a worker thread cannot do.
    vitest: { configFile: 'vitest.mutation.ts', pool: 'forks', related: project === 'rules' },
    mutate: files,
    ignorePatterns: ['data', 'screenshots', 'dist'],
    coverageAnalysis: 'perTest',
    concurrency: Number(values.concurrency),
    dryRunTimeoutMinutes: 60,
    // A mutant that loops forever ends after this time, besides the time of its tests. Longer ones also wait longer.
    timeoutMS: project === 'rules' ? 10_000 : 20_000,
    timeoutFactor: project === 'rules' ? 1.5 : 4,
    // Only mutants whose code or tests changed since the last run are tested again.
    incremental: true,
    incrementalFile: join(RESULTS, `${name}.json`),
    reporters: ['clear-text', 'progress-append-only', 'html'],
    clearTextReporter: { reportTests: false, skipFull: true, allowColor: false },
    htmlReporter: { fileName: join(RESULTS, `${name}.html`) },
    thresholds: { high: limit, low: limit, break: limit },
    allowConsoleColors: false,
    disableTypeChecks: true,
    cleanTempDir: 'always',
    tempDirName: '.stryker-tmp',
  };
}
