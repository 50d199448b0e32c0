// `node scripts/mutations/run.mjs [text ...]`: applies each mutation of critical code (list.mjs), or those whose file
// contains a text, runs the tests that must notice it, and prints those that none notices. Files are restored. Exit code 1
// when fewer than 95 % are noticed. `npm run test:mutation` makes mutations of all code instead.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVitest } from 'vitest/node';
import { PROJECT } from '../run.mjs';
import { MUTATIONS } from './list.mjs';

const LEAST = 0.95;
const texts = process.argv.slice(2);
const chosen = MUTATIONS.filter(({ file }) => texts.length === 0 || texts.some((text) => file.includes(text)));

/** @type {(() => void) | null} restores the file that is changed now */
let restore = null;
process.on('exit', () => restore?.());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

const vitest = await createVitest('test', {
  ...{ watch: false, bail: 1, reporters: [{}], project: ['rules', 'server'] },
});
/** Only a failure ends a run early. Vitest then sometimes has no result of the failed file. */
let ended = false;
const cancel = vitest.cancelCurrentRun.bind(vitest);
vitest.cancelCurrentRun = (reason) => {
  ended = true;
  return cancel(reason);
};
/** Names of tests that pass without a mutation. */
const green = new Set();
/** @type {import('./list.mjs').Mutation[]} */
const survived = [];
try {
  for (const mutation of chosen) {
    const { file, from, to, tests } = mutation;
    const path = join(PROJECT, file);
    const source = readFileSync(path, 'utf8');
    if (source.split(from).length !== 2) throw new Error(`${file} does not contain exactly once: ${from}`);
    if (!green.has(tests.join())) {
      const failures = await failuresOf(tests);
      if (failures.length > 0) throw new Error(`These tests fail without a mutation:\n${failures.join('\n')}`);
      green.add(tests.join());
    }
    restore = () => writeFileSync(path, source);
    writeFileSync(
      path,
      source.replace(from, () => to),
    );
    vitest.invalidateFile(path);
    const noticed = (await failuresOf(tests)).length > 0;
    restore();
    restore = null;
    vitest.invalidateFile(path);
    if (!noticed) survived.push(mutation);
    process.stdout.write(`${noticed ? 'noticed ' : 'SURVIVED'}  ${file}: ${from.trim().slice(0, 90)}\n`);
  }
} finally {
  restore?.();
  restore = null;
  await vitest.close();
}
const noticed = chosen.length - survived.length;
process.stdout.write(`\n${noticed} of ${chosen.length} mutations are noticed.\n`);
for (const { file, from, to } of survived) process.stdout.write(`\n${file}\n- ${from}\n+ ${to}\n`);
process.exit(noticed / chosen.length >= LEAST ? 0 : 1);

/**
 * Runs test files until the first failure.
 * @param {readonly string[]} files
 * @returns {Promise<string[]>} names and messages of what failed
 */
async function failuresOf(files) {
  const found = await vitest.globTestSpecifications(files.map((file) => join(PROJECT, file)));
  if (found.length < files.length) throw new Error(`Some of these files are no tests: ${files.join(', ')}`);
  ended = false;
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(found);
  // Vitest returns the modules of earlier runs, too.
  const ids = new Set(found.map(({ moduleId }) => moduleId));
  const failed = testModules.filter((module) => ids.has(module.moduleId) && !module.ok());
  const messages = failed.flatMap((module) => [
    ...module.errors().map(({ message }) => `${module.moduleId}: ${message}`),
    ...[...module.children.allTests('failed')].map(
      (one) => `${one.fullName}: ${one.result().errors?.[0]?.message ?? ''}`,
    ),
    ...(module.state() === 'failed' ? [`${module.moduleId} failed`] : []),
  ]);
  return [...messages, ...unhandledErrors.map(String), ...(ended ? ['A test failed.'] : [])];
}
