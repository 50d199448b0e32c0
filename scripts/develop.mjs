// `npm run dev`: restarts the server when one of its files changes. Vite serves and reloads the console and proxies all
// other requests to the server (apps/console/vite.config.ts names the paths).
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment, ended, findNode, PROJECT } from './run.mjs';

/** @returns {Promise<number>} the server's exit code */
export async function develop() {
  const node = findNode();
  const flags = ['--disable-warning=ExperimentalWarning', '--watch-preserve-output', '--watch-path=packages'];
  const server = spawn(node, [...flags, '--watch-path=apps/server', 'apps/server/src/main.ts'], {
    cwd: PROJECT,
    env: childEnvironment(),
    stdio: ['inherit', 'inherit', 'inherit'],
  });
  const console = join(PROJECT, 'apps', 'console');
  if (existsSync(join(console, 'index.html'))) {
    const vite = spawn(node, [join(PROJECT, 'node_modules', 'vite', 'bin', 'vite.js')], {
      cwd: console,
      env: childEnvironment(),
      stdio: 'inherit',
    });
    server.once('exit', () => vite.kill('SIGTERM'));
  }
  return ended(server);
}
