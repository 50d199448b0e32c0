import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { CentralSystem } from './testing/central-system.ts';

const CLI = fileURLToPath(new URL('./cli.ts', import.meta.url));

function run(...args: string[]): { output: () => string; exit: Promise<unknown[]>; signal: (name: 'SIGINT') => void } {
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
  return { output: () => output, exit: once(child, 'close'), signal: (name) => child.kill(name) };
}

test('the command connects a fleet, prints its state, and stops in order on a signal', async () => {
  const central = await CentralSystem.start();
  onTestFinished(() => central.stop());
  const program = run('--url', central.url, '--devices', '3', '--prefix', 'P', '--session-every', '0');
  await central.seen('P00003', 'StatusNotification', { connectorId: 1 });
  await expect.poll(program.output).toContain('connected 3/3');
  program.signal('SIGINT');
  expect(await program.exit).toEqual([0, null]);
  expect(program.output()).toContain('connected 0/3');
  expect(central.violations).toEqual([]);
});

test('the command reports an invalid option', async () => {
  const program = run('--devices', 'many');
  expect(await program.exit).toEqual([2, null]);
  expect(program.output()).toBe('--devices many: must be a number from 1 to 99999\nTry --help.\n');
});

test('the command refuses a recording with bad lines', async () => {
  const program = run('--replay', fileURLToPath(import.meta.url));
  expect(await program.exit).toEqual([2, null]);
  expect(program.output()).toMatch(/^The file cannot be replayed\.\nline 1: not JSON\n/);
});
