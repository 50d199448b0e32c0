import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Program, startProgram } from './testing/program.ts';

/** Below the ports from which clients are given theirs. */
const PORT = '19711';
/** Three seconds, where a bare Node needs 40 ms to start; a busy machine slows both. */
const RESTART_WITHIN_BARE_STARTS = 75;

let folder: string;
let program: Program;
const start = () => startProgram({ PORT, HOST: '127.0.0.1', CHARGEHAND_DATA: folder, DATABASE_URL: '' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'chargehand-main-'));
  program = await start();
});
afterAll(async () => {
  await program.stop();
  await rm(folder, { recursive: true, force: true });
});

test('a second start is on its feet within the time of seventy-five bare starts of Node: three seconds', async () => {
  await program.stop();
  expect(databases()).toBe(0);
  const before = bareStartMs();
  const begun = performance.now();
  program = await start();
  const took = performance.now() - begun;
  expect(took / Math.max(before, bareStartMs())).toBeLessThan(RESTART_WITHIN_BARE_STARTS);
}, 60_000);

test('killed without warning, the next start clears away the database that was left over', async () => {
  await program.kill();
  expect(databases()).toBe(1);
  program = await start();
  expect(databases()).toBe(1);
}, 60_000);

test('two programs on one data folder: the second says so and ends', () => {
  const { status, stderr } = another({ PORT: '0', CHARGEHAND_DATA: folder });
  expect(stderr).toContain(`Chargehand already runs on the data folder ${folder}`);
  expect(status).toBe(1);
});

test.each([
  ['a port that is taken', { PORT, CHARGEHAND_DATA: `${tmpdir()}/chargehand-other` }, `Port ${PORT} is taken`],
  ['a database that is not there', { DATABASE_URL: 'postgres://x@127.0.0.1:1/x' }, 'The database cannot be reached'],
  ['a bad setting', { PORT: 'eighty' }, 'PORT must be a whole number'],
])('%s is refused in a sentence', async (_what, environment, sentence) => {
  const { status, stderr } = another({ CHARGEHAND_DATA: `${folder}-refused`, ...environment });
  expect(stderr).toContain(sentence);
  expect(status).toBe(1);
  await rm(`${folder}-refused`, { recursive: true, force: true });
  await rm(`${tmpdir()}/chargehand-other`, { recursive: true, force: true });
});

/** Starts the program where it cannot, and waits until it has said why. */
function another(environment: Record<string, string>) {
  const env = { ...process.env, CHARGEHAND_DEMO: '0', CHARGEHAND_LOG: 'error', DATABASE_URL: '', ...environment };
  return spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], {
    env,
    encoding: 'utf8',
    timeout: 15_000,
  });
}

function bareStartMs(): number {
  const begun = performance.now();
  execFileSync(process.execPath, ['-e', '0']);
  return performance.now() - begun;
}

/** How many database servers run on the test's folder. */
function databases(): number {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes('postgres -D') && line.includes(folder)).length;
}
