// Checks the number of files per folder. `node scripts/checks/folders.mjs` prints the folders with too many and exits
// with 1.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Maximum number of files directly in a folder, besides its README. */
const LIMIT = 15;

/** Folders of one kind of file that grow with the product. */
const EXCEPTIONS = new Set([
  'apps/console/src/locales/en-US',
  'apps/console/src/locales/zh-CN',
  'apps/server/src/platform/database/migrations',
]);

const PROJECT = join(import.meta.dirname, '..', '..');
// Files that Git ignores, such as packages and builds, do not count.
const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
const files = execFileSync('git', list, { cwd: PROJECT, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
/** @type {Map<string, number>} */
const counts = new Map();
for (const file of new Set(files.split('\0').filter((name) => name && !name.endsWith('/README.md')))) {
  const folder = file.split('/').slice(0, -1).join('/') || '.';
  counts.set(folder, (counts.get(folder) ?? 0) + 1);
}
const full = [...counts].filter(([folder, count]) => count > LIMIT && !EXCEPTIONS.has(folder));
if (full.length > 0) {
  const lines = full.map(([folder, count]) => `${folder} has ${count} files`);
  process.stderr.write(`${lines.join('\n')}\nA folder has at most ${LIMIT} files: split it by feature.\n`);
  process.exitCode = 1;
} else {
  process.stdout.write(`${counts.size} folders, none with more than ${LIMIT} files.\n`);
}
