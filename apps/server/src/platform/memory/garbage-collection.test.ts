import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** Uses 1 GB of buffers, 8 MB of them at a time, in a process with many old objects. Prints the number of full collections. */
const PROGRAM = `
import { PerformanceObserver, constants } from 'node:perf_hooks';
import { collectLessOften } from '${join(import.meta.dirname, 'garbage-collection.ts')}';
if (process.argv[1] === 'less') collectLessOften();
const objects = Array.from({ length: 400_000 }, (_, index) => ({ index, next: { index } }));
let full = 0;
new PerformanceObserver((list) => {
  full += list.getEntries().filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR).length;
}).observe({ entryTypes: ['gc'] });
const waiting = [];
for (let used = 0; used < 2 ** 30; used += 32_768) {
  waiting.push(Buffer.allocUnsafeSlow(32_768));
  if (waiting.length > 256) waiting.shift();
  if (used % 2 ** 20 === 0) await new Promise(setImmediate);
}
await new Promise(setImmediate);
console.log(full, objects.length);
process.exit();
`;

async function fullCollections(...args: string[]): Promise<number> {
  const options = ['--disable-warning=ExperimentalWarning', '--input-type=module-typescript', '--eval', PROGRAM];
  const { stdout } = await promisify(execFile)(process.execPath, [...options, '--', ...args]);
  return Number(stdout.split(' ')[0]);
}

test('buffers start fewer full garbage collections', async () => {
  const [usual, less] = [await fullCollections(), await fullCollections('less')];
  // About half as many; when V8 starts one also depends on how busy the machine is.
  expect(usual).toBeGreaterThan(1.5 * less);
});
