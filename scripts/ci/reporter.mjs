// A reporter for Vitest that writes the result of a run as JSON to the path in TEST_RESULT_FILE.
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { PROJECT } from '../run.mjs';

/**
 * The result of one test file.
 * @typedef {{ project: string, path: string, passed: number, failed: number, failures: string[], seconds: number }} FileResult
 */
/**
 * The result of a run. `errors` counts errors outside of tests, such as rejected promises. `skipped` are the parts that
 * could not run because the machine lacks a program.
 * @typedef {{ files: FileResult[], errors: number, skipped: string[] }} RunResult
 */

export default class ResultReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly unknown[]} errors
   */
  onTestRunEnd(modules, errors) {
    const path = process.env.TEST_RESULT_FILE;
    if (path === undefined) return;
    /** @type {RunResult} */
    const result = { files: modules.map(resultOf), errors: errors.length, skipped: [] };
    writeFileSync(path, JSON.stringify(result));
  }
}

/**
 * @param {import('vitest/node').TestModule} module
 * @returns {FileResult}
 */
function resultOf(module) {
  const tests = [...module.children.allTests()];
  const failures = tests.filter((test) => test.result().state === 'failed').map((test) => test.fullName);
  // A file that cannot be loaded, or whose hooks fail, counts as a failed test.
  if (failures.length === 0 && module.state() === 'failed') failures.push('the file itself');
  return {
    // Vitest adds the browser to the name: `components (chromium)`.
    project: module.project.name.split(' ')[0] ?? '',
    path: relative(PROJECT, module.moduleId),
    passed: tests.filter((test) => test.result().state === 'passed').length,
    failed: failures.length,
    failures,
    seconds: module.diagnostic().duration / 1000,
  };
}
