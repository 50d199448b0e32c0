import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { inWorker, taskMs } from './workers.ts';

test('a task that uses too much processor time ends, and its thread works again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-workers-'));
  const module = async (name: string, code: string) => {
    await writeFile(join(folder, name), `export default ${code};`);
    return pathToFileURL(join(folder, name));
  };
  const endless = await module('endless.mjs', '() => { for (;;); }');
  const double = await module('double.mjs', '(number) => number * 2');
  const long = inWorker({ customerId: 1 }, endless, null, 100).catch((error: unknown) => error);
  expect(await inWorker({ customerId: 2 }, double, 21)).toBe(42);
  expect(await long).toMatchObject({ code: 'workTooLong' });
  expect(await inWorker({ customerId: 1 }, double, 4)).toBe(8);
  await rm(folder, { recursive: true });
});

test('a task has several times its processor time, and at least half a minute', () => {
  expect([5_000, 25_000, Number.POSITIVE_INFINITY].map(taskMs)).toEqual([30_000, 75_000, 30_000]);
});
