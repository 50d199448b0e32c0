import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { buildServer, SERVER } from '../../scripts/build/server-bundle.mjs';
import { buildConsole, STAMP } from '../../scripts/console.mjs';

const PROJECT = join(import.meta.dirname, '../..');

test('the command for systemd builds the console and the server, ends, and leaves nothing to build for the service', () => {
  const docs = readFileSync(join(PROJECT, 'docs/operations.md'), 'utf8');
  const [, section = ''] = docs.split('## systemd and nginx');
  const command = /`npm run (\w+)` there/.exec(section)?.[1] ?? '';
  rmSync(STAMP, { force: true });
  rmSync(dirname(SERVER), { recursive: true, force: true });
  const { status, stdout } = spawnSync('npm', ['run', command], { cwd: PROJECT, encoding: 'utf8', timeout: 170_000 });
  expect(status).toBe(0);
  expect(stdout).toContain('Building the console');
  expect(existsSync(STAMP)).toBe(true);
  const page = join(PROJECT, 'apps/console/dist/index.html');
  const times = () => [page, SERVER].map((file) => statSync(file).mtimeMs);
  const built = times();
  buildConsole();
  buildServer();
  expect(times()).toEqual(built);
});
