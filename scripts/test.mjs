// `npm test`: installs what the tests need and runs every check and every test; the first that fails ends it.
// `--only checks|rules|properties|server|s3|mqtt|browser|screenshots|bench` runs a part.
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireBrowser } from './browser.mjs';
import { buildConsole } from './console.mjs';
import { requireCeph, requireLftp, requireMosquitto, requireS3cmd } from './debian.mjs';
import { install } from './install.mjs';
import { childEnvironment, findNode, PROJECT, stopWith } from './run.mjs';

const PARTS = ['checks', 'rules', 'properties', 'server', 's3', 'mqtt', 'browser', 'screenshots', 'bench'];
const [flag, only, ...rest] = process.argv.slice(2);
if (flag !== undefined && (flag !== '--only' || !PARTS.includes(only ?? ''))) {
  stopWith(`npm test knows --only with one of ${PARTS.join(', ')}.`);
}
/** @type {Record<string, string>} added to the environment of every step */
const extra = {};

try {
  step('packages', install);
  if (only === undefined || only === 'checks') checks();
  if (only === 'screenshots' || only === 'bench') script(only);
  else if (only === 'properties') properties();
  else if (only !== 'checks') tests(only === undefined ? ['rules', 'server', 'browser'] : [only ?? '']);
} catch (error) {
  stopWith(error instanceof Error ? error.message : String(error));
}

function checks() {
  const tsc = 'node_modules/typescript-native/bin/tsc';
  step('types', () => node([tsc, '-p', 'tsconfig.json']));
  step('types of the console', () => node([tsc, '-p', 'apps/console/tsconfig.json']));
  step('lint and format', () => node(['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', '.']));
  step('import rules', () =>
    node([
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      'apps',
      'packages',
      'bench',
      'e2e',
      '--config',
      '.dependency-cruiser.mjs',
    ]),
  );
  step('unused code', () => node(['node_modules/knip/bin/knip.js']));
  step('words', () => node(['scripts/words.mjs']));
  step('console', buildConsole);
  step('size', () => node(['scripts/size.mjs']));
}

/** The properties of the rules, with cases that no run had before: `PROPERTY_SEED` repeats those of an earlier one. */
function properties() {
  const { PROPERTY_SEED = String(randomInt(2 ** 31)), PROPERTY_RUNS = '20000' } = process.env;
  Object.assign(extra, { PROPERTY_SEED, PROPERTY_RUNS });
  process.stdout.write(`\nPROPERTY_SEED=${PROPERTY_SEED} PROPERTY_RUNS=${PROPERTY_RUNS}\n`);
  tests(['rules'], ['packages/domain', '--testTimeout=600000']);
}

/**
 * @param {string[]} projects
 * @param {string[]} more of what Vitest is told
 */
function tests(projects, more = []) {
  if (projects.includes('server')) step('s3cmd', requireS3cmd);
  if (projects.includes('server')) step('lftp', requireLftp);
  if (projects.includes('s3')) step('Ceph', requireCeph);
  if (projects.includes('mqtt')) step('Mosquitto', requireMosquitto);
  if (projects.includes('browser')) {
    step('browser', () => {
      extra.CHROMIUM_PATH = requireBrowser();
    });
    step('console', buildConsole);
  }
  const folder = mkdtempSync(join(tmpdir(), 'chargehand-results-'));
  const result = join(folder, 'result.json');
  try {
    step('tests', () =>
      node([
        'node_modules/vitest/vitest.mjs',
        'run',
        ...projects.flatMap((project) => ['--project', project]),
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${result}`,
        ...more,
        ...rest,
      ]),
    );
  } finally {
    if (existsSync(result)) {
      const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(result, 'utf8'));
      process.stdout.write(`${numPassedTests} passed, ${numFailedTests} failed\n`);
    }
    rmSync(folder, { recursive: true });
  }
}

/** @param {string} part */
function script(part) {
  if (part === 'screenshots') extra.CHROMIUM_PATH = requireBrowser();
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
