// `npm run test:stress -- [file ...] [--times 20] [--projects rules,server]`: runs test files, or all of them,
// repeatedly while every core is under load, and prints the number of failures by file. A test that fails here by
// chance also fails in CI by chance. `--round` runs all tests of `npm test` three times.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { requireBrowser } from './browser.mjs';
import { buildConsole } from './console.mjs';
import { requireLftp, requireS3cmd, requireSshPrograms } from './debian.mjs';
import { install } from './install.mjs';
import { childEnvironment, findNode, PROJECT, stopWith } from './run.mjs';

const { values, positionals: files } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: 'string' },
    projects: { type: 'string' },
    round: { type: 'boolean', default: false },
  },
});
const times = Number(values.times ?? (values.round ? 3 : 20));
const projects = (values.projects ?? (values.round ? 'rules,server,components,browser' : 'rules,server')).split(',');
if (!Number.isInteger(times) || times < 1) stopWith('--times takes a whole number from 1.');

install();
if (projects.includes('components') || projects.includes('browser')) requireBrowser();
if (projects.includes('browser')) buildConsole();
if (projects.includes('server')) {
  requireS3cmd();
  requireLftp();
  requireSshPrograms();
}
/** @type {Map<string, Map<string, number>>} file, test, number of failures */
const failures = new Map();
const folder = mkdtempSync(join(tmpdir(), 'chargehand-stress-'));
const load = Array.from({ length: availableParallelism() }, () =>
  // The load process ends with this process, because its pipe closes.
  spawn(
    findNode(),
    [
      '-e',
      'process.stdin.resume().once("end", process.exit); (function spin() { const end = Date.now() + 50; while (Date.now() < end); setImmediate(spin); })()',
    ],
    {
      stdio: ['pipe', 'ignore', 'inherit'],
    },
  ),
);
let broken = 0;
try {
  for (let round = 1; round <= times; round += 1) {
    const start = performance.now();
    const failed = run(join(folder, `${round}.json`));
    const seconds = ((performance.now() - start) / 1000).toFixed(0);
    process.stdout.write(`round ${round} of ${times}: ${failed === 0 ? 'green' : `${failed} failed`}, ${seconds} s\n`);
  }
} finally {
  for (const one of load) one.kill();
  rmSync(folder, { recursive: true });
}

for (const [file, tests] of [...failures].sort()) {
  process.stdout.write(`\n${file}\n`);
  for (const [test, count] of [...tests].sort((a, b) => b[1] - a[1])) {
    process.stdout.write(`  ${count} of ${times}  ${test}\n`);
  }
}
if (broken > 0) process.stdout.write(`\n${broken} of ${times} rounds ended without a result.\n`);
process.stdout.write(
  `\n${failures.size === 0 && broken === 0 ? 'Nothing failed' : 'There were failures'} in ${times} rounds.\n`,
);
process.exitCode = failures.size === 0 && broken === 0 ? 0 : 1;

/**
 * One round.
 * @param {string} result path of its result
 * @returns {number} number of failed tests and files
 */
function run(result) {
  const chosen = projects.flatMap((project) => ['--project', project]);
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', ...chosen];
  const reporting = ['--reporter=json', `--outputFile.json=${result}`];
  const { status, stderr } = spawnSync(findNode(), [...vitest, ...reporting, ...files], {
    cwd: PROJECT,
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (!existsSync(result)) {
    broken += 1;
    process.stderr.write(stderr);
    return 1;
  }
  const before = total();
  for (const { name, status: outcome, assertionResults, message } of JSON.parse(readFileSync(result, 'utf8'))
    .testResults) {
    const file = relative(PROJECT, name);
    const bad = assertionResults.filter((/** @type {{ status: string }} */ one) => one.status === 'failed');
    for (const { fullName, failureMessages } of bad) note(file, `${fullName}: ${firstLine(failureMessages[0])}`);
    if (outcome === 'failed' && bad.length === 0) note(file, `the file itself: ${firstLine(message)}`);
  }
  if (status !== 0 && total() === before) note('the run', `exit code ${status}: ${firstLine(stderr)}`);
  return total() - before;
}

/**
 * @param {string} file
 * @param {string} test
 */
function note(file, test) {
  const tests = failures.get(file) ?? new Map();
  tests.set(test, (tests.get(test) ?? 0) + 1);
  failures.set(file, tests);
}

function total() {
  return [...failures.values()].flatMap((tests) => [...tests.values()]).reduce((sum, count) => sum + count, 0);
}

/** @param {string | undefined} text */
function firstLine(text) {
  return (text ?? '').trim().split('\n', 1)[0] ?? '';
}
