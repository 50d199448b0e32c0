// `npm test`: installs what the tests need and runs the checks and tests; stops at the first failed step. A complete
// green run of a clean work tree writes its commit id to node_modules/.cache/last-green. `--only full` (npm run
// test:full) runs the slow tests that it leaves out, and writes last-full-green. `--only
// checks|rules|properties|server|faults|s3|mqtt|clients|deploy|cluster|components|browser|screenshots|bench` runs a part.
// `--changed [base]` runs the tests for what changed since the branch left `base` (main); see changed/changed.mjs.
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireBrowser } from './browser.mjs';
import { buildServer } from './build/server-bundle.mjs';
import { changedSince, cleanCommit, startOfBranch, testsFor } from './changed/changed.mjs';
import { closingLine } from './ci/retries.mjs';
import { buildConsole } from './console.mjs';
import {
  requireCeph,
  requireClients,
  requireCluster,
  requireDeployment,
  requireLftp,
  requireMosquitto,
  requirePromtool,
  requireS3cmd,
  requireSshPrograms,
} from './debian.mjs';
import { install } from './install.mjs';
import { childEnvironment, findNode, PROJECT, stopWith } from './run.mjs';

const PARTS = [
  'checks',
  'rules',
  'properties',
  'server',
  'full',
  'full-components',
  'full-journeys',
  'faults',
  's3',
  'mqtt',
  'clients',
  'deploy',
  'cluster',
  'components',
  'browser',
  'screenshots',
  'bench',
];
const [flag, argument, ...rest] = process.argv.slice(2);
const only = flag === '--only' ? argument : undefined;
if (flag !== undefined && flag !== '--changed' && (only === undefined || !PARTS.includes(only))) {
  stopWith(`npm test knows --changed, and --only with one of ${PARTS.join(', ')}.`);
}
/**
 * What tests need of the machine, and what is left out without it: whole projects, or files of them.
 * @type {{ name: string, install: () => unknown, for: string[], projects: string[], files: string[] }[]}
 */
const NEEDS = [
  {
    ...{ name: 'tests of the object store with s3cmd', install: requireS3cmd },
    ...{ for: ['server', 'full'], projects: [], files: ['**/objects/protocol/s3cmd.test.ts'] },
  },
  {
    ...{ name: 'tests of device files with lftp', install: requireLftp },
    ...{ for: ['server', 'full'], projects: [], files: ['**/transfers/device-files/device-files.test.ts'] },
  },
  {
    ...{ name: 'tests of terminals and links with ssh, dbclient and sshd', install: requireSshPrograms },
    ...{ for: ['server', 'full', 'browser', 'full-journeys'], projects: [] },
    files: ['apps/server/src/links/**', 'e2e/links/**', 'e2e/console/first-start.full.ts'],
  },
  {
    ...{ name: 'component tests and journeys in Chromium', install: requireBrowser },
    for: ['components', 'browser', 'full-components', 'full-journeys'],
    projects: ['components', 'browser', 'full-components', 'full-journeys'],
    files: [],
  },
];

/** @type {Record<string, string>} added to the environment of every step */
const extra = {};

try {
  step('packages', install);
  if (flag === '--changed') changed(argument);
  else if (only === undefined) await everything();
  else if (only === 'checks') await checks();
  else if (only === 'screenshots' || only === 'bench') script(only);
  else if (only === 'properties') properties();
  else if (only === 'faults') faults();
  else if (only === 'full') full();
  else tests([only]);
} catch (error) {
  stopWith(error instanceof Error ? error.message : String(error));
}

async function everything() {
  const commit = cleanCommit();
  await checks();
  tests(['rules', 'server', 'components', 'browser']);
  recordGreen('last-green', commit);
}

/** What `npm test` leaves out because it takes long. With file names it runs only these, which is recorded nowhere. */
function full() {
  const commit = cleanCommit();
  tests(['full', 'full-components', 'full-journeys']);
  if (rest.length === 0) recordGreen('last-full-green', commit);
}

/**
 * @param {string} name of the file in node_modules/.cache
 * @param {string | null} commit the commit at the start of the run, if the work tree was clean
 */
function recordGreen(name, commit) {
  if (commit === null || cleanCommit() !== commit) return;
  const folder = join(PROJECT, 'node_modules', '.cache');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${commit}\n`);
}

/** @param {string | undefined} base the branch or commit to compare with */
function changed(base) {
  const start = startOfBranch(base ?? 'main');
  const { server, components, journeys, whole } = testsFor(changedSince(start));
  if (whole !== null) process.stdout.write(`\n${whole} is used by many tests. Only npm test runs all of them.\n`);
  tests(['rules'], [`--changed=${start}`, '--passWithNoTests']);
  const parts = Object.entries({ server, components, browser: journeys }).filter(([, files]) => files.length > 0);
  if (parts.length > 0)
    tests(
      parts.map(([name]) => name),
      parts.flatMap(([, files]) => files),
    );
}

/** The checks run in parallel, as many at a time as there are cores. Each prints its output when it ends. */
async function checks() {
  const tsc = 'node_modules/typescript-native/bin/tsc';
  const dependencyCruiser = 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs';
  // The default of four checkers in a process creates the types of the contract four times: 67 instead of 25 s of CPU
  // time for the console.
  const types = [tsc, '--checkers', '1', '-p'];
  await sideBySide([
    ['types', [...types, 'tsconfig.json']],
    ['types of the console', [...types, 'apps/console/tsconfig.json']],
    ['lint and format', ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.']],
    ['import rules', [dependencyCruiser, 'apps', 'packages', 'bench', 'e2e', '--config', '.dependency-cruiser.mjs']],
    ['unused code', ['node_modules/knip/bin/knip.js']],
    ['words', ['scripts/checks/words.mjs']],
    ['migrations', ['scripts/checks/migrations.mjs']],
    ['table owners', ['scripts/checks/tables.mjs']],
    ['platform words', ['scripts/checks/platform.mjs']],
    ['folders', ['scripts/checks/folders.mjs']],
    ['styles', ['scripts/checks/styles.mjs']],
    ['patterns', ['scripts/checks/patterns.mjs']],
  ]);
  step('console', buildConsole);
  step('size', () => node(['scripts/checks/size.mjs']));
}

/** @param {[name: string, args: string[]][]} runs */
async function sideBySide(runs) {
  const left = [...runs];
  /** @type {string[]} */
  const failed = [];
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (let next = left.shift(); next && failed.length === 0; next = left.shift()) {
        const [name, args] = next;
        const start = performance.now();
        const { status, output } = await captured(args);
        const seconds = ((performance.now() - start) / 1000).toFixed(1);
        process.stdout.write(`\n── ${name}\n${output}── ${name}: ${seconds} s\n`);
        if (status !== 0) failed.push(name);
      }
    }),
  );
  if (failed.length > 0) throw new Error(`${failed.join(' and ')} failed.`);
}

/**
 * @param {string[]} args
 * @returns {Promise<{ status: number | null, output: string }>} the output of a program, in order
 */
function captured(args) {
  return new Promise((resolve, reject) => {
    const child = spawn(findNode(), args, { cwd: PROJECT, env: { ...childEnvironment(), ...extra } });
    child.stdin.end();
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
        output += text;
      });
    }
    child.once('error', reject);
    child.once('close', (status) => resolve({ status, output }));
  });
}

/**
 * The property tests of the rules, with new random cases in each run; `PROPERTY_SEED` repeats those of an earlier run.
 */
function properties() {
  const { PROPERTY_SEED = String(randomInt(2 ** 31)), PROPERTY_RUNS = '20000' } = process.env;
  Object.assign(extra, { PROPERTY_SEED, PROPERTY_RUNS });
  process.stdout.write(`\nPROPERTY_SEED=${PROPERTY_SEED} PROPERTY_RUNS=${PROPERTY_RUNS}\n`);
  tests(['rules'], ['packages/domain', '--testTimeout=600000']);
}

/** The tests that leave out cases in `npm test`, with every case (testing/stalls/every-case.ts). */
function faults() {
  extra.FAULT_CASES = 'all';
  tests(['server', 'full'], ['stalls.full.ts', 'ocpp16/fuzz.full.ts']);
}

/**
 * @param {string[]} projects
 * @param {string[]} more further arguments of Vitest
 */
function tests(projects, more = []) {
  const skipped = skippedParts(projects);
  const run = projects.filter((name) => !skipped.some((part) => part.projects.includes(name)));
  if (run.length === 0) throw new Error('None of these tests can run on this machine. See above.');
  const excluded = skipped.flatMap((part) => part.files.map((glob) => `--exclude=${glob}`));
  if (projects.includes('s3')) step('Ceph', requireCeph);
  if (projects.includes('mqtt')) step('Mosquitto', requireMosquitto);
  if (projects.includes('clients')) step('clients', requireClients);
  if (projects.includes('deploy')) {
    step('nginx, PgBouncer and PostgreSQL', () => {
      extra.DEPLOYMENT_TOOLS = JSON.stringify(requireDeployment());
    });
    step('promtool', requirePromtool);
    step('console', buildConsole);
  }
  if (projects.includes('cluster')) {
    step('PostgreSQL, HAProxy, Mosquitto and NATS', () => {
      extra.DEPLOYMENT_TOOLS = JSON.stringify(requireCluster());
    });
    step('SSH', requireSshPrograms);
    step('console', buildConsole);
    step('server', buildServer);
  }
  if (projects.includes('deploy')) step('browser', requireBrowser);
  if (run.some((name) => name === 'browser' || name === 'full-journeys')) step('console', buildConsole);
  const folder = mkdtempSync(join(tmpdir(), 'chargehand-results-'));
  const result = process.env.TEST_RESULT_FILE ?? join(folder, 'result.json');
  extra.TEST_RESULT_FILE = result;
  rmSync(result, { force: true });
  try {
    step('tests', () =>
      node([
        'node_modules/vitest/vitest.mjs',
        'run',
        ...run.flatMap((project) => ['--project', project]),
        ...excluded,
        '--reporter=default',
        '--reporter=./scripts/ci/reporter.mjs',
        ...more,
        ...rest,
      ]),
    );
  } finally {
    const names = skipped.map(({ name, reason }) => `${name}: ${reason}`);
    if (names.length > 0) process.stdout.write(`\nNOT RUN\n  ${names.join('\n  ')}\n`);
    if (existsSync(result)) {
      const found = JSON.parse(readFileSync(result, 'utf8'));
      writeFileSync(result, JSON.stringify({ ...found, skipped: names }));
      process.stdout.write(`${closingLine(found.files)}\n`);
    }
    rmSync(folder, { recursive: true });
  }
  if (skipped.length > 0) throw new Error('Parts of the tests were not run. See the list above.');
}

/**
 * Installs what the tests of projects need.
 * @param {string[]} projects
 * @returns the parts whose programs could not be installed, with the reason
 */
function skippedParts(projects) {
  return NEEDS.filter((part) => part.for.some((name) => projects.includes(name))).flatMap((part) => {
    try {
      step(`programs for ${part.name}`, part.install);
      return [];
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      process.stdout.write(`── ${reason}\n`);
      return [{ ...part, reason }];
    }
  });
}

/** @param {string} part */
function script(part) {
  if (part === 'screenshots') requireBrowser();
  buildConsole();
  const file = part === 'bench' ? 'bench/run.ts' : 'e2e/screenshots.ts';
  if (!existsSync(join(PROJECT, file))) throw new Error(`There is no ${file} yet.`);
  node([file, ...rest]);
}

/**
 * @param {string} name
 * @param {() => void} work
 */
function step(name, work) {
  process.stdout.write(`\n── ${name}\n`);
  const start = performance.now();
  work();
  process.stdout.write(`── ${name}: ${((performance.now() - start) / 1000).toFixed(1)} s\n`);
}

/** @param {string[]} args */
function node(args) {
  const { status } = spawnSync(findNode(), args, {
    cwd: PROJECT,
    env: { ...childEnvironment(), ...extra },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error(`${args[0]} failed.`);
}
