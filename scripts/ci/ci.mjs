// `.ci/run`: runs `npm test`. Test files that fail are run once more, each alone; the exit code is 0 only if all of them
// pass then. They are printed under FLAKY: each is a fault to fix, in the test or in the product.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROJECT } from '../run.mjs';
import { filesToRetry, outcomeOf } from './retries.mjs';

const folder = mkdtempSync(join(tmpdir(), 'chargehand-ci-'));
try {
  process.exitCode = everything();
} finally {
  rmSync(folder, { recursive: true });
}

/** @returns {number} the exit code */
function everything() {
  const { status, result: first } = run('all', []);
  if (status === 0) return 0;
  // Without a result, a check failed before the tests.
  if (first === null) return 1;
  const seconds = filesToRetry(first).map(({ project, path }, index) => {
    process.stdout.write(`\n── once more, alone: ${path}\n`);
    const again = run(String(index), ['--', '--only', project, path]);
    return again.status === 0 ? again.result : null;
  });
  const { green, report } = outcomeOf(first, seconds);
  process.stdout.write(report);
  return green ? 0 : 1;
}

/**
 * @param {string} name of its result
 * @param {string[]} args of npm test
 * @returns {{ status: number | null, result: import('./reporter.mjs').RunResult | null }}
 */
function run(name, args) {
  const file = join(folder, `${name}.json`);
  const { status } = spawnSync('npm', ['test', ...args], {
    cwd: PROJECT,
    env: { ...process.env, TEST_RESULT_FILE: file },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return { status, result: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null };
}
