// Decides what a second run of failed test files means.

/** @typedef {import('./reporter.mjs').FileResult} FileResult */
/** @typedef {import('./reporter.mjs').RunResult} RunResult */

/** More failed files than this do not fail by chance, and are not run again. */
const MOST_RETRIES = 10;

/**
 * @param {RunResult} first
 * @returns {FileResult[]} the files to run once more, each alone
 */
export function filesToRetry({ files, errors, skipped }) {
  const failed = files.filter((file) => file.failed > 0);
  // Nothing that a file does alone can turn these into a success.
  if (errors > 0 || skipped.length > 0 || failed.length > MOST_RETRIES) return [];
  return failed;
}

/**
 * The outcome of a run and of the second runs of its failed files.
 * @param {RunResult} first
 * @param {(RunResult | null)[]} seconds one for each of `filesToRetry(first)`; null for a run that ended without a result
 * @returns {{ green: boolean, report: string }} whether every file passed in the end, and a text whose last line has the
 * totals
 */
export function outcomeOf(first, seconds) {
  const retried = filesToRetry(first);
  const again = new Map(retried.map((file, index) => [file, seconds[index]]));
  /** @param {FileResult} file */
  const isFlaky = (file) => {
    const second = again.get(file);
    return !!second && second.errors === 0 && second.files.length === 1 && second.files.every(isGreen);
  };
  const flaky = retried.filter(isFlaky);
  const failed = first.files.filter((file) => file.failed > 0 && !flaky.includes(file));
  const last = first.files.map((file) => (flaky.includes(file) ? (again.get(file)?.files[0] ?? file) : file));
  const green = failed.length === 0 && first.errors === 0 && first.skipped.length === 0 && last.length > 0;
  const lines = [
    ...section('FLAKY (failed in the run, passed alone)', flaky),
    ...section(retried.length > 0 ? 'FAILED TWICE' : 'FAILED', failed),
    ...(first.errors > 0 ? ['', `${first.errors} errors outside of tests. See the output above.`] : []),
    '',
    closingLine(last),
  ];
  return { green, report: `${lines.join('\n')}\n` };
}

/**
 * @param {FileResult[]} files
 * @returns {string} the line at the end of each run of tests
 */
export function closingLine(files) {
  const total = (/** @type {'passed' | 'failed'} */ key) => files.reduce((sum, file) => sum + file[key], 0);
  return `${total('passed')} passed, ${total('failed')} failed`;
}

/** @param {FileResult} file */
function isGreen(file) {
  return file.failed === 0 && file.passed > 0;
}

/**
 * @param {string} title
 * @param {FileResult[]} files
 */
function section(title, files) {
  if (files.length === 0) return [];
  const lines = files.flatMap(({ path, failures }) => [`  ${path}`, ...failures.map((name) => `    ${name}`)]);
  return ['', title, ...lines];
}
