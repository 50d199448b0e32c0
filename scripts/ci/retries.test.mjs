import { describe, expect, test } from 'vitest';
import { filesToRetry, outcomeOf } from './retries.mjs';

/**
 * @param {string} path
 * @param {number} passed
 * @param {string[]} failures
 * @returns {import('./reporter.mjs').FileResult}
 */
const file = (path, passed, failures = []) => ({
  ...{ project: 'server', path, passed, failed: failures.length, failures, seconds: 1 },
});
/**
 * @param {import('./reporter.mjs').FileResult[]} files
 * @param {Partial<import('./reporter.mjs').RunResult>} more
 */
const run = (files, more = {}) => ({ files, errors: 0, skipped: [], ...more });

describe('after a run with failed files', () => {
  const first = run([file('a', 5), file('b', 2, ['b waits']), file('c', 0, ['c loads', 'c saves'])]);

  test('only the failed files run again', () => {
    expect(filesToRetry(first).map(({ path }) => path)).toEqual(['b', 'c']);
  });

  test('the run is green when all of them pass alone, and names them as flaky', () => {
    const { green, report } = outcomeOf(first, [run([file('b', 3)]), run([file('c', 2)])]);
    expect(green).toBe(true);
    expect(report).toContain('FLAKY');
    expect(report).toContain('    b waits');
    expect(report).not.toContain('FAILED');
    expect(report.trimEnd().split('\n').at(-1)).toBe('10 passed, 0 failed');
  });

  test('the run is red when one of them fails again', () => {
    const { green, report } = outcomeOf(first, [run([file('b', 3)]), null]);
    expect(green).toBe(false);
    expect(report).toContain('FAILED TWICE\n  c\n    c loads');
    expect(report.trimEnd().split('\n').at(-1)).toBe('8 passed, 2 failed');
  });

  test.each([
    ['has no test that passed', run([file('b', 0)])],
    ['has an error outside of tests', run([file('b', 3)], { errors: 1 })],
    ['ran no file', run([])],
  ])('a second run does not count when it %s', (_, second) => {
    expect(outcomeOf(first, [second, run([file('c', 2)])]).green).toBe(false);
  });
});

describe('nothing is run again, and the run is red,', () => {
  test.each([
    ['when there were errors outside of tests', run([file('a', 5), file('b', 2, ['b'])], { errors: 1 })],
    ['when a part was skipped', run([file('a', 5), file('b', 2, ['b'])], { skipped: ['browser'] })],
    ['when only a part was skipped', run([file('a', 5)], { skipped: ['browser'] })],
    ['when many files failed', run(Array.from({ length: 11 }, (_, index) => file(String(index), 1, ['one'])))],
    ['when no file ran', run([])],
  ])('%s', (_, first) => {
    expect(filesToRetry(first)).toEqual([]);
    expect(outcomeOf(first, []).green).toBe(false);
  });
});
