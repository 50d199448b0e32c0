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
/** Whether the tests pass without a mutation, by their names. */
const green = new Map();
/** @type {import('./list.mjs').Mutation[]} */
const survived = [];
try {
  for (const mutation of chosen) {
    const { file, from, to, tests } = mutation;
    const path = join(PROJECT, file);
    const source = readFileSync(path, 'utf8');
    if (source.split(from).length !== 2) throw new Error(`${file} does not contain exactly once: ${from}`);
    if (!green.has(tests.join())) green.set(tests.join(), await passes(tests));
    if (!green.get(tests.join())) throw new Error(`These tests fail without a mutation: ${tests.join(', ')}`);
    restore = () => writeFileSync(path, source);
    writeFileSync(
      path,
      source.replace(from, () => to),
    );
    vitest.invalidateFile(path);
    const noticed = !(await passes(tests));
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
 * @param {readonly string[]} files
 * @returns {Promise<boolean>} true when all tests of the files pass
 */
async function passes(files) {
  const found = await vitest.globTestSpecifications(files.map((file) => join(PROJECT, file)));
  if (found.length < files.length) throw new Error(`Some of these files are no tests: ${files.join(', ')}`);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(found);
  return unhandledErrors.length === 0 && testModules.every((module) => module.ok() && module.state() !== 'failed');
}
